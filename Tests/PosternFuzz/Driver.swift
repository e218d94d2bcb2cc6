import Glibc

/// What libFuzzer calls with each input.
typealias Input = UnsafeBufferPointer<UInt8>

/// libFuzzer's own `main`, for programs that have one already.
@_silgen_name("LLVMFuzzerRunDriver")
private func runLibFuzzer(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Runs the target that the first argument names; the rest of the arguments are libFuzzer's.
func fuzz() {
    var arguments = CommandLine.unsafeArgv
    var count = CommandLine.argc - 1
    guard count >= 1, let name = arguments[1].map({ String(cString: $0) }), let target = Target(rawValue: name) else {
        print("usage: PosternFuzz \(Target.allCases.map(\.rawValue).joined(separator: "|")) [LIBFUZZER ARGUMENT]...")
        exit(64)
    }
    // libFuzzer sees the target's name as the name of the program.
    arguments += 1
    exit(runLibFuzzer(&count, &arguments, target.callback))
}

/// One reader each.
private enum Target: String, CaseIterable {
    case jws, token, json, settings, base64url, keyset, http

    // A C function cannot capture, so each target has one of its own.
    var callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt {
        switch self {
        case .jws:
            { start, count in
                RawToken.check(Input(start: start, count: count), .shared)
                return 0
            }
        case .token:
            { start, count in
                TokenTarget.run(Input(start: start, count: count))
                return 0
            }
        case .json:
            { start, count in
                JSONTarget.run(Input(start: start, count: count))
                return 0
            }
        case .settings:
            { start, count in
                SettingsTarget.run(Input(start: start, count: count))
                return 0
            }
        case .base64url:
            { start, count in
                Base64URLTarget.run(Input(start: start, count: count))
                return 0
            }
        case .keyset:
            { start, count in
                KeySetTarget.run(Input(start: start, count: count))
                return 0
            }
        case .http:
            { start, count in
                HTTPTarget.run(Input(start: start, count: count))
                return 0
            }
        }
    }
}

/// Stops the run with a finding when what must hold does not.
func require(_ holds: Bool, _ what: String) {
    guard holds else { fatalError("finding: \(what)") }
}
