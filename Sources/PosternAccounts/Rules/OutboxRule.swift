/// When a mail is tried again that could not be sent; without clock or store.
package enum OutboxRule {
    /// Seconds after the first try; each one doubles them.
    package static let firstDelay: Int64 = 30
    /// Seconds between two tries, at most.
    package static let greatestDelay: Int64 = 1_800

    package enum Decision: Sendable, Equatable {
        /// To be put.
        case later(OutboxMail)
        /// It would come too late: to be deleted.
        case giveUp
    }

    /// Whether the mail may go out: it may have waited for long since it was looked up.
    package static func isDue(_ mail: OutboxMail, now: Int64) -> Bool {
        mail.nextAttemptAt <= now && now < mail.expiresAt
    }

    /// What becomes of a mail that could not be sent just now.
    package static func failed(_ mail: OutboxMail, now: Int64) -> Decision {
        // Doubled more often it is beyond the bound anyway.
        let doublings = min(max(mail.tries, 0), 10)
        let next = now + min(firstDelay << doublings, greatestDelay)
        guard next < mail.expiresAt else { return .giveUp }
        var mail = mail
        mail.tries = mail.tries.countedUp
        mail.nextAttemptAt = next
        return .later(mail)
    }
}
