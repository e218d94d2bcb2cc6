import PosternAccounts
import PosternBase

extension StoreConformance {
    /// Attempts and signing keys.
    static let otherCases: [Case] = [
        Case("every field of an attempt count comes back as it was put, and is replaced") { test in
            let other = Sample.attempts(2)
            try await test.write { tx throws(StoreFault) in try tx.put(other) }
            for time in Sample.times {
                let count = AttemptCount(name: Sample.digest(1), taken: time, countedAt: time, expiresAt: time)
                try await test.step(
                    "put", { tx throws(StoreFault) in try tx.put(count) },
                    look: { reader throws(StoreFault) in
                        try [
                            reader.attempts(count.name), reader.attempts(other.name), reader.attempts(Sample.digest(3)),
                        ]
                        .compactMap { $0?.record }
                    }, gives: [count.record, other.record])
            }
        },
        Case("every field of a signing key comes back as it was put, and is replaced and deleted") { test in
            let look: StoreTest.Look = { reader throws(StoreFault) in try reader.signingKeys().map(\.record).sorted() }
            let other = StoredSigningKey(keyID: "other", state: .next, sealed: [0], createdAt: 1, since: 1)
            try await test.write { tx throws(StoreFault) in try tx.put(other) }
            for (index, time) in Sample.times.enumerated() {
                let states = StoredSigningKey.State.allCases
                let sealed = [UInt8](0...UInt8(255 - index)) + [0, 0xFF, 0]
                let key = StoredSigningKey(
                    keyID: "Key_-1", state: states[index % states.count], sealed: sealed, createdAt: time, since: time)
                try await test.step(
                    "put", { tx throws(StoreFault) in try tx.put(key) }, look: look,
                    gives: [key.record, other.record])
            }
            try await test.step(
                "deleted", { tx throws(StoreFault) in try tx.delete(signingKey: "Key_-1") }, look: look,
                gives: [other.record])
        },
        Case("signing keys whose names differ in case alone are not one") { test in
            let keys = ["KEY", "Key", "key", "key "].map {
                StoredSigningKey(keyID: $0, state: .retired, sealed: Array($0.utf8), createdAt: 1, since: 2)
            }
            try await test.step(
                "put", { tx throws(StoreFault) in for key in keys { try tx.put(key) } }, look: everything,
                gives: keys.map(\.record).sorted())
            try await test.step(
                "deleted", { tx throws(StoreFault) in try tx.delete(signingKey: "key") }, look: everything,
                gives: keys.filter { $0.keyID != "key" }.map(\.record).sorted())
        },
    ]
}
