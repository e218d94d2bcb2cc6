internal import PosternBase

// What a reload takes over, and what waits for the next start.

extension SettingsObject {
    /// What is said of a setting of the whole, by its path.
    func said(_ setting: Setting) -> SettingsOverrides.Entry? {
        var names = setting.path.split(separator: ".").map(String.init)
        guard let last = names.popLast() else { return nil }
        var place = self
        for name in names {
            guard case .some(.some(let member)) = try? place.object(name) else { return nil }
            place = member
        }
        return place.entry(last)
    }
}

extension ServeSettings {
    /// The settings that count from the next start on and are not those of `start`.
    func waiting(since start: ServeSettings) -> [String] {
        let settings = Setting.all.filter { $0.isSettable && $0.isReloaded == false }
        return settings.filter { object.canonical($0) != start.object.canonical($0) }.map(\.path)
    }

    /// These, with what counts from the next start on as it was at `start`; `before` are those that have counted until now.
    func reloaded(since start: ServeSettings, after before: ServeSettings) -> ServeSettings {
        var settings = self
        settings.listeners = start.listeners
        settings.nonceLifetime = start.nonceLifetime
        settings.nonceCapacity = start.nonceCapacity
        settings.cacheFolder = start.cacheFolder
        settings.accounts =
            accounts.flatMap { now in start.accounts.map { now.reloaded(since: $0) } } ?? before.accounts
        settings.limits = limits.reloaded(since: start.limits)
        return settings
    }
}

extension SettingsObject {
    /// The same for the same value, however it is written.
    fileprivate func canonical(_ setting: Setting) -> String {
        said(setting).map { Self.canonical($0.value) } ?? setting.standardValue ?? ""
    }

    private static func canonical(_ value: JSONValue) -> String {
        switch value.kind {
        case .object:
            let members = value.members.map { "\(JSONOutput.string($0.name).text()):\(canonical($0.value))" }
            return "{\(members.sorted().joined(separator: ","))}"
        case .array: return "[\((value.elements ?? []).map(canonical).joined(separator: ","))]"
        case .number: return value.integer.map { "\($0)" } ?? value.text
        case .string: return JSONOutput.string(value.string ?? "").text()
        case .bool, .null: return value.text
        }
    }
}
