import Glibc
import Postern

// Backend NONCE [KEY-FILE [SECOND]] < TOKEN: with Apple's keys, or those of a file; now, or at a second since 1970.
let arguments = CommandLine.arguments
let token = readLine() ?? ""
let verifier: TokenVerifier
do throws(ConfigurationError) {
    let apple = try Provider.apple(audiences: [.app("com.example.app", nonce: .hashed)])
    let time = arguments.count > 3 ? TimeSource.fixed(Int64(arguments[3]) ?? 0) : .system
    let keys: any KeySource = arguments.count > 2 ? try FileKeySource(path: arguments[2]) : try RemoteKeySource(apple)
    verifier = try TokenVerifier(apple, keys: keys, time: time)
} catch {
    print("cannot start: \(error.message)")
    exit(2)
}
do throws(VerificationError) {
    let identity = try await verifier.verify(token, nonce: arguments.count > 1 ? arguments[1] : "")
    print("signed in: \(identity.subject) of \(identity.issuer), \(identity.email ?? "no address")")
} catch {
    switch error {
    case .refused(let refusal): print("refused: \(refusal.code): \(refusal.message)")
    case .fault(let fault): print("try again later: \(fault.code): \(fault.message)")
    }
    exit(1)
}
