// The C room of libcurl (built on OpenSSL 3). Nothing but inclusion and what Swift cannot call.
#ifndef POSTERN_CCURL_SHIM_H
#define POSTERN_CCURL_SHIM_H

// The type checks of curl's header are macros around constants; here the option is a variable.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
// For the names of X509_V_ERR_…, which CURLINFO_SSL_VERIFYRESULT answers with.
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

// curl_easy_setopt is variadic, which Swift cannot call: one function for each type of argument.
static inline CURLcode postern_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
// The sizes of large things are curl_off_t, not long.
static inline CURLcode postern_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
// Text is copied by curl; NULL takes a default away, such as the built-in folder of certificates.
static inline CURLcode postern_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
// What a callback is given, bytes that curl copies by a size set before, the buffer for an error's text.
static inline CURLcode postern_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
// The list of header lines, which must outlive the transfer.
static inline CURLcode postern_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}
// CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION have the same type.
static inline CURLcode postern_curl_set_reader(CURL *handle, CURLoption option, curl_write_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}
// CURLOPT_OPENSOCKETFUNCTION.
static inline CURLcode postern_curl_set_open_socket(CURL *handle, curl_opensocket_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}
// CURLOPT_SSL_CTX_FUNCTION.
static inline CURLcode postern_curl_set_tls_setup(CURL *handle, curl_ssl_ctx_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, callback);
}

// curl_easy_getinfo is variadic.
static inline CURLcode postern_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
// Times in microseconds are curl_off_t.
static inline CURLcode postern_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

// curl_multi_setopt is variadic.
static inline CURLMcode postern_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// CURLVERSION_NOW is a macro over an enumerator.
static inline const curl_version_info_data *postern_curl_version(void) { return curl_version_info(CURLVERSION_NOW); }

// The result is a member of a union.
static inline CURLcode postern_curl_message_result(const CURLMsg *message) { return message->data.result; }

// The context comes as void *, and its type has no definition that Swift could name.
static inline void postern_tls_without_key_log(void *context) {
    SSL_CTX_set_keylog_callback((SSL_CTX *)context, NULL);
}

#endif
