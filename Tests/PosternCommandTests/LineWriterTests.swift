import Glibc
import PosternBase
import Testing

@testable import PosternCommand

/// Who tells something does not wait for who reads it.
@Suite struct LineWriterTests {
    /// The ends of a pipe that nobody reads yet.
    private func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    /// Lines from the pipe until `isLast` says so.
    private func lines(_ descriptor: Int32, until isLast: (String) -> Bool) -> [String] {
        var (found, line): ([String], [UInt8]) = ([], [])
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { return found }
            for byte in piece[..<count] {
                guard byte == 0x0A else {
                    line.append(byte)
                    continue
                }
                found.append(String(decoding: line, as: UTF8.self))
                line = []
                if let last = found.last, isLast(last) { return found }
            }
        }
    }

    /// Four times what fits: all of it is taken at once, what is lost is counted and told, and all else comes whole and in order.
    @Test func whatNobodyReadsIsLostAndCounted() throws {
        let (reading, writing) = try pipe()
        defer { close(reading) }
        let writer = LineWriter(writing) { "lost \($0)\n" }
        let filler = String(repeating: "x", count: 1_000)
        let count = 4 * (LineWriter.capacity + 65_536) / filler.utf8.count
        for number in 0..<count { writer.write("\(number) \(filler)\n") }
        #expect(writer.lostInAll.value > 0)
        var (lost, numbers): (Int, [Int]) = (0, [])
        _ = lines(reading) { line in
            if let found = line.split(separator: " ").last.flatMap({ Int($0) }), line.hasPrefix("lost ") {
                lost += found
            } else if let number = line.split(separator: " ").first.flatMap({ Int($0) }), line.hasSuffix(" " + filler) {
                numbers.append(number)
            } else {
                Issue.record("no line of ours: \(line.prefix(40))")
            }
            return lost + numbers.count >= count
        }
        #expect(lost + numbers.count == count)
        #expect(lost == writer.lostInAll.value)
        #expect(numbers == numbers.sorted())
        #expect(numbers.first == 0)
        // There is room again, and nothing else is lost.
        writer.write("after\n")
        #expect(lines(reading) { _ in true } == ["after"])
        writer.flush(milliseconds: 60_000)
        #expect(lost == writer.lostInAll.value)
    }

    /// Waiting for a reader that never comes has an end.
    @Test func flushDoesNotWaitForEver() throws {
        let (reading, writing) = try pipe()
        defer { close(reading) }
        let writer = LineWriter(writing) { "lost \($0)\n" }
        writer.write(String(repeating: "x", count: 200_000) + "\n")
        writer.flush(milliseconds: 1)
        #expect(lines(reading) { _ in true }.first?.utf8.count == 200_000)
        writer.flush(milliseconds: 60_000)
        #expect(writer.lostInAll.value == 0)
    }
}
