import Glibc
import PosternAccounts
import PosternSQLite

enum Restoring {
    /// Restores `file`, and is killed after the step of that name; without one it puts out where the former database is.
    static func run(_ folder: String, _ file: String, exchanges: Bool, until last: String) {
        do throws(StoreFault) {
            let restore = try SQLiteRestore(file, to: folder, exchanges: exchanges)
            if last == "never" { Writing.say("begins") }
            let kept = try restore.run { step in
                if name(step) == last { kill(getpid(), SIGKILL) }
            }
            Writing.say("restored \(kept ?? "-")")
        } catch {
            Writing.say("\(error.reason.rawValue) \(error.message)")
        }
    }

    static func back(up folder: String, to file: String) {
        do throws(StoreFault) {
            try SQLiteBackup(folder: folder).write(to: file)
            Writing.say("written")
        } catch {
            Writing.say("\(error.reason.rawValue) \(error.message)")
        }
    }

    private static func name(_ step: SQLiteRestore.Step) -> String {
        switch step {
        case .copied: "copied"
        case .checking: "checking"
        case .checked: "checked"
        case .settled: "settled"
        case .named: "named"
        case .linked: "linked"
        case .replaced: "replaced"
        }
    }
}
