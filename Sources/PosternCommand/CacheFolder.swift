internal import Glibc
internal import PosternBase
internal import PosternKeySets

/// Where copies of fetched key sets are kept between runs (XDG Base Directory Specification).
enum CacheFolder {
    /// `$XDG_CACHE_HOME/postern`, or `~/.cache/postern`, made if it is not there; nil when neither is known.
    ///
    /// A set that was fetched on the word of other authorities must not serve those who trust only the system's: such sets
    /// have a folder for each file of authorities. What came without TLS is not kept at all.
    static func path(for network: NetworkOptions) throws(CommandFailure) -> String? {
        try path(for: network, below: base().map { "\($0)/postern" })
    }

    /// The same for a daemon: below the folder of its settings, or that of its service manager.
    static func path(for network: NetworkOptions, set folder: String?) throws(CommandFailure) -> String? {
        if let folder { return try path(for: network, below: folder.isEmpty ? nil : folder) }
        return try path(for: network, below: absolute("CACHE_DIRECTORY") ?? base().map { "\($0)/postern" })
    }

    private static func path(for network: NetworkOptions, below folder: String?) throws(CommandFailure) -> String? {
        guard !network.allowsInsecureLoopback, var path = folder else { return nil }
        if let trust = try trust(of: network) { path += "/\(trust.replacing(" ", with: "-"))" }
        makeFolders(path)
        return path
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

    /// On whose word sets are taken; nil when on that of the system's authorities.
    static func trust(of network: NetworkOptions) throws(CommandFailure) -> String? {
        guard let caFile = network.caFile else { return nil }
        let name = "--ca-file \(Excerpt.quote(caFile))"
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
