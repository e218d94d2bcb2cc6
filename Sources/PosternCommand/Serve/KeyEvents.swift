internal import PosternBase
internal import PosternJOSE
internal import PosternKeySets
internal import PosternService

extension KeySetFailure.Code: LogWord {}
extension DiskCopyFault.Code: LogWord {}

/// What happens to the keys of a provider, for the log and for metrics.
enum KeyEvents {
    static func observer(of provider: String, _ tally: ProviderTally) -> @Sendable (KeySetEvent) -> Void {
        { event in
            tally.count(event)
            tell(event, ("provider", .text(provider, from: .settings)))
        }
    }

    private static func tell(_ event: KeySetEvent, _ name: (StaticString, LogValue)) {
        switch event {
        case .failed(let failure):
            EventLog.write(.keysFailed, [name, ("code", .word(failure.code)), message(failure.message)])
        case .replaced(let usable, let skipped):
            EventLog.write(
                .keysReplaced, [name, ("usable", .number(usable)), ("skipped", .number(skipped.count))])
            if skipped.contains(where: \.reason.isAlarming) { EventLog.write(.keysLeaked, [name]) }
        case .loadedFromDisk(let usable): EventLog.write(.keysLoaded, [name, ("usable", .number(usable))])
        case .servingStale: EventLog.write(.keysStale, [name])
        case .diskCopyIgnored(let fault):
            EventLog.write(.keysCopyIgnored, [name, ("code", .word(fault.code)), message(fault.message)])
        case .diskCopyNotWritten(let fault):
            EventLog.write(.keysCopyNotWritten, [name, ("code", .word(fault.code)), message(fault.message)])
        case .fetched, .notModified, .unknownKeyNotFetched: break
        }
    }

    private static func message(_ text: String) -> (StaticString, LogValue) {
        ("message", .text(text, from: .ownWords))
    }
}
