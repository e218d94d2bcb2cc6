import AuthenticationServices
import Foundation

/// Sign in with Apple: keep one while the button is on the screen, and call `signIn` when it is touched.
@MainActor
final class AppleSignIn: NSObject {
    struct NoToken: Error {}

    private let backend: AppBackend
    private let window: ASPresentationAnchor
    private var waiting: CheckedContinuation<ASAuthorizationAppleIDCredential, any Error>?

    init(backend: AppBackend, window: ASPresentationAnchor) {
        self.backend = backend
        self.window = window
    }

    func signIn() async throws -> AppBackend.Person {
        let attempt = try await backend.begin()
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        // It is the hash already: it goes into the request as it is.
        request.nonce = attempt.nonceSHA256
        let credential = try await credential(for: request)
        guard let data = credential.identityToken, let token = String(data: data, encoding: .utf8) else {
            throw NoToken()
        }
        // Apple tells the name once, at the first sign-in, and not in the token.
        let name = credential.fullName.map { PersonNameComponentsFormatter().string(from: $0) } ?? ""
        return try await backend.finish(attempt, identityToken: token, name: name)
    }

    private func credential(
        for request: ASAuthorizationAppleIDRequest
    ) async throws -> ASAuthorizationAppleIDCredential {
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = self
        controller.presentationContextProvider = self
        return try await withCheckedThrowingContinuation { continuation in
            end(.failure(CancellationError()))
            waiting = continuation
            controller.performRequests()
        }
    }

    private func end(_ result: Result<ASAuthorizationAppleIDCredential, any Error>) {
        waiting?.resume(with: result)
        waiting = nil
    }
}

extension AppleSignIn: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else {
            return end(.failure(NoToken()))
        }
        end(.success(credential))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        end(.failure(error))
    }
}

extension AppleSignIn: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }
}
