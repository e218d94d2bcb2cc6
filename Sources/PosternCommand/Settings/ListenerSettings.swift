internal import Glibc
internal import PosternBase
internal import PosternService

/// One of `listeners`.
struct ListenerSettings {
    enum Place: Equatable {
        case unix(path: String, mode: UInt32, owner: UInt32?, group: UInt32?)
        case tcp(address: String, port: UInt16)
        case inherited(Int)
    }

    let place: Place
    let rules: ListenerRules
    /// nil for what is shared out.
    let reservedConnections: Int?
    let object: SettingsObject

    /// `keepsData`: whether there are accounts.
    static func list(
        _ object: SettingsObject,
        keepsData: Bool,
        _ faults: SettingsFaults
    ) -> [ListenerSettings] {
        let listed = faults.attempt { () throws(CommandFailure) in try objects(object) } ?? []
        var listeners: [ListenerSettings] = []
        for object in listed {
            faults.attempt { () throws(CommandFailure) in
                let next = try ListenerSettings(object, keepsData: keepsData)
                if listeners.contains(where: { $0.isSamePlace(as: next) }) {
                    throw object.failure(object.value, "\(object.path) is at the same place as a listener before it")
                }
                listeners.append(next)
            }
        }
        return listeners
    }

    private static func objects(_ object: SettingsObject) throws(CommandFailure) -> [SettingsObject] {
        guard let objects = try object.objects("listeners") else { throw object.missing("listeners") }
        guard !objects.isEmpty else { throw object.failure("listeners", "is empty: nobody could call") }
        return objects
    }

    private func isSamePlace(as other: ListenerSettings) -> Bool {
        switch (place, other.place) {
        case (.unix(let left, _, _, _), .unix(let right, _, _, _)): LocalPath.isSame(left, right)
        // The system chooses another port each time for 0.
        case (.tcp(_, let port), .tcp): port != 0 && place == other.place
        default: place == other.place
        }
    }

    private init(_ object: SettingsObject, keepsData: Bool) throws(CommandFailure) {
        self.object = object
        let kinds = ["unix", "tcp", "inherited"].filter(object.has)
        guard kinds.count == 1, let kind = kinds.first else {
            throw object.failure(
                object.value,
                kinds.isEmpty
                    ? "\(object.path) must say one of unix, tcp, inherited"
                    : "\(object.path): \(kinds.joined(separator: " and ")) exclude each other"
            )
        }
        try Self.checkFit(object, kind)
        place =
            switch kind {
            case "unix": try Self.unix(object)
            case "tcp": try Self.tcp(object)
            default: .inherited(Int(clamping: try object.number("inherited") ?? 0))
            }
        rules = ListenerRules(
            doors: try Self.doors(object, kind, keepsData: keepsData),
            users: Set(try Self.numbers(object, "allow_users", MachineAccounts.user)),
            groups: Set(try Self.numbers(object, "allow_groups", MachineAccounts.group)),
            requiresKey: try object.flag("require_api_key")
        )
        reservedConnections = try object.number("reserved_connections").map { Int(clamping: $0) }
    }

    private static func checkFit(_ object: SettingsObject, _ kind: String) throws(CommandFailure) {
        let only: [(names: [String], kinds: [String])] = [
            (["mode", "owner", "group"], ["unix"]), (["beyond_loopback"], ["tcp"]),
            (["allow_users", "allow_groups", "require_api_key"], ["unix", "inherited"]),
        ]
        for (names, kinds) in only where !kinds.contains(kind) {
            if let name = names.first(where: object.has) {
                let reason = name == "require_api_key" ? ", where one is always asked for" : ""
                throw object.failure(name, "has no meaning for \(kind)\(reason)")
            }
        }
    }

    // MARK: - Places

    private static func unix(_ object: SettingsObject) throws(CommandFailure) -> Place {
        let path = try object.path("unix") ?? ""
        guard path.utf8.count <= 107 else {
            throw object.failure("unix", "is longer than the 107 bytes that a socket's path may have")
        }
        let mode = try mode(object)
        guard !object.has("group") || mode & 0o020 != 0 else {
            throw object.failure("group", "has no meaning where mode lets only the owner connect: say 0660")
        }
        return .unix(
            path: path,
            mode: mode,
            owner: try object.text("owner").map { name throws(CommandFailure) in
                try account(object, "owner", name, MachineAccounts.user)
            },
            group: try object.text("group").map { name throws(CommandFailure) in
                try account(object, "group", name, MachineAccounts.group)
            }
        )
    }

