/// Declarations after Apple's documentation of AuthenticationServices and UIKit, as far as `Docs/Firebase.md` uses them: what the
/// compiler can check on Linux of code for iOS. It checks names, labels, types and isolation as written here, not as in Apple's SDK.
enum AuthenticationServicesStub {
    static let text = """
        @_exported import Foundation
        @_exported import FoundationNetworking

        @MainActor public class UIWindow: NSObject {}
        public typealias ASPresentationAnchor = UIWindow

        public protocol ASAuthorizationCredential: NSObjectProtocol {}

        public class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
            public var user: String { "" }
            public var identityToken: Data? { nil }
            public var authorizationCode: Data? { nil }
            public var email: String? { nil }
            public var fullName: PersonNameComponents? { nil }
        }

        public class ASAuthorization: NSObject {
            public var credential: any ASAuthorizationCredential { ASAuthorizationAppleIDCredential() }
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

        // On Linux it is not to be had.
        public class PersonNameComponentsFormatter {
            public init() {}
            public func string(from components: PersonNameComponents) -> String { components.givenName ?? "" }
        }
        """
}
