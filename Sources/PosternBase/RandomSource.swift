/// Where unpredictable bytes come from.
package struct RandomSource: Sendable {
    private let fill: @Sendable (Int) -> [UInt8]

    /// A source that answers with as many bytes as it is asked for.
    package init(_ fill: @escaping @Sendable (Int) -> [UInt8]) { self.fill = fill }

    /// The kernel's generator (`getrandom`, by way of Swift's system generator).
    package static let system = RandomSource { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package func bytes(_ count: Int) -> [UInt8] { fill(count) }
}
