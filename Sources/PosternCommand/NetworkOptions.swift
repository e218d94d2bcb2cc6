internal import PosternBase
internal import PosternKeySets
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
        let isHelped = KeySetURL.fault(of: url, allowsInsecureLoopback: true) == nil
        let hint = isHelped ? "; --insecure-loopback allows it" : ""
        throw .usage("\(what): keys cannot come from \(KeySetURL.shown(url)): \(fault)\(hint)")
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
            let option = "--\((isFile ? Option.caFile : Option.proxy).name)"
            // The message begins with the name of the setting, which is an option here.
            let hasName = error.message.utf8.starts(with: error.setting.utf8)
            let message =
                hasName
                ? option + error.message.dropFirst(error.setting.count) : "\(option): \(error.message)"
            throw isFile ? .trouble(message) : .usage(message)
        }
    }
}
