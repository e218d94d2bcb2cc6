internal import PosternAccounts
internal import PosternTokens

// What becomes of what the accounts answer: refusals are the person's, faults ours. No fault has changed anything.

extension Problem {
    /// Seconds after which a store or a library may do again what it could not.
    private static let retryAfterFault = "10"
    /// A queue of writers moves on within moments.
    private static let retryWhenBusy = "1"

    static let accountsOff = Problem(
        .accountsOff, "This server has no accounts and so no sessions: it verifies tokens alone.")

    init(_ refusal: AccountRefusal) {
        let isEarly = refusal.code == .tooManyAttempts
        self.init(
            ProblemCode(refusal.code), refusal.message,
            field: isEarly ? ("Retry-After", "\(max(1, refusal.retryAfter ?? 1))") : nil)
    }

    init(_ fault: AccountFault) {
        switch fault {
        case .store(let fault):
            let code = ProblemCode(fault.reason)
            let seconds = code == .storeBusy ? Self.retryWhenBusy : Self.retryAfterFault
            self.init(code, fault.message, field: ("Retry-After", seconds))
        case .verification(let fault): self.init(fault)
        case .busy(let seconds):
            self.init(
                .hashingBusy, "As many passwords wait to be hashed as may: try again in \(max(1, seconds)) s.",
                field: ("Retry-After", "\(max(1, seconds))"))
        case .hashing(let reason):
            self.init(
                .hashingFailed, "The password could not be hashed: \(reason).",
                field: ("Retry-After", Self.retryAfterFault))
        case .keys(let message):
            self.init(.signingKeysUnavailable, message, field: ("Retry-After", Self.retryAfterFault))
        }
    }

    init(_ fault: VerificationFault) {
        let isStore = fault.code == .storeUnavailable
        self.init(
            isStore ? .storeUnavailable : .keysUnavailable, fault.message,
            // For keys: the issuer may be asked again then.
            field: ("Retry-After", isStore ? Self.retryAfterFault : "30"))
    }
}

extension ProblemCode {
    init(_ code: AccountRefusal.Code) {
        self =
            switch code {
            case .accountBanned: .accountBanned
            case .accountUnknown: .accountUnknown
            case .emailMissing: .emailMissing
            case .emailTaken: .emailTaken
            case .emailUnproven: .emailUnproven
            case .identityTaken: .identityTaken
            case .identityUnknown: .identityUnknown
            case .invalidCredentials: .invalidCredentials
            case .lastSignInMethod: .lastSignInMethod
            case .passwordsOff: .passwordsOff
            case .passwordWrong: .passwordWrong
            case .passwordUnacceptable: .passwordUnacceptable
            case .refreshTokenReused: .refreshTokenReused
            case .refreshTokenUnknown: .refreshTokenUnknown
            case .sessionEnded: .sessionEnded
            case .sessionUnknown: .sessionUnknown
            case .signUpUnknown: .signUpUnknown
            case .tokenUsed: .tokenUsed
            case .tooManyAttempts: .tooManyAttempts
            }
    }

    init(_ reason: StoreFault.Reason) {
        self =
            switch reason {
            case .full: .storeFull
            case .readOnly: .storeReadOnly
            case .locked: .storeLocked
            case .damaged: .storeDamaged
            case .busy: .storeBusy
            case .unavailable: .storeUnavailable
            }
    }
}
