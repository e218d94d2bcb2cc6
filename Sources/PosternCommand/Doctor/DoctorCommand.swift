internal import PosternAccounts
internal import PosternBase

extension Option {
    static let doctorConfig = Option(
        "config", takes: "FILE", "the settings of the daemon; \(DoctorCommand.usualSettings) unless said, where it is")
    static let doctorSocket = Option(
        "socket", takes: "PATH", isRepeatable: true,
        "ask the daemon at this socket too, such as one that systemd opens for it")
    static let offline = Option("offline", "ask no key server")
}

extension Command {
    static let doctor = Command(
        words: ["doctor"],
        summary: "Look for what keeps the daemon from serving, and say what to do",
        usage: ["[OPTION]... [--config FILE]"],
        ownOptions: [.doctorConfig, .data, .set, .doctorSocket, .offline, .masterKey],
        operandCount: 0...0,
        notes: [
            "It looks at the clock, the kernel's randomness, OpenSSL, the certificate store, the settings, descriptors, the keys of each "
                + "provider, the cache folder, the data folder, the database and the signing keys in it, sockets and ports. A daemon that runs is asked how it is, and not disturbed. "
                + "Run it as the user of the daemon and with its environment.",
            "The worst finding decides the status: 0 all is well, 4 warnings, 1 problems.",
        ],
        run: DoctorCommand.run
    )
}

enum DoctorCommand {
    static let usualSettings = "/etc/postern/postern.conf"

    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        var sockets: [String] = []
        for path in try arguments.texts(of: .doctorSocket) {
            guard path.utf8.first == 0x2F, (2...107).contains(path.utf8.count), !path.utf8.contains(0) else {
                throw .usage("--socket takes the absolute path of a socket, of at most 107 bytes")
            }
            sockets.append(path)
        }
        let usual = Array(usualSettings.utf8)
        let input = try SettingsInput(arguments, otherwise: InputFile.exists(usual) ? usual : nil)
        let doctor = Doctor(
            .ofThisProcess(), asksKeyServers: !arguments.isGiven(.offline),
            masterKeys: try MasterKeys.given(arguments))
        return answer(await doctor.examine(input, sockets: sockets))
    }

    static func answer(_ findings: [Finding]) -> Answer {
        let worst = findings.map(\.diagnosis.level).max() ?? .ok
        let json: [(String, JSONOutput)] = [
            ("worst", .string(worst.rawValue)), ("findings", .array(findings.map(\.json))),
        ]
        return Answer(status: status(worst), json: .object(json)) { style in
            let width = findings.map(\.diagnosis.rawValue.utf8.count).max() ?? 0
            return findings.map { $0.text(style, codeWidth: width) }.joined() + summary(findings) + "\n"
        }
    }

    private static func status(_ worst: Diagnosis.Level) -> ExitStatus {
        switch worst {
        case .ok: .success
        case .warning: .warned
        case .problem: .refused
        }
    }

    private static func summary(_ findings: [Finding]) -> String {
        func count(_ level: Diagnosis.Level) -> Int { findings.count { $0.diagnosis.level == level } }
        return "problems: \(count(.problem)), warnings: \(count(.warning)), ok: \(count(.ok))"
    }
}
