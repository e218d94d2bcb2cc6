package import Foundation
import Glibc

// Foundation's own reading traps when a signal comes meanwhile, as that of an ended process may.
extension FileHandle {
    /// What has come, once something has; empty at the end.
    package func piece() -> Data {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(fileDescriptor, &bytes, bytes.count)
            if count >= 0 { return Data(bytes[..<count]) }
            guard errno == EINTR else { return Data() }
        }
    }

    /// Everything up to the end.
    package func rest() -> Data {
        var all = Data()
        while case let next = piece(), !next.isEmpty { all += next }
        return all
    }
}
