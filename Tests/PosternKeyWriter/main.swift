import Glibc
import PosternKeySets

// Writes copies of key sets into a folder for ever, small and large ones in turn, and puts out a byte after each. The test
// that starts it ends it with SIGKILL.

guard CommandLine.arguments.count == 3, var number = Int64(CommandLine.arguments[2]) else { exit(64) }
let folder = KeySetFolder(path: CommandLine.arguments[1])

func copy(_ number: Int64) -> StoredKeySet {
    let filling = String(repeating: "x", count: number % 2 == 0 ? 20 : 150_000)
    return StoredKeySet(
        source: "https://id.example.com/keys",
        keySetURL: "https://id.example.com/keys",
        fetchedAt: number,
        timeToLive: 300,
        entityTag: nil,
        set: Array("{\"keys\":\"\(filling)\"}".utf8)
    )
}

while true {
    do throws(DiskCopyFault) {
        try folder.write(copy(number), now: number)
    } catch {
        exit(1)
    }
    // Nobody reads any more: the test is gone.
    guard write(STDOUT_FILENO, ".", 1) == 1 else { exit(0) }
    number += 1
}
