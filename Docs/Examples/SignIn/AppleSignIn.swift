import AuthenticationServices

/// Sign in with Apple: keep one while the button is on the screen, and call `signIn` when it is touched.
@MainActor
final class AppleSignIn: NSObject {
    struct NoToken: Error {}

    /// What of Apple's credential may leave the main actor: the credential itself is not `Sendable`.
    private struct Credential: Sendable {
        let identityToken: Data?
        let fullName: PersonNameComponents?
    }

    private let backend: AppBackend
    private let window: ASPresentationAnchor
    private var waiting: (controller: ASAuthorizationController, answer: CheckedContinuation<Credential, any Error>)?

    init(backend: AppBackend, window: ASPresentationAnchor) {
        self.backend = backend
        self.window = window
    }

    /// Each call is an attempt of its own; one that still waits ends with `CancellationError`.
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

    private func credential(for request: ASAuthorizationAppleIDRequest) async throws -> Credential {
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = self
        controller.presentationContextProvider = self
        return try await withCheckedThrowingContinuation { continuation in
            if let waiting { end(waiting.controller, .failure(CancellationError())) }
            waiting = (controller, continuation)
            controller.performRequests()
        }
    }

    /// What the controller of an earlier attempt still has to say is not about the one that waits.
    private func end(_ controller: ASAuthorizationController, _ result: Result<Credential, any Error>) {
        guard let waiting, waiting.controller === controller else { return }
        self.waiting = nil
        waiting.answer.resume(with: result)
    }
}

extension AppleSignIn: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else {
            return end(controller, .failure(NoToken()))
        }
        end(
            controller,
            .success(Credential(identityToken: credential.identityToken, fullName: credential.fullName)))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        end(controller, .failure(error))
    }
}

extension AppleSignIn: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }
}
