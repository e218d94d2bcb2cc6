internal import Glibc
internal import PosternBase
public import PosternJOSE
public import PosternTokens

/// The key set of a file, read once: for machines without network, and for tests. A newer file needs a new source.
public struct FileKeySource: KeySource {
    /// The largest file that is read, in bytes.
    package static let largestFile = KeySetLimits.largestBody

    private let keys: StaticKeySource
    /// The members of the set that are not used, and why.
    public let skippedMembers: [SkippedMember]

    /// Reads the JWK Set (RFC 7517 §5) in the file `path`.
    ///
    /// Throws `ConfigurationError` when there is no such file, or nothing in it that can verify a signature.
    public init(path: String) throws(ConfigurationError) {
        let set: KeySet
        do throws(KeySetError) {
            set = try KeySet(try Self.contents(path))
        } catch {
            throw ConfigurationError("The key file \(Excerpt.quote(path)) cannot be used. \(error.message)")
        }
        guard !set.usable.isEmpty else {
            let reasons = set.skipped.prefix(5).map { "key \($0.position): \(Excerpt.plain($0.detail))" }
            throw ConfigurationError(
                "The key file \(Excerpt.quote(path)) has no usable key"
                    + (reasons.isEmpty ? ": its set is empty." : " (\(reasons.joined(separator: "; "))).")
            )
        }
        keys = StaticKeySource(set)
        skippedMembers = set.skipped
    }

    /// How the source stands: what was read once does not grow old.
    package var status: KeySetStatus {
        KeySetStatus(
            freshness: .fresh,
            usableKeys: keys.current()?.usable ?? [],
            skippedMembers: skippedMembers
        )
    }

    /// The keys of the file.
    public func current() -> KeySet? { keys.current() }

    /// The keys of the file: it was read once, at start.
    public func keySet(missing keyID: String?) async throws(VerificationFault) -> KeySet {
        try await keys.keySet(missing: keyID)
    }

    private static func contents(_ path: String) throws(KeySetError) -> [UInt8] {
        guard !path.utf8.contains(0) else { throw KeySetError("The path has a NUL character.") }
        do throws(FileFailure) {
            let file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            guard try file.status().st_mode & S_IFMT == S_IFREG else {
                throw FileFailure(.notAFile, "It is not a regular file")
            }
            let bytes = try file.read(upTo: largestFile + 1)
            guard bytes.count <= largestFile else {
                throw FileFailure(.tooLarge, "It is larger than \(largestFile) bytes, so it is no key set")
            }
            return bytes
        } catch {
            throw KeySetError("\(error.text).")
        }
    }
}
