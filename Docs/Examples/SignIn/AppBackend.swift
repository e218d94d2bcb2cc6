import Foundation

/// The app's own server. The app never talks to Postern.
struct AppBackend: Sendable {
    let url: URL

    struct Attempt: Decodable, Sendable {
        let attempt: String
        let nonceSHA256: String
        enum CodingKeys: String, CodingKey { case attempt, nonceSHA256 = "nonce_sha256" }
    }

    struct Person: Decodable, Sendable {
        let subject: String
        let email: String?
        /// Of the server, not of Postern; it belongs into the keychain.
        let session: String
    }

    /// What the server said instead. Why it said `try_again` stands in its log; `code` is nil where another has answered for it, as a proxy.
    struct Failure: Error {
        let status: Int
        let code: String?
    }

    func begin() async throws -> Attempt { try await post("sign-in/begin", [:]) }

    func finish(_ attempt: Attempt, identityToken: String, name: String) async throws -> Person {
        try await post(
            "sign-in/finish", ["attempt": attempt.attempt, "identity_token": identityToken, "name": name])
    }

    private struct Problem: Decodable { let code: String }

    private func post<Answer: Decodable>(_ path: String, _ body: [String: String]) async throws -> Answer {
        var request = URLRequest(url: url.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(body)
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else {
            throw Failure(status: status, code: try? JSONDecoder().decode(Problem.self, from: data).code)
        }
        return try JSONDecoder().decode(Answer.self, from: data)
    }
}
