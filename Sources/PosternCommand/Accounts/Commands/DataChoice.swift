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
        "It works on the database itself, beside a running daemon or without one: \(place), such as: "
        + "sudo -u postern postern users list --data /var/lib/postern"
    static let place =
        "name the folder (--data), or settings that name it (--config; no key that stands in them is read), and run it as the user whom "
        + "the folder belongs to"

    let folder: String
    /// `accounts` of the settings, of which each command reads what it needs: the rest, and the files that are named there, may be for
    /// the daemon alone. nil where the folder alone is named.
    let accounts: SettingsObject?

    init(_ arguments: Arguments) throws(CommandFailure) {
        let input = try SettingsInput(arguments)
        if input.file == nil, !arguments.isGiven(.set), let folder = try arguments.text(of: .data) {
            self.folder = try LocalPath.absolute(folder)
            accounts = nil
            return
        }
        guard !input.isEmpty else {
            throw .usage("--config or --data is missing: name the file with the settings, or the folder with the data")
        }
        let faults = SettingsFaults()
        let accounts = try input.object(faults).object("accounts")
        guard faults.isEmpty else { throw faults.failure }
        guard let accounts, accounts.has("data") else {
            throw .usage("the settings keep nothing of anybody: accounts.data names no folder")
        }
        folder = try AccountSettings.data(accounts)
        self.accounts = accounts
    }

    /// Whether there is a database, as far as this user can see.
    var hasDatabase: Bool { InputFile.exists(Array("\(folder)/postern.db".utf8)) || errno == EACCES }

    var nothing: String {
        "there is no database in \(Excerpt.quote(folder)) yet: 'postern migrate' makes it, and so does the daemon when it starts"
    }

    /// The store of a database that is there already.
    func open() throws(CommandFailure) -> SQLiteStore {
        guard hasDatabase else { throw .trouble(nothing) }
        return try openOrMake()
    }

    /// The store; folder and database are made as the daemon makes them.
    func openOrMake() throws(CommandFailure) -> SQLiteStore {
        do throws(StoreFault) {
            return try SQLiteStore(folder: folder, .beside)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// When sessions are over: by the settings too, or as the daemon wrote it down.
    func sessions() throws(CommandFailure) -> SessionPolicy {
        guard let accounts else { return .asWritten }
        return try SessionPolicy(accounts.object("sessions"))
    }

    /// What may become a password: by the settings, or as it is without any.
    func passwords() throws(CommandFailure) -> Passwords {
        let settings = try PasswordSettings.read(accounts?.object("passwords"))
        let policy: PasswordPolicy
        if let settings {
            policy = try settings.policy()
        } else {
            do throws(BlocklistError) {
                policy = PasswordPolicy(blocklist: try Blocklist(files: Blocklist.debianPaths))
            } catch {
                throw .trouble("\(error.message) With --config the settings say which lists count.")
            }
        }
        do throws(PasswordFault) {
            let check = try PasswordCheck(Argon2idHasher(settings?.hashing.parameters ?? .standard))
            return Passwords(policy: policy, pool: HashingPool(check, threads: 1, queue: 1))
        } catch {
            throw .trouble("passwords cannot be hashed: \(error.reason.rawValue)")
        }
    }
}

extension SessionPolicy {
    /// Under which nothing ends sooner than the store says.
    static let asWritten = SessionPolicy(inactivity: .max)
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
