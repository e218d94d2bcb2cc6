/// What every store must do. The same cases run on each of them.
package enum StoreConformance {
    /// One rule, tried on a store that is empty at first.
    package struct Case: Sendable, CustomStringConvertible {
        package let name: String
        let body: @Sendable (StoreTest) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (StoreTest) async throws -> Void) {
            self.name = name
            self.body = body
        }

        package var description: String { name }

        /// Throws `Unmet` when the store does something else, and a `StoreFault` when it fails where it should not. In the end the
        /// store is opened once more, and what the last step gave must be there.
        package func run(at place: StorePlace) async throws {
            var failure: (any Error)?
            do { try await tried(at: place) } catch { failure = error }
            try await place.remove()
            if let failure { throw failure }
        }

        private func tried(at place: StorePlace) async throws {
            let test = try await StoreTest(place)
            do {
                try await body(test)
                try await test.reopen()
            } catch {
                try? await test.close()
                throw error
            }
            try await test.close()
        }
    }

    package static let cases: [Case] =
        accountCases + belongingCases + sessionCases + signUpCases + mailCases + onceCases + otherCases + auditCases
        + shapeCases
        + listCases + purgeCases + isolationCases + concurrencyCases
}
