internal import Glibc
internal import PosternBase
internal import PosternCrypto
internal import PosternIssuer
internal import PosternJOSE
internal import PosternService

/// A folder with all that is needed to try the daemon out: an issuer of tests with its key, and settings that trust it.
///
/// What is there is kept, so that the settings may be changed and the daemon started again.
struct Development {
    /// Never one that anybody else has (RFC 2606 §2).
    private static let issuer = "https://issuer.test"
    private static let audience = "com.example.app"

    private let folder: String

    var settingsFile: String { "\(folder)/settings.json" }
    private var keyFile: String { "\(folder)/issuer-key.pem" }
    private var keySetFile: String { "\(folder)/issuer-keys.json" }
    private var apiKeyFile: String { "\(folder)/api-key" }
    private var socket: String { "\(folder)/postern.sock" }

    init(_ folder: String) throws(CommandFailure) {
        guard !folder.isEmpty, !folder.utf8.contains(0) else { throw .usage("--development takes a folder") }
        mkdir(folder, 0o700)
        guard let real = realpath(folder, nil) else {
            throw .trouble(
                "the folder \(Excerpt.quote(folder)) cannot be made: \(StandardStreams.explanation(of: errno))")
        }
        defer { free(real) }
        self.folder = String(decoding: RawArguments.bytes(of: real), as: UTF8.self)
        var status = stat()
        guard stat(self.folder, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw .trouble("the folder \(Excerpt.quote(folder)) must be yours, and nobody else may write to it")
        }
        if !exists(keyFile) || !exists(keySetFile) { try makeIssuer() }
        if !exists(apiKeyFile) { try write(apiKeyFile, APIKeys.random() + "\n") }
        if !exists(settingsFile) { try write(settingsFile, settings) }
    }

    private func exists(_ path: String) -> Bool { InputFile.exists(Array(path.utf8)) }

    private func write(_ path: String, _ text: String) throws(CommandFailure) {
        let bytes = Array(path.utf8)
        unlink(path)
        try OutputFile.create(bytes, Array(text.utf8), mode: 0o600, named: RawArguments.quote(bytes))
    }

    private func makeIssuer() throws(CommandFailure) {
        let pem: [UInt8]
        let keySet: String
        do throws(CryptoError) {
            let key = try MintingKey.generate(.es256, keyID: nil)
            pem = try key.pem()
            keySet = try key.keySet().text()
        } catch {
            throw .trouble("no key can be made: \(error.reason.rawValue)")
        }
        try write(keyFile, String(decoding: pem, as: UTF8.self))
        try write(keySetFile, keySet + "\n")
    }

    // MARK: - Texts

    private var settings: String {
        """
        // Settings to try postern out, made by 'postern serve --development'. FOR TESTS ONLY: whoever can read this folder
        // can sign in as anybody. Docs/Settings.md lists all that there is.
        {
          "providers": [
            {
              // Every token that issuer-key.pem signs is believed.
              "provider": "oidc",
              "name": "test",
              "issuer": \(json(Self.issuer)),
              "keys": \(json(keySetFile)),
              "algorithms": ["ES256"],
              "audiences": [{ "client_id": \(json(Self.audience)), "nonce": "issued" }],
            },
            // For real people take the block above out, and this in:
            // {
            //   "provider": "apple",
            //   "audiences": [{ "client_id": "com.example.app", "nonce": "issued" }],
            // },
          ],
          "listeners": [
            { "unix": \(json(socket)) },
            // The system chooses the port; yours may be a fixed one.
            { "tcp": "127.0.0.1:0", "doors": ["native", "operations"] },
          ],
          "api_keys": [{ "name": "test", "file": \(json(apiKeyFile)) }],
        }

        """
    }

    private func json(_ text: String) -> String { JSONOutput.string(text).text() }

    /// What to type next, in another terminal; `port` is nil when the settings have been changed so that there is none.
    func guide(port: UInt16?) -> String {
        let curl = "curl -sS --unix-socket \(quoted(socket))"
        let member = #"sed 's/.*"nonce":"\([^"]*\)".*/\1/'"#
        let verify =
            #"\#(curl) -H 'Content-Type: application/json' -d "{\"token\":\"$TOKEN\",\"nonce\":\"$NONCE\"}" http://postern/v1/verify; echo"#
        return """

            FOR TESTS ONLY. The settings are in \(settingsFile)
            Paste into another terminal, one after the other:

            # a nonce for one sign-in
            NONCE=$(\(curl) -X POST http://postern/v1/nonces | \(member)); echo $NONCE
            # a token that holds it, as the issuer would sign it
            TOKEN=$(\(quoted(Self.program)) mint --provider oidc --issuer \(Self.issuer) --audience \(Self.audience) --key \(quoted(keyFile)) --nonce "$NONCE"); echo $TOKEN
            # the verdict: accepted
            \(verify)
            # the same again: refused, nonce_used
            \(verify)
            \(port.map(overTCP) ?? "")

            """
    }

    private func overTCP(_ port: UInt16) -> String {
        """
        # over TCP with the key of a caller
        curl -sS -H "Authorization: Bearer $(cat \(quoted(apiKeyFile)))" http://127.0.0.1:\(port)/v1/keys; echo

        """
    }

    private func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x2D...0x39).contains($0) || $0 == 0x5F
        }
        guard !isPlain else { return text }
        let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + pieces.joined(separator: "'\\''") + "'"
    }

    private static var program: String {
        guard let path = realpath("/proc/self/exe", nil) else { return "postern" }
        defer { free(path) }
        return String(decoding: RawArguments.bytes(of: path), as: UTF8.self)
    }
}
