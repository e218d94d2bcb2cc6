internal import Glibc
internal import PosternBase
internal import PosternCrypto
internal import PosternTransport

/// Who vouches for key servers.
extension Doctor {
    /// The system's authorities, where somebody relies on them, and each file of the settings.
    func authorities(_ settings: ServeSettings?) -> [Finding] {
        guard let settings else { return [systemAuthorities()] }
        let fetching = settings.providers.filter(\.isFetching)
        let needsSystem = fetching.contains { $0.network.caFile == nil && !$0.network.allowsInsecureLoopback }
        let files = fetching.compactMap(\.network.caFile)
        return (needsSystem ? [systemAuthorities()] : []) + files.map { Self.authorities(inFile: $0) }
    }

    private func systemAuthorities() -> Finding {
        let places = surroundings.authorities
        if let file = places.file { return Self.authorities(inFile: file) }
        guard let folder = places.folder else {
            return Finding(.authoritiesMissing, nil, "libcurl was built without a place for authorities.")
        }
        return Self.authorities(inFolder: folder)
    }

    private static let largestFile = 16 << 20

    private static func authorities(inFile path: String) -> Finding {
        let bytes: [UInt8]
        guard InputFile.exists(Array(path.utf8)) else {
            return Finding(.authoritiesMissing, path, "There is no such file.")
        }
        do throws(CommandFailure) {
            bytes = try InputFile.contents(of: Array(path.utf8), named: "It", upTo: largestFile)
        } catch {
            return Finding(.authoritiesUnreadable, path, error.message + ".")
        }
        let (count, isWhole) = CertificateFile.count(pem: bytes)
        guard isWhole else {
            return Finding(.authoritiesDamaged, path, "After \(count) authorities comes what is no certificate.")
        }
        return count == 0
            ? Finding(.authoritiesEmpty, path, "It has no certificate in PEM.")
            : Finding(.authorities, path, "authorities: \(count)")
    }

    private static func authorities(inFolder path: String) -> Finding {
        guard let listing = opendir(path) else {
            return errno == ENOENT
                ? Finding(.authoritiesMissing, path, "There is no such folder.")
                : Finding(.authoritiesUnreadable, path, "It cannot be read: \(StandardStreams.explanation(of: errno)).")
        }
        defer { closedir(listing) }
        var count = 0
        // `.` and `..` are always there.
        while readdir(listing) != nil { count += 1 }
        return count > 2
            ? Finding(.authorities, path, "files: \(count - 2)") : Finding(.authoritiesEmpty, path, "It is empty.")
    }
}

extension ProviderSettings {
    /// Whether its keys come over the network.
    var isFetching: Bool {
        if case .fetched = keys { true } else { false }
    }
}
