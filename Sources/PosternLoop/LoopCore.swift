internal import CLinux
internal import Glibc
internal import Synchronization

/// What the thread of a loop owns: its sources, their deadlines, the jobs it has to run.
final class LoopCore {
    private struct Slot {
        var source: (any LoopSource)?
        var descriptor: Int32 = -1
        var generation: UInt32 = 0
        /// When the source wants to be called.
        var deadline = UInt64.max
        /// When the heap will look at it; not after `deadline`.
        var scheduled = UInt64.max
    }

    private static let eventCapacity = 256
    /// Not the number of any slot.
    private static let bellToken = UInt64.max

    private let poll: Int32
    private let inbox: LoopInbox
    private let buffer = UnsafeMutablePointer<postern_epoll_event>.allocate(capacity: eventCapacity)
    // No access lasts while another begins, since sources are called by a reference of their own.
    @exclusivity(unchecked)
    private var slots: [Slot] = []
    private var freeSlots: [UInt32] = []
    private var deadlines = DeadlineHeap()
    /// Jobs that came on this thread.
    var jobs: [UnownedJob] = []
    private var spareJobs: [UnownedJob] = []
    private var spareMail = LoopInbox.Mail()
    /// Called once the events of a round have been told, before anything else happens.
    var afterEvents: (() -> Void)?
    /// Sources that asked for another turn.
    var turns: [UInt64] = []
    private var isStopping = false
    private(set) var now: UInt64
    /// The thread; zero, which no thread is, while there is none. Others read it too.
    private let thread = Atomic<pthread_t>(0)

    init(_ inbox: LoopInbox) throws(LoopError) {
        self.inbox = inbox
        now = LoopCore.clock()
        poll = postern_epoll_create(O_CLOEXEC)
        guard poll >= 0 else { throw LoopError("epoll_create1") }
        guard LoopCore.control(poll, POSTERN_EPOLL_ADD, inbox.bell, POSTERN_EPOLLIN, LoopCore.bellToken) else {
            throw LoopError("epoll_ctl")
        }
    }

    deinit {
        if poll >= 0 { close(poll) }
        buffer.deallocate()
    }

    var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    /// More than one millisecond: as long as some fifty requests take.
    var hasRunLong: Bool { LoopCore.clock() &- now >= 2 }

