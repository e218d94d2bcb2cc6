package import PosternBase
internal import PosternCrypto
internal import PosternJOSE
package import PosternTokens

/// The keys that sign and verify our access tokens, read from a store and kept at hand.
package final class SigningKeys: Sendable {
    private struct Ring {
        var signer: SigningKey?
        var verifiers: [(keyID: String, key: VerificationKey, published: JSONOutput?)] = [] {
            didSet { keySet = Self.keySet(verifiers.compactMap(\.published)) }
        }
        private(set) var keySet = keySet([])
        var names: [String] = []
        /// How often the store was read, and which reading this is of.
        var readings = 0
        var reading = 0

        private static func keySet(_ published: [JSONOutput]) -> [UInt8] {
            Array(JSONOutput.object([("keys", .array(published))]).text().utf8)
        }
    }

    private let sealed: SealedKeys
    private let plan: SigningKeyPlan
    private let ring = Lock(Ring())

    package init(
        _ master: MasterKeys,
        plan: SigningKeyPlan,
        random: RandomSource = .system
    ) throws(ConfigurationError) {
        sealed = try SealedKeys(master, random: random)
        self.plan = plan
    }

    /// Makes, promotes and deletes what is due, and takes over what is stored; to be called at the start and then each minute.
    ///
    /// What cannot be opened is not added to: the right master key would not open that then.
    package func maintain(_ store: any AccountStore, now: Int64) async throws(AccountFault) {
        // At most one of each kind is due at a time.
        for _ in 0..<8 {
            let keys = try await takeStored(store)
            guard let step = plan.step(keys, now: now) else { return }
            try await perform(step, keys, store, now: now, caller: nil)
        }
        _ = try await takeStored(store)
    }

    /// What is stored, once it is what is used.
    private func takeStored(_ store: any AccountStore) async throws(AccountFault) -> [StoredSigningKey] {
        let number = ring.withLock { ring in
            ring.readings += 1
            return ring.readings
        }
        let keys = try await stored(store)
        try take(keys, reading: number)
        return keys
    }

    /// The next key signs from now on; the former one stays published until its last token has expired.
    package func rotate(_ store: any AccountStore, now: Int64, caller: String?) async throws(AccountFault) {
        try await maintain(store, now: now)
        let former = try await stored(store).first { $0.state == .current }?.keyID
        // Others may change the keys between what is seen and what is written, which then is left out.
        for _ in 0..<8 {
            let keys = try await stored(store)
            if let next = keys.first(where: { $0.state == .next }) {
                try await perform(.promote(next.keyID), keys, store, now: now, caller: caller)
            }
            try await maintain(store, now: now)
            if try await stored(store).first(where: { $0.state == .current })?.keyID != former { return }
        }
        throw .keys("The signing keys were not rotated: others change them at the same time.")
    }

    /// A new key signs from now on, and all others are withdrawn, and what they signed with them: for keys that somebody else may have,
    /// and for those that cannot be opened any more because their master key is lost.
    package func replace(_ store: any AccountStore, now: Int64, caller: String?) async throws(AccountFault) {
        let new = try make(.current, now: now)
        do throws(StoreFault) {
            try await store.transact { transaction throws(StoreFault) in
                for key in try transaction.signingKeys() { try transaction.delete(signingKey: key.keyID) }
                try transaction.put(new)
                try transaction.append(
                    AuditEntry(.signingKeysWithdrawn, at: now, caller: caller, detail: new.keyID))
            }
        } catch {
            throw .store(error)
        }
        try await maintain(store, now: now)
    }

    package func stored(_ store: any AccountStore) async throws(AccountFault) -> [StoredSigningKey] {
        do throws(StoreFault) {
            return try await store.read { reader throws(StoreFault) in try reader.signingKeys() }
        } catch {
            throw .store(error)
        }
    }

    private func perform(
        _ step: SigningKeyPlan.Step,
        _ seen: [StoredSigningKey],
        _ store: any AccountStore,
        now: Int64,
        caller: String?
    ) async throws(AccountFault) {
        let new: StoredSigningKey? = if case .make(let state) = step { try make(state, now: now) } else { nil }
        do throws(StoreFault) {
            try await store.transact { transaction throws(StoreFault) in
                // Another process may have done it meanwhile.
                guard try transaction.signingKeys() == seen else { return }
                try Self.write(step, new, seen, transaction, now: now)
                guard case .promote(let keyID) = step else { return }
                try transaction.append(AuditEntry(.signingKeyRotated, at: now, caller: caller, detail: keyID))
            }
        } catch {
            throw .store(error)
        }
    }

    private static func write(
        _ step: SigningKeyPlan.Step,
        _ new: StoredSigningKey?,
        _ keys: [StoredSigningKey],
        _ transaction: any StoreTransaction,
        now: Int64
    ) throws(StoreFault) {
        switch step {
        case .make:
            if let new { try transaction.put(new) }
        case .delete(let keyID): try transaction.delete(signingKey: keyID)
        case .promote(let keyID):
            for var key in keys where key.state == .current || key.keyID == keyID {
                key.state = key.keyID == keyID ? .current : .retired
                key.since = now
                try transaction.put(key)
            }
        }
    }

    private func make(_ state: StoredSigningKey.State, now: Int64) throws(AccountFault) -> StoredSigningKey {
        do throws(CryptoError) {
            let key = try PrivateKey.generateEC(.p256)
            let keyID = try Thumbprint.sha256(of: key.publicKey)
            return StoredSigningKey(
                keyID: keyID, state: state, sealed: try sealed.seal(key, keyID: keyID), createdAt: now, since: now)
        } catch {
            throw .keys("A signing key could not be made: \(error.reason.rawValue).")
        }
    }

    /// What is stored becomes what is used. A key that is sealed under an unknown master key is an error, not a reason to go on
    /// without it: the tokens that it signed would all be refused. What is not stored any more was withdrawn all the same.
    private func take(_ keys: [StoredSigningKey], reading: Int) throws(AccountFault) {
        guard ring.withLock({ $0.names }) != Self.names(keys) else { return }
        let opened: Ring?
        do throws(CryptoError) {
            opened = try self.opened(keys)
        } catch {
            throw .keys("The signing keys cannot be read: \(error.reason.rawValue).")
        }
        guard var new = opened else {
            dropAll(but: keys, reading: reading)
            throw .keysSealedElsewhere
        }
        new.reading = reading
        let taken = new
        ring.withLock { ring in
            // What was read earlier says nothing against what was read later, or a withdrawn key would come back.
            guard ring.reading < reading else { return }
            let readings = ring.readings
            ring = taken
            ring.readings = readings
        }
    }

    private func dropAll(but keys: [StoredSigningKey], reading: Int) {
        ring.withLock { ring in
            guard ring.reading < reading else { return }
            ring.reading = reading
            ring.verifiers.removeAll { known in !keys.contains { $0.keyID == known.keyID } }
            if let signer = ring.signer, !keys.contains(where: { $0.keyID == signer.keyID }) { ring.signer = nil }
            ring.names = []
        }
    }

    /// Those that do not open under the master keys, because they were sealed under another or have been changed.
    package func unopened(_ keys: [StoredSigningKey]) throws(AccountFault) -> [StoredSigningKey] {
        do throws(CryptoError) {
            var unopened: [StoredSigningKey] = []
            for key in keys where try sealed.open(key.sealed, keyID: key.keyID) == nil { unopened.append(key) }
            return unopened
        } catch {
            throw .keys("The signing keys cannot be read: \(error.reason.rawValue).")
        }
    }

    /// nil when one of them does not open.
    private func opened(_ keys: [StoredSigningKey]) throws(CryptoError) -> Ring? {
        var ring = Ring()
        for stored in keys {
            guard let key = try sealed.open(stored.sealed, keyID: stored.keyID) else { return nil }
            let signer = try SigningKey(key, .es256, keyID: stored.keyID)
            if stored.state == .current { ring.signer = signer }
            let verifier = try VerificationKey(key.publicKey, keyID: stored.keyID, declaredAlgorithm: .es256)
            ring.verifiers.append((stored.keyID, verifier, try signer.publicJWK()))
        }
        ring.names = Self.names(keys)
        return ring
    }

    private static func names(_ keys: [StoredSigningKey]) -> [String] {
        keys.map { "\($0.keyID) \($0.state.rawValue)" }
    }

    // MARK: - Use

    /// A compact JWS over `payload` by the key that signs now.
    func sign(_ payload: [UInt8], type: String) throws(AccountFault) -> String {
        guard let signer = ring.withLock({ $0.signer }) else {
            throw .keys("There is no key to sign access tokens with.")
        }
        do throws(CryptoError) {
            return try signer.sign(payload, type: type)
        } catch {
            throw .keys("The access token could not be signed: \(error.reason.rawValue).")
        }
    }

    /// Whether there is a key that signs: to be known before anything is written down that needs a token.
    package var isReady: Bool { ring.withLock { $0.signer != nil } }

    /// Seconds that others may keep the key set: a key that is withdrawn is trusted for no longer, and one that is published ahead is
    /// known before it signs.
    package var maximumAge: Int64 { min(600, max(plan.publishedAhead / 2, 0)) }

    func verifier(_ keyID: String) -> VerificationKey? {
        ring.withLock { $0.verifiers.first { $0.keyID.isSameBytes(as: keyID) }?.key }
    }

    /// The public keys as a JWK Set (RFC 7517 §5), in the order in which they are stored.
    package var keySet: [UInt8] { ring.withLock { $0.keySet } }
}
