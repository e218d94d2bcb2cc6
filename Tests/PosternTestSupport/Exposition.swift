import Foundation

/// A strict reader of Prometheus' text exposition format 0.0.4, which also holds what its conventions ask of names. It shares
/// nothing with the writer.
public struct Exposition {
    public struct Mistake: Error, CustomStringConvertible {
        public let description: String
    }

    public struct Sample {
        public let name: String
        public let labels: [(name: String, value: String)]
        public let value: Double

        /// The name and the labels, by which the series is told apart.
        public var series: String {
            name + "{" + labels.map { "\($0.name)=\($0.value.debugDescription)" }.joined(separator: ",") + "}"
        }
        public func label(_ name: String) -> String? { labels.first { $0.name == name }?.value }
    }

    public struct Family {
        public let name: String
        public let help: String
        public let type: String
        public var samples: [Sample] = []
    }

    public private(set) var families: [Family] = []

    public init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Mistake(description: "the last line does not end") }
        var help: (name: String, text: String)?
        for line in text.dropLast().components(separatedBy: "\n") {
            do {
                if line.hasPrefix("# HELP ") {
                    guard help == nil else { throw Mistake(description: "two heads in a row") }
                    help = try Self.head(line, "# HELP ")
                } else if line.hasPrefix("# TYPE ") {
                    let (name, type) = try Self.head(line, "# TYPE ")
                    guard let about = help, about.name == name else { throw Mistake(description: "no HELP before") }
                    try add(Family(name: name, help: about.text, type: type))
                    help = nil
                } else {
                    guard help == nil, !families.isEmpty else { throw Mistake(description: "no TYPE before") }
                    try add(Self.sample(line))
                }
            } catch let mistake as Mistake {
                throw Mistake(description: "\(mistake): \(line)")
            }
        }
        for family in families where family.type == "histogram" { try Self.checkHistogram(family) }
        let series = families.flatMap { $0.samples.map(\.series) }
        guard Set(series).count == series.count else { throw Mistake(description: "a series stands twice") }
    }

    // MARK: - Asking

    public var series: Set<String> { Set(families.flatMap { $0.samples.map(\.series) }) }

    /// The sum of the samples of that name whose labels have these values.
    public func sum(_ name: String, _ labels: [String: String] = [:]) -> Double {
        samples(name, labels).reduce(0) { $0 + $1.value }
    }

    public func samples(_ name: String, _ labels: [String: String] = [:]) -> [Sample] {
        families.flatMap(\.samples).filter { sample in
            sample.name == name && labels.allSatisfy { sample.label($0.key) == $0.value }
        }
    }

    // MARK: - Reading

    private mutating func add(_ family: Family) throws {
        guard family.name.wholeMatch(of: /[a-z_:][a-z0-9_:]*/) != nil else { throw Mistake(description: "a name") }
        guard !families.contains(where: { $0.name == family.name }) else {
            throw Mistake(description: "a family twice")
        }
        guard !family.help.isEmpty else { throw Mistake(description: "no help") }
        switch family.type {
        case "counter":
            guard family.name.hasSuffix("_total") else { throw Mistake(description: "a counter without _total") }
        case "gauge", "histogram":
            guard !family.name.hasSuffix("_total") else { throw Mistake(description: "_total is for counters") }
        default: throw Mistake(description: "a type")
        }
        families.append(family)
    }

    private mutating func add(_ sample: Sample) throws {
        let family = families[families.count - 1]
        let suffixes = family.type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { family.name + $0 == sample.name }) else {
            throw Mistake(description: "a sample of another family")
        }
        guard sample.value.isFinite, family.type == "gauge" || sample.value >= 0 else {
            throw Mistake(description: "a value")
        }
        families[families.count - 1].samples.append(sample)
    }

    private static func head(_ line: String, _ start: String) throws -> (name: String, text: String) {
        let words = line.dropFirst(start.count).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2 else { throw Mistake(description: "a head without words") }
        return (String(words[0]), String(words[1]))
    }

    private static func sample(_ line: String) throws -> Sample {
        var rest = line[...]
        guard let name = rest.prefixMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/)?.output else {
            throw Mistake(description: "no name")
        }
        rest = rest.dropFirst(name.count)
        var labels: [(name: String, value: String)] = []
        if rest.first == "{" {
            rest = rest.dropFirst()
            repeat { labels.append(try label(&rest)) } while take(",", &rest)
            guard take("}", &rest) else { throw Mistake(description: "labels that do not end") }
        }
        guard Set(labels.map(\.name)).count == labels.count else { throw Mistake(description: "a label twice") }
        guard take(" ", &rest), rest.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil, let value = Double(rest) else {
            throw Mistake(description: "no number")
        }
        return Sample(name: String(name), labels: labels, value: value)
    }

    private static func label(_ rest: inout Substring) throws -> (name: String, value: String) {
        guard let name = rest.prefixMatch(of: /[a-zA-Z][a-zA-Z0-9_]*/)?.output else {
            throw Mistake(description: "a label's name")
        }
        rest = rest.dropFirst(name.count)
        guard take("=", &rest), take("\"", &rest) else { throw Mistake(description: "a label without value") }
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\" else {
                value.append(character)
                continue
            }
            switch rest.popFirst() {
            case "\\": value.append("\\")
            case "\"": value.append("\"")
            case "n": value.append("\n")
            default: throw Mistake(description: "an escape")
            }
        }
        return (String(name), value)
    }

    private static func take(_ character: Character, _ rest: inout Substring) -> Bool {
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Buckets grow with their bound, the last is `+Inf` and the same as the count, and there is a sum.
    private static func checkHistogram(_ family: Family) throws {
        let groups = Dictionary(grouping: family.samples) { sample in
            sample.labels.filter { $0.name != "le" }.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
        }
        for (labels, samples) in groups {
            let buckets = samples.filter { $0.name.hasSuffix("_bucket") }
            let bounds = buckets.compactMap { $0.label("le").map { $0 == "+Inf" ? .infinity : Double($0) ?? .nan } }
            let isSorted = zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }
            let isMonotone = zip(buckets, buckets.dropFirst()).allSatisfy { $0.value <= $1.value }
            let counts = samples.filter { $0.name.hasSuffix("_count") }
            let sums = samples.filter { $0.name.hasSuffix("_sum") }
            guard bounds.count == buckets.count, bounds.last == .infinity, isSorted, isMonotone, counts.count == 1,
                counts[0].value == buckets.last?.value, sums.count == 1,
                counts[0].value > 0 || sums[0].value == 0
            else { throw Mistake(description: "the histogram \(family.name){\(labels)}") }
        }
    }
}
