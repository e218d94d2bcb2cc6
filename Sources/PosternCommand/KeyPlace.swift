internal import PosternBase
internal import PosternKeySets
internal import PosternTokens

/// Where `postern verify` gets its keys.
enum KeyPlace {
    case file([UInt8])
    /// The provider's key set URL, or its discovery document, over the network.
    case issuer(NetworkOptions)

    /// The place that the options name, and `provider` with its keys there.
    static func read(_ arguments: Arguments, of provider: Provider) throws(CommandFailure) -> (Provider, KeyPlace) {
        let network = try NetworkOptions(arguments)
        guard let place = arguments.bytes(of: .keys) else { return (provider, .issuer(network)) }
        guard NetworkOptions.isURL(place) else {
            if let option = NetworkOptions.all.first(where: arguments.isGiven) {
                throw .usage("--\(option.name) has no meaning with a key file: nothing is fetched")
            }
            return (provider, .file(place))
        }
        let url = try arguments.text(of: .keys) ?? ""
        try network.check(url, "--keys")
        do throws(ConfigurationError) {
            return (try provider.replacing(keySetURL: url), .issuer(network))
        } catch {
            throw .usage(error.message)
        }
    }
}
