import PosternAccounts
import PosternTokens

/// The word for what came of an operation: `done`, the code of a refusal, or what a fault is about.
func outcome<Value>(_ operation: () async throws -> Value) async -> String {
    do {
        _ = try await operation()
        return "done"
    } catch let error as AccountError {
        return error.word
    } catch let error as VerificationError {
        switch error {
        case .refused(let refusal): return refusal.code.rawValue
        case .fault(let fault): return fault.code.rawValue
        }
    } catch {
        return "\(error)"
    }
}

extension AccountError {
    var word: String {
        switch self {
        case .refused(let refusal): refusal.code.rawValue
        case .tokenRefused(let refusal): refusal.code.rawValue
        case .fault(let fault): fault.word
        }
    }
}

extension AccountFault {
    var word: String {
        switch self {
        case .store(let fault): fault.reason.rawValue
        case .verification(let fault): fault.code.rawValue
        case .busy: "busy"
        case .hashing: "hashing"
        case .keys: "keys"
        }
    }
}
