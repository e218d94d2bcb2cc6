import Glibc

/// Hands control to libFuzzer. C callbacks stand here and not in main.swift, where they would belong to the main actor.
enum FuzzDriver {
    /// A reader: called with every input that libFuzzer makes, and traps on a finding.
    typealias Target = @Sendable (UnsafeBufferPointer<UInt8>) -> Void

    private static let targets: [(name: String, target: Target)] = [
        ("base64url", Base64URLTarget.run), ("json", JSONTarget.run), ("keyset", KeySetTarget.run),
        ("token", TokenTarget.run),
    ]

    private static let chosen: Target? = {
        guard let name = getenv("POSTERN_FUZZ_TARGET").map({ String(cString: $0) }) else { return nil }
        return targets.first { $0.name == name }?.target
    }()

    static func run() -> CInt {
        guard chosen != nil else {
            print("Set POSTERN_FUZZ_TARGET to one of: \(targets.map(\.name).joined(separator: ", ")).")
            return 2
        }
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        return libFuzzer(&count, &arguments) { bytes, count in
            FuzzDriver.chosen?(UnsafeBufferPointer(start: bytes, count: count))
            return 0
        }
    }

    /// Ends the process, so that libFuzzer keeps the input, unless `condition` holds.
    static func expect(_ condition: Bool, _ finding: @autoclosure () -> String) {
        if !condition { fatalError(finding()) }
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func libFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
