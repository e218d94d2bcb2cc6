import PosternBase

/// What is accepted can be looked at everywhere, and written out and read again it gives the same text.
enum JSONTarget {
    @Sendable static func run(_ input: UnsafeBufferPointer<UInt8>) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(Array(input))
        } catch {
            FuzzDriver.expect(error.offset <= input.count && error.line > 0 && error.column > 0, "a place outside")
            FuzzDriver.expect(error.reason != .tapeFull, "an internal reason came out")
            return
        }
        let text = JSONOutput.value(document.root).text()
        for indented in [false, true] {
            let written = JSONOutput.value(document.root).text(indented: indented)
            guard let again = try? JSONDocument(written) else { fatalError("written text is refused") }
            FuzzDriver.expect(JSONOutput.value(again.root).text().isSameBytes(as: text), "written text reads otherwise")
        }
        look(at: document.root)
        lookAtRoot(of: document)
    }

    /// Each member and number in every way that there is.
    private static func look(at value: JSONValue) {
        switch value.kind {
        case .object:
            for (name, member) in value.members {
                FuzzDriver.expect(value[name]?.text == member.text, "a member is not found by its name")
                look(at: member)
            }
        case .array: value.elements?.forEach(look)
        case .string:
            FuzzDriver.expect(value.stringEquals(value.string ?? ""), "a string is not itself")
            FuzzDriver.expect(value.stringByteCount == value.stringBytes?.count, "another length")
        case .number:
            if let whole = value.integer, let floating = Double(value.text) {
                FuzzDriver.expect(abs(Double(whole) - floating) <= abs(floating) / 1e15, "\(value.text) is \(whole)")
            }
        case .bool, .null: _ = value.bool
        }
    }

    private static func lookAtRoot(of document: JSONDocument) {
        var names: [[UInt8]] = []
        document.forEachRootMember { name, place in
            names.append(Array(name))
            _ = document.truncatedNumber(at: place)
        }
        FuzzDriver.expect(names == document.root.members.map { Array($0.name.utf8) }, "two walks see other members")
        FuzzDriver.expect(Set(names).count == names.count, "a name stands twice")
    }
}
