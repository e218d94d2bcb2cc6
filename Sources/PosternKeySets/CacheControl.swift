internal import PosternBase
package import PosternHTTP

/// For how long an answer may be kept (RFC 9111 §5.2.2).
package enum CacheControl {
    /// Seconds for which a set is fresh, within the limits of the cache; nil when the answer does not say.
    ///
    /// Of several statements the shortest counts, as §4.2.1 advises. `no-store`, `no-cache` without field names and a
    /// `max-age` that is no number ask for no time at all, which comes to the shortest one; a number of any length is one.
    /// `Age`, the seconds that the answer has been kept elsewhere, is taken off. `s-maxage`, `Expires` and all others are
    /// not looked at.
    package static func timeToLive(_ fields: HTTP.Fields) -> Int64? {
        var shortest: Int64?
        for value in fields.values("Cache-Control") {
            for directive in directives(of: value) {
                guard let seconds = seconds(directive) else { continue }
                shortest = min(shortest ?? seconds, seconds)
            }
        }
        guard let shortest else { return nil }
        let age = fields.single("Age").flatMap { number($0.utf8) } ?? 0
        return clamp(shortest - age)
    }

    package static func clamp(_ seconds: Int64) -> Int64 {
        min(max(seconds, KeySetLimits.shortestTimeToLive), KeySetLimits.longestTimeToLive)
    }

    private struct Directive {
        var name: [UInt8] = []
        var argument: [UInt8]?
    }

    private static func seconds(_ directive: Directive) -> Int64? {
        switch String(decoding: directive.name, as: UTF8.self) {
        case "no-store": 0
        case "no-cache": directive.argument == nil ? 0 : nil
        case "max-age": directive.argument.flatMap { number($0) } ?? 0
        default: nil
        }
    }

    /// A number of ASCII digits; one that is too large is as good as infinite (§1.2.2).
    private static func number(_ digits: some Collection<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let significant = digits.drop { $0 == 0x30 }
        guard significant.count <= 10 else { return 1 << 31 }
        return significant.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// The members of the list, names in lower case, quotes of arguments removed (RFC 9110 §5.6.1, §5.6.4).
    private static func directives(of value: String) -> [Directive] {
        var result: [Directive] = []
        var directive = Directive()
        var isQuoted = false
        var isEscaped = false
        func end() {
            if !directive.name.isEmpty { result.append(directive) }
            directive = Directive()
        }
        for byte in value.utf8 {
            if isEscaped {
                directive.argument?.append(byte)
                isEscaped = false
            } else if isQuoted {
                switch byte {
                case UInt8(ascii: "\\"): isEscaped = true
                case UInt8(ascii: "\""): isQuoted = false
                default: directive.argument?.append(byte)
                }
            } else {
                switch byte {
                case UInt8(ascii: ","): end()
                case UInt8(ascii: "\""): isQuoted = true
                case UInt8(ascii: "=") where directive.argument == nil: directive.argument = []
                case 0x20, 0x09: break
                default: append(byte, to: &directive)
                }
            }
        }
        end()
        return result
    }

    private static func append(_ byte: UInt8, to directive: inout Directive) {
        guard directive.argument == nil else { return directive.argument?.append(byte) ?? () }
        directive.name.append(ASCIICase.folded(byte))
    }
}
