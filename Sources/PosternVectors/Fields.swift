internal import PosternBase

/// A JSON object of a vector file, whose members are all known: what the reader does not know it must not pass over.
struct Fields {
    private let object: JSONValue
    /// Where the object stands, for messages.
    let place: String

    init(
        _ value: JSONValue,
        at place: String,
        required: [String],
        optional: [String] = []
    ) throws(VectorFault) {
        guard value.kind == .object else { throw VectorFault("\(place) is not an object.") }
        for member in value.members where !(required + optional).containsBytes(of: member.name) {
            throw VectorFault("\(place) has the unknown member \(Excerpt.quote(member.name)).")
        }
        for name in required where value[name] == nil {
            throw VectorFault("\(place) lacks the member \(Excerpt.quote(name)).")
        }
        object = value
        self.place = place
    }

    func has(_ name: String) -> Bool { object[name] != nil }

    func value(_ name: String) throws(VectorFault) -> JSONValue {
        guard let value = object[name] else { throw VectorFault("\(place) lacks the member \(Excerpt.quote(name)).") }
        return value
    }

    func optional(_ name: String) -> JSONValue? { object[name] }

    func text(_ name: String) throws(VectorFault) -> String {
        guard let text = try value(name).string else { throw misfit(name, "a string") }
        return text
    }

    func optionalText(_ name: String) throws(VectorFault) -> String? { has(name) ? try text(name) : nil }

    func integer(_ name: String) throws(VectorFault) -> Int64 {
        guard let number = try value(name).integer else { throw misfit(name, "an integer") }
        return number
    }

    func optionalInteger(_ name: String) throws(VectorFault) -> Int64? { has(name) ? try integer(name) : nil }

    func flag(_ name: String) throws(VectorFault) -> Bool {
        guard let flag = try value(name).bool else { throw misfit(name, "true or false") }
        return flag
    }

    func optionalFlag(_ name: String) throws(VectorFault) -> Bool? { has(name) ? try flag(name) : nil }

    func list(_ name: String) throws(VectorFault) -> [JSONValue] {
        guard let elements = try value(name).elements else { throw misfit(name, "an array") }
        return elements
    }

    func texts(_ name: String) throws(VectorFault) -> [String] {
        var texts: [String] = []
        for element in try list(name) {
            guard let text = element.string else { throw misfit(name, "an array of strings") }
            texts.append(text)
        }
        return texts
    }

    func hex(_ name: String) throws(VectorFault) -> [UInt8] {
        guard let bytes = Hex.decode(try text(name)) else { throw misfit(name, "hexadecimal") }
        return bytes
    }

    func misfit(_ name: String, _ wanted: String) -> VectorFault {
        VectorFault("\(place): the member \(Excerpt.quote(name)) is not \(wanted).")
    }
}
