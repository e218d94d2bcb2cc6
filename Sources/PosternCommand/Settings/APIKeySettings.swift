internal import Glibc
internal import PosternBase
internal import PosternService

/// `api_keys`: hashes, so that whoever reads the settings cannot call.
enum APIKeySettings {
    private static let largestFile = 4096

    static func read(_ object: SettingsObject) throws(CommandFailure) -> APIKeys {
        var entries: [APIKeys.Entry] = []
        var digests: [[UInt8]] = []
        for key in try object.objects("api_keys") ?? [] {
            let name = try key.required("name")
            guard !entries.contains(where: { $0.name.isSameBytes(as: name) }) else {
                throw key.failure("name", "is \(Excerpt.quote(name)) twice")
            }
            let digest = try digest(key)
            guard !APIKeys.isOfNoKey(digest) else {
                throw key.failure(
                    key.has("sha256") ? "sha256" : "file",
                    "is the hash of nothing, or of a word that is no key: 'postern api-key' makes a key and its hash")
            }
            guard !digests.contains(digest) else {
                throw key.failure(key.value, "\(key.path) is the same key as one before it")
            }
            guard let entry = APIKeys.Entry(name: name, digest: digest) else { throw unreadable(key, "sha256") }
            digests.append(digest)
            entries.append(entry)
        }
        return APIKeys(entries)
    }

    private static func digest(_ key: SettingsObject) throws(CommandFailure) -> [UInt8] {
        switch (key.has("sha256"), key.has("file")) {
        case (true, false):
            guard let digest = hash(try key.required("sha256")) else { throw unreadable(key, "sha256") }
            return digest
        case (false, true): return try digestInFile(key, try key.path("file") ?? "")
        case (true, true): throw key.failure("file", "and sha256 exclude each other")
        case (false, false): throw key.missing("sha256", ": 'postern api-key' makes a key and its hash")
        }
    }

    private static func unreadable(_ key: SettingsObject, _ name: String) -> CommandFailure {
        key.failure(name, "must be the SHA-256 of a key, 64 hexadecimal digits; 'postern api-key' makes both")
    }

    private static func hash(_ text: String) -> [UInt8]? { text.utf8.count == 64 ? Hex.decode(text) : nil }

    private static func digestInFile(_ key: SettingsObject, _ path: String) throws(CommandFailure) -> [UInt8] {
        let name = "\(key.full("file")) \(Excerpt.quote(path))"
        var (bytes, mode) = try InputFile.contentsAndMode(of: Array(path.utf8), named: name, upTo: largestFile + 1)
        while let last = bytes.last, [0x0A, 0x0D, 0x20].contains(last) { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unreadable(key, "file") }
        if let digest = hash(text) { return digest }
        let whole = Secret(text)
        guard APIKeys.isWhole(whole), let digest = APIKeys.digest(of: whole) else {
            throw key.failure("file", "must hold a key that 'postern api-key' made, or its SHA-256 in hex")
        }
        guard mode & 0o077 == 0 else {
            throw key.failure(
                "file", "holds the key itself, and others than its owner may read it: chmod 600, or put its hash there")
        }
        return digest
    }
}
