internal import Glibc

exit(Program.run(RawArguments.ofProcess()).rawValue)
