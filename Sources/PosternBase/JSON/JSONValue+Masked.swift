// What was read may be a token or a person's claims, so printing a value tells its type alone.

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type of the value; nothing of what it holds.
    public var description: String { "JSONValue(\(kind), \(Mask.text))" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mask.mirror(of: self) }
}

extension JSONDocument: Masked {}
