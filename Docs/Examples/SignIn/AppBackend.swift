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
    }

    struct Failure: Error, Decodable { let code: String }

    func begin() async throws -> Attempt { try await post("sign-in/begin", [:]) }

    func finish(_ attempt: Attempt, identityToken: String, name: String) async throws -> Person {
        try await post(
            "sign-in/finish", ["attempt": attempt.attempt, "identity_token": identityToken, "name": name])
    }

    private func post<Answer: Decodable>(_ path: String, _ body: [String: String]) async throws -> Answer {
        var request = URLRequest(url: url.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(body)
        let (data, response) = try await URLSession.shared.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw try JSONDecoder().decode(Failure.self, from: data)
        }
        return try JSONDecoder().decode(Answer.self, from: data)
    }
}
