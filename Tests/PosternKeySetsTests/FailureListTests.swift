import Foundation
import PosternHTTP
import PosternKeySets
import PosternTestSupport
import Testing

/// `Docs/Errors.md` lists each reason once.
@Suite struct FailureListTests {
    private func listed(_ section: String) throws -> [String] {
        let text = try String(contentsOf: TestPaths.package.appending(path: "Docs/Errors.md"), encoding: .utf8)
        let parts = text.components(separatedBy: "\n## ")
        let part = try #require(parts.first { $0.hasPrefix(section) })
        return part.components(separatedBy: "\n").compactMap { line in
            line.hasPrefix("| `") ? line.components(separatedBy: "`")[1] : nil
        }
    }

    @Test func failuresOfFetches() throws {
        let ours: [KeySetFailure.Code] = [
            .badStatus, .redirected, .tooLarge, .notAKeySet, .noUsableKey, .badDiscovery,
        ]
        let clients: [HTTP.ClientError.Code] = [
            .urlRefused, .notConnected, .notTrusted, .timedOut, .malformed, .cancelled, .failed,
        ]
        let codes = ours.map(\.rawValue) + clients.map(\.rawValue)
        #expect(try listed("Why a key set could not be fetched").sorted() == codes.sorted())
        #expect(KeySetFailure.Code.timedOut.rawValue == HTTP.ClientError.Code.timedOut.rawValue)
        #expect(KeySetFailure.Code.tooLarge.rawValue == HTTP.ClientError.Code.tooLarge.rawValue)
    }

    @Test func faultsOfCopies() throws {
        let codes: [DiskCopyFault.Code] = [
            .damaged, .foreignOwner, .writableByOthers, .notAFile, .tooLarge, .otherSource, .inTheFuture, .tooOld,
            .system,
        ]
        #expect(try listed("Why a copy on disk is not used").sorted() == codes.map(\.rawValue).sorted())
    }
}
