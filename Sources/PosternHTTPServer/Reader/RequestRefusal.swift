/// Why a request or a connection was refused before any responder saw a request; the raw value is the stable code.
///
/// Each is also the name of the rule that refuses, so that a test can leave out one at a time and see that a probe notices.
package enum RequestRefusal: String, Error, Sendable, CaseIterable {
    // The line (RFC 9112 §2.2, §3).
    case requestLineTooLong = "request_line_too_long"
    case requestLineMalformed = "request_line_malformed"
    case emptyLines = "empty_lines"
    case methodMalformed = "method_malformed"
    case methodUnknown = "method_unknown"
    case targetMalformed = "target_malformed"
    case versionMalformed = "version_malformed"
    case versionUnsupported = "version_unsupported"
    // Lines and fields (RFC 9112 §2.2, §5).
    case bareLineFeed = "bare_line_feed"
    case bareCarriageReturn = "bare_carriage_return"
    case controlByte = "control_byte"
    case obsoleteFold = "obsolete_fold"
    case spaceBeforeColon = "space_before_colon"
    case fieldNameMalformed = "field_name_malformed"
    case headerTooLarge = "header_too_large"
    case tooManyFields = "too_many_fields"
    case hostMissing = "host_missing"
    case hostRepeated = "host_repeated"
    case hostMalformed = "host_malformed"
    case hostDiffers = "host_differs"
    case expectationUnknown = "expectation_unknown"
    // Where the body ends (RFC 9112 §6).
    case lengthRepeated = "content_length_repeated"
    case lengthMalformed = "content_length_malformed"
    case lengthOverflow = "content_length_overflow"
    case lengthBesideCoding = "content_length_beside_transfer_encoding"
    case codingRepeated = "transfer_encoding_repeated"
    case codingMalformed = "transfer_encoding_malformed"
    case codingUnknown = "transfer_encoding_unknown"
    case codingInOldVersion = "transfer_encoding_in_old_version"
    case bodyTooLarge = "body_too_large"
    // Chunks (RFC 9112 §7.1).
    case chunkSizeMalformed = "chunk_size_malformed"
    case chunkSizeOverflow = "chunk_size_overflow"
    case chunkLineTooLong = "chunk_line_too_long"
    case chunkExtensionsTooLarge = "chunk_extensions_too_large"
    case chunkEndMissing = "chunk_end_missing"
    case trailersTooLarge = "trailers_too_large"
    case trailerForbidden = "trailer_forbidden"
    // What the connection finds, not the reader.
    case headerTimeout = "header_timeout"
    case bodyTimeout = "body_timeout"
    case cutShort = "cut_short"
    case tooMuchBuffered = "too_much_buffered"
    // What the one who accepts finds.
    case tooManyConnections = "too_many_connections"

    /// The status of the answer (RFC 9110 §15.5, §15.6).
    package var status: Int {
        switch self {
        case .requestLineTooLong: 414
        case .headerTooLarge, .tooManyFields, .trailersTooLarge: 431
        case .bodyTooLarge: 413
        case .expectationUnknown: 417
        case .methodUnknown, .codingUnknown: 501
        case .versionUnsupported: 505
        case .headerTimeout, .bodyTimeout: 408
        case .tooMuchBuffered, .tooManyConnections: 429
        default: 400
        }
    }

    /// The rules of the reader, which a test can leave out.
    package static var framingRules: [RequestRefusal] {
        allCases.filter { rule in
            ![.headerTimeout, .bodyTimeout, .cutShort, .tooMuchBuffered, .tooManyConnections].contains(rule)
        }
    }

    /// A bit of its own; there are fewer than 64.
    fileprivate var bit: UInt64 {
        Self.bits[self] ?? 0
    }

    private static let bits = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($1, UInt64(1) << UInt64($0)) }
    )
}

/// The rules that a test left out.
struct DisabledRules: Sendable {
    private let bits: UInt64

    init(_ rules: [RequestRefusal]) { bits = rules.reduce(0) { $0 | $1.bit } }

    /// The rule is asked by name only where it is broken, so that a request that keeps all rules pays nothing.
    func contains(_ rule: RequestRefusal) -> Bool { bits != 0 && bits & rule.bit != 0 }
}
