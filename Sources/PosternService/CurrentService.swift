internal import PosternBase
package import PosternHTTP

/// The service that counts now, and can be replaced while it serves. What is asked of a request is asked of one service: none is
/// answered half by the old settings and half by the new ones: a head that is let in by the old ones is looked at again with its body.
package final class CurrentService: HTTPResponder {
    /// One for each place, so that threads do not count references to the same thing.
    private final class Holder: Sendable {
        let service: Service

        init(_ service: Service) { self.service = service }
    }

    private struct Place {
        var holder: Holder
        let padding = ThreadGroup.Padding()
    }

    private let places: [Lock<Place>]

    package init(_ service: Service) { places = ThreadGroup.places { Lock(Place(holder: Holder(service))) } }

    private var now: Service { places[ThreadGroup.current].withLock { $0.holder }.service }

    /// From when this returns on everything is asked of `service`, and before that it is at no moment asked on one thread while the
    /// old one still is on another.
    package func replace(with service: Service) { replace(with: service, from: 0) }

    /// All places are locked before the first is changed.
    private func replace(with service: Service, from index: Int) {
        guard places.indices.contains(index) else { return }
        places[index].withLock { place in
            replace(with: service, from: index + 1)
            place.holder = Holder(service)
        }
    }

    // MARK: - Asked by the server

    package func respond(to request: ReceivedRequest) async -> HTTP.Response { await now.respond(to: request) }

    package func begin(_ request: ReceivedRequest) -> HTTPBeginning { now.begin(request) }

    package func answer(to peer: Peer, listener: Int) -> HTTP.Response? { now.answer(to: peer, listener: listener) }

    package func answer(toHead head: ReceivedHead) -> HTTP.Response? { now.answer(toHead: head) }

    package func answer(_ notice: HTTPNotice, to fields: ReceivedFields) -> HTTP.Response {
        now.answer(notice, to: fields)
    }
}
