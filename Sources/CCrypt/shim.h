// The C room of libcrypt: bcrypt.
//
// Glibc's overlay may have <crypt.h> too, and its types would then be this module's; so Swift sees no type of it.
#ifndef POSTERN_CCRYPT_SHIM_H
#define POSTERN_CCRYPT_SHIM_H

#include <crypt.h>

// The working memory that `postern_crypt` wants, zeroed; its result lies inside.
static inline int postern_crypt_memory(void) { return (int)sizeof(struct crypt_data); }

// NULL on every failure, and never one of the strings that stand for a failure.
static inline const char *postern_crypt(const char *phrase, const char *setting, void *memory, int size) {
    return crypt_rn(phrase, setting, memory, size);
}

#endif
