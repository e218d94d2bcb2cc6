internal import CSodium

enum Sodium {
    /// It chooses the fastest code for this processor, and opens its source of randomness.
    static let isReady = sodium_init() >= 0

    static let fault = PasswordFault(.library, "libsodium could not be started")
}
