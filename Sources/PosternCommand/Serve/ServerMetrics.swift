internal import PosternBase
internal import PosternHTTPServer

/// Connections, what waits, and what is lost of the log.
enum ServerMetrics {
    private static let open = MetricFamily(
        "postern_connections_open", .gauge, by: ["listener"],
        "Connections that are open now, by the place of their listener.")
    private static let limit = MetricFamily(
        "postern_connections_limit", .gauge, "Connections that there may be at a time, over all listeners.")
    private static let accepted = MetricFamily(
        "postern_connections_accepted_total", .counter, by: ["listener"],
        "Connections taken, those included that are only told that they may not come in.")
    private static let refused = MetricFamily(
        "postern_connections_refused_total", .counter, by: ["listener", "reason"],
        "Connections turned away: too_many, peer_not_allowed, or accept_failed for want of descriptors or memory.")
    private static let cut = MetricFamily(
        "postern_connections_cut_total", .counter, by: ["listener", "reason"],
        "Connections closed since nothing came between requests (idle) or an answer was not taken (write).")
    private static let inFlight = MetricFamily(
        "postern_http_requests_in_flight", .gauge, "Requests that wait for something now, such as a key or their turn.")
    private static let refusedRequests = MetricFamily(
        "postern_http_refused_requests_total", .counter, by: ["code"],
        "What was no well-formed request, too large or too slow, by the code of the answer.")
    private static let buffered = MetricFamily(
        "postern_http_buffered_bytes", .gauge, by: ["kind"],
        "Bytes kept now of heads and bodies that have not come whole or wait, and of answers that are not taken.")
    private static let bufferLimit = MetricFamily(
        "postern_http_buffered_limit_bytes", .gauge, by: ["kind"], "The most that may be kept of each.")
    private static let logLines = MetricFamily(
        "postern_log_lines_total", .counter, by: ["level"], "Lines told to the log.")
    private static let logLost = MetricFamily(
        "postern_log_lines_lost_total", .counter, "Of these, lines lost since nobody read them.")

    static func write(_ server: HTTPServer, to text: inout MetricsText) {
        let statistics = server.statistics
        let listeners = statistics.listeners.enumerated().map { ("\($0)", $1) }
        text.family(open) { series in for (name, counts) in listeners { series.add([name], Int64(counts.open)) } }
        text.value(limit, Int64(server.connectionLimit))
        text.family(accepted) { series in
            for (name, counts) in listeners { series.add([name], Int64(counts.accepted)) }
        }
        text.family(refused) { series in
            for (name, counts) in listeners {
                series.add([name, "too_many"], Int64(counts.refused))
                series.add([name, "peer_not_allowed"], Int64(counts.refusedPeers))
                series.add([name, "accept_failed"], Int64(counts.acceptFailures))
            }
        }
        text.family(cut) { series in
            for (name, counts) in listeners {
                series.add([name, "idle"], Int64(counts.idleTimeouts))
                series.add([name, "write"], Int64(counts.writeTimeouts))
            }
        }
        text.value(inFlight, Int64(statistics.requestsInFlight))
        text.family(refusedRequests) { series in
            for reason in RequestRefusal.allCases where reason != .tooManyConnections {
                series.add([reason.rawValue], Int64(statistics.refusedRequests[reason.rawValue] ?? 0))
            }
        }
        let (held, most) = server.buffered
        text.family(buffered) { add(held, to: &$0) }
        text.family(bufferLimit) { add(most, to: &$0) }
        text.family(logLines) { series in
            for (level, count) in EventLog.lineCounts { series.add([level.rawValue], Int64(count)) }
        }
        text.value(logLost, Int64(EventLog.lostCount))
    }

    private static func add(_ bytes: BufferedBytes, to series: inout MetricsText.Series) {
        series.add(["heads"], Int64(bytes.heads))
        series.add(["bodies"], Int64(bytes.bodies))
        series.add(["answers"], Int64(bytes.answers))
    }
}
