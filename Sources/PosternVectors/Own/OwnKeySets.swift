internal import PosternBase
internal import PosternJOSE

/// The key sets of a file by name. Checking keys takes milliseconds, so each set is read once.
struct OwnKeySets {
    private var sets: [[UInt8]: OwnKeySet] = [:]

    init(_ value: JSONValue) throws(VectorFault) {
        guard value.kind == .object else { throw VectorFault("The keySets are not an object.") }
        for (name, value) in value.members {
            // A string is the exact text of a set, an object the set itself as it stands in the file.
            let text: [UInt8]? = value.kind == .object ? Array(value.text.utf8) : value.stringBytes
            guard let text else {
                throw VectorFault("The key set \(Excerpt.quote(name)) is neither an object nor a string.")
            }
            sets[Array(name.utf8)] = OwnKeySet(text)
        }
    }

    func set(_ name: String) throws(VectorFault) -> OwnKeySet {
        guard let set = sets[Array(name.utf8)] else {
            throw VectorFault("There is no key set \(Excerpt.quote(name)) in the file.")
        }
        return set
    }
}

/// A key set, or the finding that the text is none.
struct OwnKeySet {
    let keys: KeySet?

    init(_ text: [UInt8]) {
        do throws(KeySetError) {
            keys = try KeySet(text)
        } catch {
            keys = nil
        }
    }
}
