import PosternHTTP
import PosternKeySets
import Testing

@Suite struct CacheControlTests {
    private func timeToLive(_ values: [String], age: String? = nil) -> Int64? {
        var fields = HTTP.Fields()
        for value in values { fields.append("cache-control", value) }
        if let age { fields.append("Age", age) }
        return CacheControl.timeToLive(fields)
    }

    @Test(
        arguments: [
            ("max-age=3600", 3600), ("max-age=299", 300), ("max-age=300", 300), ("max-age=301", 301),
            ("max-age=86399", 86_399), ("max-age=86400", 86_400), ("max-age=86401", 86_400), ("max-age=0", 300),
            ("public, max-age=21600, must-revalidate, no-transform", 21_600), ("MAX-AGE=600", 600),
            ("max-age=\"600\"", 600), ("max-age=0600", 600), (",, max-age=600 ,", 600), ("\tmax-age=600", 600),
            ("max-age=2147483648", 86_400), ("max-age=99999999999999999999999999999999999", 86_400),
            ("max-age=600, max-age=900", 600), ("max-age=900, max-age=600", 600),
            ("no-store", 300), ("no-cache", 300), ("No-Cache, max-age=3600", 300), ("max-age=3600, no-store", 300),
            ("no-cache=\"set-cookie\", max-age=600", 600),
            // Garbage in the one directive that counts: no time at all.
            ("max-age", 300), ("max-age=", 300), ("max-age=-1", 300), ("max-age=1.5", 300), ("max-age=1e5", 300),
            ("max-age=+600", 300), ("max-age=six hundred", 300), ("max-age=٦٠٠", 300), ("max-age=600;x", 300),
            ("max-age==600", 300), ("max-age=\"600", 600),
            // Nothing that says how long.
            ("", nil), ("public", nil), ("s-maxage=60", nil), ("x-max-age=600", nil), ("max-agee=600", nil),
            ("private=\"max-age=600, no-store\"", nil), ("x=\"\\\"max-age=600\"", nil), ("=600", nil),
            ("immutable, stale-if-error=600", nil),
        ] as [(String, Int64?)])
    func oneLine(_ value: String, _ seconds: Int64?) {
        #expect(timeToLive([value]) == seconds)
    }

    @Test func severalLinesAreOneList() {
        #expect(timeToLive([]) == nil)
        #expect(timeToLive(["max-age=3600", "max-age=600"]) == 600)
        #expect(timeToLive(["public", "max-age=600"]) == 600)
        #expect(timeToLive(["max-age=3600", "no-store"]) == 300)
    }

    /// What has been spent in another cache is no longer there.
    @Test(
        arguments: [
            ("1000", 2600), ("0", 3600), ("3600", 300), ("9999999999999999999999", 300), ("-5", 3600), ("x", 3600),
            ("", 3600),
        ] as [(String, Int64)])
    func ageIsTakenOff(_ age: String, _ seconds: Int64) {
        #expect(timeToLive(["max-age=3600"], age: age) == seconds)
    }
}
