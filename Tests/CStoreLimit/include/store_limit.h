// What SQLite can do at most, for the bench: the statements of a refresh in plain C, committed together as the store does it; and a
// disk that is made slow.
#ifndef POSTERN_STORE_LIMIT_H
#define POSTERN_STORE_LIMIT_H

struct store_limit {
    long refreshes;
    long commits;
    double seconds;
};

// Refreshes sessions of the database at `path` for so long, `batch` in each commit, and one after the other of `order`, which holds
// numbers of `count` names of sixteen bytes. A thread of its own moves the log. 0 when all went well.
int store_limit_run(
    const char *path, const unsigned char *names, const unsigned int *order, long orders, int batch, double seconds,
    struct store_limit *result);

// So many microseconds are added to each fdatasync and fsync of this process.
void store_limit_set_delay(int microseconds);
// How many there were.
long store_limit_syncs(void);

#endif
