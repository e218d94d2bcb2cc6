import PosternKeySets

// Writes copies of key sets into a folder for ever, small and large ones in turn. Says when the first is there; the test
// that starts it ends it with SIGKILL.

guard CommandLine.arguments.count == 2 else { fatalError("usage: PosternKeyWriter FOLDER") }
let folder = KeySetFolder(path: CommandLine.arguments[1])

func copy(_ number: Int64) -> StoredKeySet {
    let key = "{\"kty\":\"none\",\"kid\":\"\(number)\"}"
    let keys = repeatElement(key, count: number % 2 == 0 ? 1 : 5000).joined(separator: ",")
    return StoredKeySet(
        source: "https://id.example.com/keys",
        keySetURL: "https://id.example.com/keys",
        fetchedAt: number,
        timeToLive: 300,
        entityTag: nil,
        set: Array("{\"keys\":[\(keys)]}".utf8)
    )
}

var number: Int64 = 0
while true {
    do {
        try folder.write(copy(number))
    } catch {
        fatalError("\(error)")
    }
    if number == 0 { print("writing") }
    number += 1
}
