/// Things under names that nobody can guess, for a while and in bounded number: when it is full the oldest goes.
struct ExpiringStore<Value: Sendable>: Sendable {
    private let capacity: Int
    private let lifetime: Int64
    // As bytes: Swift's strings are equal under other spellings too.
    private var values: [[UInt8]: (value: Value, expiry: Int64)] = [:]
    /// In the order in which they expire, since all live equally long. Names that were taken may still stand here.
    private var order: [[UInt8]] = []

    init(capacity: Int, lifetime: Int64) {
        self.capacity = capacity
        self.lifetime = lifetime
    }

    var count: Int { values.count }

    mutating func put(_ value: Value, under name: String, at now: Int64) {
        clear(at: now)
        while values.count >= capacity, let oldest = order.first {
            order.removeFirst()
            values[oldest] = nil
        }
        let name = Array(name.utf8)
        values[name] = (value, now + lifetime)
        order.append(name)
    }

    /// nil when nothing is there, or no longer.
    func value(_ name: String, at now: Int64) -> Value? {
        values[Array(name.utf8)].flatMap { now < $0.expiry ? $0.value : nil }
    }

    /// Puts another value in the place of one that is there; it lives no longer for that.
    mutating func replace(_ name: String, with value: Value) { values[Array(name.utf8)]?.value = value }

    /// The value, which is gone then.
    mutating func take(_ name: String, at now: Int64) -> Value? {
        let found = value(name, at: now)
        values[Array(name.utf8)] = nil
        return found
    }

    private mutating func clear(at now: Int64) {
        let expired = order.prefix { name in values[name].map { $0.expiry <= now } ?? true }
        for name in expired { values[name] = nil }
        order.removeFirst(expired.count)
        if order.count > 2 * capacity { order.removeAll { values[$0] == nil } }
    }
}
