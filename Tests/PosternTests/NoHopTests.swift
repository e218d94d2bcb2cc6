import Postern
import PosternTestSupport
import Testing

/// While the key is at hand a verification stays where its caller is.
@Suite struct NoHopTests {
    /// Keys that are at hand from the first miss on, which suspends.
    private struct ColdSource: KeySource {
        let keys: KeySet

        func current() -> KeySet? { nil }

        func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet {
            await Task.detached {}.value
            return keys
        }
    }

    /// Counts calls that no key at hand should cause.
    private struct WarmSource: KeySource {
        let keys: KeySet
        let waits = Lock(0)

        func current() -> KeySet? { keys }

        func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet {
            waits.withLock { $0 += 1 }
            return keys
        }
    }

    @Test func theCountSeesAHop() async { #expect(await CountingActor().leave() == 1) }

    @Test func aKeyAtHandCausesNone() async throws {
        let source = WarmSource(keys: try TestKeys.rs256().keys)
        let verifier = try TokenVerifier.test(keys: source)
        let caller = CountingActor()
        let token = try TestToken().signed()
        for _ in 0..<3 {
            let verified = try await caller.verify(token, with: verifier)
            #expect(verified.identity.audience == TestToken.clientID)
            #expect(verified.hops == 0)
            let checked = try await caller.check(token, with: verifier)
            #expect(checked.verdict.identity != nil)
            #expect(checked.hops == 0)
        }
        #expect(source.waits.withLock { $0 } == 0)
    }

    /// A refusal is no slower a way.
    @Test func aRefusalCausesNone() async throws {
        let verifier = try TokenVerifier.test(at: TestToken.issuedAt + 3600)
        let checked = try await CountingActor().check(TestToken().signed(), with: verifier)
        #expect(checked.verdict.refusal?.code == .tokenTooOld)
        #expect(checked.hops == 0)
    }

    @Test func onlyAMissingKeyIsWaitedFor() async throws {
        let verifier = try TokenVerifier.test(keys: ColdSource(keys: TestKeys.rs256().keys))
        let verified = try await CountingActor().verify(TestToken().signed(), with: verifier)
        #expect(verified.hops > 0)
    }

    /// A value that is not `Sendable` can be used around the call: it never leaves the main actor.
    @MainActor @Test func theMainActorIsNotLeft() async throws {
        final class Counter { var count = 0 }
        let counter = Counter()
        let identity = try await TokenVerifier.test().verify(TestToken().signed(), nonce: TestToken.rawNonce)
        counter.count += identity.subject.bytes.isEmpty ? 0 : 1
        #expect(counter.count == 1)
    }
}
