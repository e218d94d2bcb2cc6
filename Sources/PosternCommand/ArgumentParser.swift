internal import CLinux
internal import PosternBase

/// Reads a command line with getopt_long, so that it means what it means to every GNU program.
///
/// getopt keeps its state in globals: call it from one thread.
enum ArgumentParser {
    enum Order {
        /// Options may stand before and after operands.
        case mixed
        /// The first operand ends the options: what follows is another command's.
        case optionsFirst
    }

    enum Outcome {
        case arguments(Arguments)
        /// `--help` was met; what stands after it is not looked at.
        case help
    }

    private static let firstValue: Int32 = 256

    static func parse(
        _ arguments: [[UInt8]],
        _ options: [Option],
        order: Order = .mixed
    ) throws(CommandFailure) -> Outcome {
        // getopt skips the program's name.
        var texts = CStringList(["postern".utf8.map { $0 }] + arguments)
        let names = CStringList(options.map { Array($0.name.utf8) })
        defer {
            texts.free()
            names.free()
        }
        var table = options.indices.map { index in
            option(
                name: UnsafePointer(names.pointers[index]),
                has_arg: options[index].value == nil ? no_argument : required_argument,
                flag: nil,
                val: firstValue + Int32(index)
            )
        }
        table.append(option(name: nil, has_arg: 0, flag: nil, val: 0))
        return try scan(&texts, table, options, order)
    }

    private static func scan(
        _ texts: inout CStringList,
        _ table: [option],
        _ options: [Option],
        _ order: Order
    ) throws(CommandFailure) -> Outcome {
        var values: [String: [[UInt8]]] = [:]
        postern_getopt_reset()
        while true {
            // The colon makes getopt tell a missing value from an unknown option.
            let found = getopt_long(texts.count, &texts.pointers, order == .mixed ? ":h" : "+:h", table, nil)
            guard found != -1 else { break }
            if found == Int32(UInt8(ascii: "h")) { return .help }
            guard let index = index(of: found, in: options) else { throw mistake(found, texts, options) }
            let option = options[index]
            try refuseAbbreviation(of: option, texts, options)
            if option.name == Option.help.name { return .help }
            guard values[option.name] == nil || option.isRepeatable else {
                throw .usage("--\(option.name) is given twice")
            }
            values[option.name, default: []].append(postern_optarg().map(RawArguments.bytes(of:)) ?? [])
        }
        return .arguments(Arguments(values: values, operands: texts.bytes(from: Int(postern_optind()))))
    }

    /// getopt takes `--keys` for `--keys-out` where nothing else begins so; what writes a file must be meant.
    private static func refuseAbbreviation(
        of option: Option,
        _ texts: CStringList,
        _ options: [Option]
    ) throws(CommandFailure) {
        let last = Int(postern_optind()) - 1
        let isSeparate = postern_optarg().map { UnsafePointer($0) == texts.pointer(at: last) } ?? false
        let text = texts.bytes(from: isSeparate ? last - 1 : last).first ?? []
        let stem = text.dropFirst(2).prefix { $0 != 0x3D }
        guard stem.elementsEqual(option.name.utf8) else { throw unknown(text, options) }
    }

    private static func index(of found: Int32, in options: [Option]) -> Int? {
        let index = Int(found) - Int(firstValue)
        return options.indices.contains(index) ? index : nil
    }

    /// What getopt's `?` or `:` means.
    private static func mistake(_ found: Int32, _ texts: CStringList, _ options: [Option]) -> CommandFailure {
        let about = postern_optopt()
        if let index = index(of: about, in: options) {
            let name = options[index].name
            return found == 0x3A ? .usage("--\(name) needs a value") : .usage("--\(name) takes no value")
        }
        if about != 0 {
            return .usage("there is no option \(RawArguments.quote([0x2D, UInt8(truncatingIfNeeded: about)]))")
        }
        return unknown(texts.bytes(from: Int(postern_optind()) - 1).first ?? [], options)
    }

    private static func unknown(_ text: [UInt8], _ options: [Option]) -> CommandFailure {
        let stem = text.dropFirst(2).prefix { $0 != 0x3D }
        let candidates = options.filter { !stem.isEmpty && $0.name.utf8.starts(with: stem) }.map { "--\($0.name)" }
        // Only the name is shown: what stands behind the equals sign may be a secret.
        let shown = RawArguments.quote(Array(text.prefix { $0 != 0x3D }))
        guard !candidates.isEmpty else {
            let nearest = NearestName.of(String(decoding: stem, as: UTF8.self), among: options.map(\.name))
            return .usage("there is no option \(shown)\(nearest.map { "; is --\($0) meant?" } ?? "")")
        }
        return .usage("there is no option \(shown); there is \(candidates.joined(separator: ", "))")
    }
}

/// C strings that C may reorder; whoever makes them frees them.
private struct CStringList {
    /// With the null pointer at the end that C expects.
    var pointers: [UnsafeMutablePointer<CChar>?]
    private let owned: [UnsafeMutablePointer<CChar>]

    init(_ texts: [[UInt8]]) {
        owned = texts.map { text in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count + 1)
            for (index, byte) in text.enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[text.count] = 0
            return copy
        }
        pointers = owned.map { $0 } + [nil]
    }

    var count: Int32 { Int32(clamping: owned.count) }

    func pointer(at index: Int) -> UnsafePointer<CChar>? {
        pointers.indices.contains(index) ? pointers[index].map { UnsafePointer($0) } : nil
    }

    func bytes(from start: Int) -> [[UInt8]] {
        pointers.dropFirst(max(start, 0)).compactMap { $0 }.map { RawArguments.bytes(of: $0) }
    }

    func free() { owned.forEach { $0.deallocate() } }
}
