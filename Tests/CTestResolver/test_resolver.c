#define _GNU_SOURCE
#include "test_resolver.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waiting;
static bool released;

int postern_test_resolver_waiting(void) {
    pthread_mutex_lock(&mutex);
    int count = waiting;
    pthread_mutex_unlock(&mutex);
    return count;
}

void postern_test_resolver_release(void) {
    pthread_mutex_lock(&mutex);
    released = true;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
}

// Stands before the C library's function of that name, which libcurl calls on a thread of its own.
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    if (node && strstr(node, "hangs.invalid")) {
        struct timespec end;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_sec += 300;
        pthread_mutex_lock(&mutex);
        waiting += 1;
        while (!released && pthread_cond_timedwait(&condition, &mutex, &end) == 0) {}
        waiting -= 1;
        pthread_mutex_unlock(&mutex);
        return EAI_NONAME;
    }
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(RTLD_NEXT, "getaddrinfo");
    return next ? next(node, service, hints, result) : EAI_FAIL;
}
