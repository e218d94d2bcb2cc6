// The C room of SQLite: its variadic functions, and the constant that is a cast.
#ifndef POSTERN_CSQLITE_SHIM_H
#define POSTERN_CSQLITE_SHIM_H

#include <sqlite3.h>

// Counting memory takes a lock of the whole process with each allocation, and nobody asks for the count. To be called before anything
// else; answers SQLITE_MISUSE when it comes too late.
static inline int postern_sqlite_without_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static inline int postern_sqlite_set(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

// The bytes are copied. A null pointer would bind NULL, so nothing at all has a place of its own.
static inline int postern_sqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_text(statement, index, count > 0 ? (const char *)bytes : "", count, SQLITE_TRANSIENT);
}

static inline int postern_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, count > 0 ? bytes : "", count, SQLITE_TRANSIENT);
}

#endif
