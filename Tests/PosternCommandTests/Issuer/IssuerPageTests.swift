import Foundation
import PosternTestSupport
import Testing

/// The lines and files of `Docs/Issuer.md` work as printed, but for the port.
@Suite(.onAThreadOfItsOwn) struct IssuerPageTests {
    private static func blocks() throws -> [String] {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Issuer.md"), encoding: .utf8)
        return text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map { block in
            String(block.element.drop { $0 != "\n" }.dropFirst())
        }
    }

    private static func block(with part: String) throws -> String {
        let found = try blocks().filter { $0.contains(part) }
        #expect(found.count == 1, "\(part)")
        return found.first ?? ""
    }

    @Test func everyBlockIsTried() throws {
        let tried = [
            "postern issuer\n", "insecure_loopback", "/mint", "\"users\"", "/control/faults", "/control/rotate",
        ]
        for block in try Self.blocks() { #expect(tried.contains { block.contains($0) }, "\(block)") }
    }

    @Test func signingIn() throws {
        let folder = try TemporaryFolder()
        let users = try folder.file(containing: Data(Self.block(with: "\"users\"").utf8), called: "users.json")
        let issuer = try IssuerProcess(["--users", users.path], in: folder)
        func here(_ text: String) -> String { text.replacingOccurrences(of: "http://127.0.0.1:8712", with: issuer.url) }
        let provider = try here(Self.block(with: "insecure_loopback"))
        let end = try #require(provider.lastIndex(of: "}"))
        let daemon = try DaemonProcess(DaemonIssuer.settings(String(provider[...end])))
        let client = try daemon.connect()
        try daemon.wait(for: "keys_replaced")
        let nonce = try client.nonce()
        let line = try here(Self.block(with: "/mint"))
        let minted = try Invocation.shell("NONCE=\(nonce); \(line) echo $TOKEN")
        #expect(minted.complaint.isEmpty, "\(minted.complaint)")
        let token = minted.text.trimmingCharacters(in: .newlines)
        let reply = try client.verify(token, nonce)
        #expect(reply.word == "accepted")
        #expect((reply.json["identity"] as? [String: Any])?["email"] as? String == "owner@example.com")
        let faults = try Invocation.shell(here(Self.block(with: "/control/faults")))
        #expect(faults.text.contains(#""faults":["empty_set"]"#))
        let rotated = try Invocation.shell(here(Self.block(with: "/control/rotate")))
        #expect(rotated.status == 0 && rotated.text.contains(#""faults":["empty_set"]"#), "\(rotated.text)")
        let keys = try Invocation.run(["keys", "fetch", "--issuer", issuer.url, "--insecure-loopback"])
        #expect(keys.status == 3)
    }
}
