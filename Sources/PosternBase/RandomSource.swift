/// Where unpredictable bytes come from.
package struct RandomSource: Sendable {
    private let fill: @Sendable (Int) -> [UInt8]

    /// A source that answers with as many bytes as it is asked for.
    package init(_ fill: @escaping @Sendable (Int) -> [UInt8]) { self.fill = fill }

    /// The kernel's generator (`getrandom`, by way of Swift's system generator).
    package static let system = RandomSource { count in
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        // The kernel is asked for eight at a time.
        while bytes.count < count {
            withUnsafeBytes(of: generator.next() as UInt64) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
        }
        return bytes
    }

    package func bytes(_ count: Int) -> [UInt8] { fill(count) }
}
