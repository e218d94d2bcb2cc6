internal import Glibc

// Before anything else is opened, by the runtime too.
StandardStreams.occupyClosed()
// `exit` would take OpenSSL apart under threads that still close connections; what is to be written has been.
_exit(await Program.run(RawArguments.ofProcess()).rawValue)
