internal import PosternAccounts
internal import PosternBase
internal import PosternSQLite
internal import PosternTokens

/// The folder with accounts and sessions, and the database in it.
extension Doctor {
    /// What the log of the database may need, and some growth.
    private static let room: UInt64 = 1 << 30

    func data(_ settings: ServeSettings) -> [Finding] {
        let isShut = DataPlace.warning(settings) != nil
        return folder(settings)
            + (isShut
                ? [Finding(.authShut, nil, "No listener opens the door auth: nobody gets the public keys.")] : [])
    }

    private func folder(_ settings: ServeSettings) -> [Finding] {
        guard let accounts = settings.accounts else { return [] }
        let folder = accounts.data
        guard let state = FileState(folder, follows: true) else {
            return [
                DataPlace.missing(folder).map { Finding(.dataFolderMissing, folder, "It \($0).") }
                    ?? Finding(.dataFolder, folder, "not there yet; the daemon makes it")
            ]
        }
        let finding = folderFinding(folder, state)
        guard finding.diagnosis.level != .problem else { return [finding] }
        let database = database(folder, state)
        guard database.diagnosis == .database else { return [finding, database] }
        return [finding, database, signingKeys(accounts)]
    }

    private func folderFinding(_ folder: String, _ state: FileState) -> Finding {
        guard state.isFolder, state.permissions & 0o077 == 0 else {
            return Finding(.dataFolderOpen, folder, "It is no folder of its owner alone (\(state.words)).")
        }
        guard surroundings.user == 0 || state.owner == surroundings.user else {
            return Finding(
                .dataFolderForeign, folder, "It belongs to user \(state.owner), and this is \(surroundings.user).")
        }
        let free = surroundings.freeBytes(folder) ?? .max
        guard free >= Self.room else { return Finding(.dataFolderFull, folder, "free: \(free >> 20) MiB") }
        return Finding(.dataFolder, folder, "\(state.words), free: \(free >> 20) MiB")
    }

    private func database(_ folder: String, _ state: FileState) -> Finding {
        let file = "\(folder)/postern.db"
        guard FileState(file) != nil else { return Finding(.databaseNone, file, "not there yet; the daemon makes it") }
        // Root would leave files there that the daemon cannot open.
        guard state.owner == surroundings.user else {
            return Finding(.databaseUnseen, file, "It is for user \(state.owner) alone, and this is root.")
        }
        do throws(StoreFault) {
            let status = try MigrationStatus(folder: folder)
            let findings = try IntegrityCheck(folder: folder).findings()
            guard findings.isEmpty else {
                return Finding(
                    .databaseDamaged, file, findings.prefix(3).map { Excerpt.plain($0) }.joined(separator: "; "))
            }
            return Finding(
                .database, file,
                status.isCurrent ? "whole, of the present form" : "whole; the daemon brings it to its form")
        } catch {
            return Finding(error.reason == .damaged ? .databaseDamaged : .databaseUnusable, file, error.message)
        }
    }

    // MARK: - Signing keys

    /// The daemon does not start with keys that it cannot open.
    private func signingKeys(_ accounts: AccountSettings) -> Finding {
        let keys: [StoredSigningKey]
        do throws(StoreFault) { keys = try StoredSigningKeys.read(folder: accounts.data) } catch {
            return Finding(.signingKeysUnusable, nil, error.message)
        }
        guard !keys.isEmpty else { return Finding(.signingKeys, nil, "none yet; the daemon makes them") }
        guard let master = masterKeys ?? accounts.master.keys else {
            return Finding(
                .signingKeysUnseen, nil,
                "not tried: the master key is a credential of the service, and --master-key hands it over")
        }
        let unopened: [StoredSigningKey]
        do throws(ConfigurationError) {
            let plan = SigningKeyPlan(
                period: accounts.signingKeyPeriod, accessTokenLifetime: accounts.accessTokenLifetime)
            let opener = try SigningKeys(master, plan: plan)
            do throws(AccountFault) { unopened = try opener.unopened(keys) } catch {
                return Finding(.signingKeysUnusable, nil, error.words.message)
            }
        } catch {
            return Finding(.signingKeysUnusable, nil, error.message)
        }
        guard unopened.isEmpty else {
            return Finding(
                .signingKeysUnusable, nil,
                "\(unopened.count) of \(keys.count) do not open: they were sealed under another master key. The daemon does not start."
            )
        }
        return Finding(.signingKeys, nil, "\(keys.count), all sealed under the master key")
    }
}
