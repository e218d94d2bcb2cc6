import AuthenticationServices
import SwiftUI

/// SwiftUI's button, without `AppleSignIn`. Its `onRequest` cannot wait, so an attempt is there before it is touched.
struct SignInButton: View {
    struct NoToken: Error {}

    let backend: AppBackend
    let whenDone: @MainActor (Result<AppBackend.Person, any Error>) -> Void

    /// For the next touch, and the one that Apple was asked with: another may have begun while Apple's sheet was open.
    @State private var next: AppBackend.Attempt?
    @State private var asked: AppBackend.Attempt?
    @State private var round = 0
    @Environment(\.scenePhase) private var phase

    var body: some View {
        SignInWithAppleButton(.signIn) { request in
            request.requestedScopes = [.fullName, .email]
            request.nonce = next?.nonceSHA256
            asked = next
        } onCompletion: { result in
            finish(result)
        }
        .disabled(next == nil)
        .task(id: phase == .active ? round : -1) { await keepBegun() }
    }

    /// Begins at once, also when the app comes back, and again after nine minutes: the nonce is good for ten.
    private func keepBegun() async {
        next = nil
        while phase == .active, !Task.isCancelled {
            let begun = try? await backend.begin()
            guard !Task.isCancelled else { return }
            next = begun
            try? await Task.sleep(nanoseconds: (begun == nil ? 5 : 9 * 60) * 1_000_000_000)
        }
    }

    private func finish(_ result: Result<ASAuthorization, any Error>) {
        let attempt = asked
        // Every attempt is for once, whether it was good or not: the new round begins another.
        next = nil
        asked = nil
        round += 1
        let credential: ASAuthorizationAppleIDCredential?
        do {
            credential = try result.get().credential as? ASAuthorizationAppleIDCredential
        } catch let error as ASAuthorizationError where error.code == .canceled {
            return  // The user has thought better of it, which is no error to show.
        } catch {
            return whenDone(.failure(error))
        }
        guard let attempt, let data = credential?.identityToken, let token = String(data: data, encoding: .utf8) else {
            return whenDone(.failure(NoToken()))
        }
        let name = credential?.fullName.map { PersonNameComponentsFormatter().string(from: $0) } ?? ""
        Task {
            do {
                whenDone(.success(try await backend.finish(attempt, identityToken: token, name: name)))
            } catch {
                whenDone(.failure(error))
            }
        }
    }
}
