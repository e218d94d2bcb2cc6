internal import PosternBase

// Messages carry API keys, nonces and tokens, in fields, bodies and, by mistake, in targets: printing one tells none of that.

extension ReceivedFields: Masked {}

extension ReceivedHead: Masked {
    package var description: String { "ReceivedHead(listener: \(listener), \(Mask.text))" }
}

extension ReceivedRequest: Masked {
    package var description: String { "ReceivedRequest(listener: \(listener), \(Mask.text))" }
}

extension HTTP.Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the size of the body; nothing of the URL, the fields and the body.
    public var description: String { "HTTP.Request(\(method.rawValue), \(body.count) bytes, \(Mask.text))" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mask.mirror(of: self) }
}

extension HTTP.Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the size of the body; nothing of the fields and the body.
    public var description: String { "HTTP.Response(\(status), \(body.count) bytes, \(Mask.text))" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mask.mirror(of: self) }
}

extension HTTP.Fields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names; no value.
    public var description: String { "HTTP.Fields(\(lines.map(\.name).joined(separator: ", ")), \(Mask.text))" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mask.mirror(of: self) }
}

extension HTTP.Fields.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name; not the value.
    public var description: String { "\(name): \(Mask.text)" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mask.mirror(of: self) }
}
