internal import Glibc
internal import PosternAccounts
internal import PosternBase
internal import PosternTokens

/// The master key and those of before, from files or credentials outside of the data.
struct MasterKeySettings {
    private static let advice = "'postern keys master FILE' makes one"

    /// nil where only the service can read a credential, and this is not the service.
    let keys: MasterKeys?
    /// The credentials that were not looked at.
    private(set) var unread: [String] = []

    init(_ object: SettingsObject, data: String?, isService: Bool) throws(CommandFailure) {
        var found: [Secret<[UInt8]>] = []
        var names: [String] = []
        var checked: [Place] = []
        for place in try Self.places(object) {
            try place.check(before: checked)
            checked.append(place)
            if place.isCredential, !isService, !SecretFile.hasCredentials {
                unread.append(object.full(place.name))
                continue
            }
            let key = try place.key(outside: data)
            if let same = found.firstIndex(where: { $0.revealed == key.revealed }) {
                throw place.failure(
                    "\(object.full(place.name)) names the same key as \(object.full(names[same])): take it out here")
            }
            found.append(key)
            names.append(place.name)
        }
        guard unread.isEmpty else {
            keys = nil
            return
        }
        do throws(ConfigurationError) {
            keys = try MasterKeys(found)
        } catch {
            throw object.failure("master_key_file", "cannot be used. \(error.message)")
        }
    }

    /// The present one first.
    private static func places(_ object: SettingsObject) throws(CommandFailure) -> [Place] {
        let names = ["master_key_file", "master_key_credential"].filter(object.has)
        guard names.count < 2 else { throw object.failure(names[1], "and \(names[0]) exclude each other") }
        guard let name = names.first else {
            throw object.missing("master_key_file", ": name it, or a credential; \(advice)")
        }
        let value = name == "master_key_file" ? try object.path(name) ?? "" : try object.required(name)
        var places = [Place(value: value, name: name, object: object)]
        for name in ["former_master_key_files", "former_master_key_credentials"] {
            for value in try object.texts(name) ?? [] {
                let place = Place(value: value, name: name, object: object)
                guard place.isCredential || value.utf8.first == 0x2F && !value.utf8.contains(0) else {
                    throw object.failure(name, "must be absolute paths, which begin with a slash")
                }
                places.append(place)
            }
        }
        return places
    }

    private struct Place {
        let value: String
        let name: String
        let object: SettingsObject

        /// At the place of the one value among several.
        func failure(_ sentence: String) -> CommandFailure {
            guard let entry = object.entry(name),
                let element = entry.value.elements?.first(where: { $0.string?.isSameBytes(as: value) == true })
            else { return object.failure(name, whole: sentence) }
            return .settings([entry.source.fault(element, sentence)])
        }

        /// What can be told of a credential without reading it.
        func check(before others: [Place]) throws(CommandFailure) {
            guard isCredential else { return }
            guard SecretFile.isCredentialName(value) else {
                throw failure("\(object.full(name)) \(SecretFile.noCredentialName)")
            }
            if let same = others.first(where: { $0.isCredential && $0.value.isSameBytes(as: value) }) {
                throw failure(
                    "\(object.full(name)) names the same key as \(object.full(same.name)): take it out here")
            }
        }

        var isCredential: Bool { name.hasSuffix("credential") || name.hasSuffix("credentials") }

        func key(outside data: String?) throws(CommandFailure) -> Secret<[UInt8]> {
            if !isCredential, let data, Self.lies(value, in: data) {
                throw object.failure(
                    name,
                    "lies in the data folder, so that whoever takes a copy of the data has it too: move it elsewhere")
            }
            guard isCredential || InputFile.exists(Array(value.utf8)) else {
                throw object.failure(name, "is not there: \(advice)")
            }
            let file =
                try isCredential
                ? SecretFile(credential: value, of: object, name) : SecretFile(value, of: object, name)
            guard file.isPrivate else {
                throw object.failure(
                    name, "may be read by others than its owner: chmod 600, and make another one if they have")
            }
            guard let key = MasterKeyFile.key(file.bytes) else {
                throw object.failure(name, "holds no key of at least 32 random bytes: \(advice)")
            }
            return key
        }

        private static func lies(_ file: String, in folder: String) -> Bool {
            // As it is written too: neither need be there yet.
            for (file, folder) in [(file, folder), (place(of: file), place(of: folder))]
            where file.utf8.starts(with: "\(folder)/".utf8) { return true }
            return false
        }

        /// Without links, as far as there is something.
        private static func place(of path: String) -> String {
            if let real = real(path) { return real }
            guard let slash = path.utf8.lastIndex(of: 0x2F), let above = real(FileState.folder(of: path)) else {
                return path
            }
            return (above == "/" ? "" : above) + path[slash...]
        }

        private static func real(_ path: String) -> String? {
            guard let real = realpath(path, nil) else { return nil }
            defer { free(real) }
            return String(decoding: RawArguments.bytes(of: real), as: UTF8.self)
        }
    }
}

/// What a file with a master key holds.
enum MasterKeyFile {
    private static let randomByteCount = 32
    /// Fewer in so many bytes are no accident.
    private static let leastKinds = 8

    /// A new one: a line of 43 characters.
    static func text(_ random: RandomSource = .system) -> String {
        Base64URL.encode(random.bytes(randomByteCount)) + "\n"
    }

    /// nil where there is too little to go by. Of a line of text its end does not count, which editors add.
    static func key(_ bytes: [UInt8]) -> Secret<[UInt8]>? {
        var key = bytes
        if bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }) {
            while let last = key.last, [0x0A, 0x0D, 0x20].contains(last) { key.removeLast() }
        }
        guard key.count >= randomByteCount, Set(key).count >= leastKinds else { return nil }
        return Secret(key)
    }
}
