import PosternBase
import PosternJOSE

/// Every member of an accepted set is either usable or skipped, and no more than the limit are usable.
enum KeySetTarget {
    @Sendable static func run(_ input: UnsafeBufferPointer<UInt8>) {
        guard let keys = try? KeySet(Array(input)) else { return }
        let members = (try? JSONDocument(Array(input)))?.root["keys"]?.elements?.count
        FuzzDriver.expect(keys.usable.count + keys.skipped.count == members, "a member is lost")
        FuzzDriver.expect(keys.usable.count <= KeySet.maximumUsableKeys, "too many keys")
        for key in keys.usable {
            FuzzDriver.expect(key.thumbprint.utf8.count == 43 && !key.algorithms.isEmpty, "a key that is none")
        }
        for member in keys.skipped {
            FuzzDriver.expect(member.detail.unicodeScalars.count < 250, "a detail without bound")
        }
    }
}
