internal import PosternAccounts

/// A folder whose database somebody looks at, beside a process that serves or without one; nobody puts another in its place meanwhile.
struct FolderView {
    let folder: DataFolder
    private let use: FolderUse

    /// Throws where there is no database.
    init(_ path: String) throws(StoreFault) {
        folder = try DataFolder(path, isMade: false)
        use = try FolderUse(folder, .open)
        guard try folder.hasDatabase() else { throw .noDatabase(folder.path) }
    }

    /// With a connection that changes nothing.
    func look<Outcome>(_ body: (Database) throws(StoreFault) -> Outcome) throws(StoreFault) -> Outcome {
        try withExtendedLifetime(use) { () throws(StoreFault) in
            try body(try Database.open(folder.database, .reading, busyMilliseconds: 5_000))
        }
    }
}
