import PosternAccounts
import PosternBase

extension StoreConformance {
    /// Nonces and tokens, which are used once.
    static let onceCases: [Case] = [
        Case("a nonce that was used is known as used, and no other") { test in
            let nonces: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
            for (index, nonce) in nonces.enumerated() {
                try await test.step(
                    "used",
                    { tx throws(StoreFault) in
                        try tx.use(nonce: Sample.digest(nonce), expiresAt: Sample.times[index])
                    },
                    look: { reader throws(StoreFault) in
                        var used: [String] = []
                        for nonce in nonces where try reader.isUsed(nonce: Sample.digest(nonce)) {
                            used.append("\(nonce)")
                        }
                        return used
                    }, gives: nonces[...index].map { "\($0)" })
            }
        },
        Case("a nonce cannot be used twice, whatever its expiry") { test in
            let name = Sample.digest(1)
            try await test.write { tx throws(StoreFault) in try tx.use(nonce: name, expiresAt: 5) }
            for expiry: Int64 in [4, 5, 6] {
                try await test.refused("used again", names: [name]) { tx throws(StoreFault) in
                    try tx.use(nonce: name, expiresAt: expiry)
                }
            }
            // A later expiry of a copy must not have kept the first from being purged, nor an earlier one have purged it early.
            try await test.step(
                "purged", { tx throws(StoreFault) in _ = try tx.purge(now: 4, auditSince: 0, limit: 9) },
                look: used([1]), gives: ["1"])
            try await test.step(
                "purged", { tx throws(StoreFault) in _ = try tx.purge(now: 5, auditSince: 0, limit: 9) },
                look: used([1]), gives: [])
        },
        Case("a nonce and a token of one name are two things") { test in
            let token = Sample.token(1)
            try await test.step(
                "remembered", { tx throws(StoreFault) in try tx.remember(token) },
                look: { reader throws(StoreFault) in try StoreDump.records(of: reader, names: [token.name]) },
                gives: [token.record])
            try await test.step(
                "used", { tx throws(StoreFault) in try tx.use(nonce: token.name, expiresAt: 1) },
                look: { reader throws(StoreFault) in try StoreDump.records(of: reader, names: [token.name]) },
                gives: [token.record, "nonce \(Hex.encode(token.name))"])
        },
        Case("every field of a token comes back as it was remembered") { test in
            for (index, time) in Sample.times.enumerated() {
                let token = RememberedToken(
                    name: Sample.digest(UInt8(index)), session: Sample.name(0xFF - UInt8(index)),
                    request: [UInt8](repeating: UInt8(index), count: 32), usedAt: time, expiresAt: time)
                try await test.step(
                    "remembered", { tx throws(StoreFault) in try tx.remember(token) },
                    look: { reader throws(StoreFault) in
                        try reader.rememberedToken(token.name).map { [$0.record] } ?? []
                    }, gives: [token.record])
            }
        },
        Case("a token cannot be remembered twice, and the first use stays") { test in
            let token = Sample.token(1, session: 1)
            let other = Sample.token(1, session: 2, expiresAt: 9_000)
            try await test.write { tx throws(StoreFault) in try tx.remember(token) }
            for copy in [token, other] {
                try await test.refused("again", names: [token.name]) { tx throws(StoreFault) in try tx.remember(copy) }
            }
        },
        Case("a token stays remembered when its session is deleted") { test in
            try await putAccounts(test, 1)
            let token = Sample.token(1, session: 3)
            try await test.write { tx throws(StoreFault) in
                try tx.put(Sample.session(3, of: 1))
                try tx.remember(token)
            }
            try await test.step(
                "session deleted", { tx throws(StoreFault) in try tx.delete(session: Sample.name(3)) },
                look: { reader throws(StoreFault) in
                    try reader.rememberedToken(token.name).map { [$0.record] } ?? []
                }, gives: [token.record])
        },
    ]
}

/// Which of these nonces count as used.
func used(_ nonces: [UInt8]) -> StoreTest.Look {
    { reader throws(StoreFault) in
        var used: [String] = []
        for nonce in nonces where try reader.isUsed(nonce: Sample.digest(nonce)) { used.append("\(nonce)") }
        return used
    }
}
