import Foundation
import PosternBase
import PosternHTTP
import PosternTestSupport
import Testing

@testable import PosternCommand

/// Everything that the doctor may find is found, and not where it is not so.
@Suite(.onAThreadOfItsOwn) struct DoctorTests {
    private static let cases =
        DoctorCase.ofTheMachine + DoctorCase.ofSettings + DoctorCase.ofTheCache + DoctorCase.ofData
        + DoctorCase.ofSigningKeys
        + DoctorCase.ofListeners
        + DoctorCase.ofKeys
    /// Those that need a whole run are below.
    private static let elsewhere: Set<Diagnosis> = [.inherited, .cacheFolderUnknown, .keysSettings]

    @Test(arguments: cases)
    func isFound(_ one: DoctorCase) async throws {
        let findings = try await one.findings()
        let found = findings.filter { $0.diagnosis == one.expected }
        #expect(!found.isEmpty, "\(findings.map(\.diagnosis.rawValue))")
        #expect(found.contains { one.words.isEmpty || $0.found.contains(one.words) }, "\(found.map(\.found))")
        // Of a thing one is said.
        let root = Self.thing(one.expected)
        let others = findings.filter { Self.thing($0.diagnosis) == root && $0.subject == found.first?.subject }
        #expect(others.count == found.count, "\(others.map(\.diagnosis.rawValue))")
    }

    /// However often and however it is named.
    @Test func eachSocketIsAskedOnce() async throws {
        let own = DoctorCase.served(in: ["FOLDER/run/p.sock", "FOLDER/./run//p.sock", "FOLDER/run/p.sock"])
        #expect(try await own.findings().filter { $0.diagnosis == .daemon }.count == 1)
        let other = DoctorCase.served(in: ["FOLDER/run/p.sock", "FOLDER/other.sock", "FOLDER/./other.sock"])
        let findings = try await other.findings()
        #expect(findings.filter { $0.diagnosis == .daemon }.count == 1)
        #expect(findings.filter { $0.diagnosis == .daemonMissing }.count == 1)
    }

    @Test func everythingIsTried() {
        let tried = Set(Self.cases.map(\.expected)).union(Self.elsewhere)
        #expect(tried.symmetricDifference(Diagnosis.allCases).isEmpty)
    }

    /// The longest code that is well and begins the code.
    private static func thing(_ diagnosis: Diagnosis) -> String {
        let roots = Diagnosis.allCases.filter { $0.level == .ok }.map(\.rawValue)
        let fitting = roots.filter { diagnosis.rawValue == $0 || diagnosis.rawValue.hasPrefix("\($0)_") }
        let shortest = fitting.filter { root in
            ["clock", "socket", "keys", "cache"].allSatisfy { $0 != root } || root == diagnosis.rawValue
        }
        return shortest.max { $0.utf8.count < $1.utf8.count } ?? diagnosis.rawValue
    }

    /// `Docs/Doctor.md` lists each with its level and what to do, in the order of the program.
    @Test func theListIsWhole() throws {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Doctor.md"), encoding: .utf8)
        let rows = text.components(separatedBy: "\n").filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `--") }
        let listed = rows.map { row in
            let cells = row.components(separatedBy: " | ")
            return [
                cells[0].trimmingCharacters(in: ["`", "|", " "]), cells[1],
                cells[3].trimmingCharacters(in: ["|", " "]),
            ]
        }
        #expect(listed == Diagnosis.allCases.map { [$0.rawValue, $0.level.rawValue, $0.advice ?? ""] })
    }

    @Test func theWorstDecides() {
        let rows: [([Diagnosis], PosternCommand.ExitStatus)] = [
            ([.clock], .success), ([.clock, .userRoot], .warned), ([.userRoot, .cryptoFailed, .clock], .refused),
            ([], .success),
        ]
        for (diagnoses, status) in rows {
            #expect(DoctorCommand.answer(diagnoses.map { Finding($0, nil, "x") }).status == status)
        }
    }

    /// Words from outside do nothing to a terminal.
    @Test func nothingSteersTheTerminal() {
        let text = DoctorCommand.answer([Finding(.daemonWarns, "a\u{1B}[2J", "b\u{7}\n")]).text(
            Style(isColoured: false))
        #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"))
        #expect(text.split(separator: "\n").count == 3)
    }

    /// Where there is no IPv6 an address of it is still one.
    @Test func addresses() {
        for good in ["127.0.0.1", "::1", "2001:db8::1"] { #expect(LocalPlace.tcp(good, 1) != nil, "\(good)") }
        for bad in ["", "localhost", "127.1", ":::"] { #expect(LocalPlace.tcp(bad, 1) == nil, "\(bad)") }
        #expect(LocalPlace.unix(String(repeating: "a", count: 107)) != nil)
        for bad in ["", String(repeating: "a", count: 108), "a\0b"] { #expect(LocalPlace.unix(bad) == nil) }
    }

    @Test func dates() {
        let rows: [(String, Int64?)] = [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sun, 06 Nov 1994 08:49:37 UTC", nil),
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil), ("", nil),
            ("Sun, 06 Nov 1994 08:49:61 GMT", nil), ("Sun, 31 Feb 2026 08:49:37 GMT", nil),
            ("x, 06 Nov 1994 08:49:37 GMT", nil),
        ]
        for (text, seconds) in rows { #expect(HTTPDate.seconds(text) == seconds, "\(text)") }
    }

    @Test func theClockOfAServer() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let rows: [([String: String], Int64?)] = [
            (["Date": date], 3), (["Date": date, "Age": "10"], -7), (["Date": date, "Age": "99999999999"], nil),
            (["Date": "x"], nil), ([:], nil),
        ]
        for (lines, difference) in rows {
            var fields = HTTP.Fields()
            for (name, value) in lines { fields.append(name, value) }
            #expect(DatedClient.difference(fields, now: 784_111_780) == difference, "\(lines)")
        }
    }
}
