import Glibc
import PosternAccounts
import PosternSQLite

// PosternStoreWriter live FOLDER RUN: has people come and go for ever, and puts out what each of them was promised. The test that
// starts it ends it with SIGKILL.
// PosternStoreWriter fill FOLDER FILE|-: writes until the disk is full, makes room by removing FILE or by raising its own limit of
// file sizes, and writes on.
// PosternStoreWriter open FOLDER: opens the store each time a line comes in, and puts out why it cannot.
// PosternStoreWriter backup FOLDER FILE: puts out why there is no backup.
// PosternStoreWriter restore FOLDER FILE exchange|link STEP: restores, until it is killed after a step.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(64) }
switch arguments[1] {
case "live": await People.run(arguments[2], run: arguments.count > 3 ? arguments[3] : "0")
case "fill": await Filling.run(arguments[2], room: arguments.count > 3 ? arguments[3] : "-")
case "open": await Opening.run(arguments[2])
case "backup" where arguments.count == 4: Restoring.back(up: arguments[2], to: arguments[3])
case "restore" where arguments.count == 6:
    Restoring.run(arguments[2], arguments[3], exchanges: arguments[4] == "exchange", until: arguments[5])
default: exit(64)
}
