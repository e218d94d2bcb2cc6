internal import PosternBase
internal import PosternSQLite

/// What the store has done, and what waits for it.
enum StoreMetrics {
    private static let operations = MetricFamily(
        "postern_store_operations_total", .counter, by: ["result"],
        "Writes to the store: done and durable, or failed, of which nothing is left.")
    private static let commits = MetricFamily(
        "postern_store_commits_total", .counter,
        "Transactions of the database, each of which makes several writes durable.")
    private static let reads = MetricFamily("postern_store_reads_total", .counter, "Questions to the store.")
    private static let waiting = MetricFamily("postern_store_waiting", .gauge, "Writes that wait for the store now.")

    static func write(_ counts: StoreCounts, to text: inout MetricsText) {
        text.family(operations) { series in
            series.add(["done"], Int64(counts.operations - counts.failures))
            series.add(["failed"], Int64(counts.failures))
        }
        text.value(commits, Int64(counts.commits))
        text.value(reads, Int64(counts.reads))
        text.value(waiting, Int64(counts.waiting))
    }
}
