import PosternBase
import PosternTestSupport
import Testing

@Suite struct MetricsTextTests {
    private static let gauge = MetricFamily("g", .gauge, by: ["a", "b"], "Of \\ and\nlines.")

    private func text(_ write: (inout MetricsText) -> Void) -> String {
        var text = MetricsText()
        write(&text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test func aFamily() {
        let text = text { text in
            text.family(Self.gauge) { series in
                series.add(["x", "y"], -5)
                series.add(["", "é"], count: .max)
            }
            text.value(MetricFamily("plain", .gauge, "Plain."), .min)
        }
        #expect(
            text == """
                # HELP g Of \\\\ and\\nlines.
                # TYPE g gauge
                g{a="x",b="y"} -5
                g{a="",b="é"} 18446744073709551615
                # HELP plain Plain.
                # TYPE plain gauge
                plain -9223372036854775808

                """)
    }

    /// What stands in a label comes back as it was, whatever it is.
    @Test(arguments: ["", "\"", "\\", "\n", "\\n", "a\"} 1\nfake{x=\"", "}", ",", " ", "é😀", "\r", "\u{1}"])
    func labelsAreEscaped(label: String) throws {
        let text = text { $0.family(Self.gauge) { $0.add([label, "b"], 1) } }
        let exposition = try Exposition(text)
        #expect(exposition.families.count == 1)
        #expect(exposition.families[0].samples.map { $0.label("a") } == [label])
    }

    @Test func nanosecondsAreSeconds() {
        for (number, seconds) in [
            (UInt64(0), "0"), (1, "0.000000001"), (999_999_999, "0.999999999"), (1_000_000_000, "1"),
            (1_500_000_000, "1.500000000"), (.max, "18446744073.709551615"),
        ] {
            let text = text { $0.family(MetricFamily("s", .gauge, "S.")) { $0.add([], nanoseconds: number) } }
            #expect(text.hasSuffix("\ns \(seconds)\n"), "\(text)")
        }
    }

    @Test func aHistogram() throws {
        let histogram = DurationHistogram(StripedCounters(count: DurationHistogram.width), at: 0)
        let empty = text { $0.family(MetricFamily("h", .histogram, by: ["x"], "H.")) { $0.add(["1"], histogram) } }
        #expect(try Exposition(empty).sum("h_count") == 0)
        for nanoseconds in [UInt64(25_000), 25_001, 11_000_000_000] { histogram.observe(nanoseconds: nanoseconds) }
        let text = text { $0.family(MetricFamily("h", .histogram, by: ["x"], "H.")) { $0.add(["1"], histogram) } }
        let exposition = try Exposition(text)
        #expect(exposition.sum("h_bucket", ["le": "0.000025", "x": "1"]) == 1)
        #expect(exposition.sum("h_bucket", ["le": "0.00005"]) == 2)
        #expect(exposition.sum("h_bucket", ["le": "10"]) == 2)
        #expect(exposition.sum("h_bucket", ["le": "+Inf"]) == 3)
        #expect(exposition.sum("h_count") == 3)
        #expect(text.contains("h_sum{x=\"1\"} 11.000050001\n"))
    }

    /// The reader of the tests refuses what it must, or it would hold nothing.
    @Test(arguments: [
        "g 1\n", "# HELP g G.\n# TYPE g gauge\ng 1", "# TYPE g gauge\ng 1\n", "# HELP g G.\n# TYPE g gauge\nh 1\n",
        "# HELP g G.\n# TYPE g gauge\ng 1\ng 2\n", "# HELP g G.\n# TYPE g gauge\ng{a=\"b\"} x\n",
        "# HELP g G.\n# TYPE g gauge\ng{a=\"\\x\"} 1\n", "# HELP g G.\n# TYPE g gauge\ng{a=\"b\",a=\"c\"} 1\n",
        "# HELP g G.\n# TYPE g counter\ng 1\n", "# HELP g_total G.\n# TYPE g_total counter\ng_total -1\n",
        "# HELP g_total G.\n# TYPE g_total gauge\n", "# HELP g G.\n# TYPE g gauge\n# HELP g G.\n# TYPE g gauge\n",
        "# HELP g G.\n# TYPE g histogram\ng_bucket{le=\"1\"} 1\ng_sum 1\ng_count 1\n",
        "# HELP g G.\n# TYPE g histogram\ng_bucket{le=\"1\"} 2\ng_bucket{le=\"+Inf\"} 1\ng_sum 1\ng_count 1\n",
        "# HELP g G.\n# TYPE g histogram\ng_bucket{le=\"+Inf\"} 1\ng_sum 1\ng_count 2\n",
    ])
    func theReaderIsStrict(text: String) {
        #expect(throws: Exposition.Mistake.self) { try Exposition(text) }
    }
}
