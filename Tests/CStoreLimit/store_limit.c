#define _GNU_SOURCE
#include "store_limit.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: - A slow disk

static atomic_int delay;
static atomic_long syncs;

void store_limit_set_delay(int microseconds) { atomic_store(&delay, microseconds); }
long store_limit_syncs(void) { return atomic_load(&syncs); }

static int slowly(long call, int file) {
    atomic_fetch_add(&syncs, 1);
    int microseconds = atomic_load(&delay);
    if (microseconds > 0) {
        struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000L};
        nanosleep(&time, 0);
    }
    return (int)syscall(call, file);
}

// The program's own symbols come before those of the C library, for SQLite too.
int fdatasync(int file) { return slowly(SYS_fdatasync, file); }
int fsync(int file) { return slowly(SYS_fsync, file); }

// MARK: - The limit

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct log {
    const char *path;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int pages, moved, is_rung, is_over;
    atomic_int is_little_left;
};

static int open_database(const char *path, sqlite3 **database) {
    int code = sqlite3_open_v2(path, database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, 0);
    if (code != SQLITE_OK) return code;
    return sqlite3_exec(*database,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -16384;"
        "PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA cell_size_check = ON; PRAGMA journal_size_limit = 33554432;",
        0, 0, 0);
}

static void *move_log(void *context) {
    struct log *log = context;
    sqlite3 *database = 0;
    if (open_database(log->path, &database) != SQLITE_OK) return 0;
    pthread_mutex_lock(&log->mutex);
    while (!log->is_over) {
        if (!log->is_rung) {
            pthread_cond_wait(&log->changed, &log->mutex);
            continue;
        }
        log->is_rung = 0;
        log->moved = log->pages;
        pthread_mutex_unlock(&log->mutex);
        int pages = 0, moved = 0;
        for (int round = 0; round < 4; round++) {
            sqlite3_wal_checkpoint_v2(database, "main", SQLITE_CHECKPOINT_PASSIVE, &pages, &moved);
            if (pages - moved <= 256) break;
        }
        if (moved < pages) atomic_store(&log->is_little_left, 1);
        pthread_mutex_lock(&log->mutex);
    }
    pthread_mutex_unlock(&log->mutex);
    sqlite3_close(database);
    return 0;
}

static int log_has_grown(void *context, sqlite3 *database, const char *name, int pages) {
    struct log *log = context;
    (void)database, (void)name;
    pthread_mutex_lock(&log->mutex);
    if (pages < log->pages) log->moved = 0;
    log->pages = pages;
    if (pages >= 4096 && pages - log->moved >= 1024 && !log->is_rung) {
        log->is_rung = 1;
        pthread_cond_signal(&log->changed);
    }
    pthread_mutex_unlock(&log->mutex);
    return SQLITE_OK;
}

enum { BEGIN, SAVEPOINT, SESSION, ACCOUNT, UPDATE, RELEASE, COMMIT, STATEMENTS };
static const char *const texts[STATEMENTS] = {
    "BEGIN IMMEDIATE",
    "SAVEPOINT operation",
    "SELECT id, account, method, provider, created_at, counter, rotated_at, is_seen, expires_at, user_agent, masked_address"
    " FROM sessions WHERE id = ?",
    "SELECT id, email, email_key, email_proven_at, user_data, backend_data, created_at, updated_at, last_sign_in_at,"
    " banned_until FROM accounts WHERE id = ?",
    "UPDATE sessions SET counter = ?7, rotated_at = ?8, is_seen = ?9, expires_at = ?10, user_agent = ?11,"
    " masked_address = ?12 WHERE id = ?1 AND account = ?2 AND method = ?3 AND provider IS ?4 AND created_at = ?5"
    " AND expires_about = ?6",
    "RELEASE operation",
    "COMMIT",
};

