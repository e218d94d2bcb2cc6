// The C room of libunistring: normalization and case folding of UTF-8.
//
// Its headers give int32_t another meaning, which clashes with Glibc's overlay; so what is needed is declared anew, as they have it.
#ifndef POSTERN_CUNISTRING_SHIM_H
#define POSTERN_CUNISTRING_SHIM_H

#include <stddef.h>

struct unicode_normalization_form;
extern const struct unicode_normalization_form uninorm_nfc, uninorm_nfkc;

unsigned char *u8_normalize(
    const struct unicode_normalization_form *form, const unsigned char *text, size_t size, unsigned char *buffer, size_t *count);
unsigned char *u8_casefold(
    const unsigned char *text, size_t size, const char *language, const struct unicode_normalization_form *form,
    unsigned char *buffer, size_t *count);
const unsigned char *u8_check(const unsigned char *text, size_t size);

// Both write to `buffer`, which has room for `*count` bytes; where that is too little the result is elsewhere, to be freed. NULL on failure.
static inline unsigned char *postern_normalize(
    const unsigned char *text, size_t size, unsigned char *buffer, size_t *count) {
    return u8_normalize(&uninorm_nfc, text, size, buffer, count);
}
// Case folding together with NFKC, in no particular language.
static inline unsigned char *postern_fold(const unsigned char *text, size_t size, unsigned char *buffer, size_t *count) {
    return u8_casefold(text, size, NULL, &uninorm_nfkc, buffer, count);
}

// Whether the bytes are well-formed UTF-8.
static inline int postern_is_utf8(const unsigned char *text, size_t size) { return u8_check(text, size) == NULL; }

#endif
