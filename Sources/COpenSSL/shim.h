// The C room of OpenSSL 3 (libcrypto). Nothing but inclusion and the macros that Swift cannot see.
#ifndef POSTERN_COPENSSL_SHIM_H
#define POSTERN_COPENSSL_SHIM_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

// Macros with casts are invisible to Swift; these are the ones that we need, as functions.
static inline EVP_PKEY *postern_rsa_generate(unsigned int bits) { return EVP_RSA_gen(bits); }
static inline EVP_PKEY *postern_ec_generate(const char *curve) { return EVP_EC_gen(curve); }

// EVP_PKEY_PUBLIC_KEY is an expression over another macro.
static inline int postern_public_key_selection(void) { return EVP_PKEY_PUBLIC_KEY; }

// EVP_PKEY_Q_keygen is variadic.
static inline EVP_PKEY *postern_ed25519_generate(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }

// Parameters hold pointers to what is theirs, names included, which Swift lends for one call only.
static inline int postern_mac_set_digest(EVP_MAC_CTX *context, const char *digest) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(context, parameters);
}

static inline int postern_hkdf_sha256(EVP_KDF_CTX *context, const unsigned char *key, size_t key_count, const char *info,
                                      size_t info_count, unsigned char *output, size_t count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA2-256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count),
        OSSL_PARAM_construct_end(),
    };
    return EVP_KDF_derive(context, output, count, parameters);
}

#endif
