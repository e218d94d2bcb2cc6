import PosternBase
import Testing

@testable import PosternIssuer

@Suite struct TestUserTests {
    /// Nobody can take them for somebody.
    @Test func theBuiltInOnesAreMadeUp() {
        for user in TestUser.builtIn {
            #expect(user.lastName == "Person")
            let email = user.email ?? "@example.com"
            #expect(
                email.hasSuffix("@example.com") || (user.isPrivateEmail && email.hasSuffix("@privaterelay.appleid.com"))
            )
        }
        #expect(Set(TestUser.builtIn.map(\.id)).count == TestUser.builtIn.count)
        #expect(Set(TestUser.builtIn.map(\.subject)).count == TestUser.builtIn.count)
        #expect(TestUser.builtIn.contains { $0.email == nil })
        #expect(TestUser.builtIn.contains { $0.email != nil && !$0.emailVerified })
    }

    private func read(_ text: String) throws(IssuerSettingsError) -> [TestUser] { try TestUser.read(Array(text.utf8)) }

    @Test func aFile() throws {
        let users = try read(
            """
            // Comments and a last comma are allowed.
            {"users": [
              {"id": "a.B-9_", "subject": "s", "first_name": "F", "last_name": "L", "email": "a@example.com",
               "email_verified": false, "is_private_email": true, "claims": {"real_user_status": 1, "x": [null]}},
              {"id": "b", "subject": "t"},
            ]}
            """)
        #expect(users.map(\.name) == ["F L", "b"])
        #expect(users[0].email == "a@example.com")
        #expect(!users[0].emailVerified && users[0].isPrivateEmail)
        #expect(users[0].claims.map { $0.value.text() } == ["1", "[null]"])
        #expect(users[1].email == nil && users[1].emailVerified && !users[1].isPrivateEmail)
    }

    private static func file(_ user: String) -> String { #"{"users":[{"id":"a","subject":"s"\#(user)}]}"# }

    @Test(arguments: [
        ("", "not JSON"), ("{", "not JSON"), ("[]", "must be an object"), ("{}", "users is missing"),
        (#"{"users":{}}"#, "users must be an array"), (#"{"users":[]}"#, "1 to 50"),
        (#"{"users":[1]}"#, "users[0] must be an object"),
        (#"{"users":[],"x":1}"#, "no member \"x\""), (#"{"users":[{"id":"a"}]}"#, "id or subject is missing"),
        (#"{"users":[{"id":"","subject":"s"}]}"#, "id takes"), (#"{"users":[{"id":"a b","subject":"s"}]}"#, "id takes"),
        (#"{"users":[{"id":"a","subject":""}]}"#, "subject is empty"), (file(#","mail":"x""#), "users[0].\"mail\""),
        (file(#","email":null"#), "users[0].email must be a string"),
        (file(#","email_verified":"true""#), "true or false"),
        (file(#","claims":[]"#), "claims must be an object"), (file(#","subject":"t""#), "given twice"),
        (#"{"users":[{"id":"a","subject":"s"},{"id":"a","subject":"t"}]}"#, "users[1]"),
        (#"{"users":[{"id":"a","subject":"s"},{"id":"b","subject":"s"}]}"#, "users[1]"),
    ])
    func whatIsWrongIsSaid(text: String, message: String) {
        let error = #expect(throws: IssuerSettingsError.self) { try read(text) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func bounds() throws {
        func users(_ count: Int) -> String {
            "{\"users\":[\((0..<count).map { #"{"id":"\#($0)","subject":"\#($0)"}"# }.joined(separator: ","))]}"
        }
        #expect(try read(users(50)).count == 50)
        #expect(throws: IssuerSettingsError.self) { try read(users(51)) }
        func id(_ count: Int) -> String {
            #"{"users":[{"id":"\#(String(repeating: "a", count: count))","subject":"s"}]}"#
        }
        #expect(try read(id(64)).count == 1)
        #expect(throws: IssuerSettingsError.self) { try read(id(65)) }
        func name(_ count: Int) -> String { Self.file(#","first_name":"\#(String(repeating: "a", count: count))""#) }
        #expect(try read(name(255)).count == 1)
        #expect(throws: IssuerSettingsError.self) { try read(name(256)) }
    }
}
