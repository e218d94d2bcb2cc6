internal import PosternBase
internal import PosternJOSE
package import PosternTokens

/// What the copy of a key set on disk is worth, for somebody who looks at it: nothing is changed, tidied or believed by that.
package struct KeySetCopy: Sendable, Equatable {
    /// Seconds since the issuer gave or confirmed it.
    package let age: Int64
    /// Seconds for which it was fresh, counted from then.
    package let timeToLive: Int64
    /// Keys that can verify.
    package let usableCount: Int

    /// Seconds until it serves no more.
    package var servesFor: Int64 { timeToLive + KeySetLimits.staleTime.components.seconds - age }

    /// The copy that a source of `provider` would take up, run by the user `owner`; nil when there is none.
    package static func look(
        for provider: Provider,
        in folder: String,
        trust: String?,
        owner: UInt32,
        now: Int64
    ) throws(DiskCopyFault) -> KeySetCopy? {
        guard let location = try? KeyLocation(provider, allowsInsecureLoopback: false) else { return nil }
        let place = KeySetFolder(path: folder)
        let source = location.identity(trust: trust)
        guard let stored = try place.look(for: source, owner: owner) else { return nil }
        do throws(DiskCopyFault) {
            let age = try stored.age(at: now)
            let usable = try stored.document().keys.usable.count
            return KeySetCopy(age: age, timeToLive: stored.timeToLive, usableCount: usable)
        } catch {
            throw place.named(error, source)
        }
    }
}
