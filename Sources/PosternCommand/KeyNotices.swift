internal import PosternKeySets

/// What a person should know about the keys though the verdict does not say it.
enum KeyNotices {
    @Sendable static func tell(_ event: KeySetEvent) {
        switch event {
        case .servingStale:
            say("The keys are past their time and their issuer cannot be asked; the copy of an earlier run serves on.")
        case .diskCopyIgnored(let fault) where fault.code != .tooOld: say(fault.message)
        case .diskCopyNotWritten(let fault): say(fault.message)
        default: break
        }
    }

    private static func say(_ text: String) { StandardStreams.complain("postern: \(text)\n") }
}
