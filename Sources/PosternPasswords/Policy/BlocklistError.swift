internal import Glibc
internal import PosternBase

/// A list that was asked for and is not to be had. Without it weak passwords would be taken, so nothing starts.
package struct BlocklistError: Error, Equatable {
    package enum Reason: Sendable, Equatable {
        case missing
        /// With the number of the system's error.
        case unreadable(Int32)
        /// No regular file, or one with bytes that no text has.
        case notText
        case empty
        case tooMany
    }

    package let path: String
    package let reason: Reason

    package init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    package var message: String {
        let file = "The list of common passwords \(Excerpt.quote(path))"
        return switch reason {
        case .missing: "\(file) does not exist. Debian's packages john-data and cracklib-runtime have lists."
        case .unreadable(let code): "\(file) cannot be read: \(String(cString: strerror(code)))."
        case .notText: "\(file) is not a file of words, one a line."
        case .empty: "\(file) holds no password."
        case .tooMany: "\(file) makes more than \(Blocklist.maximumCount) passwords, which is the most that are kept."
        }
    }
}
