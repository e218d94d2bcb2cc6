internal import PosternBase

// Values that carry a token's contents or a nonce print what they are and nothing of what they hold: a line of debugging must not
// become a leak. Who wants a part asks for it by name.

extension VerifiedIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The provider and the audience; nothing that tells of the person.
    public var description: String { "VerifiedIdentity(provider: \(provider), audience: \(audience), \(Mask.text))" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mask.mirror(of: self) }
}

extension VerifiedNotification: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The provider and the kind; nothing that tells of the person.
    public var description: String { "VerifiedNotification(provider: \(provider), kind: \(kind), \(Mask.text))" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mask.mirror(of: self) }
}

extension IssuedNonce: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// When it expires; nothing of the nonce.
    public var description: String { "IssuedNonce(expiresAt: \(expiresAt), \(Mask.text))" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mask.mirror(of: self) }
}

extension NonceToRedeem: Masked {}

// A `VerificationRequest`, which carries a nonce too, cannot be copied and so not be printed at all.
