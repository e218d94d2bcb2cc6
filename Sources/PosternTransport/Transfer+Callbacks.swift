internal import CCurl
internal import Glibc
internal import PosternHTTP

// What libcurl calls, on the loop's thread. These are functions of the file and no closures: a closure would inherit the
// isolation of the place where it is written, and trap elsewhere.

/// Returns how many bytes were taken; any other number than all of them ends the transfer.
func curlTakesHeaderLine(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ userData: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = transfer(userData), transfer.failure == nil else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    do throws(HTTP.ClientError) {
        try line.withMemoryRebound(to: UInt8.self) { line throws(HTTP.ClientError) in try transfer.head.take(line) }
        return line.count
    } catch {
        transfer.failure = error
        // To libcurl 0 is also "all of nothing".
        return line.isEmpty ? 1 : 0
    }
}

/// Counts before it keeps.
func curlTakesBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ userData: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = transfer(userData), transfer.failure == nil else { return 0 }
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let maximum = transfer.settings.values.maximumBodyBytes
    guard transfer.body.count + piece.count <= maximum else {
        transfer.failure = AnswerHead.bodyTooLarge(maximum)
        return 0
    }
    transfer.body.append(contentsOf: piece)
    return piece.count
}

/// Opens the socket so that no program that this process starts inherits it.
func curlOpenSocket(
    _ userData: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let transfer = transfer(userData), let address = address?.pointee else { return CURL_SOCKET_BAD }
    // A second look at what the URL was allowed for: plain http never leaves this machine.
    guard transfer.exchange.target.scheme == .https || isLoopback(address) else { return CURL_SOCKET_BAD }
    return socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
}

private func isLoopback(_ address: curl_sockaddr) -> Bool {
    withUnsafeBytes(of: address.addr) { bytes in
        switch address.family {
        case AF_INET: bytes.count >= 8 && bytes[4] == 127
        // Its 128 bits reach beyond the generic address, and the URL was a literal: only [::1] was let through.
        case AF_INET6: true
        default: false
        }
    }
}

/// Takes out what libcurl put in when the environment had SSLKEYLOGFILE: our keys are in no file.
func curlTLSSetup(
    _ handle: UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer?,
    _ userData: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let context else { return CURLE_SSL_CONNECT_ERROR }
    postern_tls_without_key_log(context)
    return CURLE_OK
}

private func transfer(_ userData: UnsafeMutableRawPointer?) -> Transfer? {
    userData.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}
