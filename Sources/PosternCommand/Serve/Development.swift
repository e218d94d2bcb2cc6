internal import Glibc
internal import PosternBase
internal import PosternIssuer
internal import PosternService

/// A folder with all that is needed to try the daemon out: an issuer of tests with its key, and settings that trust it.
///
/// What is there is kept, so that the settings may be changed and the daemon started again.
struct Development {
    private let folder: String
    /// Where the issuer was when the settings were made; they name it, so it must be there again.
    private let knownIssuer: String?
    /// The port that new settings give to the daemon; nil where there are settings.
    private let port: HeldPort?
    /// That where nobody else has it.
    private static let usualPort: UInt16 = 8711

    var settingsFile: String { "\(folder)/settings.json" }
    private var keyFile: String { "\(folder)/issuer-key.pem" }
    private var issuerFile: String { "\(folder)/issuer-url" }
    private var masterKeyFile: String { "\(folder)/master.key" }
    var apiKeyFile: String { "\(folder)/api-key" }
    var socket: String { "\(folder)/postern.sock" }
    private var issuerSocket: String { "\(folder)/issuer.sock" }

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
        guard stat(self.folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .trouble("\(Excerpt.quote(folder)) is no folder: --development takes one, or makes it")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw .trouble("the folder \(Excerpt.quote(folder)) must be yours, and nobody else may write to it")
        }
        knownIssuer = try Self.issuer(of: self.folder)
        port = knownIssuer == nil ? HeldPort(preferring: Self.usualPort) : nil
        if !exists(apiKeyFile) { try write(apiKeyFile, APIKeys.random().revealed + "\n") }
        if !exists(masterKeyFile) { try write(masterKeyFile, MasterKeyFile.text()) }
    }

    private static func issuer(of folder: String) throws(CommandFailure) -> String? {
        let path = Array("\(folder)/issuer-url".utf8)
        guard InputFile.exists(path) else {
            guard !InputFile.exists(Array("\(folder)/settings.json".utf8)) else {
                throw .trouble("\(folder) has settings, but no issuer-url: remove it to begin anew")
            }
            return nil
        }
        let bytes = try InputFile.contents(of: path, named: RawArguments.quote(path), upTo: 100)
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// Starts the issuer where it was before, or at first on a port of the system's choice. Then all files are there.
    func startIssuer() throws(CommandFailure) -> (server: LocalIssuer, url: String) {
        let key = try IssuerKey.key(Array(keyFile.utf8))
        let client: RegisteredClient
        do throws(IssuerSettingsError) {
            client = try RegisteredClient(LocalIssuer.usualClient)
        } catch {
            throw .trouble(error.message)
        }
        let settings = IssuerSettings(key, clients: [client])
        if let knownIssuer {
            guard let port = knownIssuer.split(separator: ":").last.flatMap({ UInt16($0) }) else {
                throw .trouble("\(issuerFile) names no port: remove \(folder)")
            }
            let server = LocalIssuer(settings, port: port, socket: issuerSocket)
            return (server, try server.start())
        }
        let server = LocalIssuer(settings, port: 0, socket: issuerSocket)
        let url = try server.start()
        guard let port else { throw .trouble("the system has no port for the daemon") }
        try write(settingsFile, self.settings(url, port: port.number))
        // Last, so that a folder that has it is whole.
        try write(issuerFile, url + "\n")
        return (server, url)
    }

    private func exists(_ path: String) -> Bool { InputFile.exists(Array(path.utf8)) }

    private func write(_ path: String, _ text: String) throws(CommandFailure) {
        let bytes = Array(path.utf8)
        unlink(path)
        try OutputFile.create(bytes, Array(text.utf8), mode: 0o600, named: RawArguments.quote(bytes))
    }

    // MARK: - Texts

    private func settings(_ issuer: String, port: UInt16) -> String {
        """
        // Settings to try postern out, made by 'postern serve --development'. FOR TESTS ONLY: whoever reaches the issuer
        // can sign in as anybody. Docs/Settings.md lists all that there is.
        {
          "providers": [
            {
              // The issuer of tests, which is served beside (Docs/Issuer.md). Its keys are fetched as those of others are,
              // but for TLS.
              "provider": "oidc",
              "name": "test",
              "issuer": \(json(issuer)),
              "insecure_loopback": true,
              "audiences": [{ "client_id": \(json(LocalIssuer.usualClient)), "nonce": "issued" }],
            },
            // For real people take the block above out, and this in:
            // {
            //   "provider": "apple",
            //   "audiences": [{ "client_id": "com.example.app", "nonce": "issued" }],
            // },
          ],
          "listeners": [
            { "unix": \(json(socket)), "doors": ["native", "auth", "operations"] },
            { "tcp": "127.0.0.1:\(port)", "doors": ["native", "auth", "operations"] },
          ],
          "accounts": {
            "data": \(json("\(folder)/data")),
            // Made anew it makes all sessions worthless. Elsewhere it belongs on another disk than the data.
            "master_key_file": \(json(masterKeyFile)),
            // What access tokens name; here the address of the listener above, where backends find the keys.
            "issuer": "http://127.0.0.1:\(port)",
            "insecure_loopback": true,
            // Take "blocklist" out where the packages john-data and cracklib-runtime are installed.
            "passwords": { "enabled": true, "blocklist": ["none"] },
          },
          "api_keys": [{ "name": "test", "file": \(json(apiKeyFile)) }],
        }

        """
    }

    private func json(_ text: String) -> String { JSONOutput.string(text).text() }
}
