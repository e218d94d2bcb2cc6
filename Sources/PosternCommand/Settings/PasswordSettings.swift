internal import PosternBase
internal import PosternHTTPServer
internal import PosternPasswords

/// `accounts.passwords`, where they are on.
struct PasswordSettings {
    /// What hashing takes; a reload that changes it makes new threads.
    struct Hashing: Equatable {
        let parameters: Argon2idParameters
        let threads: Int
        let queue: Int
    }

    /// KiB times passes of what OWASP's password storage cheat sheet calls the least.
    private static let leastWork = 35_840

    let characters: ClosedRange<Int>
    /// Empty for no list.
    let blocklist: [String]
    let hashing: Hashing
    let object: SettingsObject

    /// nil where nobody signs in by password.
    static func read(_ object: SettingsObject?) throws(CommandFailure) -> PasswordSettings? {
        guard let object else { return nil }
        guard try object.flag("enabled") else {
            for name in Setting.names(in: object.pattern) where name != "enabled" && object.has(name) {
                throw object.failure(name, "has no meaning while enabled is not true")
            }
            return nil
        }
        return try PasswordSettings(object)
    }

    private init(_ object: SettingsObject) throws(CommandFailure) {
        self.object = object
        let standard = PasswordPolicy.standardCharacters
        let least = try object.number("minimum_characters").map { Int(clamping: $0) } ?? standard.lowerBound
        let most = try object.number("maximum_characters").map { Int(clamping: $0) } ?? standard.upperBound
        // The ranges of the table meet at one number.
        characters = least...max(least, most)
        blocklist = try Self.blocklist(object)
        hashing = try Self.hashing(object)
    }

    private static func blocklist(_ object: SettingsObject) throws(CommandFailure) -> [String] {
        guard let files = try object.texts("blocklist") else { return Blocklist.debianPaths }
        if files.count == 1, files[0].isSameBytes(as: "none") { return [] }
        guard !files.isEmpty else {
            throw object.failure("blocklist", "is empty: say [\"none\"] to take passwords that many people have")
        }
        for file in files {
            guard file.utf8.first == 0x2F, !file.utf8.contains(0) else {
                throw object.failure("blocklist", "must be absolute paths, which begin with a slash, or [\"none\"]")
            }
            try SecretFile.checkWriters(file, of: object, "blocklist")
        }
        return files
    }

    private static func hashing(_ object: SettingsObject) throws(CommandFailure) -> Hashing {
        func number(_ name: String, _ standard: Int) throws(CommandFailure) -> Int {
            try object.number(name).map { Int(clamping: $0) } ?? standard
        }
        let memory = try number("hash_memory", Argon2idParameters.standard.memoryKiB)
        let passes = try number("hash_passes", Argon2idParameters.standard.passes)
        let name = object.has("hash_passes") ? "hash_passes" : "hash_memory"
        guard memory * passes >= leastWork else {
            throw object.failure(
                name,
                "makes \(memory) KiB \(passes) times, and hashes are worth something from \(leastWork) KiB in all on")
        }
        guard let parameters = Argon2idParameters(memoryKiB: memory, passes: passes) else {
            throw object.failure(name, "makes \(memory) KiB \(passes) times, which would hold up every sign-in")
        }
        return Hashing(
            parameters: parameters,
            threads: try number("hash_threads", max(1, HTTPServer.coreCount / 2)),
            queue: try number("hash_queue", 64))
    }

    /// What new passwords must be; reads the lists.
    func policy() throws(CommandFailure) -> PasswordPolicy {
        do throws(BlocklistError) {
            return PasswordPolicy(
                characters: characters, blocklist: blocklist.isEmpty ? nil : try Blocklist(files: blocklist))
        } catch {
            throw object.failure(
                "blocklist", "cannot be used. \(error.message) [\"none\"] takes passwords that many people have.")
        }
    }
}
