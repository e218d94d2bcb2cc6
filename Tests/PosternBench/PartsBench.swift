import PosternBase
import PosternCrypto
import PosternJOSE

/// Parts of the work, alone: how often a second.
enum PartsBench {
    static func run(rounds: Int) throws {
        let good = try BenchToken.good(.rs256)
        try rate("parse the token", rounds) {
            var isRead = false
            try good.token.withUnsafeBufferPointer { bytes throws(JWSFault) in
                try UnverifiedJWS.withParsed(bytes) { jws in isRead = (try? jws.payload.read()) != nil }
            }
            guard isRead else { throw RawVerification.Failed() }
        }
        let payload = Array(BenchToken.payload.utf8)
        try rate("read the claims as JSON", rounds) { _ = try JSONDocument(payload) }
        for (name, key) in [("RSA 2048", good.key), ("EC P-256", try PrivateKey.generateEC(.p256))] {
            let members = try Thumbprint.members(of: key.publicKey).map { ($0.0, JSONOutput.string($0.1)) }
            let set = Array(JSONOutput.object([("keys", .array([.object(members)]))]).text().utf8)
            try rate("import a key, \(name)", rounds, batch: 4) {
                guard try KeySet(set).usable.count == 1 else { throw RawVerification.Failed() }
            }
        }
    }

    /// Prints `parse the token  812000/s (801000-820000)`.
    private static func rate(_ name: String, _ rounds: Int, batch: Int = 64, _ work: () throws -> Void) throws {
        var rates: [Double] = []
        for round in 0...rounds {
            var count = 0
            let start = Measurement.cpuTime()
            while Measurement.cpuTime() - start < 0.1 {
                for _ in 0..<batch { try work() }
                count += batch
            }
            if round > 0 { rates.append(Double(count) / (Measurement.cpuTime() - start)) }
        }
        rates.sort()
        print("\(name)  \(Int(rates[rates.count / 2]))/s (\(Int(rates[0]))-\(Int(rates[rates.count - 1])))")
    }
}
