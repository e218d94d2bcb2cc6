internal import PosternAccounts
internal import PosternBase
internal import PosternTokens

extension Option {
    static let masterKey = Option(
        "master-key", takes: "FILE", isRepeatable: true,
        "the master key in a file or by standard input (-), where this user cannot read what the settings name; then former ones"
    )
}

extension MasterKeys {
    /// What the command line names; nil when it names none.
    static func given(_ arguments: Arguments) throws(CommandFailure) -> MasterKeys? {
        var keys: [Secret<[UInt8]>] = []
        for path in try arguments.texts(of: .masterKey) {
            let bytes = try InputFile.contents(of: Array(path.utf8), named: "the file with the master key", upTo: 4_096)
            guard let key = MasterKeyFile.key(bytes) else {
                throw .trouble("what --master-key names holds no key of at least 32 random bytes")
            }
            keys.append(key)
        }
        guard !keys.isEmpty else { return nil }
        do throws(ConfigurationError) { return try MasterKeys(keys) } catch { throw .trouble(error.message) }
    }
}
