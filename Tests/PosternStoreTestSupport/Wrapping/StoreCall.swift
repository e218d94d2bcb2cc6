/// What can be asked of a store, each thing one call.
package enum StoreCall: String, Sendable, CaseIterable {
    case begin, beginRead, commit

    case account, accountByEmail, accounts, password, identity, identities, session, sessions, signUp, signUpsByEmail,
        signUps, mailedProof, mailedProofs, mail, mails, outbox, rememberedToken, isUsed, forgottenNonces,
        forgottenTokens, attempts, signingKeys, auditTrail

    case putAccount, deleteAccount, putPassword, deletePassword, putIdentity, deleteIdentity, deleteIdentities,
        putSession,
        deleteSession, deleteSessions, putSignUp, deleteSignUp, deleteSignUps, putMailedProof, deleteMailedProof,
        deleteMailedProofs, putMail, deleteMail, remember, use, putAttempts, putSigningKey, deleteSigningKey, append,
        purge

    package var isChange: Bool {
        switch self {
        case .putAccount, .deleteAccount, .putPassword, .deletePassword, .putIdentity, .deleteIdentity,
            .deleteIdentities,
            .putSession, .deleteSession, .deleteSessions, .putSignUp, .deleteSignUp, .deleteSignUps, .putMailedProof,
            .deleteMailedProof, .deleteMailedProofs, .putMail, .deleteMail, .remember, .use, .putAttempts,
            .putSigningKey, .deleteSigningKey, .append, .purge:
            true
        default: false
        }
    }
}
