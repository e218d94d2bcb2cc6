/// Where a source says of a text that it may stand in the log.
struct Vouchings {
    /// How often an origin is named.
    let count: Int
    /// What says it in a way that does not show the origin.
    let hidden: [String]

    init(in source: String) {
        // Simple word boundaries: by Unicode's there is none within `LogValue.text`.
        count =
            source.matches(of: /\bfrom\s*:\s*\.(settings|system|ownWords|documented)\b/.wordBoundaryKind(.simple)).count
        let calls = source.matches(of: /\btext\s*\(/.wordBoundaryKind(.simple)).map {
            Self.arguments(of: source[$0.range.upperBound...])
        }
        let unclear = calls.filter { arguments in
            guard let origin = arguments.firstMatch(of: /\bfrom\s*:/.wordBoundaryKind(.simple)) else { return false }
            let rest = arguments[origin.range.upperBound...]
            return rest.wholeMatch(of: /\s*\.(settings|system|ownWords|documented)\s*/) == nil
        }
        // The function without its arguments, and the type, by which an origin could be handed on.
        let names = source.matches(of: /\bLogValue\s*\.\s*(text\b(?!\s*\()|Origin\b)/.wordBoundaryKind(.simple)).map {
            source[$0.range]
        }
        let isInCall = { (name: Substring) in
            unclear.contains { $0.startIndex <= name.startIndex && name.endIndex <= $0.endIndex }
        }
        hidden = (unclear + names.filter { !isInCall($0) }).map(String.init)
    }

    /// Up to the bracket that closes what has been opened just before. Brackets in literals count only within an interpolation.
    private static func arguments(of rest: Substring) -> Substring {
        var depth = 1
        // How deep it was where each literal began that has not ended.
        var literals: [Int] = []
        var isEscaped = false
        for index in rest.indices {
            let character = rest[index]
            let isLiteral = literals.last == depth
            switch character {
            case "\"" where !isEscaped:
                if isLiteral { literals.removeLast() } else { literals.append(depth) }
            case "(" where !isLiteral || isEscaped: depth += 1
            case ")" where !isLiteral: depth -= 1
            default: break
            }
            isEscaped = isLiteral && character == "\\" && !isEscaped
            if depth == 0 { return rest[..<index] }
        }
        return rest
    }
}
