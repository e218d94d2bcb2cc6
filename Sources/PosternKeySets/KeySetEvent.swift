public import PosternJOSE

/// What a key source reports as it happens, for logs and counters. More cases may come.
public enum KeySetEvent: Sendable, Equatable {
    /// A usable set came (status 200).
    case fetched
    /// The set that came differs from the one before and has replaced it.
    case replaced(usable: Int, skipped: [SkippedMember])
    /// The issuer confirmed the set at hand (status 304).
    case notModified
    /// A fetch has brought nothing usable; the set at hand, if any, stays.
    case failed(KeySetFailure)
    /// The set at hand is past its time, and serves since the issuer cannot be asked; once a fetch.
    case servingStale
    /// A token named a key that is not in the set, and nobody was asked: it is too soon after the last time.
    case unknownKeyNotFetched
    /// The set on disk serves until the issuer has been asked.
    case loadedFromDisk(usable: Int)
    /// There is a set on disk that is not to be believed.
    case diskCopyIgnored(DiskCopyFault)
    /// The set could not be put on disk.
    case diskCopyNotWritten(DiskCopyFault)
}

/// What is wrong with the copy of a key set on disk.
public struct DiskCopyFault: Error, Sendable, Equatable {
    /// The kind of fault.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable word, such as `damaged`.
        public let rawValue: String

        private init(_ rawValue: String) { self.rawValue = rawValue }

        /// The stable word.
        public var description: String { rawValue }

        /// Not what was written.
        public static let damaged = Code("damaged")
        /// Not a file or folder of the user that the program runs as.
        public static let foreignOwner = Code("foreign_owner")
        /// Others may write it.
        public static let writableByOthers = Code("writable_by_others")
        /// A symbolic link, a folder, a device.
        public static let notAFile = Code("not_a_file")
        /// Larger than such a copy can be.
        public static let tooLarge = Code("too_large")
        /// Of another key set URL.
        public static let otherSource = Code("other_source")
        /// Made later than now.
        public static let inTheFuture = Code("in_the_future")
        /// Too long past its time.
        public static let tooOld = Code("too_old")
        /// The system would not do it.
        public static let system = Code("system")
    }

    /// The kind of fault.
    public let code: Code
    /// What is wrong and with which file, in English.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
