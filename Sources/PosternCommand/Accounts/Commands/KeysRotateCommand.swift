internal import PosternAccounts
internal import PosternBase
internal import PosternSQLite
internal import PosternTokens

extension Option {
    static let withdraw = Option(
        "withdraw",
        "make a new key and withdraw all others at once, and their access tokens with them: somebody else may have them, or their master key is lost"
    )
}

extension Command {
    static let keysRotate = Command(
        words: ["keys", "rotate"],
        summary: "Let the next key sign access tokens from now on",
        usage: ["[OPTION]... --config FILE"],
        ownOptions: SettingsInput.options + [.withdraw, .masterKey],
        operandCount: 0...0,
        notes: [
            "It needs the settings, which say how long keys sign and tokens live; --data alone will not do. It works on the database itself, as "
                + "the user whom the folder belongs to. A running daemon takes it over within a minute, or at once after SIGHUP. The key of before "
                + "stays published until its last token has expired."
        ],
        run: KeysRotateCommand.run
    )

    static let keysMaster = Command(
        words: ["keys", "master"],
        summary: "Make a master key for accounts.master_key_file",
        usage: ["[OPTION]... FILE"],
        ownOptions: [],
        operandCount: 1...1,
        notes: [
            "All other keys come from it: whoever has it and the data can do what the daemon can; without it the sessions are lost, and no account. "
                + "Keep it on another disk than the data, and a copy of it where no copy of the data is."
        ],
        run: KeysMasterCommand.run
    )
}

enum KeysRotateCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let choice = try DataChoice(arguments)
        guard let accounts = choice.accounts else {
            throw .usage("--config is missing: --data alone does not say how long keys sign and tokens live")
        }
        let plan = try AccountSettings.keyPlan(accounts)
        let given = try MasterKeys.given(arguments)
        let master =
            if let given { given } else {
                try MasterKeySettings(accounts, data: choice.folder, isService: false).keys
            }
        guard let master else {
            throw .trouble(
                "the master key is a credential that the service alone can read: hand it over by --master-key")
        }
        let keys: SigningKeys
        do throws(ConfigurationError) { keys = try SigningKeys(master, plan: plan) } catch {
            throw .trouble(error.message)
        }
        let store = try choice.open()
        let result: Result<[StoredSigningKey], AccountFault>
        do throws(AccountFault) {
            let now = TimeSource.system.now()
            if arguments.isGiven(.withdraw) {
                try await keys.replace(store, now: now, caller: Operation.caller)
            } else {
                try await keys.rotate(store, now: now, caller: Operation.caller)
            }
            result = .success(try await keys.stored(store))
        } catch {
            result = .failure(error)
        }
        await store.close()
        switch result {
        case .success(let stored): return answer(stored, isWithdrawal: arguments.isGiven(.withdraw))
        case .failure(let fault): throw CommandFailure(AccountError.fault(fault))
        }
    }

    private static func answer(_ keys: [StoredSigningKey], isWithdrawal: Bool) -> Answer {
        let json = keys.map { key in
            JSONOutput.object([
                ("kid", .string(key.keyID)), ("state", .string(key.state.rawValue)), ("since", .integer(key.since)),
            ])
        }
        return Answer(status: .success, json: .object([("signing_keys", .array(json))])) { _ in
            Layout.table(keys.map { [$0.keyID, $0.state.rawValue, "since \(PersonOutput.time($0.since))"] })
                + (isWithdrawal
                    ? "a daemon that runs signs with the former key until it reads this: send it SIGHUP now, or restart it where the master key is another one\n"
                    : "")
        }
    }
}

enum KeysMasterCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let path = arguments.operands.first ?? []
        let name = RawArguments.quote(path)
        guard !InputFile.exists(path) else {
            throw .trouble("\(name) is there already: what was made under it would be lost. Name another file")
        }
        try OutputFile.create(path, Array(MasterKeyFile.text().utf8), mode: 0o600, named: name)
        let file = String(decoding: path, as: UTF8.self)
        return Answer(status: .success, json: .object([("file", .string(file))])) { _ in
            "made \(name), readable by its owner only; keep a copy where no copy of the data is\n"
        }
    }
}
