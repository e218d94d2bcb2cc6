/// A metric as it is told to Prometheus: its name, what it means, and the labels that tell its series apart.
package struct MetricFamily: Sendable {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    package let name: String
    package let kind: Kind
    package let labels: [String]
    package let help: String

    package init(_ name: String, _ kind: Kind, by labels: [String] = [], _ help: String) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
    }
}
