// swift-tools-version: 6.2
import PackageDescription

// The rooms of the house, lowest level first. What a room may import is its definition;
// Tests/PosternArchitectureTests holds the same table against the sources.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func room(_ name: String, sees dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, sees dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

var targets: [Target] = [
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CIDN", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
    // It has no description for pkg-config.
    .systemLibrary(name: "CUnistring"),
    .systemLibrary(name: "CLinux"),

    room("PosternBase", sees: []),
    room("PosternCrypto", sees: ["COpenSSL", "PosternBase"]),
    room("PosternHTTP", sees: ["PosternBase"]),
    room("PosternLoop", sees: ["CLinux", "PosternBase"]),
    room("PosternJOSE", sees: ["PosternBase", "PosternCrypto"]),
    room("PosternPasswords", sees: ["CSodium", "CCrypt", "CUnistring", "PosternBase", "PosternCrypto"]),
    room("PosternTransport", sees: ["CCurl", "PosternBase", "PosternHTTP"]),
    room("PosternHTTPServer", sees: ["PosternBase", "PosternHTTP", "PosternLoop"]),
    room("PosternTokens", sees: ["PosternBase", "PosternCrypto", "PosternJOSE"]),
    room("PosternKeySets", sees: ["PosternBase", "PosternCrypto", "PosternHTTP", "PosternJOSE", "PosternTokens"]),
    room("PosternVectors", sees: ["PosternBase", "PosternCrypto", "PosternJOSE", "PosternTokens"]),
    room(
        "PosternAccounts",
        sees: ["CIDN", "PosternBase", "PosternCrypto", "PosternJOSE", "PosternPasswords", "PosternTokens"]
    ),
    room(
        "PosternSQLite",
        sees: ["CLinux", "CSQLite", "PosternBase", "PosternCrypto", "PosternTokens", "PosternAccounts"]),
    room(
        "PosternService",
        sees: [
            "PosternBase", "PosternCrypto", "PosternHTTP", "PosternJOSE", "PosternPasswords", "PosternTokens",
            "PosternKeySets", "PosternAccounts",
        ]
    ),
    room("PosternIssuer", sees: ["PosternBase", "PosternCrypto", "PosternHTTP", "PosternJOSE"]),
    room(
        "Postern",
        sees: ["PosternBase", "PosternHTTP", "PosternJOSE", "PosternTokens", "PosternKeySets", "PosternTransport"]
    ),
    .executableTarget(
        name: "PosternCommand",
        dependencies: [
            "CLinux", "PosternBase", "PosternCrypto", "PosternHTTP", "PosternJOSE", "PosternTokens", "PosternTransport",
            "PosternKeySets", "PosternHTTPServer", "PosternService", "PosternIssuer", "PosternVectors",
            "PosternPasswords", "PosternAccounts", "PosternSQLite",
        ],
        swiftSettings: strict
    ),
    // What SQLite can do at most, in C, and a disk that is made slow.
    .target(name: "CStoreLimit", path: "Tests/CStoreLimit", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
        name: "PosternBench",
        dependencies: [
            "CLinux", "COpenSSL", "CSodium", "CStoreLimit", "PosternBase", "PosternCrypto", "PosternHTTP",
            "PosternHTTPServer", "PosternJOSE", "PosternLoop", "PosternPasswords", "PosternTokens", "PosternKeySets",
            "PosternService", "PosternAccounts", "PosternSQLite",
        ],
        path: "Tests/PosternBench",
        swiftSettings: strict
    ),

    .target(
        name: "PosternTestSupport",
        dependencies: ["PosternBase", "PosternCrypto", "PosternJOSE", "PosternPasswords", "PosternTokens"],
        path: "Tests/PosternTestSupport",
        swiftSettings: strict
    ),
    // What every store must do, a store in memory, and stores that fail or count.
    .target(
        name: "PosternStoreTestSupport",
        dependencies: ["PosternBase", "PosternAccounts", "PosternTokens"],
        path: "Tests/PosternStoreTestSupport",
        swiftSettings: strict
    ),
    // The client of the documentation, which the tests of the command run.
    .executableTarget(name: "PosternExampleClient", path: "Docs/Examples/Clients/Swift", swiftSettings: strict),
    // Writes disk copies of key sets without end, for the test that kills it.
    .executableTarget(
        name: "PosternKeyWriter",
        dependencies: ["PosternKeySets"],
        path: "Tests/PosternKeyWriter",
        swiftSettings: strict
    ),
    tests("PosternArchitectureTests", sees: ["PosternTestSupport"]),
    tests("PosternBaseTests", sees: ["PosternBase", "PosternTestSupport"]),
    tests("PosternCryptoTests", sees: ["PosternBase", "PosternCrypto", "PosternTestSupport"]),
    tests("PosternHTTPTests", sees: ["PosternHTTP"]),
    // A server that a test can kill or leave few descriptors.
    .executableTarget(
        name: "PosternTestHTTPServer",
        dependencies: ["PosternBase", "PosternHTTP", "PosternHTTPServer"],
        path: "Tests/PosternTestHTTPServer",
        swiftSettings: strict
    ),
    tests("PosternLoopTests", sees: ["PosternBase", "PosternLoop"]),
    tests(
        "PosternHTTPServerTests",
        sees: [
            "PosternBase", "PosternHTTP", "PosternHTTPServer", "PosternLoop", "PosternTestHTTPServer",
            "PosternTestSupport",
        ]
    ),
    tests("PosternJOSETests", sees: ["PosternBase", "PosternCrypto", "PosternJOSE", "PosternTestSupport"]),
    tests(
        "PosternTokensTests",
        sees: ["PosternBase", "PosternCrypto", "PosternJOSE", "PosternTokens", "PosternTestSupport"]
    ),
    tests(
        "PosternAccountsTests",
        sees: [
            "PosternBase", "PosternCrypto", "PosternJOSE", "PosternPasswords", "PosternAccounts", "PosternTokens",
            "PosternSQLite", "PosternTestSupport", "PosternStoreTestSupport",
        ]
    ),
    tests(
        "PosternSQLiteTests",
        sees: [
            "CSQLite", "PosternBase", "PosternPasswords", "PosternAccounts", "PosternTokens", "PosternSQLite",
            "PosternStoreTestSupport", "PosternStoreWriter",
        ]
    ),
    // Writes for ever and says what is durable, for the test that kills it.
    .executableTarget(
        name: "PosternStoreWriter",
        dependencies: [
            "PosternBase", "PosternPasswords", "PosternTokens", "PosternAccounts", "PosternSQLite",
            "PosternTestSupport",
        ],
        path: "Tests/PosternStoreWriter",
        swiftSettings: strict
    ),
    tests("PosternPasswordsTests", sees: ["PosternBase", "PosternCrypto", "PosternPasswords", "PosternTestSupport"]),
    .target(name: "CTestResolver", path: "Tests/CTestResolver"),
    tests("PosternTransportTests", sees: ["CTestResolver", "PosternHTTP", "PosternTransport", "PosternTestSupport"]),
    tests(
        "PosternKeySetsTests",
        sees: [
            "PosternBase", "PosternCrypto", "PosternHTTP", "PosternJOSE", "PosternTokens", "PosternKeySets",
            "PosternTransport", "PosternTestSupport", "PosternKeyWriter",
        ]
    ),
    tests(
        "PosternVectorsTests",
        sees: [
            "PosternBase", "PosternCrypto", "PosternJOSE", "PosternTokens", "PosternVectors", "PosternTestSupport",
        ]
    ),
    tests(
        "PosternServiceTests",
        sees: [
            "PosternBase", "PosternCrypto", "PosternHTTP", "PosternJOSE", "PosternPasswords", "PosternTokens",
            "PosternKeySets", "PosternAccounts", "PosternService", "PosternStoreTestSupport", "PosternTestSupport",
        ]
    ),
    tests("PosternTests", sees: ["Postern", "PosternCrypto", "PosternTestSupport"]),
    tests(
        "PosternIssuerTests",
        sees: [
            "PosternBase", "PosternCrypto", "PosternHTTP", "PosternJOSE", "PosternTokens", "PosternKeySets",
            "PosternIssuer", "PosternTestSupport",
        ]
    ),
    tests(
        "PosternCommandTests",
        // The command itself, so that it is built before it is run.
        sees: [
            "PosternCommand", "PosternAccounts", "PosternBase", "PosternCrypto", "PosternHTTP", "PosternLoop",
            "PosternJOSE",
            "PosternTokens", "PosternTransport", "PosternKeySets", "PosternExampleClient", "PosternTestSupport",
        ]
    ),
]

// libFuzzer needs its own compiler flags for the whole build, so the target exists only for `make fuzz`.
if Context.environment["POSTERN_FUZZ"] != nil {
    targets.append(
        .executableTarget(
            name: "PosternFuzz",
            dependencies: [
                "PosternBase", "PosternCrypto", "PosternHTTP", "PosternHTTPServer", "PosternJOSE", "PosternTokens",
            ],
            path: "Tests/PosternFuzz",
            exclude: ["run.sh"],
            swiftSettings: strict
        )
    )
}

let package = Package(
    name: "postern",
    products: [
        .library(name: "Postern", targets: ["Postern"]),
        .executable(name: "postern", targets: ["PosternCommand"]),
    ],
    targets: targets,
    swiftLanguageModes: [.v6]
)
