internal import PosternAccounts
internal import PosternBase
internal import PosternTokens

extension Service {
    /// Why a token was refused, with what whoever sent it may have meant. It changes no verdict, and costs nothing where one is accepted.
    func told(_ refusal: Refusal, of token: JSONValue, _ choice: Choice) -> Refusal {
        guard let accounts else { return choice.named(refusal) }
        var isOurs = false
        token.withStringBytes { token in isOurs = token.map(accounts.accessTokens.isOurs) ?? false }
        guard isOurs else { return choice.named(refusal) }
        return Refusal(
            refusal.code,
            "\(refusal.message) It is an access token of this server: POST /v1/introspect says what it is worth.")
    }
}
