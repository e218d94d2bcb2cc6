import Foundation
import PosternKeySets
import PosternTestSupport

@testable import PosternCommand

extension DoctorCase {
    private static let unix = #"{"unix":"FOLDER/run/p.sock"}"#
    private static let apple = #"{"provider":"apple","audiences":[{"client_id":"a","nonce":"issued"}]}"#
    /// That of `apple`.
    private static let source = "https://appleid.apple.com/auth/keys"

    private static func whole(_ provider: String = apple, _ listener: String = unix, _ more: String = "") -> String {
        #"{"providers":[\#(provider)],"listeners":[\#(listener)],"cache_folder":"FOLDER/cache"\#(more)}"#
    }

    private static func keys(file: String) -> String {
        #"{"provider":"oidc","issuer":"https://i.example","keys":"\#(file)","audiences":[{"client_id":"a","nonce":"issued"}]}"#
    }

    private static func make(_ path: String, _ mode: mode_t = 0o700) throws {
        guard mkdir(path, 0o700) == 0, chmod(path, mode) == 0 else { throw DaemonFailure(text: path) }
    }

    // MARK: - Settings, keys, authorities

    static let ofSettings: [DoctorCase] = [
        settings(.settings, "good", whole()),
        settings(.settingsInvalid, "a typing error", whole(apple, unix, #","limit":{}"#), words: "settings.json:1:"),
        settings(.settingsInvalid, "no JSON", "{", words: "settings.json:1:2: "),
        DoctorCase(.settingsInvalid, "no file", words: "cannot be read") {
            await Doctor(wellSurroundings(), asksKeyServers: false)
                .examine(SettingsInput(file: Array("/nonexistent/a".utf8)), sockets: [])
        },
        // What refuses a start is found whatever it is about, and without asking anybody.
        settings(
            .settingsInvalid, "a bad proxy", whole(proxy("http://proxy.example")),
            words: "providers[0].proxy must be http://"),
        settings(
            .settingsInvalid, "a proxy that is none", whole(proxy("socks5://proxy.example:1")),
            words: "providers[0].proxy must be http://"),
        settings(
            .settingsInvalid, "authorities that are not there", whole(caFile), words: "providers[0].ca_file "),
        settings(
            .settingsInvalid, "a key file without keys", whole(keys(file: "FOLDER/keys")),
            words: "providers[0].keys cannot be used"),
        settings(
            .settingsInvalid, "an issuer without TLS", whole(issuer("http://127.0.0.1:1")),
            words: "insecure_loopback allows it, for tests"),
        settings(
            .credentialsNotChecked, "a key of a caller", whole(apple, unix, credential), words: "only the service"),
        settings(
            .credentialsNotChecked, "the master key",
            whole(
                apple, unix,
                #","accounts":{"data":"FOLDER/data","master_key_credential":"m","issuer":"https://a.example"}"#)),
        settings(
            .settingsInvalid, "a path for a credential", whole(apple, unix, credential("../k")), words: "not a path"),
        settings(.descriptors, "enough", whole(), change: { $0.descriptors = (1024, 524_288) }),
        settings(.descriptors, "no limit", whole(), change: { $0.descriptors = (1024, .max) }),
        settings(.descriptorsLow, "too few", whole(), change: { $0.descriptors = (1024, 4096) }),
        settings(.keysNotAsked, "offline", whole()),
        settings(.keysFile, "a key set", whole(keys(file: "FOLDER/keys"))) { folder in
            try TestIssuer.rsa.get().keySet.write(toFile: "\(folder)/keys", atomically: false, encoding: .utf8)
        },
        settings(.keysFileUnusable, "an empty set", whole(keys(file: "FOLDER/keys"))) { folder in
            try #"{"keys":[]}"#.write(toFile: "\(folder)/keys", atomically: false, encoding: .utf8)
        },
        settings(.keysFileUnusable, "no file", whole(keys(file: "FOLDER/keys"))),
        settings(.authorities, "those of a provider", whole(caFile)) { folder in
            try FileManager.default.copyItem(atPath: TestServer.shared.get().caFile, toPath: "\(folder)/ca.pem")
        },
        settings(.authoritiesDamaged, "half of them", whole(caFile), words: "After 1 ") { folder in
            let good = try String(contentsOfFile: TestServer.shared.get().caFile, encoding: .utf8)
            try (good + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
                .write(toFile: "\(folder)/ca.pem", atomically: false, encoding: .utf8)
            return nil
        },
        settings(.authoritiesMissing, "no file", whole(caFile)),
    ]

    private static func proxy(_ url: String) -> String {
        apple.replacingOccurrences(of: "{\"provider\"", with: "{\"proxy\":\"\(url)\",\"provider\"")
    }

    private static func issuer(_ url: String) -> String {
        #"{"provider":"oidc","issuer":"\#(url)","audiences":[{"client_id":"a","nonce":"issued"}]}"#
    }

    private static let credential = credential("k")

    private static func credential(_ name: String) -> String {
        #","api_keys":[{"name":"a","credential":"\#(name)"}]"#
    }

    private static let caFile = apple.replacingOccurrences(
        of: "{\"provider\"", with: "{\"ca_file\":\"FOLDER/ca.pem\",\"provider\"")

    // MARK: - The cache

    static let ofTheCache: [DoctorCase] = [
        settings(.cacheFolder, "a good one", whole()) { try make("\($0)/cache") },
        settings(.cacheFolder, "one that can be made", whole(), words: "the daemon makes it"),
        settings(.cacheFolderMissing, "one that cannot", whole(), change: { $0.writeFailure = { _ in EACCES } }),
        settings(
            .cacheFolderMissing, "below a file",
            whole(apple, unix).replacingOccurrences(of: "cache\"", with: "settings.json/cache\"")),
        settings(.cacheFolderOff, "none wanted", whole().replacingOccurrences(of: "FOLDER/cache", with: "")),
        settings(.cacheFolderOff, "none needed", whole(keys(file: "FOLDER/keys"))),
        settings(.cacheFolderForeign, "of another user", whole()) {
            try make("\($0)/cache")
        } change: {
            $0.user = geteuid() &+ 4711
        },
        settings(.cacheFolderOpen, "for a group", whole()) { try make("\($0)/cache", 0o720) },
        settings(.cacheFolderOpen, "for all", whole()) { try make("\($0)/cache", 0o702) },
        settings(.cacheFolderUnusable, "a file", whole()) {
            FileManager.default.createFile(atPath: "\($0)/cache", contents: nil)
        },
        settings(
            .cacheFolderUnusable, "where nothing can be made",
            whole().replacingOccurrences(of: "FOLDER/cache", with: "/proc/self/fd")),
        settings(.cacheFolder, "room", whole()) {
            try make("\($0)/cache")
        } change: {
            $0.freeBytes = { _ in 1 << 20 }
        },
        settings(.cacheFolderFull, "a byte too few", whole()) {
            try make("\($0)/cache")
        } change: {
            $0.freeBytes = { _ in 1 << 20 - 1 }
        },
        settings(.copyNone, "no copy", whole()) { try make("\($0)/cache") },
        settings(.copy, "a fresh copy", whole(), words: "usable keys: 1, ") { try copy(in: $0, age: 100) },
        settings(.copyStale, "an old copy", whole(), words: "serves for ") { try copy(in: $0, age: 3700) },
        settings(.copyIgnored, "too old", whole(), words: "too_old") { try copy(in: $0, age: 3600 + 86_400) },
        settings(.copyIgnored, "from the future", whole(), words: "in_the_future") { try copy(in: $0, age: -1000) },
        settings(.copyIgnored, "damaged", whole(), words: "damaged") { folder in
            try make("\(folder)/cache")
            let path = "\(folder)/cache/\(KeySetFolder.fileName(of: source))"
            _ = FileManager.default.createFile(atPath: path, contents: Data(), attributes: [.posixPermissions: 0o600])
            return nil
        },
    ]

    private static func copy(in folder: String, age: Int64) throws -> Any? {
        let now = Int64(Date().timeIntervalSince1970)
        let stored = StoredKeySet(
            source: source, keySetURL: source, fetchedAt: now - age, timeToLive: 3600, entityTag: nil,
            set: Array(try TestIssuer.rsa.get().keySet.utf8))
        try KeySetFolder(path: "\(folder)/cache").write(stored, now: now)
        return nil
    }

    // MARK: - Sockets and ports

    static let ofListeners: [DoctorCase] = [
        settings(.socketFolderMissing, "no folder", whole()),
        settings(.socketFolder, "a folder", whole()) { try make("\($0)/run") },
        settings(.socketFolderOpen, "for all", whole()) { try make("\($0)/run", 0o702) },
        settings(
            .socketFolderOpen, "below one for all",
            whole(apple, unix.replacingOccurrences(of: "run/", with: "open/run/")), words: "/open\", a folder to which"
        ) {
            try make("\($0)/open", 0o777)
            try make("\($0)/open/run")
            return nil
        },
        settings(
            .socketFolder, "below one with the sticky bit",
            whole(apple, unix.replacingOccurrences(of: "run/", with: "open/run/"))
        ) {
            try make("\($0)/open", 0o1777)
            try make("\($0)/open/run", 0o770)
            return nil
        },
        settings(
            .socketFolderOpen, "with the sticky bit itself", whole(apple, unix), words: "Everybody may write there"
        ) { try make("\($0)/run", 0o1777) },
        settings(.socketFolderClosed, "not for us", whole()) {
            try make("\($0)/run")
        } change: {
            $0.writeFailure = { $0.hasSuffix("/run") ? EACCES : 0 }
        },
        settings(.socketNone, "no socket", whole()) { try make("\($0)/run") },
        settings(.socketNoSocket, "a file", whole()) {
            try make("\($0)/run")
            _ = FileManager.default.createFile(atPath: "\($0)/run/p.sock", contents: nil)
            return nil
        },
        settings(.socketStale, "left behind", whole()) {
            try make("\($0)/run")
            _ = try CannedServer("\($0)/run/p.sock", answer: nil)
            return nil
        },
        served(.socket, "as it should be", 200, pass),
        served(.socketDiffers, "another mode", 200, pass, mode: 0o660, words: "mode 0660"),
        served(.socketExposed, "for all", 200, pass, mode: 0o666),
        served(.daemon, "ready", 200, pass),
        served(.daemonWarns, "with old keys", 200, warns, words: "apple:keys: it is old"),
        served(.daemonNotReady, "without keys", 503, warns.replacingOccurrences(of: "warn", with: "fail")),
        served(.daemonForeign, "no health", 200, "{}"),
        answering(.daemonForeign, "no HTTP", "220 mail.example ESMTP\r\n"),
        answering(.daemonForeign, "a page", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"),
        answering(.daemonForeign, "half a head", "HTTP/1.1 200 OK\r\nContent-Ty"),
        answering(
            .daemonForbidden, "others only",
            "HTTP/1.1 403 No\r\ncontent-TYPE:application/problem+json\r\n\r\n{\"code\":\"peer_not_allowed\"}"),
        answering(
            .daemonForeign, "another's no",
            "HTTP/1.1 403 No\r\nContent-Type: application/problem+json\r\n\r\n{\"code\":\"x\"}"),
        answering(.daemonSilent, "hangs up", ""),
        answering(.daemonSilent, "never answers", nil),
        settings(.daemonUnseen, "datagrams", whole()) {
            try make("\($0)/run")
            return try CannedServer("\($0)/run/p.sock", answer: nil, kind: SOCK_DGRAM)
        },
        settings(.daemonMissing, "nothing there", whole(), sockets: ["FOLDER/named.sock"]),
        settings(.daemonMissing, "no folder", whole(), sockets: ["FOLDER/run/named.sock"]),
        settings(.daemonMissing, "the daemon's own", whole(), sockets: ["FOLDER/run/p.sock"]),
        settings(.daemonMissing, "left behind", whole(), sockets: ["FOLDER/run/p.sock"]) {
            try make("\($0)/run")
            _ = try CannedServer("\($0)/run/p.sock", answer: nil)
            return nil
        },
        settings(.daemonMissing, "left behind, of another", whole(), sockets: ["FOLDER/named.sock"]) {
            _ = try CannedServer("\($0)/named.sock", answer: nil)
            return nil
        },
        settings(.socketNoSocket, "a file that is named", whole(), sockets: ["FOLDER/settings.json"]),
        settings(.socketNoSocket, "a folder that is named", whole(), sockets: ["FOLDER"]),
        settings(.daemon, "by a link", whole(), sockets: ["FOLDER/link"]) {
            symlink("\($0)/named.sock", "\($0)/link")
            return try CannedServer("\($0)/named.sock", answer: CannedServer.health(200, pass))
        },
        port(.port, "127.0.0.1:0"), port(.daemonNone, "127.0.0.1:1", change: { $0.user = 0 }),
        port(.portPrivileged, "127.0.0.1:1023") { $0.user = 4711 },
        port(.port, "127.0.0.1:1024") { $0.user = 4711 },
        port(.port, "127.0.0.1:1023") { $0.user = 0 },
        // Kept for documentation (RFC 5737).
        port(.portNoAddress, "192.0.2.1:8711"),
        inherited(.inheritedElsewhere, [:]),
        inherited(.inheritedForAnother, ["LISTEN_FDS": "1"]),
        inherited(.inheritedForAnother, ["LISTEN_FDS": "1", "LISTEN_PID": "1"]),
        inherited(.inheritedMissing, ["LISTEN_FDS": "0", "LISTEN_PID": "\(getpid())"]),
        inherited(.inheritedMissing, ["LISTEN_FDS": "x", "LISTEN_PID": "\(getpid())"]),
    ]

    private static let pass = #"{"status":"pass"}"#
    private static let warns = #"{"status":"warn","checks":{"apple:keys":[{"status":"warn","output":"it is old"}]}}"#

    /// A daemon that is well at the socket of the settings, with these named besides.
    static func served(in sockets: [String]) -> DoctorCase {
        settings(.daemon, "named too", whole(), sockets: sockets) {
            try make("\($0)/run")
            return try CannedServer("\($0)/run/p.sock", answer: CannedServer.health(200, pass))
        }
    }

    private static func answering(
        _ expected: Diagnosis,
        _ name: String,
        _ answer: String?,
        mode: mode_t = 0o600,
        words: String = ""
    ) -> DoctorCase {
        settings(expected, name, whole(), words: words) {
            try make("\($0)/run")
            return try CannedServer("\($0)/run/p.sock", answer: answer, mode: mode)
        }
    }

    private static func served(
        _ expected: Diagnosis,
        _ name: String,
        _ status: Int,
        _ body: String,
        mode: mode_t = 0o600,
        words: String = ""
    ) -> DoctorCase {
        answering(expected, name, CannedServer.health(status, body), mode: mode, words: words)
    }

    private static func port(
        _ expected: Diagnosis,
        _ place: String,
        change: @escaping @Sendable (inout Surroundings) -> Void = { _ in }
    ) -> DoctorCase {
        let beyond = place.hasPrefix("127.") ? "" : #","beyond_loopback":true"#
        return settings(expected, place, whole(apple, #"{"tcp":"\#(place)"\#(beyond)}"#), change: change)
    }

    private static func inherited(_ expected: Diagnosis, _ variables: [String: String]) -> DoctorCase {
        settings(
            expected, "\(variables.count) variables", whole(apple, #"{"inherited":0,"doors":["native"]}"#),
            change: {
                $0.variables = variables
            })
    }
}
