internal import PosternBase
internal import PosternKeySets
internal import PosternTokens
internal import PosternTransport

extension Option {
    static let caFile = Option(
        "ca-file", takes: "FILE",
        "trust the authorities in this PEM file, instead of the system's, to vouch for servers")
    static let proxy = Option(
        "proxy", takes: "URL",
        "fetch by way of this proxy, such as http://proxy.example:3128; the environment is not asked")
    static let insecureLoopback = Option(
        "insecure-loopback", "allow http:// URLs with a loopback address (127.0.0.0/8, [::1]), for tests")
}

/// How keys are fetched.
struct NetworkOptions: Equatable {
    static let all: [Option] = [.caFile, .proxy, .insecureLoopback]

    let caFile: String?
    let proxy: String?
    let allowsInsecureLoopback: Bool

    init(caFile: String? = nil, proxy: String? = nil, allowsInsecureLoopback: Bool = false) {
        self.caFile = caFile
        self.proxy = proxy
        self.allowsInsecureLoopback = allowsInsecureLoopback
    }

    init(_ arguments: Arguments) throws(CommandFailure) {
        caFile = try arguments.text(of: .caFile)
        proxy = try arguments.text(of: .proxy)
        allowsInsecureLoopback = arguments.isGiven(.insecureLoopback)
    }

    /// Whether `text` is meant to be a URL, good or not; no file needs a name that begins so.
    static func isURL(_ text: [UInt8]) -> Bool {
        text.starts(with: "https://".utf8) || text.starts(with: "http://".utf8)
    }

    /// Refuses a URL that must not be asked; `what` is what gave it.
    func check(_ url: String, _ what: String) throws(CommandFailure) {
        guard let fault = KeySetURL.fault(of: url, allowsInsecureLoopback: allowsInsecureLoopback) else { return }
        throw .usage(
            "\(what): keys cannot come from \(KeySetURL.shown(url)): \(fault)\(hint(url) { "; \($0)" })")
    }

    /// What to do where a URL is refused for want of a permission alone, put into words by `write`; else nothing.
    func hint(
        _ url: String,
        _ permission: String = "--\(Option.insecureLoopback.name)",
        _ write: (String) -> String
    ) -> String {
        let isRefused = KeySetURL.fault(of: url, allowsInsecureLoopback: allowsInsecureLoopback) != nil
        let isHelped = KeySetURL.fault(of: url, allowsInsecureLoopback: true) == nil
        return isRefused && isHelped ? write("\(permission) allows it, for tests") : ""
    }

    /// The same for where the keys of a provider come from.
    func hint(_ provider: Provider, _ permission: String = "--\(Option.insecureLoopback.name)") -> String {
        guard let url = provider.keySetURL ?? provider.discoveryIssuer else { return "" }
        return hint(url, permission) { " Or else: \($0)." }
    }

    /// What keys are fetched with; the error names a setting of the client.
    func plainClient() throws(NetworkSettingsError) -> CurlClient {
        var settings = NetworkSettings()
        settings.caFile = caFile
        settings.proxy = proxy
        settings.allowsInsecureLoopback = allowsInsecureLoopback
        return try CurlClient(settings)
    }

    func client() throws(CommandFailure) -> CurlClient {
        do throws(NetworkSettingsError) {
            return try plainClient()
        } catch {
            let isFile = error.setting.isSameBytes(as: "caFile")
            let message = error.message(naming: "--\((isFile ? Option.caFile : Option.proxy).name)")
            throw isFile ? .trouble(message) : .usage(message)
        }
    }
}

extension NetworkSettingsError {
    /// What is said where it goes by another name: the message begins with its own.
    func message(naming name: String) -> String {
        let hasName = message.utf8.starts(with: setting.utf8)
        return hasName ? name + message.dropFirst(setting.count) : "\(name): \(message)"
    }

    /// What the settings of the daemon call it.
    var member: String { setting.isSameBytes(as: "caFile") ? "ca_file" : "proxy" }
}
