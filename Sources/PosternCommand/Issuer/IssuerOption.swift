internal import PosternIssuer

/// The options of `postern issuer`. There is none for an address: it listens on 127.0.0.1, and nowhere else.
enum IssuerOption {
    static let defaultPort: UInt16 = 8712

    static let port = Option(
        "port", takes: "N", "the port on 127.0.0.1, \(defaultPort) unless said; 0 lets the system choose")
    static let socket = Option("socket", takes: "PATH", "serve on this Unix socket too, for the same user alone")
    static let client = Option(
        "client",
        takes: "ID[=URI]",
        isRepeatable: true,
        "a client, com.example.app unless said, and a redirect URI of it; the same ID again adds another URI"
    )
    static let users = Option("users", takes: "FILE", "who can sign in, instead of the users that are built in (JSON)")
    static let fault = Option(
        "fault", takes: "NAME", isRepeatable: true, "what goes wrong from the start: \(IssuerFault.names)")
    static let slow = Option("slow-seconds", takes: "SECONDS", "how long the fault slow takes, 7 unless said")
    static let key = Option(
        "key", takes: "FILE",
        "the private key that signs first (PKCS#8 PEM), written there if there is no such file; a new one unless said")

    static let all: [Option] = [port, socket, client, users, fault, slow, key]
}
