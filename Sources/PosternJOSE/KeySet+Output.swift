package import PosternBase

// How keys are shown (`Docs/Output.md`), by the command and the daemon alike.

extension VerificationKey {
    package var json: JSONOutput {
        .object([
            ("kid", .optional(keyID)),
            ("type", .string(summary)),
            ("algorithms", .strings(algorithms.map(\.name))),
            ("thumbprint", .string(thumbprint)),
        ])
    }
}

extension SkippedMember {
    package var json: JSONOutput {
        .object([
            ("position", .integer(Int64(position))),
            ("kid", .optional(keyID)),
            ("reason", .string(reason.rawValue)),
            ("detail", .string(detail)),
            ("alarming", .bool(reason.isAlarming)),
        ])
    }
}
