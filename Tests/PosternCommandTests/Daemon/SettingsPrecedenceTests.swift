import Foundation
import PosternTestSupport
import Testing

/// Flags over variables over the file over what counts otherwise.
@Suite struct SettingsPrecedenceTests {
    private static func effective(
        _ settings: String, _ arguments: [String] = [], _ environment: [String: String] = [:]
    ) throws -> [String: [String: Any]] {
        let run = try SettingsRun.run(["config", "--effective", "--format", "json"], settings, arguments, environment)
        #expect(run.status == 0, "\(run.complaint)")
        let object = try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any]
        let list = try #require(object?["settings"] as? [[String: Any]])
        return Dictionary(list.map { ($0["setting"] as? String ?? "", $0) }) { first, _ in first }
    }

    @Test func eachPlaceCountsOverTheNext() throws {
        let file = SettingsRun.good(",\n\"limits\":{\"connections\":101}")
        let variable = ["POSTERN_LIMITS_CONNECTIONS": "102"]
        let flag = ["--set", "limits.connections=103"]
        let runs: [(String, [String], [String: String], Int, String)] = [
            (SettingsRun.good(), [], [:], 16384, "default"), (file, [], [:], 101, "FILE:2"),
            (SettingsRun.good(), [], variable, 102, "POSTERN_LIMITS_CONNECTIONS"),
            (file, [], variable, 102, "POSTERN_LIMITS_CONNECTIONS"),
            (SettingsRun.good(), flag, [:], 103, "--set limits.connections"),
            (file, flag, variable, 103, "--set limits.connections"),
        ]
        for (settings, arguments, environment, value, source) in runs {
            let found = try #require(Self.effective(settings, arguments, environment)["limits.connections"])
            #expect(found["value"] as? Int == value)
            #expect(found["source"] as? String == source)
        }
    }

    /// Everything without a file.
    @Test func noFileIsNeeded() throws {
        let environment = [
            "POSTERN_PROVIDERS": "[\(SettingsRun.apple)]", "POSTERN_LISTENERS": "[\(SettingsRun.unix),] // a comment",
            "POSTERN_CACHE_FOLDER": "",
        ]
        #expect(try Invocation.run(["check-config"], environment: environment).status == 0)
        let flags = environment.flatMap { name, value in
            ["--set", "\(name.dropFirst("POSTERN_".count).lowercased())=\(value)"]
        }
        #expect(try Invocation.run(["check-config"] + flags).status == 0)
        let alone = try Invocation.run(
            ["check-config"], environment: ["POSTERN_LISTENERS": "[\(SettingsRun.unix)]"])
        #expect(alone.status == 1)
        #expect(SettingsRun.withoutWarning(alone.text) == "providers is missing\n")
    }

    @Test func aVariableNamesTheFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(SettingsRun.good().utf8)).path
        #expect(try Invocation.run(["check-config"], environment: ["POSTERN_CONFIG": file]).status == 0)
        #expect(try Invocation.run(["check-config"], environment: ["POSTERN_CONFIG": "/nonexistent"]).status == 2)
        let both = try Invocation.run(
            ["check-config", "--config", file], environment: ["POSTERN_CONFIG": "/nonexistent"])
        #expect(both.status == 0)
    }

    /// Every setting outside of arrays, and every array, has a variable of its own.
    @Test func everyVariableIsTaken() throws {
        let json = try Invocation.run(["settings", "--format", "json"]).json()
        let settings = try #require(json["settings"] as? [[String: Any]])
        let variables = settings.compactMap { $0["variable"] as? String }
        #expect(Set(variables).count == variables.count && variables.count >= 18)
        #expect(variables.contains("POSTERN_LIMITS_REQUESTS_PER_SECOND") && variables.contains("POSTERN_API_KEYS"))
        for variable in variables where variable != "POSTERN_CACHE_FOLDER" {
            // Known, and read as the file is.
            let run = try SettingsRun.run(["check-config"], SettingsRun.good(), [], [variable: "{}"])
            #expect(run.status == 1)
            #expect(run.text.hasPrefix("\(variable):"), "\(run.text)")
            // What is said of accounts without a place for them is wrong whatever it is.
            let isAlone = variable.hasPrefix("POSTERN_ACCOUNTS_") && run.text.contains("without accounts.data")
            #expect(run.text.contains("must be") || isAlone, "\(run.text)")
        }
    }

    private static let wrong: [(arguments: [String], environment: [String: String], message: String)] = [
        (
            [], ["POSTERN_LIMITS_CONNECTIONS": "0"],
            "POSTERN_LIMITS_CONNECTIONS: limits.connections must be a number of connections, 1 to 1000000, not 0"
        ),
        ([], ["POSTERN_LIMITS_CONNECTIONS": "1000001"], "not 1000001"),
        ([], ["POSTERN_LIMITS_CONNECTIONS": "10k"], #"POSTERN_LIMITS_CONNECTIONS: limits.connections must be"#),
        ([], ["POSTERN_LIMITS_CONNECTIONS": "10k"], #"not "10k""#),
        ([], ["POSTERN_LIMITS_CONNECTIONS": ""], #"not """#), ([], ["POSTERN_LIMITS_CONNECTIONS": "true"], "not true"),
        ([], ["POSTERN_LIMITS_CONNECTIONS": " 5"], "must be a number"),
        ([], ["POSTERN_CACHE_FOLDER": "x"], "POSTERN_CACHE_FOLDER: cache_folder must be an absolute path"),
        ([], ["POSTERN_PROVIDERS": "apple"], "POSTERN_PROVIDERS:1:1: an unexpected character"),
        ([], ["POSTERN_PROVIDERS": "[{}]"], "POSTERN_PROVIDERS:1:2: providers[0].provider is missing"),
        (
            [], ["POSTERN_PROVIDERS": "[{},\n 5]"],
            "POSTERN_PROVIDERS:2:2: providers[1] must be an object, not this number"
        ),
        ([], ["POSTERN_LIMIT_CONNECTIONS": "5"], "is POSTERN_LIMITS_CONNECTIONS meant?"),
        ([], ["POSTERN_LIMITS": "{}"], "POSTERN_LIMITS: no setting has this variable"),
        ([], ["POSTERN_LISTENER": "[]"], "is POSTERN_LISTENERS meant?"),
        ([], ["POSTERN_": "x"], "POSTERN_: no setting has this variable"),
        ([], ["POSTERN_SOMETHING_ELSE": "x"], "'postern settings' lists all"),
        (["--set", "limits.connections"], [:], "--set takes NAME=VALUE"),
        (
            ["--set", "limits.conections=5"], [:],
            #"there is no setting "limits.conections": is limits.connections meant?"#
        ),
        (["--set", "limits={}"], [:], "is an object: set its members one by one"),
        (["--set", "providers[].leeway=5"], [:], "stands in an array"),
        (["--set", "=5"], [:], "there is no setting"),
        (["--set", "limits.threads=1", "--set", "limits.threads=2"], [:], "--set limits.threads is given twice"),
        (["--set", "limits.threads=257"], [:], "--set limits.threads: limits.threads must be a number of threads"),
        (
            ["--set", "limits.burst=5"], [:],
            "--set limits.burst: limits.burst has no meaning without requests_per_second"
        ),
        (["--set", "api_keys=[{\"name\":\"a\"}]"], [:], "--set api_keys:1:2: api_keys[0].sha256 is missing"),
        // What does not count must be good all the same.
        (["--set", "limits.threads=1"], ["POSTERN_LIMITS_THREDS": "5"], "is POSTERN_LIMITS_THREADS meant?"),
        (
            ["--set", "limits.threads=1"], ["POSTERN_LIMITS_THREADS": "x"],
            #"POSTERN_LIMITS_THREADS: limits.threads must"#
        ),
    ]

    @Test(arguments: wrong.indices)
    func wrongOnesRefuseTheStart(_ index: Int) throws {
        let (arguments, environment, message) = Self.wrong[index]
        let run = try SettingsRun.run(["serve"], SettingsRun.good(), arguments, environment)
        #expect(run.status == 2)
        #expect(run.complaint.contains(message), "\(run.complaint)")
        #expect(!run.complaint.contains("FILE:"), "\(run.complaint)")
    }

    @Test func whatIsOverruledMustBeGood() throws {
        let run = try SettingsRun.run(
            ["check-config"], SettingsRun.good(#","limits":{"threads":0}"#), ["--set", "limits.threads=1"])
        #expect(run.status == 1)
        #expect(run.text.hasPrefix("FILE:1:") && run.text.contains("limits.threads must be"), "\(run.text)")
    }

    /// Every number at both ends of its range and beyond.
    @Test func ranges() throws {
        let json = try Invocation.run(["settings", "--format", "json"]).json()
        var count = 0
        for setting in try #require(json["settings"] as? [[String: Any]]) {
            guard let form = setting["form"] as? String, form.hasPrefix("number"), setting["variable"] is String,
                let path = setting["setting"] as? String,
                let range = form.firstMatch(of: #/(\d+) to (\d+)$/#), let low = Int(range.1), let high = Int(range.2)
            else { continue }
            count += 1
            for (value, isGood) in [(low, true), (high, true), (low - 1, false), (high + 1, false)] {
                let run = try SettingsRun.run(["check-config"], SettingsRun.good(), ["--set", "\(path)=\(value)"])
                #expect(run.text.contains("must be a number") != isGood, "\(path)=\(value): \(run.text)")
            }
        }
        #expect(count == 30)
        for (path, low, high) in [("leeway", 0, 300), ("max_age", 0, 31_622_400)] {
            for (value, isGood) in [(low, true), (high, true), (low - 1, false), (high + 1, false)] {
                let provider = SettingsRun.apple.dropLast() + #","\#(path)":\#(value)}"#
                let run = try SettingsRun.run(
                    ["check-config"], SettingsRun.good(), ["--set", "providers=[\(provider)]"])
                #expect((run.status == 0) == isGood, "\(path)=\(value): \(run.text)")
            }
        }
    }

    /// Variables of callers and tests, and those that containers find in their environment.
    @Test(arguments: [
        "POSTERN_API_KEY", "POSTERN_EXTRA_VECTORS", "POSTERN_RACE_ROUNDS", "POSTERN_SOAK_SECONDS", "POSTERN_SANITIZE",
        "POSTERN_FUZZ", "POSTERN_PORT", "POSTERN_SERVICE_HOST", "POSTERN_SERVICE_PORT", "POSTERN_SERVICE_PORT_HTTP",
        "POSTERN_PORT_8711_TCP", "POSTERN_PORT_8711_TCP_ADDR", "POSTERN_AUTH_SERVICE_HOST", "POSTERN_NAME",
        "POSTERN_ENV_PATH", "POSTERN_ENV_POSTERN_LIMITS", "XPOSTERN_LIMITS",
        "postern_x",
    ])
    func othersAreLeftAlone(_ name: String) throws {
        #expect(try SettingsRun.run(["check-config"], SettingsRun.good(), [], [name: "x"]).status == 0)
    }

    /// A variable that stands twice would count for one program and not for another.
    @Test func twiceIsRefused() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(containing: Data(SettingsRun.good().utf8)).path
        let script = """
            import os, ctypes, sys
            libc = ctypes.CDLL(None)
            env = (ctypes.c_char_p * 4)(b"POSTERN_LIMITS_THREADS=1", b"POSTERN_LIMITS_THREADS=2", sys.argv[3].encode("latin1"), None)
            args = (ctypes.c_char_p * 5)(sys.argv[1].encode(), b"check-config", b"--config", sys.argv[2].encode(), None)
            libc.execve(sys.argv[1].encode(), args, env)
            """
        let answer = try Invocation.run(
            URL(fileURLWithPath: "/usr/bin/python3"), ["-c", script, Invocation.program.path, file, "POSTERN_X=1"],
            input: .nullDevice, environment: [:], output: nil)
        #expect(answer.text.contains("POSTERN_LIMITS_THREADS: is in the environment twice"), "\(answer.text)")
        let bytes = try Invocation.run(
            URL(fileURLWithPath: "/usr/bin/python3"),
            ["-c", script, Invocation.program.path, file, "POSTERN_CACHE_FOLDER=/\u{FF}"], input: .nullDevice,
            environment: [:], output: nil)
        #expect(bytes.text.contains("POSTERN_CACHE_FOLDER: is not UTF-8"), "\(bytes.text)")
    }
}
