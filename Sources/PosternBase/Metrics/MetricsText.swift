/// Metrics in Prometheus' text exposition format 0.0.4, family after family.
package struct MetricsText: Sendable {
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 16_384) { bytes.reserveCapacity(capacity) }

    /// The head of a family and its series, which `body` writes; the head stands there without any too.
    package mutating func family(_ family: MetricFamily, _ body: (inout Series) -> Void) {
        bytes += "# HELP \(family.name) ".utf8
        for byte in family.help.utf8 { Self.append(byte, to: &bytes, quotes: false) }
        bytes += "\n# TYPE \(family.name) \(family.kind.rawValue)\n".utf8
        var series = Series(text: self, family: family)
        self = MetricsText(capacity: 0)
        body(&series)
        self = series.text
    }

    /// A family of one series without labels.
    package mutating func value(_ family: MetricFamily, _ value: Int64) {
        self.family(family) { $0.add([], value) }
    }

    /// The series of one family.
    package struct Series {
        fileprivate var text: MetricsText
        fileprivate let family: MetricFamily

        /// `labels`: the values of the family's labels, in their order.
        package mutating func add(_ labels: [String], _ value: Int64) {
            line(labels, value < 0 ? "-\(value.magnitude)" : "\(value)")
        }

        package mutating func add(_ labels: [String], count: UInt64) { line(labels, "\(count)") }

        package mutating func add(_ labels: [String], nanoseconds: UInt64) {
            line(labels, Self.seconds(nanoseconds))
        }

        package mutating func add(_ labels: [String], _ histogram: DurationHistogram) {
            let counts = histogram.cumulative
            let pairs = pairs(labels)
            for (place, count) in counts.enumerated() {
                let isBound = DurationHistogram.bounds.indices.contains(place)
                text.bytes += family.name.utf8
                text.bytes += "_bucket{".utf8
                text.bytes += pairs
                text.bytes += pairs.isEmpty ? "le=\"".utf8 : ",le=\"".utf8
                text.bytes += isBound ? DurationHistogram.bounds[place].seconds.utf8 : "+Inf".utf8
                text.bytes += "\"} \(count)\n".utf8
            }
            line(pairs, Self.seconds(histogram.totalNanoseconds), suffix: "_sum")
            line(pairs, "\(counts.last ?? 0)", suffix: "_count")
        }

        /// To the nanosecond; a number of floating point would round.
        private static func seconds(_ nanoseconds: UInt64) -> String {
            let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            guard rest > 0 else { return "\(whole)" }
            let digits = String(rest)
            return "\(whole).\(String(repeating: "0", count: max(0, 9 - digits.utf8.count)))\(digits)"
        }

        private mutating func line(_ labels: [String], _ value: String) { line(pairs(labels), value) }

        private mutating func line(_ pairs: [UInt8], _ value: String, suffix: String = "") {
            text.bytes += family.name.utf8
            text.bytes += suffix.utf8
            if !pairs.isEmpty {
                text.bytes.append(UInt8(ascii: "{"))
                text.bytes += pairs
                text.bytes.append(UInt8(ascii: "}"))
            }
            text.bytes.append(UInt8(ascii: " "))
            text.bytes += value.utf8
            text.bytes.append(0x0A)
        }

        /// The labels with their values, as they stand between the braces.
        private func pairs(_ labels: [String]) -> [UInt8] {
            var pairs: [UInt8] = []
            for (name, value) in zip(family.labels, labels) {
                if !pairs.isEmpty { pairs.append(UInt8(ascii: ",")) }
                pairs += name.utf8
                pairs += "=\"".utf8
                for byte in value.utf8 { MetricsText.append(byte, to: &pairs, quotes: true) }
                pairs.append(UInt8(ascii: "\""))
            }
            return pairs
        }
    }

    /// What would end a label or a line is written with a backslash.
    private static func append(_ byte: UInt8, to bytes: inout [UInt8], quotes: Bool) {
        switch byte {
        case UInt8(ascii: "\\"): bytes += "\\\\".utf8
        case 0x0A: bytes += "\\n".utf8
        case UInt8(ascii: "\"") where quotes: bytes += "\\\"".utf8
        default: bytes.append(byte)
        }
    }
}
