/// Declarations after Apple's documentation of AuthenticationServices and UIKit, as far as `Docs/Firebase.md` uses them: what the
/// compiler can check on Linux of code for iOS. It checks names, labels, types and isolation as written here, not as in Apple's SDK.
enum AuthenticationServicesStub {
    static let text = """
        @_exported import Foundation
        @_exported import FoundationNetworking
        import SwiftUI

        @MainActor public class UIWindow: NSObject {}
        public typealias ASPresentationAnchor = UIWindow

        public protocol ASAuthorizationCredential: NSObjectProtocol {}

        // A class that is not Sendable, whatever Apple's is: what compiles against it compiles against either.
        public class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
            public override init() {}
            public var user: String { "" }
            public var identityToken: Data? { nil }
            public var authorizationCode: Data? { nil }
            public var email: String? { nil }
            public var fullName: PersonNameComponents? { nil }
        }

        public class ASAuthorization: NSObject {
            public var credential: any ASAuthorizationCredential = ASAuthorizationAppleIDCredential()
            public struct Scope: Hashable, Sendable {
                public static let fullName = Scope()
                public static let email = Scope()
            }
        }

        public class ASAuthorizationRequest: NSObject {}

        public class ASAuthorizationAppleIDRequest: ASAuthorizationRequest {
            public var requestedScopes: [ASAuthorization.Scope]?
            public var state: String?
            public var nonce: String?
        }

        public class ASAuthorizationAppleIDProvider: NSObject {
            public func createRequest() -> ASAuthorizationAppleIDRequest { ASAuthorizationAppleIDRequest() }
        }

        @MainActor public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
            func authorizationController(
                controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)
            func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)
        }

        @MainActor public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
            func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
        }

        @MainActor public class ASAuthorizationController: NSObject {
            public init(authorizationRequests: [ASAuthorizationRequest]) {}
            public weak var delegate: (any ASAuthorizationControllerDelegate)?
            public weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?
            public func performRequests() {}
        }

        public struct ASAuthorizationError: Error {
            public enum Code: Int, Sendable { case unknown, canceled, invalidResponse, notHandled, failed }
            public var code: Code
        }

        @MainActor @preconcurrency public struct SignInWithAppleButton: View {
            public struct Label: Sendable { public static let signIn = Label() }
            public init(
                _ label: Label = .signIn, onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
                onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
            ) {}
            public var body: Never { fatalError() }
        }

        // On Linux it is not to be had.
        public class PersonNameComponentsFormatter {
            public init() {}
            public func string(from components: PersonNameComponents) -> String { components.givenName ?? "" }
        }
        """
}

/// The same of SwiftUI.
enum SwiftUIStub {
    static let text = """
        @MainActor @preconcurrency public protocol View {
            associatedtype Body: View
            @MainActor @preconcurrency var body: Body { get }
        }

        extension Never: View { public var body: Never { fatalError() } }

        extension View {
            nonisolated public func disabled(_ disabled: Bool) -> some View { self }
            nonisolated public func task<T: Equatable>(
                id value: T, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
            ) -> some View { self }
        }

        @propertyWrapper public struct State<Value> {
            public init(wrappedValue: Value) {}
            public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
        }

        extension State where Value: ExpressibleByNilLiteral { public init() {} }

        extension State: Sendable where Value: Sendable {}

        public enum ScenePhase: Sendable { case background, inactive, active }

        public struct EnvironmentValues { public var scenePhase: ScenePhase { .active } }

        @propertyWrapper public struct Environment<Value> {
            public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
            public var wrappedValue: Value { fatalError() }
        }
        """
}
