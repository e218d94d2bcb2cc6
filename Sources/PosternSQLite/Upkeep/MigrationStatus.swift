package import PosternAccounts

/// What has been done to a database, and what is to be.
package struct MigrationStatus: Sendable {
    package struct Step: Sendable, Equatable {
        package let version: Int64
        package let name: String
        /// When it was applied, in seconds since 1970; nil when it is still to come.
        package let appliedAt: Int64?
    }

    /// The oldest first.
    package let steps: [Step]

    package var isCurrent: Bool { steps.allSatisfy { $0.appliedAt != nil } }

    /// Of a database that is not there: everything is to come.
    package init() { steps = Migration.all.map { Step(version: $0.version, name: $0.name, appliedAt: nil) } }

    /// Looks at the database in the folder and changes nothing. Throws also where the file is of a newer or another program.
    package init(folder: String, migrations: [Migration] = Migration.all) throws(StoreFault) {
        steps = try FolderView(folder).look { database throws(StoreFault) in
            // At one moment: a daemon may bring it further meanwhile.
            try database.run("BEGIN")
            let pending = try Migrator(migrations: migrations).pending(database)
            let applied = try Migrator.applied(database)
            return applied.map { Step(version: $0.version, name: $0.name, appliedAt: $0.at) }
                + pending.map { Step(version: $0.version, name: $0.name, appliedAt: nil) }
        }
    }
}
