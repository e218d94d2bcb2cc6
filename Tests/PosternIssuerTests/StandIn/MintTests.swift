import Foundation
import PosternBase
import PosternHTTP
import PosternTokens
import Testing

@testable import PosternIssuer

/// `POST /mint`
@Suite struct MintTests {
    private func parts(_ body: String, _ standIn: StandIn? = nil) async throws -> (header: JSONValue, claims: JSONValue)
    {
        let response = try await (standIn ?? StandIn()).post(json: body, "/mint")
        #expect(response.status == 200, "\(response.text)")
        #expect(response.fields.single("Content-Type") == "application/jwt")
        let parts = response.text.split(separator: ".").map { Base64URL.decode(Array($0.utf8)) ?? [] }
        return (try JSONDocument(parts[0]).root, try JSONDocument(parts[1]).root)
    }

    @Test func unlessSaid() async throws {
        for body in ["", "{}"] {
            let (header, claims) = try await parts(body)
            #expect(header.members.map(\.name) == ["alg", "kid", "typ"])
            #expect(claims["iss"]?.string == StandIn.url)
            #expect(claims["aud"]?.string == StandIn.clientID)
            #expect(claims["sub"]?.string == TestUser.builtIn[0].subject)
            #expect(claims["iat"]?.integer == StandIn.start)
            #expect(claims["exp"]?.integer == StandIn.start + 600)
            #expect(claims["nonce"] == nil)
        }
    }

    @Test(
        arguments: [
            (
                #"{"nonce":"rawnonce-example"}"#, "nonce",
                #""6e12574f7f8cde71da22bb85912c7a36d73cf6f557de1831389163b2f787db68""#
            ),
            (#"{"nonce_plain":"x"}"#, "nonce", "\"x\""), (#"{"audience":"a"}"#, "aud", "\"a\""),
            (#"{"audience":["a","b"]}"#, "aud", #"["a","b"]"#), (#"{"subject":"é"}"#, "sub", "\"é\""),
            (#"{"user":"managed"}"#, "sub", "\"000003.00000000000000000000000000000003.0003\""),
            (#"{"user":"managed"}"#, "email", nil), (#"{"issued_at":7}"#, "iat", "7"),
            (#"{"issued_at":7}"#, "exp", "607"),
            (#"{"issued_at":0,"expires_in":0}"#, "exp", "0"),
            (#"{"issued_at":1099511627775,"expires_in":1099511627775}"#, "exp", "2199023255550"),
            (#"{"claims":{"exp":"soon","aud":null}}"#, "exp", "\"soon\""), (#"{"claims":{"aud":null}}"#, "aud", "null"),
            (#"{"without":["exp"]}"#, "exp", nil), (#"{"claims":{"x":{"y":[1e3]}}}"#, "x", #"{"y":[1e3]}"#),
            (#"{"notification":"consent-revoked"}"#, "email", nil),
            (#"{"notification":"consent-revoked"}"#, "nonce", nil),
        ] as [(String, String, String?)])
    func claims(body: String, name: String, value: String?) async throws {
        #expect(try await parts(body).claims[name].map { JSONOutput.value($0).text() } == value)
    }

    @Test func headers() async throws {
        let header = try await parts(#"{"header":{"typ":"x","crit":["b64"]},"without":["kid"]}"#).header
        #expect(header["typ"]?.string == "x")
        #expect(header["kid"] == nil)
        #expect(header["crit"]?.elements?.count == 1)
    }

    @Test func hashesAreOfTheToken() async throws {
        let standIn = try StandIn()
        let body = #"{"nonce":"raw","code":"c","access_token":"t"}"#
        let token = await standIn.post(json: body, "/mint").text
        _ = try await FaultTests.verifier(standIn).verify(token, nonce: "raw", code: "c", accessToken: "t")
    }

    @Test func notifications() async throws {
        let claims = try await parts(#"{"notification":"consent-revoked","subject":"somebody"}"#).claims
        #expect(claims["events"]?.string?.contains("\"sub\":\"somebody\"") == true)
        #expect(claims["jti"] != nil)
    }

    @Test(arguments: [
        ("[]", "body_malformed"), ("{", "body_malformed"), (#"{"a":1,"a":2}"#, "body_malformed"),
        (#"{"nonces":"x"}"#, "member_unknown"),
        (#"{"nonce":null}"#, "member_invalid"), (#"{"nonce":"a","nonce_plain":"a"}"#, "member_invalid"),
        (#"{"user":"nobody"}"#, "user_unknown"), (#"{"user":1}"#, "member_invalid"),
        (#"{"audience":1}"#, "member_invalid"),
        (#"{"audience":["a",1]}"#, "member_invalid"), (#"{"issued_at":-1}"#, "member_invalid"),
        (#"{"issued_at":1e300}"#, "member_invalid"), (#"{"issued_at":1099511627776}"#, "member_invalid"),
        (#"{"expires_in":1099511627776}"#, "member_invalid"), (#"{"expires_in":"5"}"#, "member_invalid"),
        (#"{"claims":[]}"#, "member_invalid"), (#"{"without":"a"}"#, "member_invalid"),
    ])
    func whatIsWrongIsSaid(body: String, code: String) async throws {
        let response = try await StandIn().post(json: body, "/mint")
        #expect(response.status == 400)
        #expect(response.code == code)
        #expect(response.fields.single("Content-Type") == "application/problem+json")
    }

    @Test func theTypeMustBeJSON() async throws {
        let standIn = try StandIn()
        // What a page of the web can send without asking.
        for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
            #expect(await standIn.post(json: "{}", "/mint", type: type).status == 415)
        }
        #expect(await standIn.post(json: "{}", "/mint", type: "Application/JSON ; charset=utf-8").status == 200)
    }
}
