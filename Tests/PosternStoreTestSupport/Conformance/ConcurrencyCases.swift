import PosternAccounts
import PosternBase

extension StoreConformance {
    static let concurrencyCases: [Case] = [
        Case("64 increments of one row at once are all counted") { test in
            let store = test.store
            let counts = try await together(64, at: store) { _ in try await store.transact(increment) }
            try expect(Set(counts) == Set(1...64), "some saw the same: \(counts.sorted())")
            try expectSame(try await store.read(total), ["64"], "after all of them")
        },
        Case("50 transactions on different rows at once are all there") { test in
            let store = test.store
            let accounts = try (0..<50).map { try Sample.account(UInt8($0), email: "a\($0)@example.org") }
            _ = try await together(50, at: store) { index in
                try await store.transact { tx throws(StoreFault) in try tx.put(accounts[index]) }
            }
            try await test.step("all", { _ throws(StoreFault) in }, look: everything, gives: accounts.map(\.record))
        },
        Case("of 50 who look for an address and then take it, one gets it") { test in
            let store = test.store
            let accounts = try (0..<50).map { try Sample.account(UInt8($0), email: "a@example.org") }
            let got = try await together(50, at: store) { index in
                try await store.transact { tx throws(StoreFault) in
                    guard let email = accounts[index].email, try tx.account(email: email) == nil else { return false }
                    try tx.put(accounts[index])
                    return true
                }
            }
            try expect(got.filter { $0 }.count == 1, "\(got.filter { $0 }.count) got it")
            let winner = got.firstIndex(of: true).map { [accounts[$0].record] } ?? []
            try expectSame(try await store.read(everything), winner, "who has it")
        },
        Case("of 50 who use a nonce and a token, one succeeds") { test in
            let store = test.store
            let name = Sample.digest(1)
            let got = try await together(50, at: store) { index in
                try await store.transact { tx throws(StoreFault) in
                    guard try !tx.isUsed(nonce: name), try tx.rememberedToken(name) == nil else { return false }
                    try tx.use(nonce: name, expiresAt: 9)
                    try tx.remember(Sample.token(1, session: UInt8(index)))
                    return true
                }
            }
            try expect(got.filter { $0 }.count == 1, "\(got.filter { $0 }.count) succeeded")
            let winner = got.firstIndex(of: true).map { [Sample.token(1, session: UInt8($0)).record] } ?? []
            let token = try await store.read { reader throws(StoreFault) in try reader.rememberedToken(name)?.record }
            try expectSame([token].compactMap { $0 }, winner, "whose token it is")
        },
        Case("transactions that fail take nothing of their neighbours along") { test in
            let store = test.store
            try await test.write { tx throws(StoreFault) in try tx.use(nonce: Sample.digest(0), expiresAt: 9) }
            // Every third gives up at its end, and every third breaks the shape; they wait in one queue.
            let results = try await together(60, at: store) { index in
                do throws(StoreFault) {
                    try await store.transact { tx throws(StoreFault) in
                        try tx.put(Sample.attempts(UInt8(index), taken: Int64(index)))
                        _ = try increment(tx)
                        if index % 3 == 1 { throw StoreFault(.full, "gives up") }
                        if index % 3 == 2 { try tx.use(nonce: Sample.digest(0), expiresAt: 9) }
                    }
                    return StoreFault.Reason?.none
                } catch { return error.reason }
            }
            let wanted = (0..<60).map { [nil, StoreFault.Reason.full, .damaged][$0 % 3] }
            try expect(results == wanted, "\(results)")
            let there = try await store.read { reader throws(StoreFault) in
                var there: [String] = []
                for index in 0..<60 where try reader.attempts(Sample.digest(UInt8(index))) != nil {
                    there.append("\(index)")
                }
                return there
            }
            try expectSame(there, stride(from: 0, to: 60, by: 3).map { "\($0)" }, "what is there")
            try expectSame(try await store.read(total), ["20"], "how many were counted")
        },
        Case("a task that is cancelled while it waits neither loses nor doubles a commit") { test in
            let store = test.store
            let door = Latch()
            let first = Task { try await store.transact { _ throws(StoreFault) in _ = door.wait() } }
            let tasks = (0..<40).map { index in
                Task {
                    if index % 4 == 0 { await Task.yield() }
                    return try await store.transact(increment)
                }
            }
            for index in tasks.indices where index % 2 == 0 { tasks[index].cancel() }
            door.open()
            try await first.value
            var succeeded = 0
            for (index, task) in tasks.enumerated() {
                switch await task.result {
                case .success: succeeded += 1
                case .failure(let error): try expect(index % 2 == 0, "a task that nobody cancelled: \(error)")
                }
            }
            // Whatever a cancelled one waits behind has been done when this one is.
            try expectSame(try await store.transact(total), ["\(succeeded)"], "how many were counted")
        },
        Case("who has been answered is seen by whoever asks next") { test in
            let store = test.store
            _ = try await together(20, at: store) { index in
                for round in 0..<5 {
                    let count = Sample.attempts(UInt8(index), taken: Int64(round))
                    try await store.transact { tx throws(StoreFault) in try tx.put(count) }
                    let seen = try await store.read { reader throws(StoreFault) in
                        try reader.attempts(count.name)?.taken
                    }
                    try expect(seen == Int64(round), "\(round) was committed, \(seen ?? -1) is read")
                }
            }
        },
    ]

    private static let counter = [UInt8](repeating: 0xAA, count: 32)

    /// Adds one to the counter; answers what it is then.
    private static let increment: @Sendable (any StoreTransaction) throws(StoreFault) -> Int64 = {
        tx throws(StoreFault) in
        let count = (try tx.attempts(counter)?.taken ?? 0) + 1
        try tx.put(AttemptCount(name: counter, taken: count, countedAt: 1, expiresAt: 1))
        return count
    }

    private static let total: StoreTest.Look = { reader throws(StoreFault) in
        try ["\(reader.attempts(counter)?.taken ?? 0)"]
    }

    /// Does it so many times at once, with a number each; answers in the order of the numbers. The writer is held until all have been
    /// started, so that they wait in one queue and some of them share a commit.
    private static func together<Outcome: Sendable>(
        _ count: Int,
        at store: any AccountStore,
        _ body: @escaping @Sendable (Int) async throws -> Outcome
    ) async throws -> [Outcome] {
        let door = Latch()
        let started = Lock(0)
        let holder = Task { try await store.transact { _ throws(StoreFault) in _ = door.wait() } }
        let tasks = (0..<count).map { index in
            Task {
                let number = started.withLock { started in
                    started += 1
                    return started
                }
                if number == count { door.open() }
                return try await body(index)
            }
        }
        try await holder.value
        var outcomes: [Outcome] = []
        for task in tasks { outcomes.append(try await task.value) }
        return outcomes
    }
}
