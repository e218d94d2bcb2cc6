/// When which source is to be looked at, the earliest first.
///
/// An entry is never moved: who wants to be looked at later is looked at all the same and entered anew then. A connection
/// that sets its deadline with each request costs the heap one entry each few seconds.
struct DeadlineHeap {
    struct Entry {
        let time: UInt64
        let token: UInt64
    }

    private var entries: [Entry] = []

    /// The time of the earliest entry.
    var first: UInt64? { entries.first?.time }
    var count: Int { entries.count }

    mutating func insert(_ entry: Entry) {
        var place = entries.count
        entries.append(entry)
        while place > 0 {
            let parent = (place - 1) / 2
            guard entries[parent].time > entry.time else { break }
            entries[place] = entries[parent]
            place = parent
        }
        entries[place] = entry
    }

    /// Takes out the earliest entry when its time has come.
    mutating func removeFirst(notAfter now: UInt64) -> Entry? {
        guard let first = entries.first, first.time <= now, let last = entries.popLast() else { return nil }
        if !entries.isEmpty { sink(last) }
        return first
    }

    /// Puts the entry in at the top, where the first one has gone, and lets it find its place.
    private mutating func sink(_ entry: Entry) {
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].time < entries[child].time { child += 1 }
            guard entries[child].time < entry.time else { break }
            entries[place] = entries[child]
            place = child
        }
        entries[place] = entry
    }
}
