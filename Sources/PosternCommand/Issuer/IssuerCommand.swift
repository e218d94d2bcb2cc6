internal import PosternBase
internal import PosternCrypto
internal import PosternIssuer

extension Command {
    static let issuer = Command(
        words: ["issuer"],
        summary: "Serve a TEST issuer: a stand-in for Apple on this machine",
        usage: ["[OPTION]..."],
        ownOptions: IssuerOption.all,
        operandCount: 0...0,
        notes: [
            "FOR TESTS ONLY. Whoever reaches it can sign in as anybody, so its tokens are accepted only where settings name it as "
                + "the issuer of a provider oidc, with insecure_loopback. The provider apple cannot be pointed at it.",
            "It stays in the foreground, as 'postern serve' does, and forgets everything at its end. Docs/Issuer.md tells what it "
                + "answers; POST /mint gives a token, POST /control/faults turns faults on and off.",
        ],
        run: IssuerCommand.run
    )
}

enum IssuerCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let port = try port(arguments)
        let socket = try arguments.text(of: IssuerOption.socket)
        let settings = try settings(arguments)
        let server = LocalIssuer(settings, port: port, socket: socket)
        guard let signals = Signals.catchThem() else { throw .trouble("no pipe can be made for signals") }
        let url = try server.start()
        StandardStreams.complain(guide(url, settings.clients))
        let signal = await signals.first()
        await server.stop()
        let json: [(String, JSONOutput)] = [("stopped_by", .string(Signals.name(signal)))]
        return Answer(status: signal == 0 ? .trouble : .success, json: .object(json)) { _ in "" }
    }

    private static func guide(_ url: String, _ clients: [RegisteredClient]) -> String {
        let audiences = clients.map { client in
            JSONOutput.object([("client_id", .string(client.id)), ("nonce", .string("issued"))])
        }
        return """

            FOR TESTS ONLY. In the settings of 'postern serve' this is the provider:
            {"provider":"oidc","issuer":"\(url)","insecure_loopback":true,"audiences":\(JSONOutput.array(audiences).text())}
            A token, issued now:
            curl -sS -H 'Content-Type: application/json' -d '{"nonce":"the raw nonce"}' \(url)/mint


            """
    }

    // MARK: - Options

    private static func port(_ arguments: Arguments) throws(CommandFailure) -> UInt16 {
        guard let text = try arguments.text(of: IssuerOption.port) else { return IssuerOption.defaultPort }
        guard let number = DecimalDigits.value(of: text), let port = UInt16(exactly: number) else {
            throw .usage("--port takes a number from 0 to 65535, not \(Excerpt.word(text))")
        }
        return port
    }

    private static func settings(_ arguments: Arguments) throws(CommandFailure) -> IssuerSettings {
        let faults = try faults(arguments)
        let slowSeconds = try arguments.seconds(of: IssuerOption.slow)
        guard slowSeconds.map(IssuerSettings.slowRange.contains) ?? true else {
            throw .usage("--slow-seconds takes at most \(IssuerSettings.slowRange.upperBound)")
        }
        let clients = try clients(arguments)
        let users = try users(arguments)
        var settings = IssuerSettings(try IssuerKey.key(arguments.bytes(of: IssuerOption.key)), clients: clients)
        settings.faults = faults
        if let users { settings.users = users }
        if let slowSeconds { settings.slowSeconds = slowSeconds }
        return settings
    }

    private static func faults(_ arguments: Arguments) throws(CommandFailure) -> Set<IssuerFault> {
        var faults: Set<IssuerFault> = []
        for text in try arguments.texts(of: IssuerOption.fault) {
            guard let fault = IssuerFault(named: text) else {
                throw .usage("--fault takes \(IssuerFault.names), not \(Excerpt.quote(text))")
            }
            faults.insert(fault)
        }
        return faults
    }

    private static func clients(_ arguments: Arguments) throws(CommandFailure) -> [RegisteredClient] {
        let texts = try arguments.texts(of: IssuerOption.client)
        var clients: [RegisteredClient] = []
        for text in texts.isEmpty ? [LocalIssuer.usualClient] : texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let id = parts.first ?? ""
            do throws(IssuerSettingsError) {
                let place = clients.firstIndex { $0.id.isSameBytes(as: id) } ?? clients.count
                if place == clients.count { clients.append(try RegisteredClient(id)) }
                if parts.count > 1 { try clients[place].add(redirectURI: parts[1]) }
            } catch {
                throw .usage("--client: \(error.message)")
            }
        }
        return clients
    }

    private static func users(_ arguments: Arguments) throws(CommandFailure) -> [TestUser]? {
        guard let path = arguments.bytes(of: IssuerOption.users) else { return nil }
        let name = "--users \(RawArguments.quote(path))"
        let bytes = try InputFile.contents(of: path, named: name, upTo: TestUser.maximumFileSize + 1)
        guard bytes.count <= TestUser.maximumFileSize else {
            throw .trouble("\(name) is larger than \(TestUser.maximumFileSize) bytes")
        }
        do throws(IssuerSettingsError) {
            return try TestUser.read(bytes)
        } catch {
            throw .trouble("\(name) cannot be used: \(error.message)")
        }
    }
}
