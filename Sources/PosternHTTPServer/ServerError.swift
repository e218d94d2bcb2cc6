/// Why a server did not start.
package struct ServerError: Error, Sendable, Equatable {
    /// The kind of failure.
    package enum Code: String, Sendable, CaseIterable {
        /// Another server answers there.
        case inUse = "in_use"
        /// The description of a listener is wrong: no address literal, a path that is too long, an index that was not handed over.
        case invalid
        /// It would let in who should not be let in: a socket or a folder that everybody may write to.
        case unsafe
        /// The system refused; the message says what.
        case system
    }

    /// The kind of failure.
    package let code: Code
    /// The place of the listener in the list that the server was given; nil where it is not about a listener.
    package let listener: Int?
    /// What happened and what to do, in English.
    package let message: String

    package init(_ code: Code, listener: Int? = nil, _ message: String) {
        self.code = code
        self.listener = listener
        self.message = message
    }
}
