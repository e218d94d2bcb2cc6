package import PosternBase

/// The members of a header or of claims in their order, each name once.
package struct TokenMembers: Sendable {
    private var members: [(name: String, value: JSONOutput)]

    package init(_ members: [(String, JSONOutput)] = []) {
        self.members = []
        for (name, value) in members { self[name] = value }
    }

    /// Setting keeps the place of a member that is there; nil takes it out. Names are compared byte for byte.
    package subscript(name: String) -> JSONOutput? {
        get { members.first { $0.name.isSameBytes(as: name) }?.value }
        set {
            let place = members.firstIndex { $0.name.isSameBytes(as: name) }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append((name, value))
            case (nil, nil): break
            }
        }
    }

    package var json: JSONOutput { .object(members.map { ($0.name, $0.value) }) }
    var bytes: [UInt8] { Array(json.text().utf8) }
}
