internal import CCurl

/// Where libcurl looks for the authorities of the system, as it was built on this machine.
package struct SystemAuthorities: Sendable, Equatable {
    /// A PEM file; nil when there is none by default.
    package let file: String?
    /// A folder of certificates by the hashes of their names; nil when there is none by default.
    package let folder: String?

    package init(file: String?, folder: String?) {
        self.file = file
        self.folder = folder
    }

    package static var ofLibrary: SystemAuthorities {
        // Members that the library is too old for would lie behind the end of what it has.
        guard let version = postern_curl_version()?.pointee, version.age.rawValue >= CURLVERSION_SEVENTH.rawValue else {
            return SystemAuthorities(file: nil, folder: nil)
        }
        return SystemAuthorities(
            file: version.cainfo.map { String(cString: $0) }, folder: version.capath.map { String(cString: $0) })
    }
}
