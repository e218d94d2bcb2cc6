internal import PosternBase

// What the table alone says about settings: which names there are, and of what kind and size each value is.

extension SettingsObject {
    /// The same for each place alone: what does not count must be good all the same.
    func checkShapes(_ faults: SettingsFaults) {
        checkShape(faults)
        for object in below { object.checkShape(faults) }
    }

    /// Notes every member that the table does not know, and every value that is not what it says.
    private func checkShape(_ faults: SettingsFaults) {
        let members = Setting.members(of: pattern)
        let names = members.map(\.parts.name)
        for (name, _) in value.namedMembers where !names.containsBytes(of: name.string ?? "") {
            faults.note(unknown(name, names))
        }
        for member in members where has(member.parts.name) || member.isObject { check(member, faults) }
    }

    private func check(_ member: Setting, _ faults: SettingsFaults) {
        let name = member.parts.name
        switch member.form {
        case .text: _ = faults.attempt { () throws(CommandFailure) in try text(name) }
        case .flag: _ = faults.attempt { () throws(CommandFailure) in try flag(name) }
        case .number: _ = faults.attempt { () throws(CommandFailure) in try number(name) }
        case .texts: _ = faults.attempt { () throws(CommandFailure) in try texts(name) }
        case .object:
            let member = faults.attempt { () throws(CommandFailure) in try object(name) }
            if case .some(.some(let object)) = member { object.checkShape(faults) }
        case .objects:
            let members = faults.attempt { () throws(CommandFailure) in try objects(name) }
            if case .some(.some(let objects)) = members { for object in objects { object.checkShape(faults) } }
        }
    }

    private func unknown(_ name: JSONValue, _ names: [String]) -> CommandFailure {
        let text = name.string ?? ""
        let nearest = NearestName.of(text, among: names)
        let elsewhere = Setting.all.first { $0.parts.name.isSameBytes(as: text) }
        let full = pattern.isEmpty ? text : "\(pattern).\(text)"
        let shown = UnknownName.quote(text, isSlip: nearest != nil || elsewhere != nil)
        let start = "there is no setting \(shown) \(path.isEmpty ? "here" : "in \(path)")"
        // As flags and the documents write it.
        if let flat = Setting.named(full), flat.parts.name != text, !text.utf8.contains(UInt8(ascii: "[")) {
            let parts = text.split(separator: ".").map(String.init)
            let open = parts.dropLast().map { "\"\($0)\": { " }.joined()
            let close = String(repeating: " }", count: parts.count - 1)
            return failure(name, "\(start): write \(open)\"\(parts.last ?? "")\": …\(close)")
        }
        if let nearest { return failure(name, "\(start): is \(nearest) meant?") }
        let known = "those known are \(names.joined(separator: ", "))"
        guard let elsewhere else { return failure(name, "\(start); \(known)") }
        return failure(name, "\(start): there is \(elsewhere.path); \(known)")
    }
}

extension Setting {
    fileprivate var isObject: Bool {
        if case .object = form { return true }
        return false
    }
}
