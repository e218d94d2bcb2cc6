internal import PosternBase
internal import PosternHTTP

/// The JSON object that a request holds, read strictly.
enum RequestBody {
    /// The type that a body must be said to have. Where it may be left out nothing need be said while none is sure to come.
    static func checkType(_ head: ReceivedHead, _ route: Route) throws(Problem) {
        switch route.bodyForm {
        case .none: return
        case .json: break
        case .form: return try FormBody.checkType(head)
        }
        guard head.hasBody || !route.mayBeEmpty else { return }
        guard head.fields.withSingle("Content-Type", { $0.map(isJSON) ?? false }) else {
            throw Problem(.mediaTypeUnsupported, "The body must be JSON, and Content-Type application/json.")
        }
    }

    /// With `mayBeEmpty` no body at all is the empty object. Its type was checked. With `hasFreeObjects` there are members whose
    /// objects may have as many members as they like.
    static func object(
        _ request: ReceivedRequest,
        mayBeEmpty: Bool = false,
        hasFreeObjects: Bool = false
    ) throws(Problem) -> JSONValue {
        let bytes = request.body.isEmpty && mayBeEmpty ? Array("{}".utf8) : request.body
        do throws(JSONError) {
            let root = try hasFreeObjects ? JSONDocument(bytes).root : JSONDocument(ofFewMembers: bytes).root
            if root.kind == .object { return root }
        } catch {
            throw Problem(.bodyMalformed, "The body is not strict JSON: \(error.message)\(hint(error, bytes)).")
        }
        throw Problem(.bodyMalformed, "The body is JSON, but not an object.")
    }

    private static func hint(_ error: JSONError, _ bytes: [UInt8]) -> String {
        guard let (name, first) = JSONHint.duplicate(error, in: bytes) else { return "" }
        return ": \(Excerpt.word(name)), first in line \(first.line), column \(first.column)"
    }

    /// `application/json`, and no other `charset` than UTF-8 (RFC 8259 §11 knows none, but clients send it).
    static func isJSON(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
        // What nearly every client sends.
        let usual: StaticString = "application/json"
        if type.isSameBytes(as: UnsafeBufferPointer(start: usual.utf8Start, count: usual.utf8CodeUnitCount)) {
            return true
        }
        let parts = type.split(separator: 0x3B, omittingEmptySubsequences: false).map { part in
            part.filter { $0 != 0x20 && $0 != 0x09 }.map(ASCIICase.folded)
        }
        guard let first = parts.first, first.elementsEqual("application/json".utf8) else { return false }
        return parts.dropFirst().allSatisfy {
            $0.elementsEqual("charset=utf-8".utf8) || $0.elementsEqual("charset=\"utf-8\"".utf8)
        }
    }
}

/// Where in the body an object stands, as messages put it before the names of its members. It becomes a text when there is a
/// message.
enum BodyPlace: CustomStringConvertible {
    case root
    case token(Int)
    case client

    var description: String {
        switch self {
        case .root: ""
        case .token(let index): "tokens[\(index)]."
        case .client: "client."
        }
    }
}

/// Takes the members of an object one by one, and refuses what nobody took.
struct MemberReader {
    private let object: JSONValue
    private let place: BodyPlace
    private let known: [String]
    private var taken = 0

    init(_ object: JSONValue, known: [String], place: BodyPlace = .root) {
        self.object = object
        self.known = known
        self.place = place
    }

    mutating func take(_ name: StaticString) -> JSONValue? { takePlace(name).map(object.document.value) }

    /// Where the value stands: to look at it there counts no reference.
    private mutating func takePlace(_ name: StaticString) -> Int? {
        let place = object.place(of: name)
        if place != nil { taken += 1 }
        return place
    }

    mutating func text(_ name: StaticString) throws(Problem) -> String? {
        guard let place = takePlace(name) else { return nil }
        guard let text = object.document.string(at: place) else { throw misfit(name, place, "a string") }
        return text
    }

    mutating func requiredText(_ name: StaticString) throws(Problem) -> String {
        guard let text = try text(name) else { throw missing(name) }
        return text
    }

    mutating func flag(_ name: StaticString, unlessSaid standard: Bool) throws(Problem) -> Bool {
        guard let place = takePlace(name) else { return standard }
        guard let flag = object.document.bool(at: place) else { throw misfit(name, place, "true or false") }
        return flag
    }

    private func misfit(_ name: StaticString, _ place: Int, _ wanted: String) -> Problem {
        misfit("\(name)", object.document.value(at: place), wanted)
    }

    /// What is missing may be there under another name.
    func missing(_ name: StaticString) -> Problem {
        unknown ?? Problem(.memberMissing, "\(place)\(name) is missing.")
    }

    func misfit(_ name: String, _ value: JSONValue, _ wanted: String) -> Problem {
        let advice = value.kind == .null ? "; leave it out if there is none" : ""
        return Problem(.memberInvalid, "\(place)\(name) must be \(wanted), not \(value.kind.word)\(advice).")
    }

    func finish() throws(Problem) {
        if taken < object.memberCount, let unknown { throw unknown }
    }

    /// The first member that there is not.
    private var unknown: Problem? {
        let name = object.members.first { member in !known.contains { $0.isSameBytes(as: member.name) } }?.name
        guard let name else { return nil }
        let names = known.isEmpty ? "none is known" : "those known are \(known.joined(separator: ", "))"
        return Problem(.memberUnknown, "There is no member \(place)\(Excerpt.word(name)) here; \(names).")
    }
}

extension JSONValue.Kind {
    var word: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}
