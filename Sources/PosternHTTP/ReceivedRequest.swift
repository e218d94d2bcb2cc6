/// A request before its body, as a server received it (RFC 9112 §3).
package struct ReceivedHead: Sendable {
    /// The method, such as `POST`; methods are case-sensitive (RFC 9110 §9.1).
    package let method: String
    /// The path as it was received, percent-encoding untouched; begins with a slash.
    package let path: String
    /// What follows the question mark as it was received; nil without one.
    package let query: String?
    /// The header fields.
    package let fields: ReceivedFields
    /// Whether a body of at least one byte is sure to follow, or was there; in chunks nobody knows before they have come.
    package let hasBody: Bool
    /// Who sent it.
    package let peer: Peer
    /// The place of the listener that took the connection, in the order in which the server was given them.
    package let listener: Int

    package init(
        method: String,
        path: String,
        query: String? = nil,
        fields: ReceivedFields = ReceivedFields(),
        hasBody: Bool,
        peer: Peer,
        listener: Int = 0
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.hasBody = hasBody
        self.peer = peer
        self.listener = listener
    }
}

/// A request as a server received it, whole and well-formed.
package struct ReceivedRequest: Sendable {
    package let head: ReceivedHead
    /// The whole body, decoded from its transfer coding.
    package let body: [UInt8]

    package init(head: ReceivedHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    package init(
        method: String,
        path: String,
        query: String? = nil,
        fields: ReceivedFields = ReceivedFields(),
        body: [UInt8] = [],
        peer: Peer,
        listener: Int = 0
    ) {
        let head = ReceivedHead(
            method: method, path: path, query: query, fields: fields, hasBody: !body.isEmpty, peer: peer,
            listener: listener)
        self.init(head: head, body: body)
    }

    package var method: String { head.method }
    package var path: String { head.path }
    package var query: String? { head.query }
    package var fields: ReceivedFields { head.fields }
    package var peer: Peer { head.peer }
    package var listener: Int { head.listener }
}

/// The other end of a connection, as the kernel tells it.
package enum Peer: Sendable, Hashable {
    /// A process on a Unix socket (SO_PEERCRED, as it was when it connected).
    case process(user: UInt32, group: UInt32, process: Int32)
    /// An address in its textual form, without port or brackets, and a port.
    case address(String, port: UInt16)
}
