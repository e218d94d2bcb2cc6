import Glibc
import PosternAccounts
import PosternSQLite

enum Filling {
    static func run(_ folder: String, room: String) async {
        signal(SIGXFSZ, SIG_IGN)
        do throws(StoreFault) {
            let store = try SQLiteStore(folder: folder, .serving)
            let last = await fill(store, from: 0)
            // It stays so, and what is there can still be read.
            for _ in 0..<3 { _ = await attempt(store, last + 1) }
            // What writes nothing goes well; what tries whether anything can be written does not, once the last room for so little is used.
            try await store.transact { _ throws(StoreFault) in }
            var reason: StoreFault.Reason?
            for _ in 0..<100 where reason == nil { reason = await trial(store) }
            guard reason == .full else { return end("it seems to be over") }
            guard try await count(store, upTo: last) == last + 1 else { return end("something is lost") }
            if room == "-" { raiseLimit() } else { unlink(room) }
            guard await trial(store) == nil, await attempt(store, last + 1) == nil else { return end("no recovery") }
            guard try await count(store, upTo: last + 1) == last + 2 else { return end("something is lost afterwards") }
            await store.close()
            end("recovered after \(last + 1)")
        } catch {
            end("\(error.reason.rawValue): \(error.message)")
        }
    }

    /// The last number that was written before the disk was full.
    private static func fill(_ store: SQLiteStore, from first: Int64) async -> Int64 {
        var number = first
        while number < 100_000 {
            if let reason = await attempt(store, number) {
                Writing.say(reason.rawValue)
                return number - 1
            }
            number += 1
        }
        return number - 1
    }

    private static func attempt(_ store: SQLiteStore, _ number: Int64) async -> StoreFault.Reason? {
        do throws(StoreFault) {
            try await store.transact { tx throws(StoreFault) in try Writing.write(number, tx) }
        } catch { return error.reason }
        return nil
    }

    private static func trial(_ store: SQLiteStore) async -> StoreFault.Reason? {
        do throws(StoreFault) { try await store.tryToWrite() } catch { return error.reason }
        return nil
    }

    private static func count(_ store: SQLiteStore, upTo last: Int64) async throws(StoreFault) -> Int64 {
        try await store.read { reader throws(StoreFault) in
            var count: Int64 = 0
            for number in 0...last where try reader.account(Writing.id(number)) != nil { count += 1 }
            return count
        }
    }

    private static func raiseLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(1), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(1), &limit)
    }

    private static func end(_ line: String) { Writing.say(line) }
}

enum Opening {
    static func run(_ folder: String) async {
        while readLine() != nil {
            do throws(StoreFault) {
                let store = try SQLiteStore(folder: folder, .serving)
                try await store.transact { tx throws(StoreFault) in try tx.append(AuditEntry(.signedIn, at: 1)) }
                await store.close()
                Writing.say("opened")
            } catch {
                Writing.say("\(error.reason.rawValue) \(error.message)")
            }
        }
    }
}
