import Foundation
import PosternBase
import PosternJOSE
import PosternKeySets
import PosternTestSupport
import PosternTokens
import Testing

@Suite struct FileKeySourceTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/keys.jwks"
    }

    private func message(_ path: String) -> String {
        do throws(ConfigurationError) {
            _ = try FileKeySource(path: path)
            return "taken"
        } catch {
            return error.message
        }
    }

    private func message(of content: String) throws -> String {
        try content.write(toFile: path, atomically: false, encoding: .utf8)
        return message(path)
    }

    @Test func verifiesWithTheKeysOfTheFile() async throws {
        try TestSet.set([TestSet.member("one"), "null"]).write(toFile: path, atomically: false, encoding: .utf8)
        let source = try FileKeySource(path: path)
        #expect(source.skippedMembers.map(\.reason) == [.notAnObject])
        #expect(source.status.freshness == .fresh)
        #expect(source.status.usableKeys.count == 1)
        #expect(source.status.skippedMembers.count == 1)
        let verifier = try TokenVerifier.test(keys: source)
        #expect(try await verifier.check(TestSet.token(), nonce: TestToken.rawNonce).identity != nil)
        let verdict = try await verifier.check(TestSet.token("two"), nonce: TestToken.rawNonce)
        #expect(verdict.refusal?.code == .keyNotFound)
        #expect(try await source.keySet(missing: "two").usable.count == 1)
    }

    @Test func saysWhatIsWrong() throws {
        #expect(message(path).contains("No such file"))
        #expect(message(folder.path).contains("not a regular file"))
        #expect(message("").contains("No such file"))
        #expect(message("\(path)\u{0}").contains("NUL"))
        #expect(try message(of: "").contains("not JSON"))
        #expect(try message(of: "{\"keys\":\n[}").contains("line 2"))
        #expect(try message(of: "{}").contains("array \"keys\""))
        #expect(try message(of: "{\"keys\":[]}").contains("set is empty"))
        let text = try message(of: "{\"keys\":[null,{\"kty\":\"oct\"}]}")
        #expect(text.contains("key 0: not a JSON object; key 1: a symmetric key"))
        #expect(mkfifo(folder.path + "/fifo", 0o600) == 0)
        #expect(message(folder.path + "/fifo").contains("not a regular file"))
    }

    @Test func theSizeIsBounded() throws {
        let set = try TestSet.rsa("one")
        let room = FileKeySource.largestFile - set.utf8.count
        #expect(try message(of: set + String(repeating: " ", count: room)) == "taken")
        #expect(try message(of: set + String(repeating: " ", count: room + 1)).contains("larger than 262144 bytes"))
    }

    /// Secrets are mounted as links in many places.
    @Test func aLinkIsFollowed() throws {
        try TestSet.rsa("one").write(toFile: path, atomically: false, encoding: .utf8)
        #expect(symlink(path, folder.path + "/link") == 0)
        #expect(message(folder.path + "/link") == "taken")
    }
}
