internal import PosternBase

/// The metrics of the service; `Docs/Metrics.md` lists the same.
enum ServiceMetric {
    static let verdicts = MetricFamily(
        "postern_verdicts_total", .counter, by: ["provider", "verdict", "code"],
        "Tokens judged, by provider and by what came of them; without provider those of no issuer of the settings.")
    static let verification = MetricFamily(
        "postern_verification_duration_seconds", .histogram, by: ["provider"],
        "Time by the clock to judge a token, reading it and waiting for keys included.")
    static let requests = MetricFamily(
        "postern_http_requests_total", .counter, by: ["route", "method", "status"],
        "Requests that were read and answered.")
    static let requestDuration = MetricFamily(
        "postern_http_request_duration_seconds", .histogram, by: ["route"],
        "Time by the clock from a whole request to its answer, without reading the one and sending the other.")
    static let problems = MetricFamily(
        "postern_http_problems_total", .counter, by: ["code"], "Requests answered with a problem, by its code.")
    static let noncesIssued = MetricFamily("postern_nonces_issued_total", .counter, "Nonces issued.")
    static let noncesRedeemed = MetricFamily(
        "postern_nonces_redeemed_total", .counter, "Issued nonces used up by a token that was accepted.")
    static let noncesRefused = MetricFamily(
        "postern_nonces_refused_total", .counter, by: ["code"], "Tokens refused for their nonce, by the code.")
    static let noncesOutstanding = MetricFamily(
        "postern_nonces_outstanding", .gauge, "Nonces issued and not expired, used or not.")
    static let nonceCapacity = MetricFamily(
        "postern_nonces_capacity", .gauge, "How many nonces may be outstanding before no more are issued.")
    static let sessionsOpened = MetricFamily(
        "postern_sessions_opened_total", .counter, by: ["method"],
        "Sign-ins that got a session, identical ones within 30 s that got the same once more included.")
    static let signInsRefused = MetricFamily(
        "postern_sign_ins_refused_total", .counter, by: ["code"],
        "Sign-ins that got none, by the code; token_refused for identity tokens, of which the verdicts tell more.")
    static let refreshes = MetricFamily(
        "postern_session_refreshes_total", .counter, by: ["result"],
        "Refresh tokens handed in, by what came of it: refreshed, the code of the refusal, or other for a fault.")
    static let hashing = MetricFamily(
        "postern_password_hashing", .gauge, by: ["state"],
        "Passwords that are being hashed (busy) and that wait for it (waiting) now.")
    static let hashingThreads = MetricFamily(
        "postern_password_hashing_threads", .gauge, "Threads that hash passwords; they are started by the first ones.")
    static let fetches = MetricFamily(
        "postern_key_set_fetches_total", .counter, by: ["provider", "result"],
        "Times that the issuer was asked for its keys, by what came of it.")
    static let unaskedUnknownKeys = MetricFamily(
        "postern_key_set_unknown_keys_total", .counter, by: ["provider"],
        "Tokens with an unknown key for which the issuer was not asked, since it had been a moment before.")
    static let keyAge = MetricFamily(
        "postern_key_set_age_seconds", .gauge, by: ["provider"],
        "Seconds since the issuer last gave or confirmed its keys; not there before it has.")
    static let keyFreshness = MetricFamily(
        "postern_key_set_expiry_seconds", .gauge, by: ["provider"],
        "Seconds until the keys are past their time, negative afterwards; not there without keys and for those of a file."
    )
    static let keyState = MetricFamily(
        "postern_key_set_state", .gauge, by: ["provider", "state"],
        "1 for the state that the keys are in: none, fresh, stale (serving on) or expired (serving no more).")
    static let usableKeys = MetricFamily(
        "postern_key_set_usable_keys", .gauge, by: ["provider"], "Keys at hand that can verify.")
    static let keyWaiters = MetricFamily(
        "postern_key_set_waiting", .gauge, by: ["provider"], "Tokens that wait for keys now.")
}