static int step(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

// What was read is copied, as a program must that goes on with it.
struct session {
    unsigned char id[16], account[16];
    char method[16], provider[64], agent[300], address[64];
    sqlite3_int64 created, counter, rotated, expires, seen;
};

static int text(sqlite3_stmt *row, int column, char *to, size_t size) {
    const unsigned char *from = sqlite3_column_text(row, column);
    size_t count = (size_t)sqlite3_column_bytes(row, column);
    if (count >= size) return SQLITE_CORRUPT;
    if (from) memcpy(to, from, count);
    to[count] = 0;
    return SQLITE_OK;
}

static int refresh(sqlite3_stmt **s, const unsigned char *id) {
    struct session session;
    int code = step(s[SAVEPOINT]);
    if (code != SQLITE_OK) return code;
    sqlite3_stmt *row = s[SESSION];
    sqlite3_bind_blob(row, 1, id, 16, SQLITE_STATIC);
    if (sqlite3_step(row) != SQLITE_ROW) return SQLITE_CORRUPT;
    memcpy(session.id, sqlite3_column_blob(row, 0), 16);
    memcpy(session.account, sqlite3_column_blob(row, 1), 16);
    code = text(row, 2, session.method, sizeof session.method) | text(row, 3, session.provider, sizeof session.provider)
        | text(row, 9, session.agent, sizeof session.agent) | text(row, 10, session.address, sizeof session.address);
    if (code != SQLITE_OK) return code;
    session.created = sqlite3_column_int64(row, 4);
    session.counter = sqlite3_column_int64(row, 5) + 1;
    session.rotated = sqlite3_column_int64(row, 6) + 1;
    session.seen = sqlite3_column_int64(row, 7);
    session.expires = sqlite3_column_int64(row, 8);
    sqlite3_reset(row);
    row = s[ACCOUNT];
    char email[300], key[300], data[4200], other[4200];
    sqlite3_bind_blob(row, 1, session.account, 16, SQLITE_STATIC);
    if (sqlite3_step(row) != SQLITE_ROW) return SQLITE_CORRUPT;
    code = text(row, 1, email, sizeof email) | text(row, 2, key, sizeof key) | text(row, 4, data, sizeof data)
        | text(row, 5, other, sizeof other);
    sqlite3_reset(row);
    if (code != SQLITE_OK) return code;
    row = s[UPDATE];
    sqlite3_bind_blob(row, 1, session.id, 16, SQLITE_STATIC);
    sqlite3_bind_blob(row, 2, session.account, 16, SQLITE_STATIC);
    sqlite3_bind_text(row, 3, session.method, -1, SQLITE_STATIC);
    if (session.provider[0]) sqlite3_bind_text(row, 4, session.provider, -1, SQLITE_STATIC);
    else sqlite3_bind_null(row, 4);
    sqlite3_bind_int64(row, 5, session.created);
    sqlite3_bind_int64(row, 6, session.expires >> 16);
    sqlite3_bind_int64(row, 7, session.counter);
    sqlite3_bind_int64(row, 8, session.rotated);
    sqlite3_bind_int64(row, 9, session.seen);
    sqlite3_bind_int64(row, 10, session.expires);
    sqlite3_bind_text(row, 11, session.agent, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 12, session.address, -1, SQLITE_STATIC);
    code = step(row);
    return code != SQLITE_OK ? code : step(s[RELEASE]);
}

int store_limit_run(
    const char *path, const unsigned char *names, const unsigned int *order, long orders, int batch, double seconds,
    struct store_limit *result) {
    sqlite3 *database = 0;
    sqlite3_stmt *s[STATEMENTS] = {0};
    struct log log = {.path = path};
    pthread_mutex_init(&log.mutex, 0);
    pthread_cond_init(&log.changed, 0);
    int code = open_database(path, &database);
    for (int i = 0; i < STATEMENTS && code == SQLITE_OK; i++)
        code = sqlite3_prepare_v3(database, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &s[i], 0);
    if (code != SQLITE_OK) return code;
    sqlite3_wal_hook(database, log_has_grown, &log);
    pthread_t thread;
    pthread_create(&thread, 0, move_log, &log);
    *result = (struct store_limit){0};
    double start = now();
    while (code == SQLITE_OK && now() - start < seconds) {
        code = step(s[BEGIN]);
        for (int i = 0; i < batch && code == SQLITE_OK; i++) {
            code = refresh(s, names + 16L * order[result->refreshes % orders]);
            result->refreshes++;
        }
        if (code == SQLITE_OK) code = step(s[COMMIT]);
        result->commits++;
        if (atomic_exchange(&log.is_little_left, 0))
            sqlite3_wal_checkpoint_v2(database, "main", SQLITE_CHECKPOINT_PASSIVE, 0, 0);
    }
    result->seconds = now() - start;
    pthread_mutex_lock(&log.mutex);
    log.is_over = 1;
    pthread_cond_signal(&log.changed);
    pthread_mutex_unlock(&log.mutex);
    pthread_join(thread, 0);
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(s[i]);
    sqlite3_close(database);
    return code;
}
