internal import Glibc
internal import PosternBase

/// The users and groups of this machine, by name or number.
enum MachineAccounts {
    private static let largestEntry = 1 << 16

    static func user(_ text: String) -> UInt32? {
        if let number = number(text) { return number }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: largestEntry) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            return getpwnam_r(text, &entry, base, buffer.count, &found) == 0 && found != nil ? entry.pw_uid : nil
        }
    }

    static func group(_ text: String) -> UInt32? {
        if let number = number(text) { return number }
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: largestEntry) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            return getgrnam_r(text, &entry, base, buffer.count, &found) == 0 && found != nil ? entry.gr_gid : nil
        }
    }

    /// The greatest number means nobody to the kernel.
    private static func number(_ text: String) -> UInt32? {
        DecimalDigits.value(of: text).flatMap { UInt32(exactly: $0) }.flatMap { $0 == .max ? nil : $0 }
    }
}
