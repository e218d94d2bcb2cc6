import Testing

@testable import PosternIssuer

@Suite struct RegisteredClientTests {
    @Test(arguments: ["", "a b", "é", "a\n", String(repeating: "a", count: 256)])
    func identifiers(_ id: String) {
        #expect(throws: IssuerSettingsError.self) { try RegisteredClient(id) }
    }

    @Test func theLongestIdentifier() throws {
        #expect(try RegisteredClient(String(repeating: "a", count: 255)).redirectURIs.isEmpty)
    }

    @Test(arguments: [
        "", "/callback", "ftp://app.example/", "javascript:alert(1)", "https://app.example/#x",
        "https://a@app.example/",
        "https://app.example/ x", "https://app.example/é", "HTTPS://app.example/", "https://app.example/\r\nX: y",
    ])
    func redirectURIs(_ uri: String) throws {
        var client = try RegisteredClient("a")
        #expect(throws: IssuerSettingsError.self) { try client.add(redirectURI: uri) }
        #expect(client.redirectURIs.isEmpty)
    }

    @Test func oneURIOnce() throws {
        var client = try RegisteredClient("a")
        for _ in 0..<2 { try client.add(redirectURI: "http://localhost:3000/cb?x=1") }
        #expect(client.redirectURIs == ["http://localhost:3000/cb?x=1"])
    }
}
