import PosternKeySets
import Testing

@Suite struct KeySetURLTests {
    @Test(arguments: [
        "https://appleid.apple.com/auth/keys", "https://id.example.com", "https://id.example.com:8443/keys?a=b@c",
        "https://[2001:db8::1]:443/keys", "https://127.0.0.1/", "https://a:65535/", "https://a:1/",
        "https://a.b/?c=%7Bd%7D",
    ])
    func secure(_ url: String) {
        #expect(KeySetURL.fault(of: url, allowsInsecureLoopback: false) == nil)
        #expect(KeySetURL.fault(of: url, allowsInsecureLoopback: true) == nil)
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/keys", "http://127.0.0.1", "http://127.255.255.255/", "http://[::1]:80/keys",
    ])
    func loopback(_ url: String) {
        #expect(KeySetURL.fault(of: url, allowsInsecureLoopback: false) != nil)
        #expect(KeySetURL.fault(of: url, allowsInsecureLoopback: true) == nil)
    }

    @Test(arguments: [
        "", "keys", "/keys", "ftp://a/", "file:///etc/passwd", "HTTPS://a/", "https:/a", "https://", "https:///keys",
        "https://:443/", "https://user@a/", "https://user:pass@a/", "https://a/#b", "https://a\\b/", "https://a b/",
        "https://a/\n", "https://é/", "https://a:0/", "https://a:65536/", "https://a:/", "https://a:x/", "https://[::1",
        "https://[::1]x/", "http://localhost/", "http://128.0.0.1/", "http://127.0.0.1.example.com/", "http://127.1/",
        "http://127.0.0.256/", "http://127.0.0.01/", "http://0177.0.0.1/", "http://127.0.0.1@example.com/",
        "http://127.0.0.1#@example.com/", "http://[::ffff:127.0.0.1]/", "http://127.0.0./", "http://2130706433/",
        "http://127.0.0.1\\@example.com/", "https://127.1/", "https://0x7f.1/", "https://a..b/",
        "https://login.microsoftonline.com/{tenant}/discovery/v2.0/keys", "https://a/<b>",
        "https://" + String(repeating: "a", count: 2048),
    ])
    func refused(_ url: String) {
        #expect(KeySetURL.fault(of: url, allowsInsecureLoopback: false) != nil, "\(url)")
        #expect(KeySetURL.fault(of: url, allowsInsecureLoopback: true) != nil, "\(url)")
    }
}
