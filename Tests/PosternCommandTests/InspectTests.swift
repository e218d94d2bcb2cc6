import Foundation
import PosternBase
import Testing

@Suite struct InspectTests {
    @Test func text() throws {
        let token = try TestIssuer.rsa.get().token(["auth_time": .string("1"), "nbf": .integer(-5)])
        let answer = try Invocation.run(["inspect", token])
        #expect(answer.status == 0)
        let lines = answer.text.split(separator: "\n")
        #expect(lines.first == "NOT VERIFIED: anybody can write such a token.")
        #expect(answer.text.contains("1789999990 (2026-09-21T14:13:10Z)"))
        #expect(answer.text.contains(#"alg  "RS256""#))
        #expect(answer.text.contains("-5\n"), "no date for a number that is none")
    }

    @Test func json() throws {
        let answer = try Invocation.run(
            ["inspect", "--format", "json"], input: Data(TestIssuer.rsa.get().token().utf8))
        #expect(answer.status == 0)
        let json = try answer.json()
        #expect(Set(json.keys) == ["verified", "header", "claims"])
        #expect(json["verified"] as? Bool == false)
        #expect((json["header"] as? [String: Any])?["kid"] as? String == "KEY1")
        #expect((json["claims"] as? [String: Any])?["sub"] as? String == "001234.abc")
    }

    @Test func timesOfAllSizes() throws {
        for number in ["0", "1e300", "1e309", "1099511627775", "1099511627776", "-1", "99999999999999999999", "1.5"] {
            let claims = Base64URL.encode(Array(#"{"exp":\#(number)}"#.utf8))
            let answer = try Invocation.run(["inspect", "eyJhbGciOiJub25lIn0.\(claims)."])
            #expect(answer.status == 0)
            #expect(answer.text.contains(number))
        }
    }

    private static let misfits: [(header: String, payload: String, code: String)] = [
        (#"{"kid":"a"}"#, "{}", "header_invalid"), (#"{"alg":"none","alg":"RS256"}"#, "{}", "header_invalid"),
        ("[]", "{}", "header_invalid"), ("", "{}", "token_malformed"), (#"{"alg":"none"}"#, "", "claims_malformed"),
        (#"{"alg":"none"}"#, "[]", "claims_malformed"), (#"{"alg":"none"}"#, #"{"a":1,"a":2}"#, "claims_malformed"),
    ]

    @Test(arguments: misfits.indices)
    func malformed(_ index: Int) throws {
        let parts = Self.misfits[index]
        let token = "\(Base64URL.encode(Array(parts.header.utf8))).\(Base64URL.encode(Array(parts.payload.utf8)))."
        let json = try Invocation.run(["inspect", "--format=json", token])
        #expect(json.status == 1)
        #expect(try json.json()["code"] as? String == parts.code)
        #expect(try json.json()["verified"] as? Bool == false)
        let text = try Invocation.run(["inspect", token])
        #expect(text.status == 1)
        #expect(text.text.hasPrefix("REFUSED \(parts.code)\n"))
    }
}
