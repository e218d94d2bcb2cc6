internal import PosternBase

/// Something that is wrong with the settings, and where.
struct SettingsFault: Sendable, Equatable {
    let source: SettingsSource
    var line: Int?
    var column: Int?
    let message: String

    var place: String? {
        guard let name = source.name else { return nil }
        guard let line, let column else { return name }
        return "\(name):\(line):\(column)"
    }

    var text: String { place.map { "\($0): \(message)" } ?? message }

    var json: JSONOutput {
        .object([
            ("source", .optional(source.name)), ("line", .optional(line.map { Int64($0) })),
            ("column", .optional(column.map { Int64($0) })), ("message", .string(message)),
        ])
    }
}

/// All that is wrong with the settings, as it is found. What cannot be read is left out, so that the rest is looked at too.
final class SettingsFaults {
    private var found: [SettingsFault] = []

    var isEmpty: Bool { found.isEmpty }
    var count: Int { found.count }

    func note(_ failure: CommandFailure) {
        let faults =
            failure.faults.isEmpty ? [SettingsFault(source: .nowhere, message: failure.message)] : failure.faults
        // Two passes look at each value, with the same words.
        for fault in faults where !found.contains(fault) { found.append(fault) }
    }

    /// What `body` makes, or nil when there is something wrong, which is noted.
    func attempt<Made>(_ body: () throws(CommandFailure) -> Made) -> Made? {
        do throws(CommandFailure) {
            return try body()
        } catch {
            note(error)
            return nil
        }
    }

    /// In the order in which they stand; what has no place comes first.
    var inOrder: [SettingsFault] {
        found.enumerated().sorted { left, right in
            let (one, other) = (Self.key(left), Self.key(right))
            return one.lexicographicallyPrecedes(other)
        }.map(\.element)
    }

    private static func key(_ entry: (offset: Int, element: SettingsFault)) -> [Int] {
        let isFile = if case .file = entry.element.source { 1 } else { 0 }
        return [isFile, entry.element.line ?? 0, entry.element.column ?? 0, entry.offset]
    }

    var failure: CommandFailure { .settings(inOrder) }
}
