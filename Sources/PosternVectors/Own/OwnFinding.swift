internal import PosternBase
internal import PosternJOSE
internal import PosternTokens

/// What came out of a case.
enum OwnFinding {
    case accepted(Accepted)
    case refused(String)
    case fault(String)
    case keySet(usable: Int, skipped: [String: Int])
    case malformedKeySet
    /// The verifier could not be set up: neither a right nor a wrong answer.
    case broken(String)

    /// The values of an accepted token or notification that a case can name.
    struct Accepted {
        var subject: [UInt8]?
        var issuer: String
        var audience: String
        var email: String?
        var isEmailVerified: Bool?
        var isPrivateEmail: Bool?
        var realUserStatus: Int64?
        var event: String?
    }

    init(_ set: OwnKeySet) {
        guard let keys = set.keys else {
            self = .malformedKeySet
            return
        }
        var skipped: [String: Int] = [:]
        for member in keys.skipped { skipped[member.reason.rawValue, default: 0] += 1 }
        self = .keySet(usable: keys.usable.count, skipped: skipped)
    }

    /// The verdict without the values of an acceptance.
    var description: String {
        switch self {
        case .accepted: "accepted"
        case .refused(let code): "refused \(Excerpt.plain(code))"
        case .fault(let code): "fault \(Excerpt.plain(code))"
        case .keySet(let usable, let skipped):
            "\(usable) usable"
                + skipped.sorted { $0.key < $1.key }.map { ", \($0.value) skipped as \(Excerpt.plain($0.key))" }
                .joined()
        case .malformedKeySet: "malformed"
        case .broken(let reason): "no answer: \(reason)"
        }
    }
}

extension OwnFinding.Accepted {
    init(_ identity: VerifiedIdentity) {
        self.init(
            subject: identity.subject.bytes,
            issuer: identity.issuer,
            audience: identity.audience,
            email: identity.email,
            isEmailVerified: identity.isEmailVerified,
            isPrivateEmail: identity.isPrivateRelay,
            realUserStatus: identity.realUserStatus
        )
    }

    init(_ notification: VerifiedNotification) {
        self.init(
            subject: notification.subject?.bytes,
            issuer: notification.issuer,
            audience: notification.audience,
            email: notification.email,
            isPrivateEmail: notification.isPrivateRelay,
            event: notification.type
        )
    }
}
