internal import PosternBase

extension TestUser {
    package static let maximumCount = 50
    package static let maximumFileSize = 262_144

    /// The users of a file: `{"users":[{"id":"…","subject":"…",…}]}`, in which comments are allowed.
    package static func read(_ bytes: [UInt8]) throws(IssuerSettingsError) -> [TestUser] {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(settings: bytes).root
        } catch {
            throw IssuerSettingsError("it is not JSON: \(error.message)")
        }
        do throws(IssuerProblem) {
            let file = try ObjectReader(root, known: ["users"])
            guard let objects = try file.array("users") else { throw file.missing("users") }
            try file.finish()
            return try users(objects)
        } catch {
            throw IssuerSettingsError(error.detail)
        }
    }

    private static func users(_ objects: [JSONValue]) throws(IssuerProblem) -> [TestUser] {
        guard (1...maximumCount).contains(objects.count) else {
            throw IssuerProblem(.memberInvalid, "users must have 1 to \(maximumCount) members.")
        }
        var users: [TestUser] = []
        for (index, object) in objects.enumerated() {
            let user = try TestUser(object, place: "users[\(index)].")
            if users.contains(where: { $0.id.isSameBytes(as: user.id) || $0.subject.isSameBytes(as: user.subject) }) {
                throw IssuerProblem(.memberInvalid, "users[\(index)] has the id or the subject of one before it.")
            }
            users.append(user)
        }
        return users
    }

    private init(_ object: JSONValue, place: String) throws(IssuerProblem) {
        let known = [
            "id", "subject", "first_name", "last_name", "email", "email_verified", "is_private_email", "claims",
        ]
        let reader = try ObjectReader(object, known: known, place: place)
        guard let id = try reader.text("id"), let subject = try reader.text("subject") else {
            throw reader.missing("id or subject")
        }
        let isWord =
            (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { Base64URL.isInAlphabet($0) || $0 == UInt8(ascii: ".") }
        guard isWord else {
            throw IssuerProblem(
                .memberInvalid, "\(place)id takes 1 to 64 letters, digits, dashes, dots and underscores.")
        }
        self.init(id, subject: subject)
        firstName = try reader.text("first_name") ?? ""
        lastName = try reader.text("last_name") ?? ""
        email = try reader.text("email")
        emailVerified = try reader.flag("email_verified") ?? true
        isPrivateEmail = try reader.flag("is_private_email") ?? false
        claims = try reader.members("claims").map { ($0.name, .value($0.value)) }
        try reader.finish()
        guard !subject.isEmpty, [subject, firstName, lastName, email ?? ""].allSatisfy({ $0.utf8.count <= 255 }) else {
            throw IssuerProblem(.memberInvalid, "\(place)subject is empty, or a text has more than 255 bytes.")
        }
    }
}

/// What is wrong with what the issuer was told at its start.
package struct IssuerSettingsError: Error, Sendable {
    package let message: String

    init(_ message: String) { self.message = message }
}
