internal import PosternBase
internal import PosternJOSE

extension RemoteKeySource {
    /// Takes up the copy of an earlier run, if there is one to be believed.
    func loadFromDisk() {
        guard let folder else { return }
        let result: Result<StoredKeySet?, DiskCopyFault>
        do throws(DiskCopyFault) {
            result = .success(try folder.read(for: identity))
        } catch {
            result = .failure(error)
        }
        switch result {
        case .failure(let fault): observer(.diskCopyIgnored(fault))
        case .success(nil): break
        case .success(let stored?): take(stored)
        }
    }

    private func take(_ stored: StoredKeySet) {
        let document: KeySetDocument
        let age: Int64
        do throws(DiskCopyFault) {
            age = try stored.age(at: time.now())
            document = try stored.document()
        } catch {
            return observer(.diskCopyIgnored(folder?.named(error, identity) ?? error))
        }
        let jitter = jitter()
        let now = clock.now()
        state.withLock { state in
            state.machine.load(
                document.keys,
                timeToLive: stored.timeToLive,
                age: .seconds(age),
                at: now,
                jitter: jitter
            )
            state.document = document
            publish(state)
            setAlarm(&state)
        }
        observer(.loadedFromDisk(usable: document.keys.usable.count))
    }

    func stored(_ document: KeySetDocument, _ machine: KeySetMachine, _ second: Int64) -> StoredKeySet? {
        guard folder != nil, let timeToLive = machine.timeToLive else { return nil }
        return StoredKeySet(
            source: identity,
            keySetURL: document.url,
            fetchedAt: second,
            timeToLive: timeToLive,
            entityTag: document.entityTag,
            set: document.body
        )
    }

    /// Writes the copy; it blocks for as long as the disk takes, which holds up nobody who verifies.
    func writeToDisk(_ stored: StoredKeySet, number: Int) {
        guard let folder else { return }
        let fault = lastWritten.withLock { last -> DiskCopyFault? in
            // A later flight has been faster.
            guard number > last else { return nil }
            do throws(DiskCopyFault) {
                try folder.write(stored, now: time.now())
            } catch {
                return error
            }
            last = number
            return nil
        }
        if let fault { observer(.diskCopyNotWritten(fault)) }
    }
}
