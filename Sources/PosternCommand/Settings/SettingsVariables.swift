internal import CLinux
internal import PosternBase

/// Which variables of the environment are ours. One that begins like ours and is not known refuses the start: it is a slip of one
/// that is.
enum SettingsVariables {
    static let prefix = "POSTERN_"
    /// Names the file.
    static let config = "POSTERN_CONFIG"

    /// Of callers, and of the tests of Postern itself; the daemon does not look at them.
    private static let others = [
        "POSTERN_API_KEY", "POSTERN_EXTRA_VECTORS", "POSTERN_RACE_ROUNDS", "POSTERN_SANITIZE", "POSTERN_FUZZ",
        "POSTERN_SOAK_SECONDS",
    ]

    /// All variables of the process, as `NAME=VALUE`.
    static func ofProcess() -> [[UInt8]] {
        guard let environment = postern_environment() else { return [] }
        var variables: [[UInt8]] = []
        while let entry = environment[variables.count] { variables.append(RawArguments.bytes(of: entry)) }
        return variables
    }

    static func isForeign(_ name: String) -> Bool {
        others.containsBytes(of: name) || name.isSameBytes(as: config) || isServiceLink(name)
    }

    /// What Kubernetes and Docker put into every container beside a service that is called postern or postern-….
    private static func isServiceLink(_ name: String) -> Bool {
        // Docker's links: the name of the link, and the variables of the other container's image.
        if name.isSameBytes(as: "POSTERN_NAME") || name.utf8.starts(with: "POSTERN_ENV_".utf8) { return true }
        let endings = ["_SERVICE_HOST", "_SERVICE_PORT", "_PORT"]
        if endings.contains(where: name.hasSuffix) { return true }
        return name.firstRange(of: "_SERVICE_PORT_") != nil
            || ["_TCP", "_UDP", "_SCTP"].contains { protocolWord in
                name.firstRange(of: "_PORT_") != nil && name.firstRange(of: protocolWord) != nil
            }
    }

    static func unknown(_ name: String) -> CommandFailure {
        let known = Setting.all.filter(\.isSettable).map(\.variable) + [config]
        let nearest = NearestName.of(name, among: known)
        let advice = nearest.map { "is \($0) meant?" } ?? "'postern settings' lists all."
        return .settings([
            SettingsFault(
                source: .variable(UnknownName.variable(name, isSlip: nearest != nil), isJSON: false),
                message: "no setting has this variable: \(advice) Unset it if it is for another program.")
        ])
    }
}
