import Glibc

/// Asks a server of this process (`GET /time`) for the CPU time of its thread.
final class ServerClock {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 4_096)

    init(_ place: ServerPlace) throws { descriptor = try place.connect() }

    deinit { close(descriptor) }

    func seconds() throws -> Double {
        let request = Array("GET /time HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        _ = request.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        let count = read(descriptor, &buffer, buffer.count)
        let text = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        guard let body = text.split(separator: "\r\n").last, let time = Double(body) else {
            throw HTTPLoad.Failure(what: "time")
        }
        return time
    }
}