    /// Milliseconds of a clock that goes on while the machine sleeps: who was away so long is late.
    private static func clock() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000 &+ UInt64(clamping: time.tv_nsec / 1_000_000)
    }

    func run(on executor: UnownedTaskExecutor) {
        keepSignalsAway()
        ThreadTurns.shorten()
        thread.store(pthread_self(), ordering: .relaxed)
        while !isStopping { round(executor) }
        thread.store(0, ordering: .relaxed)
    }

    /// Lets go of everything.
    func end() {
        jobs = []
        afterEvents = nil
        slots = []
        freeSlots = []
        turns = []
    }

    /// Signals are the business of other threads.
    private func keepSignalsAway() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }

    private func round(_ executor: UnownedTaskExecutor) {
        let count = postern_epoll_wait(poll, buffer, Int32(LoopCore.eventCapacity), timeout())
        now = LoopCore.clock()
        var isBellHeard = false
        for index in 0..<max(0, Int(count)) {
            let token = buffer[index].token
            if token == LoopCore.bellToken {
                isBellHeard = true
            } else {
                source(token)?.ready(LoopEvents(rawValue: buffer[index].events))
            }
        }
        afterEvents?()
        if isBellHeard { readMail(executor) }
        if !jobs.isEmpty { runJobs(executor) }
        if !turns.isEmpty { giveTurns() }
        callLateOnes()
    }

    /// How long to wait: not at all when there is work left.
    private func timeout() -> Int32 {
        guard jobs.isEmpty, turns.isEmpty else { return 0 }
        guard let first = deadlines.first else { return -1 }
        let present = LoopCore.clock()
        return first <= present ? 0 : Int32(clamping: first - present)
    }

    private func readMail(_ executor: UnownedTaskExecutor) {
        var mail = inbox.take(leaving: spareMail)
        spareMail = LoopInbox.Mail()
        isStopping = isStopping || mail.isStopping
        for work in mail.works { work() }
        for job in mail.jobs { job.runSynchronously(on: executor) }
        mail.works.removeAll(keepingCapacity: mail.works.count < 1_024)
        mail.jobs.removeAll(keepingCapacity: mail.jobs.count < 1_024)
        mail.isStopping = false
        spareMail = mail
    }

    /// The jobs that are there; those that come meanwhile wait for the next round, so that tasks that yield let others in.
    private func runJobs(_ executor: UnownedTaskExecutor) {
        var present = spareJobs
        spareJobs = []
        swap(&present, &jobs)
        for job in present { job.runSynchronously(on: executor) }
        present.removeAll(keepingCapacity: present.count < 1_024)
        spareJobs = present
    }

    private func giveTurns() {
        let present = turns
        turns = []
        for token in present { source(token)?.ready([]) }
    }

    private func callLateOnes() {
        while let entry = deadlines.removeFirst(notAfter: now) {
            let token = LoopToken(packed: entry.token)
            guard let index = place(token), slots[index].scheduled == entry.time else { continue }
            slots[index].scheduled = .max
            let deadline = slots[index].deadline
            if deadline > now {
                schedule(index, token)
            } else {
                slots[index].deadline = .max
                slots[index].source?.timeIsUp()
            }
        }
    }

    // MARK: Sources

    /// The place of a source that is still there.
    private func place(_ token: LoopToken) -> Int? {
        let index = Int(token.slot)
        return index < slots.count && slots[index].generation == token.generation && slots[index].source != nil
            ? index : nil
    }

    private func source(_ packed: UInt64) -> (any LoopSource)? {
        place(LoopToken(packed: packed)).flatMap { slots[$0].source }
    }

    private static func control(
        _ poll: Int32,
        _ operation: Int32,
        _ descriptor: Int32,
        _ events: UInt32,
        _ token: UInt64
    ) -> Bool {
        var event = postern_epoll_event(events: events, token: token)
        return postern_epoll_control(poll, operation, descriptor, &event) == 0
    }

    func add(_ descriptor: Int32, _ events: UInt32, _ source: any LoopSource) throws(LoopError) -> LoopToken {
        let index = freeSlots.last ?? UInt32(truncatingIfNeeded: slots.count)
        if freeSlots.popLast() == nil { slots.append(Slot()) }
        let token = LoopToken(slot: index, generation: slots[Int(index)].generation)
        if descriptor >= 0, !LoopCore.control(poll, POSTERN_EPOLL_ADD, descriptor, events, token.packed) {
            let number = errno
            freeSlots.append(index)
            throw LoopError("epoll_ctl", number)
        }
        slots[Int(index)].source = source
        slots[Int(index)].descriptor = descriptor
        return token
    }

    func change(_ token: LoopToken, _ events: UInt32) {
        guard let index = place(token), slots[index].descriptor >= 0 else { return }
        _ = LoopCore.control(poll, POSTERN_EPOLL_CHANGE, slots[index].descriptor, events, token.packed)
    }

    func remove(_ token: LoopToken) {
        guard let index = place(token) else { return }
        let descriptor = slots[index].descriptor
        if descriptor >= 0 { _ = LoopCore.control(poll, POSTERN_EPOLL_REMOVE, descriptor, 0, 0) }
        // The all-ones generation is never given: with the last slot it would be the bell.
        let next = token.generation &+ 1
        slots[index] = Slot(generation: next == .max ? 0 : next)
        freeSlots.append(token.slot)
    }

    func setDeadline(_ token: LoopToken, _ time: UInt64) {
        guard let index = place(token) else { return }
        slots[index].deadline = time
        if time < slots[index].scheduled { schedule(index, token) }
    }

    private func schedule(_ index: Int, _ token: LoopToken) {
        let time = slots[index].deadline
        guard time != .max else { return }
        slots[index].scheduled = time
        deadlines.insert(.init(time: time, token: token.packed))
    }
}
