internal import PosternBase
internal import PosternService

/// `api_keys`: hashes, so that whoever reads the settings cannot call.
struct APIKeySettings {
    private(set) var keys = APIKeys()
    /// The credentials that only the service can read, where this is not the service.
    private(set) var unread: [String] = []

    var isEmpty: Bool { keys.isEmpty && unread.isEmpty }

    /// `isService`: whether credentials must be there.
    init(_ object: SettingsObject, isService: Bool) throws(CommandFailure) {
        let isRead = isService || SecretFile.hasCredentials
        var listed = Listed()
        var failures: [SettingsFault] = []
        for key in try object.objects("api_keys") ?? [] {
            do throws(CommandFailure) {
                for name in ["name", "credential"] { try Self.checkNoKey(key, name) }
            } catch {
                failures += error.faults
                continue
            }
            do throws(CommandFailure) {
                try listed.add(key, readsCredentials: isRead)
            } catch {
                failures += error.faults
            }
        }
        guard failures.isEmpty else { throw .settings(failures) }
        keys = APIKeys(listed.entries)
        unread = listed.unread
    }

    /// The keys so far.
    private struct Listed {
        private(set) var entries: [APIKeys.Entry] = []
        private(set) var unread: [String] = []
        private var names: [String] = []
        private var credentials: [String] = []
        private var digests: [[UInt8]] = []

        /// All that can be told without reading a credential is told whoever asks.
        mutating func add(_ key: SettingsObject, readsCredentials: Bool) throws(CommandFailure) {
            let name = try key.required("name")
            // It stands in each line of its requests.
            guard name.utf8.count <= 64 else { throw key.failure("name", "is longer than 64 bytes") }
            guard !names.containsBytes(of: name) else {
                throw key.failure("name", "is \(Excerpt.quote(name)) twice")
            }
            names.append(name)
            let place = try APIKeySettings.place(key)
            if place == .credential {
                try addCredential(key)
                guard readsCredentials else { return unread.append(key.full(place.rawValue)) }
            }
            let digest = try APIKeySettings.digest(key, place)
            guard !APIKeys.isOfNoKey(digest) else {
                throw key.failure(
                    place.rawValue,
                    "is the hash of nothing, or of a word that is no key: 'postern api-key' makes a key and its hash")
            }
            guard !digests.contains(digest) else { throw Self.isSame(key) }
            guard let entry = APIKeys.Entry(name: name, digest: digest) else {
                throw APIKeySettings.unreadable(key, "sha256")
            }
            digests.append(digest)
            entries.append(entry)
        }

        private mutating func addCredential(_ key: SettingsObject) throws(CommandFailure) {
            let credential = try key.required("credential")
            guard SecretFile.isCredentialName(credential) else {
                throw key.failure("credential", SecretFile.noCredentialName)
            }
            guard !credentials.containsBytes(of: credential) else { throw Self.isSame(key) }
            credentials.append(credential)
        }

        private static func isSame(_ key: SettingsObject) -> CommandFailure {
            key.failure(key.value, "\(key.path) is the same key as one before it")
        }
    }

    /// A key that was pasted beside its place would be told in every line of the log.
    private static func checkNoKey(_ key: SettingsObject, _ name: String) throws(CommandFailure) {
        guard let text = try key.text(name), APIKeys.isIn(Secret(text)) else { return }
        throw key.failure(
            name,
            "is an API key itself, which is for the caller alone: make another one ('postern api-key'), and say its hash in sha256"
        )
    }

    private enum Place: String, CaseIterable { case sha256, file, credential }

    private static func place(_ key: SettingsObject) throws(CommandFailure) -> Place {
        let said = Place.allCases.filter { key.has($0.rawValue) }
        guard let place = said.first else {
            throw key.missing("sha256", ": say it, file or credential; 'postern api-key' makes a key and its hash")
        }
        guard said.count < 2 else { throw key.failure(said[1].rawValue, "and \(place.rawValue) exclude each other") }
        return place
    }

    private static func digest(_ key: SettingsObject, _ place: Place) throws(CommandFailure) -> [UInt8] {
        switch place {
        case .sha256:
            guard let digest = hash(try key.required("sha256")) else { throw unreadable(key, "sha256") }
            return digest
        case .file: return try digest(key, "file", SecretFile(try key.path("file") ?? "", of: key, "file"))
        case .credential:
            return try digest(key, "credential", SecretFile(credential: key.required("credential"), of: key))
        }
    }

    private static func unreadable(_ key: SettingsObject, _ name: String) -> CommandFailure {
        key.failure(name, "must be the SHA-256 of a key, 64 hexadecimal digits; 'postern api-key' makes both")
    }

    private static func hash(_ text: String) -> [UInt8]? { text.utf8.count == 64 ? Hex.decode(text) : nil }

    /// A hash may be read by everybody; a key may not.
    private static func digest(
        _ key: SettingsObject,
        _ name: String,
        _ file: SecretFile
    ) throws(CommandFailure) -> [UInt8] {
        var bytes = file.bytes
        while let last = bytes.last, [0x0A, 0x0D, 0x20].contains(last) { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unreadable(key, name) }
        if let digest = hash(text) { return digest }
        let whole = Secret(text)
        guard APIKeys.isWhole(whole), let digest = APIKeys.digest(of: whole) else {
            throw key.failure(name, "must hold a key that 'postern api-key' made, or its SHA-256 in hex")
        }
        guard file.isPrivate else {
            throw key.failure(
                name, "holds the key itself, and others than its owner may read it: chmod 600, or put its hash there")
        }
        return digest
    }
}
