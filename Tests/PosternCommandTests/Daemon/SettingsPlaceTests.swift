import Foundation
import PosternTestSupport
import Testing

/// Where a mistake is, to the line and column, in files that are laid out as people lay them out.
@Suite struct SettingsPlaceTests {
    private static let providers =
        #""providers": [{ "provider": "apple", "audiences": [{ "client_id": "a", "nonce": "issued" }] }],"#
    private static let listeners = #""listeners": [{ "unix": "/nonexistent/p.sock" }]"#

    private static let files: [(name: String, text: String, faults: [String])] = [
        (
            "a value on a line of its own",
            """
            {
              "providers": [
                {
                  "provider": "apple",
                  "leeway":
                    301,
                  "audiences": [{ "client_id": "a", "nonce": "issued" }]
                }
              ],
              \(listeners)
            }
            """, ["6:9: providers[0].leeway must be a number of seconds, 0 to 300, not 301"]
        ),
        (
            "the second of two audiences",
            """
            {
              "providers": [
                {
                  "provider": "apple",
                  "audiences": [
                    { "client_id": "a", "nonce": "issued" },
                    { "client_id": "b", "nonces": "issued" }
                  ]
                }
              ],
              \(listeners)
            }
            """,
            [
                "7:9: providers[0].audiences[1].nonce is missing: say issued, hashed, plain or unchecked",
                "7:29: there is no setting \"nonces\" in providers[0].audiences[1]: is nonce meant?",
            ]
        ),
        (
            "the second listener",
            """
            {
              \(providers)
              "listeners": [
                { "unix": "/nonexistent/p.sock" },
                { "unix": "/nonexistent/q.sock",
                  "mode": "0666" }
              ]
            }
            """,
            [
                "6:15: listeners[1].mode lets every user of the machine in: use 0660 and a group, or allow_users, "
                    + "with the last digit 0"
            ]
        ),
        (
            "the second key",
            """
            {
              \(providers)
              \(listeners),
              "api_keys": [
                { "name": "a", "sha256": "\(String(repeating: "ab", count: 32))" },
                { "name": "a", "sha256": "\(String(repeating: "cd", count: 32))" }
              ]
            }
            """, ["6:15: api_keys[1].name is \"a\" twice"]
        ),
        (
            "the second of two equal audiences",
            """
            {
              "providers": [
                { "provider": "apple", "audiences": [
                    { "client_id": "a", "nonce": "issued" },
                    { "client_id": "a", "nonce": "plain" }
                ] },
                { "provider": "microsoft",
                  "tenant": "example.com",
                  "audiences": [{ "client_id": "a", "nonce": "plain" }] },
              ],
              \(listeners)
            }
            """,
            [
                "5:24: providers[0].audiences[1].client_id is given twice: \"a\"",
                "8:17: providers[1].tenant: The tenant \"example.com\" is neither common, organizations, consumers nor a GUID "
                    + "in lower case; a domain name is not taken, the tenant's ID is.",
            ]
        ),
        (
            "an issuer",
            """
            {
              "providers": [
                { "provider": "oidc",
                  "issuer": "https://appleid.apple.com",
                  "audiences": [{ "client_id": "a", "nonce": "issued" }] }
              ],
              \(listeners)
            }
            """,
            [
                "4:17: providers[0].issuer: The issuer \"https://appleid.apple.com\" has a provider of its own here: "
                    + "use that."
            ]
        ),
        (
            "what is missing is missing where its object begins", "\n\n  {\n\n  \(providers)\n}\n",
            ["3:3: listeners is missing"]
        ),
        (
            "tabs count as one", "{\n\t\(providers)\n\t\(listeners),\n\t\"limits\": {\n\t\t\"threads\": 0\n\t}\n}\n",
            ["5:14: limits.threads must be a number of threads, 1 to 256, not 0"]
        ),
        (
            "columns are bytes",
            "{\n  \(providers.replacing("\"a\"", with: "\"ä€\"").replacing("issued", with: "x"))\n}\n",
            [
                "1:1: listeners is missing",
                "2:87: providers[0].audiences[0].nonce must be one of issued, hashed, plain, unchecked, not \"x\"",
            ]
        ),
        (
            "lines that end as on Windows",
            "{\r\n  \(providers)\r\n  \(listeners),\r\n  \"nonces\": { \"lifetime\": 9 }\r\n}\r\n",
            ["4:27: nonces.lifetime must be a number of seconds, 10 to 86400, not 9"]
        ),
        (
            "behind comments",
            "// { \"one\": [\n{ // two\n  // three\n  \(providers) // four\n  \"listeners\": 1\n}\n",
            ["5:16: listeners must be an array of objects, not 1"]
        ),
        (
            "several",
            """
            {
              "providers": [
                { "provider": "apple",
                  "leeway": -1,
                  "audiences": [{ "client_id": "a", "nonce": "issued" }] }
              ],
              "listeners": [
                { "tcp": "127.0.0.1.example.com:1" }
              ],
              "limits": { "threads": 0,
                "burst": 5 }
            }
            """,
            [
                "4:17: providers[0].leeway must be a number of seconds, 0 to 300, not -1",
                "8:14: listeners[0].tcp takes an address, and no name is looked up: write 127.0.0.1 or [::1] for localhost",
                "10:26: limits.threads must be a number of threads, 1 to 256, not 0",
                "11:14: limits.burst has no meaning without requests_per_second",
            ]
        ),
        // What is no JSON.
        (
            "a comma is missing",
            """
            {
              "providers": [
                { "provider": "apple",
                  "audiences": [{ "client_id": "a" "nonce": "issued" }] }
              ]
            }
            """, [#"4:40: an unexpected character: "\"" instead of a comma or the end of the object, }"#]
        ),
        (
            "a name twice", "{\n  \"listeners\": [],\n  \"providers\": [],\n  \"listeners\": []\n}\n",
            [#"4:3: a member name given twice: "listeners", first in line 2, column 3"#]
        ),
        (
            "too short", "{\n  \"providers\": [\n",
            ["3:1: the text ends too early: the [ of line 2, column 16, is still open"]
        ),
        ("too long", "{\n  \"providers\": []\n}\n  x\n", [#"4:3: something after the value: "x""#]),
    ]

    @Test(arguments: files.indices)
    func placesAreExact(index: Int) throws {
        let (name, text, faults) = Self.files[index]
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(text.utf8), called: "settings.json")
        let run = try Invocation.run(["serve", "--config", file.path])
        #expect(run.status == 2)
        let said = run.complaint.replacingOccurrences(of: file.path, with: "FILE")
        #expect(said == faults.map { "postern: FILE:\($0)\n" }.joined(), "\(name)")
    }
}
