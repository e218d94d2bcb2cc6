internal import Glibc
internal import PosternLoop

/// The loops, workers and sockets of a server that has started.
final class RunningServer: Sendable {
    let ports: [UInt16?]
    private let workers: [Worker]
    private let acceptors: [Acceptor]
    private let reporter: TroubleReporter
    /// The one that accepts.
    private let first: EventLoop

    /// Opens everything before anything runs.
    init(_ settings: HTTPServer.Settings) throws(ServerError) {
        let sockets = try RunningServer.open(settings)
        do throws(LoopError) {
            let gate = ConnectionGate(settings.limits, listeners: sockets.count)
            let buffers = RequestBuffers(settings.limits, listeners: sockets.count)
            first = try EventLoop(name: "postern-http-0")
            var workers = [Worker(first, settings, gate, buffers)]
            for number in 1..<settings.threads {
                workers.append(Worker(try EventLoop(name: "postern-http-\(number)"), settings, gate, buffers))
            }
            self.workers = workers
            ports = sockets.map(\.port)
            reporter = TroubleReporter(first, settings.observer)
            var acceptors: [Acceptor] = []
            for (index, socket) in sockets.enumerated() {
                acceptors.append(Acceptor(socket, at: index, workers, reporter, first))
            }
            self.acceptors = acceptors
            do throws(LoopError) {
                for acceptor in acceptors { try acceptor.begin() }
                // The one that accepts is the last.
                for worker in workers.reversed() { try worker.loop.start() }
            } catch {
                for worker in workers { worker.loop.stop() }
                throw error
            }
        } catch {
            for socket in sockets { socket.stop() }
            throw ServerError(.system, "\(error.call) failed: \(String(cString: strerror(error.number))).")
        }
    }

    private static func open(_ settings: HTTPServer.Settings) throws(ServerError) -> [ListeningSocket] {
        var sockets: [ListeningSocket] = []
        do throws(ServerError) {
            for (index, listener) in settings.listeners.enumerated() {
                sockets.append(try ListeningSocket.open(listener, at: index, inherited: settings.inherited))
            }
        } catch {
            for socket in sockets { socket.stop() }
            throw error
        }
        return sockets
    }

    var statistics: ServerStatistics {
        var sum = ServerStatistics(listeners: acceptors.count)
        for worker in workers { sum.add(worker.counted) }
        return sum
    }

    var buffered: BufferedBytes { workers[0].buffers.held }
    var bufferedLimit: BufferedBytes { workers[0].buffers.limit }

    func pulse() async {
        for worker in workers {
            await withCheckedContinuation { continuation in
                let isTaken = worker.loop.submit { continuation.resume() }
                if !isTaken { continuation.resume() }
            }
        }
    }

    func drain(_ span: Duration) async {
        await onFirstLoop {
            for acceptor in self.acceptors { acceptor.end() }
            self.reporter.end()
        }
        for worker in workers {
            worker.loop.submit { worker.drain(by: worker.loop.now.advanced(by: span)) }
        }
        for worker in workers {
            await withCheckedContinuation { continuation in
                let isTaken = worker.loop.submit { worker.whenEmpty { continuation.resume() } }
                if !isTaken { continuation.resume() }
            }
        }
        for worker in workers { worker.loop.stop() }
        for worker in workers { await worker.loop.end() }
    }

    private func onFirstLoop(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let isTaken = first.submit {
                work()
                continuation.resume()
            }
            if !isTaken { continuation.resume() }
        }
    }

    /// Ends without waiting. All from one thread, so that each worker gets its last connections before it is told to stop.
    func abandon() {
        first.submit {
            for acceptor in self.acceptors { acceptor.end() }
            self.reporter.end()
            for worker in self.workers {
                worker.loop.submit { worker.drain(by: worker.loop.now) }
                worker.loop.stop()
            }
        }
    }
}
