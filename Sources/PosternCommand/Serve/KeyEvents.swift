internal import PosternBase
internal import PosternJOSE
internal import PosternKeySets

/// What happens to the keys of a provider, for the log.
enum KeyEvents {
    static func observer(of provider: String) -> @Sendable (KeySetEvent) -> Void {
        { event in
            let name = ("provider", JSONOutput.string(provider))
            switch event {
            case .failed(let failure):
                EventLog.write(.warning, "keys_failed", [name, code(failure.code.rawValue), message(failure.message)])
            case .replaced(let usable, let skipped):
                let counts = [("usable", usable), ("skipped", skipped.count)].map {
                    ($0, JSONOutput.integer(Int64($1)))
                }
                EventLog.write(.info, "keys_replaced", [name] + counts)
                if skipped.contains(where: \.reason.isAlarming) { EventLog.write(.error, "keys_leaked", [name]) }
            case .loadedFromDisk(let usable):
                EventLog.write(.info, "keys_loaded", [name, ("usable", .integer(Int64(usable)))])
            case .servingStale: EventLog.write(.warning, "keys_stale", [name])
            case .diskCopyIgnored(let fault):
                EventLog.write(
                    .warning, "keys_copy_ignored", [name, code(fault.code.rawValue), message(fault.message)])
            case .diskCopyNotWritten(let fault):
                EventLog.write(
                    .warning, "keys_copy_not_written", [name, code(fault.code.rawValue), message(fault.message)])
            case .fetched, .notModified, .unknownKeyNotFetched: break
            }
        }
    }

    private static func code(_ code: String) -> (String, JSONOutput) { ("code", .string(code)) }
    private static func message(_ text: String) -> (String, JSONOutput) { ("message", .string(text)) }
}
