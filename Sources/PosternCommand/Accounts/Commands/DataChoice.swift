internal import Glibc
internal import PosternAccounts
internal import PosternBase
internal import PosternPasswords
internal import PosternSQLite
internal import PosternTokens

/// Which data a command works on: the folder of `--data`, or that of the settings.
struct DataChoice {
    static let options: [Option] = SettingsInput.options
    static let note =
        "It works on the database itself, beside a running daemon or without one: name the folder (--data) or the settings (--config), and "
        + "run it as the user whom the folder belongs to, such as: sudo -u postern postern users list --data /var/lib/postern"

    let folder: String
    /// nil where the folder alone is named.
    let settings: AccountSettings?

    init(_ arguments: Arguments) throws(CommandFailure) {
        let input = try SettingsInput(arguments)
        if input.file == nil, !arguments.isGiven(.set), let folder = try arguments.text(of: .data) {
            self.folder = try LocalPath.absolute(folder)
            settings = nil
            return
        }
        guard !input.isEmpty else {
            throw .usage("--config or --data is missing: name the file with the settings, or the folder with the data")
        }
        guard let accounts = try Self.accounts(input) else {
            throw .usage("the settings keep nothing of anybody: accounts.data names no folder")
        }
        folder = accounts.data
        settings = accounts
    }

    /// Of the settings these alone are looked at: files of others may be for the daemon to read.
    private static func accounts(_ input: SettingsInput) throws(CommandFailure) -> AccountSettings? {
        let faults = SettingsFaults()
        let read = AccountSettings.read(try input.object(faults), isService: false, faults)
        guard faults.isEmpty, let accounts = read else { throw faults.failure }
        return accounts
    }

    /// The store of a database that is there already.
    func open() throws(CommandFailure) -> SQLiteStore {
        guard InputFile.exists(Array("\(folder)/postern.db".utf8)) || errno == EACCES else {
            throw .trouble(
                "there is no database in \(Excerpt.quote(folder)): the daemon makes it when it starts for the first time"
            )
        }
        do throws(StoreFault) {
            return try SQLiteStore(folder: folder, .beside)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// What may become a password: by the settings, or as it is without any.
    func passwords() throws(CommandFailure) -> Passwords {
        let policy: PasswordPolicy
        if let passwords = settings?.passwords {
            policy = try passwords.policy()
        } else {
            do throws(BlocklistError) {
                policy = PasswordPolicy(blocklist: try Blocklist(files: Blocklist.debianPaths))
            } catch {
                throw .trouble("\(error.message) With --config the settings say which lists count.")
            }
        }
        do throws(PasswordFault) {
            let check = try PasswordCheck(Argon2idHasher(settings?.passwords?.hashing.parameters ?? .standard))
            return Passwords(policy: policy, pool: HashingPool(check, threads: 1, queue: 1))
        } catch {
            throw .trouble("passwords cannot be hashed: \(error.reason.rawValue)")
        }
    }
}

extension CommandFailure {
    init(_ fault: StoreFault) { self = .trouble("\(fault.message) (\(fault.reason.rawValue))") }

    init(_ error: AccountError) {
        switch error {
        case .refused(let refusal):
            self = .trouble(refusal.message)
            code = refusal.code.rawValue
        case .tokenRefused(let refusal): self = .trouble(refusal.message)
        case .fault(let fault): self = .trouble("\(fault.words.message) (\(fault.words.code))")
        }
    }

    /// Something that was asked for and is not done: a normal answer.
    static func refused(_ code: AccountRefusal.Code, _ message: String) -> CommandFailure {
        var failure = CommandFailure.trouble(message)
        failure.code = code.rawValue
        return failure
    }
}
