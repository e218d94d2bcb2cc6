// `make fuzz`: one reader under libFuzzer, named by POSTERN_FUZZ_TARGET; the arguments are libFuzzer's own.
import Glibc

exit(FuzzDriver.run())
