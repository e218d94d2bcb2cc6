import PosternAccounts
import PosternBase

extension StoreConformance {
    static let signUpCases: [Case] = [
        Case("every field of a sign-up comes back as it was put, and is replaced") { test in
            let id: SignUpID = Sample.name(1)
            let addresses = ["Sam@Example.org", "\"a b\"@example.org"]
            let texts = zip(Sample.texts + Sample.objects, Sample.times.cycled)
            for (index, (text, time)) in texts.enumerated() {
                let signUp = SignUp(
                    id: id, email: try mailbox(addresses[index % 2]), passwordHash: Secret(text),
                    userData: Sample.objects[index % Sample.objects.count], createdAt: time, expiresAt: time)
                try await test.step(
                    "put", { tx throws(StoreFault) in try tx.put(signUp) },
                    look: { reader throws(StoreFault) in
                        try records(reader.signUp(id)) + reader.signUps(email: signUp.email).map(\.record)
                    }, gives: [signUp.record, signUp.record])
            }
        },
        Case("an address has any number of sign-ups, from the oldest, whether there is an account or not") { test in
            let account = try Sample.account(1, email: "a@example.org")
            let emails = ["a@example.org", "A@Example.org", "a@EXAMPLE.org"]
            let signUps = try zip([0x80, 0x01, 0xFF] as [UInt8], emails).map { try Sample.signUp($0, $1, expiresAt: 0) }
            let other = try Sample.signUp(2, "b@example.org")
            let email = try mailbox("a@example.org")
            try await test.step(
                "put",
                { tx throws(StoreFault) in
                    try tx.put(account)
                    for signUp in signUps + [other] { try tx.put(signUp) }
                }, look: { reader throws(StoreFault) in try reader.signUps(email: email).map(\.record) },
                gives: [1, 0, 2].map { signUps[$0].record })
            try await test.step(
                "one deleted", { tx throws(StoreFault) in try tx.delete(signUp: Sample.name(0x80)) },
                look: everything,
                gives: [account.record, signUps[1].record, other.record, signUps[2].record])
            try await test.step(
                "those of the address deleted", { tx throws(StoreFault) in try tx.delete(signUpsFor: email) },
                look: everything, gives: [account.record, other.record])
        },
    ]
}
