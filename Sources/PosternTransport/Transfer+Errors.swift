internal import CCurl
internal import PosternBase
internal import PosternHTTP

extension Transfer {
    /// What a failure of libcurl means to the one who asked.
    func error(for code: CURLcode) -> HTTP.ClientError {
        let host = exchange.target.host
        switch code {
        case CURLE_OPERATION_TIMEDOUT:
            return timedOut()
        case CURLE_COULDNT_RESOLVE_HOST:
            return HTTP.ClientError(
                .notConnected, "The name \(host) has no address: is it right, and is DNS reachable?")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return HTTP.ClientError(.notConnected, "The name of the proxy has no address: is it right?")
        case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_PROXY, CURLE_INTERFACE_FAILED:
            return HTTP.ClientError(.notConnected, "No connection to \(host)\(quoted).")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return notTrusted(code)
        case CURLE_GOT_NOTHING:
            return HTTP.ClientError(.malformed, "\(host) closed the connection without an answer.")
        case CURLE_RECV_ERROR:
            return receiveError()
        case CURLE_PARTIAL_FILE:
            return HTTP.ClientError(.malformed, "The answer of \(host) ended before its announced length.")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            let reason = String(cString: curl_easy_strerror(code))
            return HTTP.ClientError(.malformed, "The answer of \(host) is not well-formed HTTP (\(reason)).")
        case Self.tooLarge where isInHead, CURLE_OUT_OF_MEMORY where isInHead:
            // libcurl has a limit of its own for one line, and before version 8.6 calls it a lack of memory.
            return HTTP.ClientError(.tooLarge, "A header field of \(host) is too long.")
        case CURLE_URL_MALFORMAT:
            return HTTP.ClientError(.urlRefused, "The URL of \(host) is not one that libcurl reads.")
        default:
            let reason = String(cString: curl_easy_strerror(code))
            return HTTP.ClientError(.failed, "The request to \(host) failed: \(reason)\(quoted).")
        }
    }

    private var isInHead: Bool { !head.isComplete && time(CURLINFO_PRETRANSFER_TIME_T) > 0 }

    /// CURLE_TOO_LARGE, which the headers have since version 8.6 and security updates of older ones may answer with.
    private static let tooLarge = CURLcode(100)

    private var quoted: String { detail.isEmpty ? "" : " (\(Excerpt.plain(detail)))" }

    private func timedOut() -> HTTP.ClientError {
        let host = exchange.target.host
        let what =
            if time(CURLINFO_NAMELOOKUP_TIME_T) == 0 {
                "the name \(host) was still being resolved"
            } else if exchange.target.scheme == .https, time(CURLINFO_APPCONNECT_TIME_T) == 0 {
                "the connection to \(host), with TLS, was not set up"
            } else if time(CURLINFO_CONNECT_TIME_T) == 0 {
                "the connection to \(host) was not set up"
            } else if head.isComplete {
                "the answer of \(host) had not ended"
            } else {
                "\(host) had not answered"
            }
        return HTTP.ClientError(.timedOut, "Time is up: \(what).")
    }

    private func time(_ info: CURLINFO) -> Int {
        var microseconds: curl_off_t = 0
        return postern_curl_get_size(handle, info, &microseconds) == CURLE_OK ? Int(microseconds) : 0
    }

    private func number(_ info: CURLINFO) -> Int {
        var number = 0
        return postern_curl_get_long(handle, info, &number) == CURLE_OK ? number : 0
    }

    private func receiveError() -> HTTP.ClientError {
        let host = exchange.target.host
        let proxyStatus = number(CURLINFO_HTTP_CONNECTCODE)
        if proxyStatus != 0, !(200...299).contains(proxyStatus) {
            return HTTP.ClientError(
                .notConnected, "The proxy does not let us through to \(host): status \(proxyStatus).")
        }
        return HTTP.ClientError(.malformed, "The answer of \(host) ended early or is not well-formed HTTP\(quoted).")
    }

    private func notTrusted(_ code: CURLcode) -> HTTP.ClientError {
        let host = exchange.target.host
        if code == CURLE_SSL_CACERT_BADFILE {
            let file = settings.values.caFile.map(Excerpt.quote) ?? "of the system"
            return HTTP.ClientError(.notTrusted, "The file of trusted authorities \(file) cannot be used: is it PEM?")
        }
        let verdict = number(CURLINFO_SSL_VERIFYRESULT)
        let proxyVerdict = number(CURLINFO_PROXY_SSL_VERIFYRESULT)
        for (verdict, owner) in [(verdict, host), (proxyVerdict, "the proxy")] {
            guard let reason = Self.reason(verdict: verdict) else { continue }
            return HTTP.ClientError(.notTrusted, "The certificate of \(owner) is not trusted: \(reason).")
        }
        guard code == CURLE_PEER_FAILED_VERIFICATION else {
            return HTTP.ClientError(.notTrusted, "TLS with \(host) could not be set up\(quoted).")
        }
        // libcurl compares the name itself, after OpenSSL has found the chain good.
        return HTTP.ClientError(
            .notTrusted, "The certificate of \(host) is not trusted: the host name does not match\(quoted).")
    }

    private static func reason(verdict: Int) -> String? {
        switch Int32(truncatingIfNeeded: verdict) {
        // libcurl puts "unspecified" there before it looks, and leaves it when something else is wrong.
        case X509_V_OK, X509_V_ERR_UNSPECIFIED: nil
        case X509_V_ERR_CERT_HAS_EXPIRED: "certificate expired"
        case X509_V_ERR_CERT_NOT_YET_VALID: "certificate not yet valid; is the clock of this machine right?"
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed certificate, and not one of the trusted ones"
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            "unknown issuer; if the authority is yours, name its certificates (caFile, --ca-file)"
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: "the host name does not match"
        case X509_V_ERR_CERT_REVOKED: "certificate revoked"
        default: String(cString: X509_verify_cert_error_string(verdict))
        }
    }
}
