internal import CCurl
internal import PosternHTTP

extension Transfer {
    /// Every option is set, also where it repeats libcurl's default: a default may be another one in the next version.
    func setOptions() throws(HTTP.ClientError) {
        try setText(CURLOPT_URL, exchange.target.text)
        try setScope()
        try setRequest()
        try setTrust()
        try setRoute()
        try setTimes()
        try setCallbacks()
    }

    /// One URL, over one protocol, and nothing that comes by itself.
    private func setScope() throws(HTTP.ClientError) {
        try setText(CURLOPT_PROTOCOLS_STR, exchange.target.scheme.rawValue)
        try setLong(CURLOPT_FOLLOWLOCATION, 0)
        try setLong(CURLOPT_PATH_AS_IS, 1)
        try setLong(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try setLong(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try setLong(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try setLong(CURLOPT_HTTP09_ALLOWED, 0)
        // A coding that nobody asked for is refused by its field; nothing is ever unpacked.
        try setLong(CURLOPT_HTTP_CONTENT_DECODING, 0)
        try setText(CURLOPT_ACCEPT_ENCODING, nil)
        try setText(CURLOPT_COOKIEFILE, nil)
        // Alt-Svc (CURLOPT_ALTSVC_CTRL) takes no value for "off": it is off until a value is given.
        try setLong(CURLOPT_HSTS_CTRL, 0)
    }

    private func setRequest() throws(HTTP.ClientError) {
        switch exchange.request.method {
        case .get:
            try setLong(CURLOPT_HTTPGET, 1)
        case .post:
            try setLong(CURLOPT_POST, 1)
            try check(postern_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int(exchange.request.body.count)))
            var body = exchange.request.body
            try check(
                body.withUnsafeMutableBytes { bytes in
                    // An empty array has no address, and libcurl takes none for "ask a callback".
                    guard let address = bytes.baseAddress else { return setEmptyBody() }
                    return postern_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, address)
                })
            // On a used connection libcurl sends again when that turns out to be closed: twice is once too often.
            try setLong(CURLOPT_FRESH_CONNECT, 1)
        }
        // A name alone takes out what libcurl would add by itself; `Name;` is a field without a value.
        for name in ["Accept", "Expect", "Content-Type", "User-Agent"]
        where exchange.request.fields.values(name).isEmpty {
            try addLine("\(name):")
        }
        for field in exchange.request.fields.lines {
            try addLine(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        try check(postern_curl_set_list(handle, CURLOPT_HTTPHEADER, lineList))
        // The fields are for the server, not for a proxy before it.
        try setLong(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    }

    private func setEmptyBody() -> CURLcode { postern_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, "") }

    private func setTrust() throws(HTTP.ClientError) {
        for (peer, host, version) in [
            (CURLOPT_SSL_VERIFYPEER, CURLOPT_SSL_VERIFYHOST, CURLOPT_SSLVERSION),
            (CURLOPT_PROXY_SSL_VERIFYPEER, CURLOPT_PROXY_SSL_VERIFYHOST, CURLOPT_PROXY_SSLVERSION),
        ] {
            try setLong(peer, 1)
            try setLong(host, 2)
            try setLong(version, Int(CURL_SSLVERSION_TLSv1_2))
        }
        if let file = settings.values.caFile {
            try setText(CURLOPT_CAINFO, file)
            try setText(CURLOPT_PROXY_CAINFO, file)
            // Otherwise the system's folder would be trusted besides.
            try setText(CURLOPT_CAPATH, nil)
            try setText(CURLOPT_PROXY_CAPATH, nil)
        }
        // An authority that the system has stopped trusting is not to be trusted for another day.
        try setLong(CURLOPT_CA_CACHE_TIMEOUT, 0)
        try check(postern_curl_set_tls_setup(handle, curlTLSSetup))
    }

    /// An empty text is "none"; a missing one would be "look into the environment".
    private func setRoute() throws(HTTP.ClientError) {
        let proxy = exchange.target.scheme == .https ? settings.values.proxy : nil
        try setText(CURLOPT_PROXY, proxy ?? "")
        try setText(CURLOPT_NOPROXY, "")
        try setLong(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try check(postern_curl_set_open_socket(handle, curlOpenSocket))
        try setPointer(CURLOPT_OPENSOCKETDATA, userData)
    }

    private func setTimes() throws(HTTP.ClientError) {
        let left = Monotonic.milliseconds(until: exchange.deadline, from: Monotonic.now())
        // To libcurl 0 is "for ever".
        try setLong(CURLOPT_TIMEOUT_MS, max(left, 1))
        try setLong(CURLOPT_CONNECTTIMEOUT_MS, settings.connectMilliseconds)
        try setLong(CURLOPT_NOSIGNAL, 1)
        // Or the end of a request would wait for the thread that resolves its name.
        try setLong(CURLOPT_QUICK_EXIT, 1)
    }

    private func setCallbacks() throws(HTTP.ClientError) {
        try setPointer(CURLOPT_ERRORBUFFER, errorBuffer)
        try check(postern_curl_set_reader(handle, CURLOPT_HEADERFUNCTION, curlTakesHeaderLine))
        try setPointer(CURLOPT_HEADERDATA, userData)
        try check(postern_curl_set_reader(handle, CURLOPT_WRITEFUNCTION, curlTakesBody))
        try setPointer(CURLOPT_WRITEDATA, userData)
    }

    /// The transfer as callbacks get it back; the loop keeps it alive while libcurl has it.
    private var userData: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func setLong(_ option: CURLoption, _ value: Int) throws(HTTP.ClientError) {
        try check(postern_curl_set_long(handle, option, value), option)
    }

    private func setText(_ option: CURLoption, _ value: String?) throws(HTTP.ClientError) {
        try check(postern_curl_set_text(handle, option, value), option)
    }

    private func setPointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(HTTP.ClientError) {
        try check(postern_curl_set_pointer(handle, option, value), option)
    }

    private func check(_ code: CURLcode, _ option: CURLoption? = nil) throws(HTTP.ClientError) {
        guard code == CURLE_OK else {
            let reason = String(cString: curl_easy_strerror(code))
            let which = option.map { "option \($0.rawValue)" } ?? "an option"
            throw HTTP.ClientError(.failed, "libcurl does not take \(which): \(reason).")
        }
    }
}
