/// The numbers of the cache.
package enum KeySetLimits {
    /// Seconds for which a set is fresh at least, whatever the issuer says: without it `no-store` would mean a fetch a token.
    package static let shortestTimeToLive: Int64 = 300
    /// Seconds for which a set is fresh at most, so that a withdrawn key stops working within a day.
    package static let longestTimeToLive: Int64 = 86_400
    /// Seconds for which a set is fresh when the issuer says nothing.
    package static let usualTimeToLive: Int64 = 3600

    /// How long a set that is no longer fresh may serve while the issuer cannot be asked.
    package static let staleTime: Duration = .seconds(86_400)
    /// The time between two fetches for unknown keys, and after a failure.
    package static let cooldown: Duration = .seconds(30)
    /// The time after the first failure while no set has been had; it doubles.
    package static let firstCooldown: Duration = .seconds(1)
    /// How long one verification waits when there is a set that could serve, or for an unknown key.
    package static let patience: Duration = .seconds(2)
    /// How long one verification waits when there is nothing to serve: as long as one whole request takes, and a little longer,
    /// so that what it failed with can be told.
    package static let patienceWithoutKeys: Duration = .milliseconds(5500)
    /// Verifications that wait are answered at moments this far apart, so that looking after many costs no more than a few.
    static let deadlineGrid: Duration = .milliseconds(50)
    /// When a flight is given up that the client does not end: two requests of five seconds, and some.
    package static let flightTime: Duration = .seconds(15)
    /// The greatest time between two attempts in the background.
    package static let longestRetry: Duration = .seconds(300)

    /// The largest answer that is read, in bytes.
    package static let largestBody = 256 << 10
}
