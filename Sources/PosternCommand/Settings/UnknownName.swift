internal import PosternBase

/// A name that no setting has, for a message. It may be a key that was pasted in the wrong place, so what does not look like a name
/// is told by its beginning alone.
enum UnknownName {
    /// The longest part of the name of a setting.
    private static let longest = 24
    /// At its end, such as of `sha256`.
    private static let mostDigits = 3

    /// `isSlip`: whether it is nearly the name of a setting, and so no secret.
    static func quote(_ name: String, isSlip: Bool) -> String {
        isSlip || looksLikeName(name) ? Excerpt.quote(name) : Excerpt.quote(name, maximumCount: 4)
    }

    /// That of a variable, without quotes.
    static func variable(_ name: String, isSlip: Bool) -> String {
        guard !isSlip, !looksLikeName(String(name.dropFirst(SettingsVariables.prefix.count))) else {
            return Excerpt.plain(name)
        }
        return Excerpt.plain(name, maximumCount: SettingsVariables.prefix.count + 4)
    }

    private static func looksLikeName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count <= 4
            && parts.allSatisfy { part in
                let stem = part.prefix { !isDigit($0) }
                return part.count <= longest && part.count - stem.count <= mostDigits
                    && stem.allSatisfy { isLetter($0) || "_-[]".utf8.contains($0) }
                    && part.dropFirst(stem.count).allSatisfy(isDigit)
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
