internal import CCurl

/// What libcurl wants done once in a process, and what it must be able to do.
enum CurlLibrary {
    /// Nil when the library can be used, else why not.
    static let fault: String? = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return "libcurl could not be set up" }
        guard let version = postern_curl_version()?.pointee else { return "libcurl has no version" }
        // 7.87 brought CURLOPT_QUICK_EXIT.
        guard version.version_num >= 0x07_57_00 else { return "libcurl is older than 7.87" }
        // Without it a slow name server would hold every request of the client.
        guard version.features & CURL_VERSION_ASYNCHDNS != 0 else { return "libcurl resolves names synchronously" }
        guard let tls = version.ssl_version, String(cString: tls).hasPrefix("OpenSSL/") else {
            return "libcurl is not built on OpenSSL"
        }
        return nil
    }()
}
