import PosternBase
import Testing

/// Exact conversion of numbers.
@Suite struct JSONNumberTests {
    private func value(_ text: String) throws -> JSONValue { try JSONDocument(text).root }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("-0.0", 0), ("0e5", 0), ("0e999999999999", 0), ("0e-999999999999", 0),
            ("0.000e99999999999999999999", 0), ("1", 1), ("-1", -1), ("1.0", 1), ("1000.0", 1000), ("1e3", 1000),
            ("1E3", 1000),
            ("1e+3", 1000), ("1e03", 1000), ("1000e-3", 1), ("1200e-2", 12), ("1.25e2", 125), ("0.001e3", 1),
            ("-1.5e1", -15),
            ("12.50e1", 125), ("0.00000000000000000000000000001e29", 1),
            ("99999999999999999", 99_999_999_999_999_999), ("999999999999999999", 999_999_999_999_999_999),
            ("1000000000000000000", 1_000_000_000_000_000_000), ("-99999999999999999", -99_999_999_999_999_999),
            ("-999999999999999999", -999_999_999_999_999_999), ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775807", .max), ("-9223372036854775807", -.max), ("-9223372036854775808", .min),
            ("9223372036854775807.000", .max), ("9.223372036854775807e18", .max), ("92233720368547758070e-1", .max),
            ("-9.223372036854775808e18", .min), ("-9223372036854775808.0", .min), ("1e18", 1_000_000_000_000_000_000),
            ("00001".replacing("0000", with: ""), 1),
        ] as [(String, Int64)])
    func whole(_ text: String, _ expected: Int64) throws {
        #expect(try value(text).integer == expected)
        #expect(try value(text).flooredNumber?.value == expected)
        #expect(try value(text).flooredNumber?.isExact == true)
    }

    @Test(
        arguments: [
            ("0.5", 0), ("0.1", 0), ("1e-3", 0), ("1.5", 1), ("1.999999999999999999999999999999", 1),
            ("1e-999999999999", 0),
            ("-0.5", -1), ("-1e-999999999999", -1), ("-1.5", -2), ("-1.0000000000000000000000000001", -2),
            ("-1e-3", -1),
            ("1234567e-3", 1234), ("-1234567e-3", -1235), ("1790000600.9", 1_790_000_600),
            ("9223372036854775807.5", .max), ("92233720368547758079e-1", .max), ("-9223372036854775807.5", .min),
        ] as [(String, Int64)])
    func fractions(_ text: String, _ floor: Int64) throws {
        #expect(try value(text).integer == nil)
        #expect(try value(text).flooredNumber?.value == floor)
        #expect(try value(text).flooredNumber?.isExact == false)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "9223372036854775808.0", "-9223372036854775808.5",
        "18446744073709551615", "18446744073709551616", "18446744073709551617", "-18446744073709551616",
        "10000000000000000000", "99999999999999999999", "100000000000000000000", "1e19", "1e20", "-1e19", "1e300",
        "1e309",
        "1.5e300", "1e999999999999999999999999", "-1e999999999999999999999999", "9223372036854775807e1", "0.1e99",
        String(repeating: "9", count: 50), "-" + String(repeating: "9", count: 50),
        "1" + String(repeating: "0", count: 100_000),
    ])
    func tooGreat(_ text: String) throws {
        #expect(try value(text).integer == nil)
        #expect(try value(text).flooredNumber == nil)
    }

    @Test func manyDigitsThatMeanLittle() throws {
        let zeros = String(repeating: "0", count: 100_000)
        #expect(try value("5.\(zeros)").integer == 5)
        #expect(try value("5.\(zeros)1").flooredNumber?.isExact == false)
        #expect(try value("0.\(zeros)7e100001").integer == 7)
        #expect(try value("7\(zeros)e-100000").integer == 7)
    }

    /// All lengths around the quick path and the limit, against Swift's own reader of plain digits.
    @Test func agreesWithSwift() throws {
        for count in 1...21 {
            for first in "123456789" {
                for rest in "0159" {
                    let digits = String(first) + String(repeating: rest, count: count - 1)
                    for text in [digits, "-" + digits] {
                        #expect(try value(text).integer == Int64(text))
                        #expect(try value(text + ".0").integer == Int64(text))
                        #expect(try value(text + "e0").integer == Int64(text))
                        #expect(try value(text + "0e-1").integer == Int64(text))
                    }
                }
            }
        }
    }

    @Test(arguments: ["\"1\"", "true", "null", "[]", "{}", "[1]", "\"\""])
    func otherKinds(_ text: String) throws {
        #expect(try value(text).integer == nil)
        #expect(try value(text).flooredNumber == nil)
    }
}
