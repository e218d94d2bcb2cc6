internal import Glibc
internal import PosternBase
internal import PosternVectors

extension Command {
    static let vectors = Command(
        words: ["vectors"],
        summary: "Run files of test vectors",
        usage: ["[OPTION]... PATH..."],
        ownOptions: [],
        operandCount: 1...Int.max,
        notes: [
            "PATH is a file, or a folder of which every .json and .rsp file is run. Read are Postern's own vectors, "
                + "Wycheproof, the JOSE cookbook of RFC 7520, and SHA-2 response files of NIST. What is no vector file is a failure."
        ],
        run: VectorsCommand.run
    )
}

enum VectorsCommand {
    static func run(_ arguments: Arguments) async throws(CommandFailure) -> Answer {
        guard !arguments.operands.contains(where: RawArguments.looksLikeToken) else {
            throw .usage("PATH looks like a token; name files or folders of test vectors")
        }
        var paths: [String] = []
        for index in arguments.operands.indices { paths.append(try arguments.text(ofOperand: index, called: "PATH")) }
        let report = VectorRunner.run(paths: paths, progress: progress())
        return Answer(status: report.hasFailures ? .refused : .success, json: report.json) { _ in
            // Ids and messages come from the files: they must not steer a terminal.
            report.text().split(separator: "\n").map { Excerpt.plain(String($0), maximumCount: 10_000) + "\n" }.joined()
        }
    }

    /// Tells a person who waits what has been run; nobody else.
    private static func progress() -> (VectorFileReport) -> Void {
        guard isatty(STDERR_FILENO) == 1 else { return { _ in } }
        return { file in
            let path = Excerpt.plain(file.path, maximumCount: 1000)
            StandardStreams.complain("\(file.counts.failed > 0 ? "FAILED" : "done") \(path)\n")
        }
    }
}
