import Foundation
import PosternBase
import PosternJOSE
import PosternTokens

@testable import PosternCommand
@testable import PosternKeySets

extension DoctorCase {
    /// What is judged of an answer that has come or has not.
    static let ofKeys: [DoctorCase] = [
        set(.keys, "in time", after: .seconds(2)), set(.keysSlow, "late", after: .milliseconds(2001)),
        set(.keysUnusable, "none", #"{"keys":[]}"#), set(.keysUnusable, "a secret alone", secret),
        DoctorCase(.keysLeaked, "a secret among them") {
            let usable = try KeySet(Array(TestIssuer.rsa.get().keySet.utf8)).usable
            let skipped = try KeySet(Array(secret.utf8)).skipped
            return [finding(KeySet(keys: usable, skipped: skipped), .zero)]
        },
        DoctorCase(.keysUnreachable, "a failure", words: "bad_status, after 7 ms: it said 500") {
            [Doctor.finding(.failure(KeySetFailure(.badStatus, "it said 500")), .milliseconds(7), "a")]
        },
        differing(.clockServer, 5), differing(.clockServer, -5), differing(.clockServerDiffers, 6),
        differing(.clockServerDiffers, -60), differing(.clockServerFar, 61), differing(.clockServerFar, -61),
        differing(.clockServerFar, .min),
    ]

    private static let secret = #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#

    private static func finding(_ keys: KeySet, _ time: Duration) -> Finding {
        let set = FetchedKeySet(url: "https://i.example/k", body: [], keys: keys, fetchedAt: 1, timeToLive: 300)
        return Doctor.finding(.success(set), time, "a")
    }

    private static func set(
        _ expected: Diagnosis,
        _ name: String,
        _ text: String? = nil,
        after time: Duration = .zero
    ) -> DoctorCase {
        DoctorCase(expected, name) {
            [finding(try KeySet(Array((try text ?? TestIssuer.rsa.get().keySet).utf8)), time)]
        }
    }

    private static func differing(_ expected: Diagnosis, _ seconds: Int64) -> DoctorCase {
        DoctorCase(expected, "\(seconds) s") {
            [Doctor.clock(differsBy: seconds, try .apple(audiences: [.app("a", nonce: .issued)]))]
        }
    }
}
