import PosternAccounts
import PosternBase

extension StoreConformance {
    static let sessionCases: [Case] = [
        Case("every field of a session comes back as it was put, and is replaced") { test in
            try await putAccounts(test, 1)
            for session in oddSessions() {
                try await test.step(
                    "put", { tx throws(StoreFault) in try tx.put(session) },
                    look: { reader throws(StoreFault) in
                        try records(reader.session(session.id)) + reader.sessions(of: Sample.name(1)).map(\.record)
                    }, gives: [session.record, session.record])
            }
        },
        Case("sessions of an account are listed in the order of their names, also those that are over") { test in
            try await putAccounts(test, 1, 2)
            let sessions = ([0x80, 0x01, 0xFF, 0x7F, 0x00] as [UInt8]).map {
                Sample.session($0, of: 1, expiresAt: Int64($0))
            }
            let other = Sample.session(0x42, of: 2)
            try await test.step(
                "put", { tx throws(StoreFault) in for session in sessions + [other] { try tx.put(session) } },
                look: { reader throws(StoreFault) in try reader.sessions(of: Sample.name(1)).map(\.record) },
                gives: [4, 1, 3, 0, 2].map { sessions[$0].record })
        },
        Case("a session is deleted alone, with all others, or with all") { test in
            try await putAccounts(test, 1, 2)
            let sessions = ([1, 2, 3, 4] as [UInt8]).map { Sample.session($0, of: 1) }
            let other = Sample.session(5, of: 2)
            try await test.write { tx throws(StoreFault) in for session in sessions + [other] { try tx.put(session) } }
            let look: StoreTest.Look = { reader throws(StoreFault) in
                try reader.sessions(of: Sample.name(1)).map(\.record)
                    + reader.sessions(of: Sample.name(2)).map(\.record)
            }
            try await test.step(
                "one", { tx throws(StoreFault) in try tx.delete(session: Sample.name(2)) }, look: look,
                gives: [sessions[0].record, sessions[2].record, sessions[3].record, other.record])
            try await test.step(
                "all but one of another account",
                { tx throws(StoreFault) in
                    let count = try tx.delete(sessionsOf: Sample.name(2), except: Sample.name(5))
                    if count != 0 { throw StoreFault(.damaged, "\(count) deleted instead of none") }
                }, look: look, gives: [sessions[0].record, sessions[2].record, sessions[3].record, other.record])
            try await test.step(
                "all others",
                { tx throws(StoreFault) in
                    let count = try tx.delete(sessionsOf: Sample.name(1), except: Sample.name(3))
                    if count != 2 { throw StoreFault(.damaged, "\(count) deleted instead of two") }
                }, look: look, gives: [sessions[2].record, other.record])
            try await test.step(
                "all, except one that is not there",
                { tx throws(StoreFault) in
                    let count = try tx.delete(sessionsOf: Sample.name(1), except: Sample.name(9))
                    if count != 1 { throw StoreFault(.damaged, "\(count) deleted instead of one") }
                }, look: look, gives: [other.record])
            try await test.step(
                "all",
                { tx throws(StoreFault) in
                    let count = try tx.delete(sessionsOf: Sample.name(2), except: nil)
                    if count != 1 { throw StoreFault(.damaged, "\(count) deleted instead of one") }
                }, look: look, gives: [])
        },
    ]

    private static func oddSessions() -> [Session] {
        let id: SessionID = Sample.name(7)
        let account: AccountID = Sample.name(1)
        func session(
            _ method: Session.Method = .password,
            _ time: Int64 = 1,
            isSeen: Bool = false,
            provider: String? = nil,
            agent: String? = nil,
            address: String? = nil
        ) -> Session {
            Session(
                id: id, account: account, method: method, provider: provider, createdAt: time, counter: time,
                rotatedAt: time, isSeen: isSeen, expiresAt: time, userAgent: agent, maskedAddress: address)
        }
        return Session.Method.allCases.map { session($0) } + Sample.times.map { session(.password, $0) }
            + [session(isSeen: true), session(isSeen: false)]
            + Sample.texts.flatMap { [session(provider: $0), session(agent: $0), session(address: $0)] }
            + [
                Session(
                    id: id, account: account, method: .identityToken, createdAt: 1, counter: 2, rotatedAt: 3,
                    expiresAt: 4)
            ]
    }
}
