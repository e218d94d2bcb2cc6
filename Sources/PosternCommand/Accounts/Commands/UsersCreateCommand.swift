internal import PosternAccounts
internal import PosternBase
internal import PosternPasswords
internal import PosternSQLite

extension Option {
    static let proven = Option("proven", "the mailbox is known to be theirs")
    static let passwordFile = Option(
        "password", takes: "FILE", "the password, in a file or by standard input (-), without the end of its line")
    static let passwordHash = Option(
        "password-hash", takes: "FILE",
        "a hash of the password from elsewhere, in a file or by standard input (-): argon2id, argon2i, bcrypt, scrypt or PBKDF2"
    )
}

extension Command {
    static let usersCreate = Command(
        words: ["users", "create"],
        summary: "Make an account",
        usage: ["[OPTION]... EMAIL"],
        ownOptions: DataChoice.options + [.proven, .passwordFile, .passwordHash],
        operandCount: 1...1,
        notes: [
            "No password is taken on the command line, where others see it. A hash from elsewhere is replaced by one of ours at the next sign-in.",
            DataChoice.note,
        ],
        run: { arguments async throws(CommandFailure) in
            let hasPassword = arguments.isGiven(.passwordFile)
            return try await Operation.run(arguments, hasPasswords: hasPassword) {
                operation, arguments async throws(CommandFailure) in
                try await UsersCreateCommand.run(operation, arguments)
            }
        }
    )

    static let usersConfirm = Command(
        words: ["users", "confirm"],
        summary: "Confirm a sign-up, or that an account's address is proven",
        usage: ["[OPTION]... SIGN-UP|USER"],
        ownOptions: DataChoice.options,
        operandCount: 1...1,
        notes: [
            "Say it only of a mailbox that you know to be theirs: a sign-up becomes an account with its password. Of several for one address "
                + "the right one must be named ('postern users list --waiting').",
            DataChoice.note,
        ],
        run: { arguments async throws(CommandFailure) in
            try await Operation.run(arguments) { operation, arguments async throws(CommandFailure) in
                try await UsersConfirmCommand.run(operation, Operation.user(arguments))
            }
        }
    )
}

enum UsersCreateCommand {
    static func run(_ operation: Operation, _ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let email = try Operation.address(try arguments.text(ofOperand: 0, called: "EMAIL"))
        let hash = try await hash(operation, email, arguments)
        do throws(AccountError) {
            let person = try await operation.accounts.create(
                email, isProven: arguments.isGiven(.proven), hash, caller: Operation.caller)
            return UsersListCommand.answer(person, operation)
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func hash(
        _ operation: Operation,
        _ email: EmailAddress,
        _ arguments: Arguments
    ) async throws(CommandFailure) -> Secret<String>? {
        switch (arguments.bytes(of: .passwordFile), arguments.bytes(of: .passwordHash)) {
        case (nil, nil): return nil
        case (.some, .some): throw .usage("--password and --password-hash exclude each other")
        case (let path?, nil):
            guard let password = Password(utf8: try line(path, "the password")) else {
                throw .trouble("the password is not UTF-8, or longer than \(Password.maximumByteCount) bytes")
            }
            do throws(AccountError) {
                return try await operation.accounts.hash(password, email: email)
            } catch {
                throw CommandFailure(error)
            }
        case (nil, let path?): return try importedHash(try line(path, "the hash"))
        }
    }

    private static func importedHash(_ bytes: [UInt8]) throws(CommandFailure) -> Secret<String> {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .trouble("the hash is not UTF-8") }
        do throws(StoredHashFault) {
            return Secret(try StoredPasswordHash(parsing: text).text)
        } catch {
            throw .trouble("the hash cannot be taken: \(error.message)")
        }
    }

    /// The content of a file without the end of its line.
    private static func line(_ path: [UInt8], _ what: String) throws(CommandFailure) -> [UInt8] {
        let limit = Password.maximumByteCount + 3
        var bytes = try InputFile.contents(of: path, named: "the file with \(what)", upTo: limit)
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        guard !bytes.isEmpty else { throw .trouble("the file with \(what) is empty") }
        return bytes
    }
}

enum UsersConfirmCommand {
    private static let hint = "'postern users list --waiting' lists those that wait."
    private static let nobody =
        "No sign-up that waits and no account has this name: it was confirmed, has expired, or gave way to younger ones. \(hint)"

    static func run(_ operation: Operation, _ text: String) async throws(CommandFailure) -> Answer {
        if let id = SignUpID(text) {
            guard let person = try await confirmed(id, operation) else {
                return try await prove(operation, text, unlessThere: Self.nobody)
            }
            return UsersListCommand.answer(person, operation)
        }
        let waiting = try await signUps(for: try Operation.address(text), operation)
        guard waiting.count < 2 else {
            let names = waiting.map { "\($0.id)" }.joined(separator: ", ")
            throw .refused(
                .signUpUnknown,
                "Several sign-ups wait for this address, and each has a password of its own. Name the right one: \(names)."
            )
        }
        guard let only = waiting.first else {
            return try await prove(
                operation, text, unlessThere: "No sign-up waits for this address, and no account has it. \(Self.hint)")
        }
        do throws(AccountError) {
            return UsersListCommand.answer(
                try await operation.accounts.confirm(only.id, caller: Operation.caller), operation)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// nil where there is no such sign-up; the name may be that of an account.
    private static func confirmed(_ id: SignUpID, _ operation: Operation) async throws(CommandFailure) -> Person? {
        do throws(AccountError) {
            return try await operation.accounts.confirm(id, caller: Operation.caller)
        } catch {
            if case .refused(let refusal) = error, refusal.code == .signUpUnknown { return nil }
            throw CommandFailure(error)
        }
    }

    private static func signUps(for email: EmailAddress, _ operation: Operation) async throws(CommandFailure)
        -> [SignUp]
    {
        let now = operation.now
        do throws(StoreFault) {
            return try await operation.store.read { reader throws(StoreFault) in
                try reader.signUps(email: email).filter { now < $0.expiresAt }
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func prove(
        _ operation: Operation,
        _ text: String,
        unlessThere words: String
    ) async throws(CommandFailure) -> Answer {
        let person: Person
        do throws(CommandFailure) {
            person = try await operation.person(text)
        } catch {
            guard error.code == AccountRefusal.Code.accountUnknown.rawValue else { throw error }
            throw .refused(.signUpUnknown, words)
        }
        guard let email = person.account.email else {
            throw .refused(.accountUnknown, "The account has no address that could be proven.")
        }
        guard person.account.emailProvenAt == nil else { return UsersListCommand.answer(person, operation) }
        do throws(AccountError) {
            let change = AccountChange(email: (email, isProven: true))
            let changed = try await operation.accounts.change(person.account.id, change, caller: Operation.caller)
            return UsersListCommand.answer(changed, operation)
        } catch {
            throw CommandFailure(error)
        }
    }
}