    private static func mode(_ object: SettingsObject) throws(CommandFailure) -> UInt32 {
        guard let text = try object.text("mode") else { return 0o600 }
        guard (3...4).contains(text.utf8.count), text.utf8.count == 3 || text.utf8.first == 0x30,
            text.utf8.allSatisfy({ (0x30...0x37).contains($0) }), let mode = UInt32(text, radix: 8)
        else { throw object.failure("mode", "takes three octal digits, such as 0660, not \(Excerpt.word(text))") }
        guard mode & 0o007 == 0 else {
            throw object.failure(
                "mode", "lets every user of the machine in: use 0660 and a group, or allow_users, with the last digit 0"
            )
        }
        guard mode & 0o600 == 0o600 else {
            throw object.failure("mode", "does not let the owner of the socket connect: use 0600, or 0660 and a group")
        }
        return mode
    }

    private static func tcp(_ object: SettingsObject) throws(CommandFailure) -> Place {
        let text = try object.required("tcp")
        guard let (address, port) = split(text) else {
            throw object.failure(
                "tcp", "takes an address and a port, such as 127.0.0.1:8711 or [::1]:8711, not \(Excerpt.quote(text))")
        }
        guard address.utf8.contains(0x3A) || address.utf8.allSatisfy({ $0 == 0x2E || (0x30...0x39).contains($0) })
        else {
            throw object.failure(
                "tcp", "takes an address, and no name is looked up: write 127.0.0.1 or [::1] for localhost")
        }
        guard isAddress(address) else {
            throw object.failure("tcp", "takes an IP address with all its parts, not \(Excerpt.quote(address))")
        }
        let isLoopback = address.utf8.starts(with: "127.".utf8) || address.isSameBytes(as: "::1")
        let isMeant = try object.flag("beyond_loopback")
        guard isLoopback || isMeant else {
            throw object.failure(
                "tcp",
                "is an address that other machines may reach, and nothing is encrypted: use 127.0.0.1 and a proxy with TLS before it, or say beyond_loopback"
            )
        }
        guard !isLoopback || !isMeant else {
            throw object.failure("beyond_loopback", "has no meaning for \(address), which no other machine reaches")
        }
        return .tcp(address: address, port: port)
    }

    private static func isAddress(_ text: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }

    /// The address without brackets, and the port.
    private static func split(_ text: String) -> (String, UInt16)? {
        guard let colon = text.utf8.lastIndex(of: 0x3A),
            let number = DecimalDigits.value(of: text[text.utf8.index(after: colon)...]),
            let port = UInt16(exactly: number)
        else { return nil }
        var address = text[..<colon]
        let hasBrackets = address.utf8.first == 0x5B && address.utf8.last == 0x5D
        if hasBrackets { address = address.dropFirst().dropLast() }
        guard hasBrackets == address.utf8.contains(0x3A), !address.isEmpty else { return nil }
        return (String(address), port)
    }

    // MARK: - Doors and callers

    private static func doors(
        _ object: SettingsObject,
        _ kind: String,
        keepsData: Bool
    ) throws(CommandFailure) -> Set<Door> {
        guard let words = try object.texts("doors") else {
            switch kind {
            case "unix": return [.native, .operations]
            case "tcp": return keepsData ? [.auth] : []
            default: throw object.missing("doors", ": say what is to be open")
            }
        }
        var doors: Set<Door> = []
        for word in words {
            guard let door = Door(rawValue: word) else {
                let names = Door.allCases.map(\.rawValue).joined(separator: ", ")
                throw object.failure("doors", "takes \(names), not \(Excerpt.word(word))")
            }
            guard door != .auth || keepsData else {
                throw object.failure("doors", "opens auth, behind which there is nothing without accounts.data")
            }
            doors.insert(door)
        }
        return doors
    }

    private static func numbers(
        _ object: SettingsObject,
        _ name: String,
        _ find: (String) -> UInt32?
    ) throws(CommandFailure) -> [UInt32] {
        guard let words = try object.texts(name) else { return [] }
        guard !words.isEmpty else { throw object.failure(name, "is empty: leave it out to let in whoever can connect") }
        var numbers: [UInt32] = []
        for word in words { numbers.append(try account(object, name, word, find)) }
        return numbers
    }

    private static func account(
        _ object: SettingsObject,
        _ name: String,
        _ text: String,
        _ find: (String) -> UInt32?
    ) throws(CommandFailure) -> UInt32 {
        guard let number = find(text) else {
            throw object.failure(name, "names \(Excerpt.word(text)), which this machine does not know")
        }
        return number
    }
}
