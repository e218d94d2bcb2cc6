// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "backend",
    dependencies: [.package(name: "postern", path: "../../..")],
    targets: [.executableTarget(name: "Backend", dependencies: [.product(name: "Postern", package: "postern")])]
)
