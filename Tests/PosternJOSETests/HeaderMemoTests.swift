import PosternBase
import PosternCrypto
import PosternJOSE
import PosternTestSupport
import Testing

@Suite struct HeaderMemoTests {
    private func token(_ header: String) -> [UInt8] {
        Array("\(Base64URL.encode(Array(header.utf8))).e30.AA".utf8)
    }

    private func algorithm(_ header: String, _ memo: HeaderMemo, keep: Bool = true) throws -> String {
        var name = ""
        try token(header).withUnsafeBufferPointer { bytes throws(JWSFault) in
            try UnverifiedJWS.withParsed(bytes, headers: memo) { jws in
                name = "\(jws.header.algorithmName) \(jws.header.keyID ?? "-") \(jws.isHeaderKept)"
                if keep { memo.keep(jws) }
            }
        }
        return name
    }

    @Test func sameTextGivesTheSameHeader() throws {
        let memo = HeaderMemo()
        #expect(try algorithm(#"{"alg":"RS256","kid":"a"}"#, memo) == "RS256 a false")
        #expect(try algorithm(#"{"alg":"RS256","kid":"a"}"#, memo) == "RS256 a true")
        // One letter more, one less, another.
        for other in [#"{"alg":"RS256","kid":"ab"}"#, #"{"alg":"RS256","kid":""}"#.replacing("\"\"", with: "\"b\"")] {
            #expect(try algorithm(other, memo, keep: false).hasSuffix("false"))
        }
        #expect(try algorithm(#"{"alg":"ES256","kid":"a"}"#, memo) == "ES256 a false")
        #expect(try algorithm(#"{"alg":"RS256","kid":"a"}"#, memo) == "RS256 a false")
    }

    @Test func longHeadersAreNotKept() throws {
        let memo = HeaderMemo()
        let long = #"{"alg":"RS256","x":""# + String(repeating: "a", count: 500) + "\"}"
        _ = try algorithm(long, memo)
        #expect(try algorithm(long, memo).hasSuffix("false"))
    }

    /// That a header is known says nothing about what follows it.
    @Test func badFormsAreToldWithAKeptHeader() throws {
        let memo = HeaderMemo()
        let header = #"{"alg":"RS256","kid":"a"}"#
        _ = try algorithm(header, memo)
        for rest in [".e30", ".e30.A", ".e3.AA.", "..A", ".!.AA"] {
            let text = Array((Base64URL.encode(Array(header.utf8)) + rest).utf8)
            let fault = text.withUnsafeBufferPointer { bytes in
                do throws(JWSFault) {
                    try UnverifiedJWS.withParsed(bytes, headers: memo) { _ in }
                    return JWSFault.Stage?.none
                } catch {
                    return error.stage
                }
            }
            #expect(fault == .form, "\(rest)")
        }
    }
}
