// The C room of what Glibc's Swift overlay leaves out.
#ifndef POSTERN_CLINUX_SHIM_H
#define POSTERN_CLINUX_SHIM_H

#include <getopt.h>

// Mutable C globals are errors in Swift 6; functions are not.
static inline int postern_optind(void) { return optind; }
static inline int postern_optopt(void) { return optopt; }
static inline const char *postern_optarg(void) { return optarg; }

// optind = 0 makes glibc start afresh, its order of arguments included; opterr = 0 leaves the messages to the caller.
static inline void postern_getopt_reset(void) {
    optind = 0;
    opterr = 0;
}

#endif
