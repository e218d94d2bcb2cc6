// The C room of libsodium: Argon2 and wiping. Nothing but inclusion.
#ifndef POSTERN_CSODIUM_SHIM_H
#define POSTERN_CSODIUM_SHIM_H

#include <sodium/core.h>
#include <sodium/crypto_pwhash.h>
#include <sodium/crypto_pwhash_argon2id.h>
#include <sodium/utils.h>

#endif
