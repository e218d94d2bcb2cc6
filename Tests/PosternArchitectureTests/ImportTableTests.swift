import Foundation
import PosternTestSupport
import Testing

/// What each room may see. The compiler checks that imports are declared; this table checks that nobody declares more.
private let allowedImports: [String: Set<String>] = [
    "PosternBase": ["Glibc", "Synchronization"],
    "PosternCrypto": ["COpenSSL", "PosternBase"],
    "PosternHTTP": ["Glibc", "PosternBase"],
    "PosternLoop": ["CLinux", "Glibc", "PosternBase", "Synchronization"],
    "PosternJOSE": ["Glibc", "PosternBase", "PosternCrypto"],
    "PosternPasswords": ["CCrypt", "CSodium", "CUnistring", "Glibc", "PosternBase", "PosternCrypto"],
    "PosternTransport": ["CCurl", "Glibc", "PosternBase", "PosternHTTP"],
    "PosternHTTPServer": ["Glibc", "PosternBase", "PosternHTTP", "PosternLoop"],
    "PosternTokens": ["PosternBase", "PosternCrypto", "PosternJOSE"],
    "PosternKeySets": ["Glibc", "PosternBase", "PosternCrypto", "PosternHTTP", "PosternJOSE", "PosternTokens"],
    "PosternVectors": ["Glibc", "PosternBase", "PosternCrypto", "PosternJOSE", "PosternTokens"],
    "PosternAccounts": [
        "CIDN", "Glibc", "PosternBase", "PosternCrypto", "PosternJOSE", "PosternPasswords", "PosternTokens",
    ],
    "PosternSQLite": [
        "CLinux", "CSQLite", "Glibc", "PosternAccounts", "PosternBase", "PosternCrypto", "PosternTokens",
        "Synchronization",
    ],
    "PosternService": [
        "PosternAccounts", "PosternBase", "PosternCrypto", "PosternHTTP", "PosternJOSE", "PosternKeySets",
        "PosternPasswords", "PosternTokens", "Synchronization",
    ],
    "PosternIssuer": ["PosternBase", "PosternCrypto", "PosternHTTP", "PosternJOSE"],
    "Postern": ["PosternBase", "PosternHTTP", "PosternJOSE", "PosternTokens", "PosternKeySets", "PosternTransport"],
    "PosternCommand": [
        "CLinux", "Glibc", "PosternAccounts", "PosternBase", "PosternCrypto", "PosternHTTP", "PosternHTTPServer",
        "PosternIssuer", "PosternJOSE", "PosternKeySets", "PosternPasswords", "PosternSQLite", "PosternService",
        "PosternTokens", "PosternTransport", "PosternVectors", "Synchronization",
    ],
]

private let cRooms: Set<String> = ["CCrypt", "CCurl", "CIDN", "CLinux", "COpenSSL", "CSQLite", "CSodium", "CUnistring"]
/// Units, scripts and texts of the Debian package.
private let withoutCode: Set<String> = ["Packaging"]

private struct SourceFile {
    let room: String
    let path: String
    let lines: [String]
}

private func sources(in folder: String = "Sources") throws -> [SourceFile] {
    let root = TestPaths.package.appending(path: folder)
    var files: [SourceFile] = []
    let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    for path in paths where path.hasSuffix(".swift") {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        let room = String(path.prefix { $0 != "/" })
        files.append(SourceFile(room: room, path: path, lines: text.components(separatedBy: "\n")))
    }
    return files
}

private func importedModule(_ line: String) -> String? {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard let position = words.firstIndex(of: "import"), position + 1 < words.count,
        words[..<position].allSatisfy({
            $0.hasPrefix("@") || ["public", "package", "internal", "private"].contains($0)
        })
    else { return nil }
    return words[position + 1].split(separator: ".").first.map(String.init)
}

@Suite struct ImportTableTests {
    @Test func everyRoomIsInTheTable() throws {
        let rooms = try FileManager.default.contentsOfDirectory(
            atPath: TestPaths.package.appending(path: "Sources").path)
        #expect(Set(rooms) == Set(allowedImports.keys).union(cRooms).union(withoutCode))
    }

    @Test func importsGoDownwardOnly() throws {
        let files = try sources()
        #expect(files.count > 40)
        for file in files {
            let allowed = try #require(allowedImports[file.room])
            for module in file.lines.compactMap(importedModule) {
                #expect(allowed.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test func noShippedFileImportsFoundation() throws {
        for file in try sources() {
            #expect(!file.lines.compactMap(importedModule).contains { $0.hasPrefix("Foundation") }, "\(file.path)")
        }
    }

    /// Attributes and access levels before `import` are seen through; words in comments are not imports.
    @Test(arguments: [
        ("import Glibc", "Glibc"), ("package import PosternBase", "PosternBase"),
        ("@_exported public import PosternJOSE", "PosternJOSE"), ("    import Foundation.NSString", "Foundation"),
        ("// we import nothing", nil), ("let import_ = 1", nil),
    ])
    func importLinesAreRecognised(line: String, module: String?) {
        #expect(importedModule(line) == module)
    }
}

@Suite struct SourceRuleTests {
    /// Nothing that ends the process may be reachable from input; the few words for it are not used at all.
    @Test func nothingTraps() throws {
        let traps = ["try!", "as!", "fatalError(", "preconditionFailure(", "precondition("]
        for file in try sources() {
            for (number, line) in file.lines.enumerated()
            where !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
                for trap in traps {
                    #expect(!line.contains(trap), "\(file.path):\(number + 1) uses \(trap)")
                }
            }
        }
    }

    @Test func pointersStayInTheirRoom() throws {
        for file in try sources() where !["PosternCrypto", "PosternSQLite"].contains(file.room) {
            #expect(!file.lines.contains { $0.contains("OpaquePointer") }, "\(file.path)")
        }
        // libcurl's handles are raw pointers, which others use for bytes; here no other room may see one.
        for file in try sources() where ["PosternTransport", "PosternSQLite"].contains(file.room) {
            let seen = file.lines.filter { $0.contains("public ") || $0.contains("package ") }
            #expect(!seen.contains { $0.contains("Pointer") }, "\(file.path)")
        }
    }

    @Test func filesStaySmall() throws {
        let counts = try sources().map(\.lines.count).sorted()
        #expect(counts[counts.count / 2] < 120)
        for file in try sources() + sources(in: "Tests") {
            #expect(file.lines.count <= 400, "\(file.path) has \(file.lines.count) lines")
        }
    }

    /// What a user of the library can name says what it is.
    @Test func publicDeclarationsAreDocumented() throws {
        let declaration =
            /^ *public (static |final |mutating |private\(set\) )*(let|var|func|init|struct|class|enum|protocol|actor|subscript|typealias)\b/
        var count = 0
        for file in try sources() {
            for (number, line) in file.lines.enumerated() where line.firstMatch(of: declaration) != nil {
                let before = file.lines[..<number].last { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("@") }
                let isDocumented = before?.trimmingCharacters(in: .whitespaces).hasPrefix("///") == true
                #expect(isDocumented, "\(file.path):\(number + 1) has no doc comment")
                count += 1
            }
        }
        #expect(count > 150)
    }
}
