internal import CCurl
internal import PosternHTTP

/// One request inside libcurl. It belongs to the loop's thread, and is out of the multi handle before it goes.
final class Transfer {
    let handle: UnsafeMutableRawPointer
    let exchange: Exchange
    let settings: CheckedSettings
    var head: AnswerHead
    var body: [UInt8] = []
    /// Why a callback stopped the transfer; libcurl only knows that one did.
    var failure: HTTP.ClientError?
    private var lines: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutableBufferPointer<CChar>

    /// Throws when libcurl lacks memory or one of the options; none of them may be left out.
    init(_ exchange: Exchange, _ settings: CheckedSettings) throws(HTTP.ClientError) {
        guard let handle = curl_easy_init() else {
            throw HTTP.ClientError(.failed, "libcurl could not make a handle; is there memory left?")
        }
        self.handle = handle
        self.exchange = exchange
        self.settings = settings
        head = AnswerHead(settings.values)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0)
        try setOptions()
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(lines)
        errorText.deallocate()
    }

    /// What libcurl wrote about its failure; may hold words of the server.
    var detail: String {
        String(decoding: errorText.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Where libcurl writes its text.
    var errorBuffer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(errorText.baseAddress) }

    /// Adds a line to the list that goes out, which libcurl does not copy.
    func addLine(_ line: String) throws(HTTP.ClientError) {
        guard let longer = curl_slist_append(lines, line) else {
            throw HTTP.ClientError(.failed, "There is no memory for the header fields.")
        }
        lines = longer
    }

    var lineList: UnsafeMutablePointer<curl_slist>? { lines }

    /// What came of it, once libcurl is done.
    func outcome(_ code: CURLcode) -> Result<HTTP.Response, HTTP.ClientError> {
        if let failure { return .failure(Self.named(failure, exchange.target.host)) }
        guard code == CURLE_OK else { return .failure(error(for: code)) }
        guard head.isComplete else {
            return .failure(HTTP.ClientError(.malformed, "The answer of \(exchange.target.host) ended in its header."))
        }
        return .success(HTTP.Response(status: head.status, fields: head.fields, body: body))
    }

    /// The same failure with whose answer it was.
    private static func named(_ failure: HTTP.ClientError, _ host: String) -> HTTP.ClientError {
        HTTP.ClientError(failure.code, "\(failure.message) (answer of \(host)).")
    }
}
