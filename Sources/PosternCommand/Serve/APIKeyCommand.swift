internal import PosternBase
internal import PosternService

extension Command {
    static let apiKey = Command(
        words: ["api-key"],
        summary: "Make a key for callers of the daemon, and its hash",
        usage: ["[OPTION]..."],
        ownOptions: [],
        operandCount: 0...0,
        notes: [
            "The caller keeps the key and sends it as 'Authorization: Bearer KEY'; the settings of the daemon hold the hash. It is shown "
                + "this once."
        ],
        run: APIKeyCommand.run
    )
}

enum APIKeyCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        let key = APIKeys.random()
        guard let digest = APIKeys.digest(of: key) else { throw .trouble("the key cannot be hashed") }
        let hash = Hex.encode(digest)
        return Answer(status: .success, json: .object([("key", .string(key.revealed)), ("sha256", .string(hash))])) {
            _ in
            "key     \(key.revealed)\nsha256  \(hash)\n"
        }
    }
}
