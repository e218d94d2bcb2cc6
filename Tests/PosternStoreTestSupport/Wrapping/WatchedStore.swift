import PosternAccounts

/// Tells a closure of every call; what it throws is the outcome of that call.
final class WatchedReader: ForwardingReader {
    typealias Watch = (StoreCall, [UInt8]?) throws(StoreFault) -> Void

    let reader: any StoreReader
    private let watch: Watch

    init(_ reader: any StoreReader, _ watch: @escaping Watch) {
        self.reader = reader
        self.watch = watch
    }

    func willCall(_ call: StoreCall, on name: [UInt8]?) throws(StoreFault) { try watch(call, name) }
}

/// The same of a transaction.
final class WatchedTransaction: ForwardingTransaction {
    let transaction: any StoreTransaction
    private let watch: WatchedReader.Watch
    /// The first that `watch` has thrown: nothing may be kept after one.
    private(set) var fault: StoreFault?

    init(_ transaction: any StoreTransaction, _ watch: @escaping WatchedReader.Watch) {
        self.transaction = transaction
        self.watch = watch
    }

    func willCall(_ call: StoreCall, on name: [UInt8]?) throws(StoreFault) {
        do throws(StoreFault) { try watch(call, name) } catch {
            if fault == nil { fault = error }
            throw error
        }
    }
}
