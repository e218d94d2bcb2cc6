internal import PosternBase

/// The name that was meant, among those that there are.
enum NearestName {
    /// Longer ones are no slips of a name.
    private static let longest = 80

    /// The nearest of `names`, if it is near enough to have been meant.
    static func of(_ word: String, among names: [String]) -> String? {
        guard word.utf8.count <= longest else { return nil }
        if let whole = whole(word, among: names) { return whole }
        let distances = names.map { (name: $0, distance: distance(word, $0)) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return nearest.distance <= max(1, min(word.utf8.count, nearest.name.utf8.count) / 3) ? nearest.name : nil
    }

    /// The one that was cut short, such as `warn` for `warning`.
    private static func whole(_ word: String, among names: [String]) -> String? {
        let start = folded(word)
        let candidates = names.filter { folded($0).starts(with: start) }
        return start.count >= 3 && candidates.count == 1 ? candidates[0] : nil
    }

    /// How many letters are missing, too many, wrong or swapped with the next one; capitals count as small ones, and a dash as
    /// an underscore.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (folded(left), folded(right))
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var least = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                next.append(least)
            }
            (beforeLast, last) = (last, next)
        }
        return last[right.count]
    }

    private static func folded(_ text: String) -> [UInt8] {
        text.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : ASCIICase.folded($0) }
    }
}
