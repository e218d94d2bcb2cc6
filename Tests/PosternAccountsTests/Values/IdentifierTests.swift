import PosternBase
import Testing

@testable import PosternAccounts

@Suite struct IdentifierTests {
    private static let text = "0196f3d2-1a2b-7c3d-8e4f-0123456789ab"

    @Test func isWrittenAndReadTheUsualWay() throws {
        let id = try #require(AccountID(Self.text))
        #expect(id.description == Self.text)
        #expect(id.bytes.count == 16)
        #expect(AccountID(bytes: id.bytes) == id)
    }

    /// RFC 9562 §4: written in lower case, read in either.
    @Test(arguments: [text.uppercased(), "0196f3d2-1A2B-7c3d-8e4f-0123456789aB"])
    func capitalsAreTheSameName(text: String) throws {
        let id = try #require(AccountID(text))
        #expect(id == AccountID(Self.text))
        #expect(id.description == Self.text)
    }

    @Test(arguments: [
        "", "0196f3d2-1a2b-7c3d-8e4f-0123456789a", "0196f3d2-1a2b-7c3d-8e4f-0123456789abc",
        "0196f3d21a2b7c3d8e4f0123456789ab",
        "{0196f3d2-1a2b-7c3d-8e4f-0123456789ab}", "urn:uuid:0196f3d2-1a2b-7c3d-8e4f-0123456789ab",
        "0196f3d2-1a2b-7c3d-8e4f0-123456789ab", "-0196f3d2-1a2b-7c3d-8e4f-0123456789a",
        "0196f3d2--1a2b-7c3d-8e4f-123456789ab",
        "0196f3dg-1a2b-7c3d-8e4f-0123456789ab", "0196F3DG-1A2B-7C3D-8E4F-0123456789AB",
        " 0196f3d2-1a2b-7c3d-8e4f-0123456789ab",
        "0196f3d2-1a2b-7c3d-8e4f-0123456789ab\n",
        "0196f3d2-1a2b-7c3d-8e4f-0123456789a\u{0}", "0196f3d2-1a2b-7c3d-8e4f-0123456789\u{E9}",
        "\u{FF10}196f3d2-1a2b-7c3d-8e4f-0123456789ab", "0196f3d2\u{2010}1a2b-7c3d-8e4f-0123456789ab",
        "0x96f3d2-1a2b-7c3d-8e4f-0123456789ab", "+196f3d2-1a2b-7c3d-8e4f-0123456789ab",
        "0196f3d2-1a2b-7c3d-8e4f-0123456789ab-", "--------------------------------",
        "0196f3d2-1a2b-7c3d-8e4f-0123456789a\u{301}",
    ])
    func noOtherFormIsRead(text: String) { #expect(SessionID(text) == nil) }

    @Test(arguments: [0, 1, 15, 17, 32]) func onlySixteenBytesAreRead(count: Int) {
        #expect(SignUpID(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    /// RFC 9562 §5.7: 48 bits of milliseconds, version 7, variant 10.
    @Test(arguments: [(0x00, 0x70, 0x80), (0xFF, 0x7F, 0xBF), (0x55, 0x75, 0x95)] as [(UInt8, UInt8, UInt8)])
    func hasVersionAndVariant(random: UInt8, version: UInt8, variant: UInt8) {
        let source = RandomSource { [UInt8](repeating: random, count: $0) }
        let id = AccountID(milliseconds: 0x0196_F3D2_1A2B, random: source)
        #expect(Array(id.bytes[0..<6]) == [0x01, 0x96, 0xF3, 0xD2, 0x1A, 0x2B])
        #expect(id.bytes[6] == version)
        #expect(id.bytes[7] == random)
        #expect(id.bytes[8] == variant)
        #expect(Array(id.bytes[9...]) == [UInt8](repeating: random, count: 7))
        #expect(AccountID(id.description) == id)
    }

    /// Times before 1970 and after 48 bits are odd, and end nothing.
    @Test(arguments: [Int64.min, -1, 0, 1, 1 << 48 - 1, 1 << 48, .max]) func anyTimeGivesAName(milliseconds: Int64) {
        let id = AccountID(milliseconds: milliseconds, random: .system)
        #expect(AccountID(id.description) == id)
    }

    @Test func theNewestSortLast() {
        let times: [Int64] = [0, 1, 255, 256, 65_535, 65_536, 1_700_000_000_000, 1_700_000_000_001, 1 << 47]
        let ids = times.map { SessionID(milliseconds: $0, random: .system) }
        for (earlier, later) in zip(ids, ids.dropFirst()) {
            #expect(earlier.bytes.lexicographicallyPrecedes(later.bytes))
            #expect(earlier.description < later.description)
        }
    }

    @Test func namesOfOneMomentDiffer() {
        #expect(Set((0..<1_000).map { _ in AccountID(milliseconds: 1, random: .system) }).count == 1_000)
    }

    /// Those of one second sort as they were made, on both sides of the bounds of the bits that hold the number.
    @Test func theNumberOfASecondSorts() {
        let numbers: [UInt32] = [0, 1, 255, 256, 4_095, 4_096, 4_097, 999 << 12, (999 << 12) + 4_095]
        let names = numbers.map { "\(AccountID(second: 1_790_000_000, number: $0, random: .seeded(UInt64($0))))" }
        #expect(names == names.sorted())
        #expect(names.allSatisfy { AccountID($0) != nil && Array($0.utf8)[14] == UInt8(ascii: "7") })
        let later = "\(AccountID(second: 1_790_000_001, number: 0, random: .seeded(1)))"
        #expect(names.allSatisfy { $0 < later })
        // What is beyond is a name all the same.
        #expect(AccountID("\(AccountID(second: 1_790_000_000, number: .max, random: .seeded(1)))") != nil)
    }
}
