internal import Glibc
internal import PosternBase
internal import PosternKeySets

/// Where copies of fetched key sets are kept between runs (XDG Base Directory Specification).
enum CacheFolder {
    /// `$XDG_CACHE_HOME/postern`, or `~/.cache/postern`, made if it is not there; nil when neither is known, or when what
    /// comes may have come without TLS and is not kept.
    static func path(for network: NetworkOptions) -> String? {
        made(base().map { "\($0)/postern" }, network)
    }

    /// The same for a daemon: the folder of its settings, or that of its service manager.
    static func path(for network: NetworkOptions, set folder: String?) -> String? {
        made(daemonFolder(set: folder), network)
    }

    /// That folder, made or not; nil for none.
    static func daemonFolder(set folder: String?) -> String? {
        if let folder { return folder.isEmpty ? nil : folder }
        return absolute("CACHE_DIRECTORY") ?? base().map { "\($0)/postern" }
    }

    private static func made(_ folder: String?, _ network: NetworkOptions) -> String? {
        guard !network.allowsInsecureLoopback, let folder else { return nil }
        makeFolders(folder)
        return folder
    }

    private static func base() -> String? {
        if let named = absolute("XDG_CACHE_HOME") { return named }
        return absolute("HOME").map { "\($0)/.cache" }
    }

    /// A relative path there is to be ignored.
    private static func absolute(_ variable: String) -> String? {
        guard let value = getenv(variable),
            let path = String(validating: RawArguments.bytes(of: value), as: UTF8.self), path.utf8.first == 0x2F
        else { return nil }
        return path
    }

    /// On whose word sets are taken; nil when on that of the system's authorities. Messages call the file by what names it.
    static func trust(
        of network: NetworkOptions,
        named setting: String = "--\(Option.caFile.name)"
    ) throws(CommandFailure) -> String? {
        guard let caFile = network.caFile else { return nil }
        let name = "\(setting) \(Excerpt.quote(caFile))"
        // A dash alone would be standard input, which holds the token.
        let path = caFile.isSameBytes(as: "-") ? "./-" : caFile
        let bytes = try InputFile.contents(of: Array(path.utf8), named: name, upTo: KeyTrust.largestAuthorities + 1)
        guard bytes.count <= KeyTrust.largestAuthorities, let trust = KeyTrust.name(ofAuthorities: bytes) else {
            throw .trouble("\(name) is larger than \(KeyTrust.largestAuthorities) bytes")
        }
        return trust
    }

    /// Makes what is missing of the path. Whether it could be made is found out by whoever writes there.
    private static func makeFolders(_ path: String) {
        let bytes = Array(path.utf8)
        for place in bytes.indices.dropFirst() where bytes[place] == 0x2F {
            mkdir(String(decoding: bytes[..<place], as: UTF8.self), 0o700)
        }
        mkdir(path, 0o700)
    }
}
