import PosternBase

/// What is read is written as the same value again, and every way to look at a value says the same.
enum JSONTarget {
    static func run(_ input: Input) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(Array(input))
        } catch {
            require(error.offset >= 0 && error.offset <= input.count, "json: an error outside the text")
            require(error.line >= 1 && error.column >= 1, "json: a line or column below 1")
            return
        }
        let text = JSONOutput.value(document.root).text()
        require(written(text) == text, "json: written, read and written again is another text")
        require(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "json: a control character was written")
        look(at: document.root)
        lookWithoutViews(document)
    }

    private static func written(_ text: String) -> String? {
        (try? JSONDocument(text)).map { JSONOutput.value($0.root).text() }
    }

    private static func look(at value: JSONValue) {
        switch value.kind {
        case .object: look(atMembersOf: value)
        case .array: for element in value.elements ?? [] { look(at: element) }
        case .string: look(atString: value)
        case .number: look(atNumber: value)
        case .bool: require(value.bool == (value.text == "true"), "json: a boolean that is another")
        case .null: require(value.text == "null", "json: a null that is none")
        }
    }

    private static func look(atMembersOf value: JSONValue) {
        for member in value.members {
            // Names are unique, so asking for one finds this very member.
            let found = value[member.name]
            require(found?.text.utf8.elementsEqual(member.value.text.utf8) ?? false, "json: a member is not found")
            look(at: member.value)
        }
    }

    private static func look(atString value: JSONValue) {
        let bytes = value.stringBytes ?? []
        let text = value.string ?? ""
        // Every accepted string is UTF-8, so nothing is replaced.
        require(text.utf8.elementsEqual(bytes), "json: a string that is not UTF-8")
        require(value.stringByteCount == bytes.count, "json: two lengths of a string")
        require(value.stringEquals(text), "json: a string is not itself")
        require(!value.stringEquals(text + "x"), "json: a string is another")
        let shown = Excerpt.plain(text)
        require(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "json: an unsafe excerpt")
    }

    private static func look(atNumber value: JSONValue) {
        // A second opinion where floating point is exact enough to give one.
        let double = Double(value.text) ?? .nan
        guard let floor = value.flooredNumber else {
            require(value.integer == nil, "json: an integer without a floor")
            require(double.magnitude > 0x1p62, "json: a number that fits has no floor")
            return
        }
        require(value.integer == (floor.isExact ? floor.value : nil), "json: two integers of one number")
        guard double.magnitude < 0x1p52 else { return }
        require(abs(double - Double(floor.value)) <= 1, "json: the floor is far from the number")
        if double != double.rounded(.down) {
            require(double.rounded(.down) == Double(floor.value), "json: not the floor of the number")
        }
    }

    private static func lookWithoutViews(_ document: JSONDocument) {
        let members = document.root.members
        var index = 0
        document.forEachRootMember { name, head, place in
            require(index < members.count, "json: more members without views")
            require(name.elementsEqual(members[index].name.utf8), "json: another name without views")
            require(head == name.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, "json: not the head of the name")
            require(
                document.value(at: place).text.utf8.elementsEqual(members[index].value.text.utf8),
                "json: another value without views"
            )
            index += 1
        }
        require(index == members.count, "json: fewer members without views")
    }
}
