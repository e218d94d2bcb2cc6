internal import Glibc

// `exit` would take OpenSSL apart under threads that still close connections; what is to be written has been.
_exit(await Program.run(RawArguments.ofProcess()).rawValue)
