// Asks the daemon for a nonce, or for the verdict about a token. Needs nothing but this file: swiftc main.swift -o client
//   client SOCKET nonce                      prints the nonce and what the client sends to the issuer
//   client SOCKET verify NONCE < TOKEN       status 0: accepted, 1: refused, 3: no verdict
// SOCKET is a path. Over TCP send `Authorization: Bearer KEY` too.
import Foundation
import Glibc

struct PosternFailure: Error { let message: String }

struct Postern {
    let path: String

    /// One request on a connection of its own; the object that is the answer.
    func ask(_ target: String, _ members: [String: String]) throws -> [String: Any] {
        let body = try JSONSerialization.data(withJSONObject: members)
        let head =
            "POST \(target) HTTP/1.1\r\nHost: postern\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        let answer = try exchange(Data(head.utf8) + body)
        guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)),
            let object = try JSONSerialization.jsonObject(with: answer[end.upperBound...]) as? [String: Any]
        else { throw PosternFailure(message: "no answer that can be read") }
        // A problem (RFC 9457) says what to do.
        guard answer.starts(with: Data("HTTP/1.1 2".utf8)) else {
            throw PosternFailure(message: "\(object["code"] ?? ""): \(object["detail"] ?? "")")
        }
        return object
    }

    private func exchange(_ message: Data) throws -> Data {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw PosternFailure(message: "no socket") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw PosternFailure(message: "the path is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { throw PosternFailure(message: "nobody answers at \(path)") }
        try handle.write(contentsOf: message)
        return try handle.readToEnd() ?? Data()
    }
}

func run(_ arguments: [String]) throws -> Int32 {
    guard arguments.count == (arguments.dropFirst().first == "verify" ? 3 : 2),
        ["nonce", "verify"].contains(arguments[1])
    else {
        complain("Usage: client SOCKET nonce, or client SOCKET verify NONCE < TOKEN")
        return 2
    }
    let postern = Postern(path: arguments[0])
    guard arguments[1] == "verify" else {
        let answer = try postern.ask("/v1/nonces", [:])
        print(answer["nonce"] ?? "", answer["nonce_sha256"] ?? "")
        return 0
    }
    let answer = try postern.ask("/v1/verify", ["token": readLine() ?? "", "nonce": arguments[2]])
    if answer["verdict"] as? String == "accepted", let identity = answer["identity"] as? [String: Any] {
        print("signed in: \(identity["subject"] ?? "") of \(identity["issuer"] ?? "")")
        return 0
    }
    print("refused: \(answer["code"] ?? "")")
    complain("\(answer["message"] ?? "")")
    return 1
}

func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

do {
    exit(try run(Array(CommandLine.arguments.dropFirst())))
} catch {
    complain("no verdict: \((error as? PosternFailure)?.message ?? "\(error)")")
    exit(3)
}
