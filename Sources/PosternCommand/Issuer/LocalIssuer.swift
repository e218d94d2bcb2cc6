internal import PosternBase
internal import PosternHTTPServer
internal import PosternIssuer

/// The issuer of tests on a port of 127.0.0.1, and on a Unix socket if there is to be one.
struct LocalIssuer {
    /// Whom tokens are for unless somebody says otherwise.
    static let usualClient = "com.example.app"
    private static let address = "127.0.0.1"

    private let service: IssuerService
    private let server: HTTPServer
    private let port: UInt16
    private let socket: String?

    init(_ settings: IssuerSettings, port: UInt16, socket: String?) {
        service = IssuerService(settings)
        self.port = port
        self.socket = socket
        var limits = ServerLimits()
        limits.bodyBytes = 65_536
        limits.connections = 256
        let tcp = Listener.tcp(address: Self.address, port: port)
        server = HTTPServer(
            listeners: [tcp] + (socket.map { [.unix(UnixSocket(path: $0))] } ?? []),
            limits: limits,
            threads: 1,
            responder: service
        )
    }

    /// Serves from now on; where.
    func start() throws(CommandFailure) -> String {
        do throws(ServerError) {
            try server.start()
        } catch {
            let place = error.listener == 1 ? "the socket \(Excerpt.quote(socket ?? ""))" : "port \(port)"
            throw .trouble("the issuer cannot listen on \(place) (\(error.code.rawValue)): \(error.message)")
        }
        let url = "http://\(Self.address):\(server.port(ofListener: 0) ?? port)"
        service.open(at: url)
        EventLog.write(.issuerListening, [("issuer", .text(url, from: .ownWords))])
        return url
    }

    func stop() async { await server.drain(deadline: .seconds(1)) }
}
