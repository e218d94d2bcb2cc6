import PosternHTTPServer
import Testing

@Suite struct FramingProbeTests {
    @Test func thereAreEnough() {
        #expect(Probes.all.count >= 60)
        #expect(Set(Probes.all.map(\.name)).count == Probes.all.count)
    }

    /// Over the wire: exactly these answers, then the end.
    @Test(arguments: TestServer.Door.allCases)
    func probesAreAnsweredAsOftenAsTheyAsk(door: TestServer.Door) async throws {
        try await TestServer.run(limits: .probes) { server in
            for probe in Probes.all {
                let wire = try server.connect(door)
                wire.send(probe.bytes)
                wire.endSending()
                let answers = Answer.all(in: wire.receiveAll())
                #expect(answers?.map(\.summary) == probe.answers, "\(probe.name)")
                let isRefused = probe.answers.last?.hasPrefix("200") == false && probe.answers.last != "204"
                #expect(answers?.last?.closes != false || !isRefused, "\(probe.name)")
            }
        }
    }

    /// By the reader alone, however the bytes are cut.
    @Test(arguments: Probes.all)
    func piecesMakeNoDifference(probe: Probe) {
        for pieces in [Int.max, 1, 2, 3, 5, 7, 16, 61] {
            #expect(probe.outcome(pieces: pieces) == probe.answers, "in pieces of \(pieces)")
        }
    }

    @Test(arguments: RequestRefusal.framingRules)
    func everyRuleIsNeeded(rule: RequestRefusal) {
        let noticed = Probes.all.filter { $0.outcome(without: [rule]).map(Self.status) != $0.answers.map(Self.status) }
        #expect(!noticed.isEmpty)
    }

    @Test(arguments: RequestRefusal.framingRules)
    func everyReasonIsGiven(reason: RequestRefusal) {
        #expect(Probes.all.contains { $0.answers.last == "\(reason.status) \(reason.rawValue)" })
    }

    private static func status(_ answer: String) -> String {
        answer.hasPrefix("200") ? answer : String(answer.prefix(3))
    }
}
