import PosternPasswords
import Testing

/// Stored passwords that somebody has damaged or made up: whatever comes of them, it is not the right password, and nothing ends the process.
@Suite struct StoredHashMutationTests {
    private static let letters = Array("$=,./+-_09azAZv!\0\u{7f}".utf8)

    /// The same every time.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 32 | state << 32
        }
    }

    /// Every letter by every one of some; where a number of the cost is meant, it is not computed but only read.
    @Test(arguments: StoredSample.cheap)
    func noLetterMayDiffer(sample: StoredSample) throws {
        let good = Array(sample.hash.utf8)
        for index in good.indices {
            for letter in Self.letters where letter != good[index] {
                var changed = good
                changed[index] = letter
                let text = String(decoding: changed, as: UTF8.self)
                guard fault(text) == nil, isCheap(text) else { continue }
                // $2a$, $2b$ and $2y$ are the same function.
                if sample.form == "bcrypt", index == 2 { continue }
                #expect(try !fits(sample.password, text), "\(text)")
            }
        }
    }

    /// What scrypt and PBKDF2 compute for a shorter hash is the beginning of the longer one; 16 bytes of it are enough, and less is not taken.
    @Test(arguments: StoredSample.cheap)
    func nothingThatIsCutFits(sample: StoredSample) throws {
        let good = sample.hash
        let isBeginning = sample.form == "scrypt" || sample.form.hasPrefix("pbkdf2")
        let hashCount = good.split(separator: "$").last?.utf8.count ?? 0
        for count in 0..<good.utf8.count {
            for text in [String(good.prefix(count)), String(good.suffix(count))] where fault(text) == nil {
                let mayFit = isBeginning && count >= good.utf8.count - hashCount + 22
                #expect(try mayFit || !fits(sample.password, text), "\(text)")
            }
        }
    }

    @Test func whatIsMixedAtRandomDoesNotFit() throws {
        var numbers = Numbers(state: 27)
        let samples = StoredSample.all.map { Array($0.hash.utf8) }
        var readCount = 0
        for _ in 0..<4_000 {
            var text = samples.randomElement(using: &numbers) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let other = samples.randomElement(using: &numbers) ?? []
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0:
                    text.insert(
                        UInt8.random(in: .min ... .max, using: &numbers),
                        at: Int.random(in: 0...text.count, using: &numbers))
                case 1 where !text.isEmpty: text.remove(at: Int.random(in: 0..<text.count, using: &numbers))
                case 2:
                    let cut = Int.random(in: 0...text.count, using: &numbers)
                    text = Array(text.prefix(cut)) + other.suffix(Int.random(in: 0...other.count, using: &numbers))
                default:
                    let parts = text.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false).shuffled(
                        using: &numbers)
                    text = Array(parts.joined(separator: [UInt8(ascii: "$")]))
                }
            }
            let string = String(decoding: text, as: UTF8.self)
            guard fault(string) == nil else { continue }
            readCount += 1
            if isCheap(string) { #expect(try !fits(Array("nobody's".utf8), string)) }
        }
        #expect(readCount > 50)
    }

    /// Whether to compute it is soon done.
    private func isCheap(_ text: String) -> Bool {
        switch (try? StoredPasswordHash(parsing: text))?.scheme {
        case .argon2(let hash): hash.memoryKiB * hash.passes <= 512
        case .bcrypt(let hash): hash.logRounds <= 5
        case .scrypt(let hash): hash.cost.logCost <= 8 && hash.cost.blockSize * hash.cost.parallelism <= 64
        case .pbkdf2(let hash): hash.iterations <= 2_000
        case .firebaseScrypt(let hash): hash.cost.logCost <= 8 && hash.cost.blockSize * hash.cost.parallelism <= 64
        case nil: false
        }
    }
}
