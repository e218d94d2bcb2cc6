import Glibc
exit(64)
