internal import PosternBase

/// Where a run of the program has its settings from. Read again for a reload, when the file alone may have changed.
struct SettingsInput: Sendable {
    /// nil when variables and flags say everything.
    let file: [UInt8]?
    private let flags: [String]
    private let environment: [[UInt8]]

    static let options: [Option] = [.config, .data, .set]

    /// What the command line and the environment say; `--config` counts over `POSTERN_CONFIG`, and both over `other`.
    init(_ arguments: Arguments, otherwise other: [UInt8]? = nil) throws(CommandFailure) {
        let environment = SettingsVariables.ofProcess()
        let start = Array("\(SettingsVariables.config)=".utf8)
        let named = environment.first { $0.starts(with: start) }.map { Array($0.dropFirst(start.count)) }
        let file = arguments.bytes(of: .config) ?? named ?? other
        self.init(file: file, flags: try Self.flags(arguments), environment: environment)
    }

    /// What `--set` says, and `--data`, which is short for one of them.
    static func flags(_ arguments: Arguments) throws(CommandFailure) -> [String] {
        let flags = try arguments.texts(of: .set)
        guard let folder = try arguments.text(of: .data) else { return flags }
        return flags + ["accounts.data=\(try LocalPath.absolute(folder))"]
    }

    init(file: [UInt8]?, flags: [String] = [], environment: [[UInt8]] = SettingsVariables.ofProcess()) {
        self.file = file
        self.flags = flags
        self.environment = environment
    }

    /// What is thrown where nothing is said anywhere, and nothing else is that is about the command line.
    private static let nothing = CommandFailure.usage("--config is missing: name the file with the settings")

    /// Whether nothing is said anywhere.
    var isEmpty: Bool {
        let faults = SettingsFaults()
        let overrides = SettingsOverrides(flags: flags, environment: environment, faults)
        return file == nil && overrides.isEmpty && faults.isEmpty
    }

    /// Everything that is said, whole or not. What is wrong with its form is noted.
    func object(_ faults: SettingsFaults) throws(CommandFailure) -> SettingsObject {
        let overrides = SettingsOverrides(flags: flags, environment: environment, faults)
        guard let file else {
            guard !overrides.isEmpty || !faults.isEmpty, let empty = SettingsFile.empty else { throw Self.nothing }
            return try SettingsObject(empty, source: .nowhere, overrides: overrides)
        }
        let (root, source) = try SettingsFile.read(file)
        return try SettingsObject(root, source: source, overrides: overrides)
    }

    /// The settings, or everything that is wrong with them.
    func settings(isService: Bool = true) throws(CommandFailure) -> ServeSettings {
        let faults = SettingsFaults()
        guard let settings = try settings(isService: isService, faults) else { throw faults.failure }
        return settings
    }

    /// The settings when nothing is wrong with them; what is wrong is noted. Throws when there is nothing to look at.
    func settings(isService: Bool, _ faults: SettingsFaults) throws(CommandFailure) -> ServeSettings? {
        let object: SettingsObject
        do throws(CommandFailure) {
            object = try self.object(faults)
        } catch {
            guard !error.faults.isEmpty else { throw error }
            faults.note(error)
            return nil
        }
        return ServeSettings(object, isService: isService, faults)
    }
}
