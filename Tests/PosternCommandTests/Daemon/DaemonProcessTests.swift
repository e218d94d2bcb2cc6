import Testing

@Suite(.onAThreadOfItsOwn) struct DaemonProcessTests {
    /// A daemon that a test forgets would go on for ever.
    @Test func itEndsWithItsOwner() throws {
        var daemon: DaemonProcess? = try DaemonIssuer.daemon()
        let client = try #require(try daemon?.connect())
        #expect(try client.ask("GET", "/health/live").status == 200)
        daemon = nil
        #expect(client.hasEnded())
    }
}
