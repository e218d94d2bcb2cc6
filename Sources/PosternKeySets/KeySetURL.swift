internal import PosternBase
internal import PosternHTTP

/// The URLs that keys may come from: `https`, and `http` to this machine where that is allowed.
package enum KeySetURL {
    static let maximumByteCount = 2048

    /// The URL for a message; one that may hold a password is not repeated.
    package static func shown(_ url: String) -> String {
        url.utf8.contains(UInt8(ascii: "@")) ? "that URL (not shown, it has an @)" : Excerpt.quote(url)
    }

    /// What is wrong with `url`, or nil when it may be asked.
    package static func fault(of url: String, allowsInsecureLoopback: Bool) -> String? {
        guard (1...maximumByteCount).contains(url.utf8.count) else { return "it is empty or longer than 2048 bytes" }
        let target: TargetURL
        do throws(TargetURL.Fault) {
            target = try TargetURL(url)
        } catch {
            return error.message
        }
        if target.scheme == .https { return nil }
        guard target.isLoopbackLiteral else {
            return allowsInsecureLoopback
                ? "it is not https, and http goes to 127.0.0.1 or [::1] only, not to a name" : "it is not https"
        }
        return allowsInsecureLoopback ? nil : "it is not https"
    }
}
