internal import COpenSSL

/// The named parts that OpenSSL builds a key from.
///
/// OpenSSL's builder keeps pointers to what it is given, the names included, until the key is made, so this class owns all
/// of it.
final class KeyParameters {
    private let builder = OSSL_PARAM_BLD_new()
    private var numbers: [OpaquePointer] = []
    private var buffers: [UnsafeMutableBufferPointer<UInt8>] = []
    private var isComplete = true

    deinit {
        OSSL_PARAM_BLD_free(builder)
        numbers.forEach { BN_clear_free($0) }
        for buffer in buffers {
            OPENSSL_cleanse(buffer.baseAddress, buffer.count)
            buffer.deallocate()
        }
    }

    func add(number bytes: [UInt8], as name: String) {
        guard let count = Int32(exactly: bytes.count), let number = BN_bin2bn(bytes, count, nil) else {
            isComplete = false
            return
        }
        numbers.append(number)
        note(OSSL_PARAM_BLD_push_BN(builder, owned(name), number))
    }

    func add(octets bytes: [UInt8], as name: String) {
        let copy = owned(bytes)
        note(OSSL_PARAM_BLD_push_octet_string(builder, owned(name), copy.baseAddress, copy.count))
    }

    func add(text: String, as name: String) {
        note(OSSL_PARAM_BLD_push_utf8_string(builder, owned(name), owned(text), 0))
    }

    private func owned(_ bytes: [UInt8]) -> UnsafeMutableBufferPointer<UInt8> {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        buffers.append(copy)
        return copy
    }

    /// A C string that lives as long as this object; one made of a Swift string for a call ends with the call.
    private func owned(_ text: String) -> UnsafePointer<CChar>? {
        let copy = owned(Array(text.utf8) + [0])
        return UnsafeRawPointer(copy.baseAddress)?.assumingMemoryBound(to: CChar.self)
    }

    private func note(_ result: Int32) {
        if result != 1 { isComplete = false }
    }

    /// The public key, owned by the caller; nil when OpenSSL refuses the parts.
    func makeKey(_ type: String) -> OpaquePointer? {
        guard isComplete, let parameters = OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { OSSL_PARAM_free(parameters) }
        let context = EVP_PKEY_CTX_new_from_name(nil, type, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &key, postern_public_key_selection(), parameters) == 1
        else {
            _ = CryptoError.library()
            EVP_PKEY_free(key)
            return nil
        }
        return key
    }
}
