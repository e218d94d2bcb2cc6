internal import PosternBase
internal import PosternJOSE
internal import PosternKeySets
internal import PosternTokens
internal import PosternTransport

/// The keys of each provider, asked for as the daemon does.
extension Doctor {
    func keys(_ settings: ServeSettings) async -> [Finding] {
        let place = CacheFolder.daemonFolder(set: settings.cacheFolder)
        return await withTaskGroup(of: (Int, [Finding]).self) { group in
            for (index, provider) in settings.providers.enumerated() {
                group.addTask { (index, await keys(of: provider) + copy(of: provider, in: place)) }
            }
            var all: [(Int, [Finding])] = []
            for await found in group { all.append(found) }
            return all.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }

    private func keys(of provider: ProviderSettings) async -> [Finding] {
        let name = provider.provider.name
        if case .file(let path) = provider.keys { return [Self.keys(inFile: path, of: name)] }
        guard asksKeyServers else { return [Finding(.keysNotAsked, name, "not asked, by --offline")] }
        let client: CurlClient
        do throws(NetworkSettingsError) {
            client = try provider.network.plainClient()
        } catch {
            return [Finding(.keysSettings, name, error.message(naming: error.member))]
        }
        let dated = DatedClient(client, surroundings.time)
        let clock = MonotonicTimeSource.system
        let start = clock.now()
        let result: Result<FetchedKeySet, KeySetFailure>
        do throws(ConfigurationError) {
            result = try await FetchedKeySet.fetch(
                of: provider.provider, client: dated, allowsInsecureLoopback: provider.network.allowsInsecureLoopback)
        } catch {
            return [Finding(.keysSettings, name, error.message)]
        }
        let time = clock.now() - start
        let difference = dated.difference.map { [Self.clock(differsBy: $0, provider.provider)] } ?? []
        return [Self.finding(result, time, name)] + difference
    }

    private static func keys(inFile path: String, of name: String) -> Finding {
        do throws(ConfigurationError) {
            let status = try FileKeySource(path: path).status
            return Finding(
                .keysFile, name,
                "usable keys: \(status.usableKeys.count), skipped: \(status.skippedMembers.count), in \(Excerpt.plain(path))"
            )
        } catch {
            return Finding(.keysFileUnusable, name, error.message)
        }
    }

    static func finding(_ result: Result<FetchedKeySet, KeySetFailure>, _ time: Duration, _ name: String) -> Finding {
        let took = "after \(time.milliseconds) ms"
        switch result {
        case .failure(let failure):
            return Finding(.keysUnreachable, name, "\(failure.code), \(took): \(failure.message)")
        case .success(let set):
            let words =
                "usable keys: \(set.keys.usable.count), skipped: \(set.keys.skipped.count), \(took), "
                + "fresh for \(set.timeToLive) s, from \(KeySetURL.shown(set.url))"
            if set.keys.usable.isEmpty { return Finding(.keysUnusable, name, words) }
            if set.keys.skipped.contains(where: \.reason.isAlarming) { return Finding(.keysLeaked, name, words) }
            return Finding(time > KeySetLimits.patience ? .keysSlow : .keys, name, words)
        }
    }

    // MARK: - The clock

    /// A server tells whole seconds, and an answer takes its time.
    private static let usualDifference: Int64 = 5

    static func clock(differsBy seconds: Int64, _ provider: Provider) -> Finding {
        let words = "\(seconds.magnitude) s \(seconds < 0 ? "behind" : "ahead of") the key server's clock"
        if seconds.magnitude <= UInt64(usualDifference) { return Finding(.clockServer, provider.name, words) }
        let leeway = UInt64(clamping: provider.leeway)
        return seconds.magnitude <= leeway
            ? Finding(.clockServerDiffers, provider.name, "The clock is \(words).")
            : Finding(.clockServerFar, provider.name, "The clock is \(words), and leeway is \(leeway) s.")
    }

    // MARK: - The copy on disk

    private func copy(of provider: ProviderSettings, in folder: String?) -> [Finding] {
        // Without a folder there is none, and what came without TLS is not kept.
        guard let folder, provider.isFetching, !provider.network.allowsInsecureLoopback else { return [] }
        let name = provider.provider.name
        let trust: String?
        do throws(CommandFailure) {
            trust = try CacheFolder.trust(of: provider.network)
        } catch {
            // Told about the file of authorities.
            return []
        }
        do throws(DiskCopyFault) {
            let found = try KeySetCopy.look(
                for: provider.provider, in: folder, trust: trust, owner: owner(of: folder),
                now: surroundings.time.now())
            return [Self.finding(found, name)]
        } catch {
            return [Finding(.copyIgnored, name, "\(error.code): \(error.message)")]
        }
    }

    static func finding(_ copy: KeySetCopy?, _ name: String) -> Finding {
        guard let copy else { return Finding(.copyNone, name, "no copy on disk yet") }
        let words = "usable keys: \(copy.usableCount), \(copy.age) s old, serves for \(copy.servesFor) s more"
        return Finding(copy.age < copy.timeToLive ? .copy : .copyStale, name, words)
    }
}
