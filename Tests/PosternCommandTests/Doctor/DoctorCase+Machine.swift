import Foundation
import PosternBase
import PosternTransport

@testable import PosternCommand

extension DoctorCase {
    /// Boundaries on both sides.
    static let ofTheMachine: [DoctorCase] = clock + system + authorities

    private static let written: Int64 = 1_780_000_000
    private static let half: Int64 = 50 * 365 * 86_400

    private static let clock: [DoctorCase] =
        [
            (Diagnosis.clockImplausible, written - 1), (.clock, written), (.clock, written + half),
            (.clockImplausible, written + half + 1), (.clockImplausible, 0),
        ].map { expected, second in
            machine(expected, "\(second)") {
                $0.time = .fixed(second)
                $0.programDate = nil
            }
        }
        + [(Diagnosis.clock, Int64(86_400)), (.clockBeforeProgram, 86_401)].map { expected, ahead in
            machine(expected, "a program from \(ahead) s ahead") {
                $0.time = .fixed(written + 1)
                $0.programDate = written + 1 + ahead
            }
        }
        + [
            machine(.clockSync, "kept right") { $0.clock = .synchronized(maximumError: .microseconds(1500)) },
            machine(.clockSyncMissing, "not kept") { $0.clock = .unsynchronized },
            machine(.clockSyncUnknown, "not told") { $0.clock = .unknown(EPERM) },
        ]

    private static let system: [DoctorCase] = [
        machine(.entropy, "at hand") { $0.randomness = 0 },
        machine(.entropyNotReady, "not yet") { $0.randomness = EAGAIN },
        machine(.crypto, "as it is here") { _ in },
        machine(.cryptoUnsupported, "too old") { $0.isCryptoSupported = false },
        machine(.cryptoFailed, "no PSS") { $0.failingAlgorithms = ["PS256"] },
        machine(.user, "a user") { $0.user = 4711 },
        machine(.userRoot, "root") { $0.user = 0 },
        machine(.watchdog, "none") { $0.variables = [:] },
        machine(.watchdog, "one") { $0.variables = ["WATCHDOG_USEC": "30000000", "NOTIFY_SOCKET": "/run/notify"] },
        machine(.watchdogUnusable, "no number") { $0.variables = ["WATCHDOG_USEC": "x", "NOTIFY_SOCKET": "/n"] },
        machine(.watchdogUnusable, "zero") { $0.variables = ["WATCHDOG_USEC": "0", "NOTIFY_SOCKET": "/n"] },
        machine(.watchdogUnheard, "no socket") { $0.variables = ["WATCHDOG_USEC": "1"] },
        machine(.watchdogUnheard, "an empty socket") { $0.variables = ["WATCHDOG_USEC": "1", "NOTIFY_SOCKET": ""] },
        machine(.settingsMissing, "none named") { _ in },
    ]

    /// A certificate of nobody, and what may be wrong with a file of them.
    private static let authorities: [DoctorCase] = [
        machine(.authoritiesMissing, "no place") { $0.authorities = SystemAuthorities(file: nil, folder: nil) },
        machine(.authoritiesMissing, "no file") {
            $0.authorities = SystemAuthorities(file: "/nonexistent/a", folder: nil)
        },
        machine(.authoritiesMissing, "no folder") {
            $0.authorities = SystemAuthorities(file: nil, folder: "/nonexistent")
        },
        machine(.authoritiesUnreadable, "a folder") { $0.authorities = SystemAuthorities(file: "/etc", folder: nil) },
        machine(.authoritiesUnreadable, "a file") {
            $0.authorities = SystemAuthorities(file: nil, folder: "/etc/passwd")
        },
        machine(.authoritiesEmpty, "nothing in it") {
            $0.authorities = SystemAuthorities(file: "/dev/null", folder: nil)
        },
        machine(.authoritiesEmpty, "no PEM") { $0.authorities = SystemAuthorities(file: "/etc/passwd", folder: nil) },
        machine(.authorities, "a folder with files") { $0.authorities = SystemAuthorities(file: nil, folder: "/etc") },
    ]
}
