// The C room of what Glibc's Swift overlay leaves out.
//
// No header is included here that Glibc's overlay has too, directly or through others: its types would then count as this
// module's, and whoever uses `timespec` would have to import CLinux. What is needed of such headers (sys/epoll.h, sys/eventfd.h,
// and what pthread.h and sys/socket.h declare for _GNU_SOURCE only) is declared anew, as the kernel and glibc define it.
#ifndef POSTERN_CLINUX_SHIM_H
#define POSTERN_CLINUX_SHIM_H

#include <getopt.h>
#include <stdint.h>
#include <sys/syscall.h>

// Mutable C globals are errors in Swift 6; functions are not.
static inline int postern_optind(void) { return optind; }
static inline int postern_optopt(void) { return optopt; }
static inline const char *postern_optarg(void) { return optarg; }

// optind = 0 makes glibc start afresh, its order of arguments included; opterr = 0 leaves the messages to the caller.
static inline void postern_getopt_reset(void) {
    optind = 0;
    opterr = 0;
}

// The variables of the process, as NAME=VALUE, with a null pointer at the end.
extern char **postern_variables __asm__("environ");
static inline char **postern_environment(void) { return postern_variables; }

// epoll(7). The kernel packs the event on x86-64 alone.
struct postern_epoll_event {
    uint32_t events;
    uint64_t token;
}
#ifdef __x86_64__
__attribute__((packed))
#endif
;

static const uint32_t POSTERN_EPOLLIN = 0x001;
static const uint32_t POSTERN_EPOLLOUT = 0x004;
static const uint32_t POSTERN_EPOLLERR = 0x008;
static const uint32_t POSTERN_EPOLLHUP = 0x010;
static const uint32_t POSTERN_EPOLLRDHUP = 0x2000;
static const uint32_t POSTERN_EPOLLET = 1u << 31;

static const int POSTERN_EPOLL_ADD = 1;
static const int POSTERN_EPOLL_REMOVE = 2;
static const int POSTERN_EPOLL_CHANGE = 3;

int postern_epoll_create(int flags) __asm__("epoll_create1");
int postern_epoll_control(int epoll, int operation, int descriptor, struct postern_epoll_event *event) __asm__("epoll_ctl");
int postern_epoll_wait(int epoll, struct postern_epoll_event *events, int capacity, int milliseconds) __asm__("epoll_wait");

// A counter that wakes a loop; its flags are those of open(2).
int postern_eventfd(unsigned int value, int flags) __asm__("eventfd");

// The address is a struct sockaddr.
int postern_accept(int listener, void *address, unsigned int *length, int flags) __asm__("accept4");

// What the kernel thinks of the wall clock: adjtimex(2), which changes nothing where `modes` is 0.
struct postern_clock_state {
    unsigned int modes;
    long offset, frequency, maximum_error, estimated_error;
    int status;
    long constant, precision, tolerance, seconds, microseconds, tick;
    long pulse_frequency, jitter;
    int shift;
    long stability, jitter_count, calibration_count, error_count, exceeded_count;
    int tai;
    int reserved[11];
};

static const int POSTERN_CLOCK_ERROR = 5;

int postern_clock_adjust(struct postern_clock_state *state) __asm__("adjtimex");

// getrandom(2); 1 is GRND_NONBLOCK.
long postern_random(void *bytes, unsigned long count, unsigned int flags) __asm__("getrandom");

// The thread is a pthread_t.
int postern_name_thread(unsigned long thread, const char *name) __asm__("pthread_setname_np");

// sched_setattr(2), which glibc has no function for before 2.41. For threads of the usual class `runtime` is the length of their turns.
struct postern_scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

long postern_system_call(long number, ...) __asm__("syscall");

// Of the calling thread; 0, or -1 with errno.
static inline long postern_get_scheduling(struct postern_scheduling *scheduling) {
    return postern_system_call(SYS_sched_getattr, 0, scheduling, (unsigned int)sizeof(*scheduling), 0u);
}

static inline long postern_set_scheduling(struct postern_scheduling *scheduling) {
    scheduling->size = sizeof(*scheduling);
    return postern_system_call(SYS_sched_setattr, 0, scheduling, 0u);
}

// mallopt(3), whose header is not in Glibc's overlay.
static const int POSTERN_MALLOC_TRIM_THRESHOLD = -1;
static const int POSTERN_MALLOC_MAP_THRESHOLD = -3;

int postern_malloc_option(int option, int value) __asm__("mallopt");

// Locks of an open file description: fcntl(2).
static const int POSTERN_LOCK_TEST = 36;
static const int POSTERN_LOCK_SET = 37;

// renameat2(2); 2 is RENAME_EXCHANGE.
int postern_rename(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags) __asm__("renameat2");
static const unsigned int POSTERN_RENAME_EXCHANGE = 2;

#endif
