// The C room of what Glibc's Swift overlay leaves out.
#ifndef POSTERN_CLINUX_SHIM_H
#define POSTERN_CLINUX_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Mutable C globals are errors in Swift 6; functions are not.
static inline int postern_optind(void) { return optind; }
static inline int postern_optopt(void) { return optopt; }
static inline const char *postern_optarg(void) { return optarg; }

// optind = 0 makes glibc start afresh, its order of arguments included; opterr = 0 leaves the messages to the caller.
static inline void postern_getopt_reset(void) {
    optind = 0;
    opterr = 0;
}

// The events are an enumeration in C, which Swift would not let be combined.
static const uint32_t POSTERN_EPOLLIN = EPOLLIN;
static const uint32_t POSTERN_EPOLLOUT = EPOLLOUT;
static const uint32_t POSTERN_EPOLLRDHUP = EPOLLRDHUP;
static const uint32_t POSTERN_EPOLLHUP = EPOLLHUP;
static const uint32_t POSTERN_EPOLLERR = EPOLLERR;
static const uint32_t POSTERN_EPOLLET = EPOLLET;

static inline int postern_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

// epoll_event is packed, and its data a union.
static inline int postern_epoll_change(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}
static inline uint64_t postern_epoll_token(const struct epoll_event *event) { return event->data.u64; }

// A counter that wakes a loop.
static inline int postern_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// pthread_setname_np is there with _GNU_SOURCE only.
static inline void postern_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

// accept4 is there with _GNU_SOURCE only. The caller has no use for the length.
static inline int postern_accept(int listener, struct sockaddr_storage *address) {
    socklen_t length = sizeof(*address);
    return accept4(listener, (struct sockaddr *)address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// struct ucred is there with _GNU_SOURCE only. Zero, or -1 with errno set.
static inline int postern_peer_credentials(int descriptor, int32_t *process, uint32_t *user, uint32_t *group) {
    struct ucred credentials;
    socklen_t length = sizeof(credentials);
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    *process = credentials.pid;
    *user = credentials.uid;
    *group = credentials.gid;
    return 0;
}

#endif
