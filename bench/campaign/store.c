/* SPDX-License-Identifier: MIT */
#include "bench/campaign/store.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"

enum { SCHEMA_VERSION = 2, BUSY_MILLISECONDS = 30 * 1000 };

/* No number with a fraction is in the database: they follow from the others. */
static const struct column columns[] = {
    COLUMN(sweep_row, key, IN_DB),
    COLUMN(sweep_row, kernel, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, ranks, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, model, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, toolchain, IN_CSV | IN_DB),
    COLUMN(sweep_row, site, IN_CSV | IN_JSON | IN_DB, .width = 6),
    COLUMN(sweep_row, level, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, origin, IN_CSV | IN_JSON | IN_DB, .width = -9),
    COLUMN(sweep_row, what, IN_CSV | IN_JSON | IN_DB, .width = -47),
    COLUMN(sweep_row, line, IN_CSV | IN_JSON | IN_DB, .width = -9, .text = "line %d"),
    COLUMN(sweep_row, anchor, IN_CSV | IN_JSON | IN_DB, .width = -28, .text = "after %s"),
    COLUMN(sweep_row, verdict, IN_CSV | IN_JSON),
    COLUMN(sweep_row, killed, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, runs, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, rate, IN_CSV, .csv = "%.4f"),
    COLUMN(sweep_row, rate_low, IN_CSV, .csv = "%.4f"),
    COLUMN(sweep_row, rate_high, IN_CSV, .csv = "%.4f"),
    COLUMN(sweep_row, first_seed, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, finding, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, where, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, reader_line, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, producer_line, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, executed, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, file, IN_CSV | IN_JSON),
    COLUMN(sweep_row, class, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, others, IN_CSV | IN_JSON),
    COLUMN(sweep_row, witness, IN_CSV | IN_JSON),
    COLUMN(sweep_row, certificate, IN_CSV | IN_JSON),
    COLUMN(sweep_row, why, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, states, IN_CSV | IN_JSON | IN_DB),
    COLUMN(sweep_row, extents, IN_CSV | IN_JSON | IN_DB),
};
const struct columns sweep_columns = COLUMNS(columns);

struct store {
    const char *path;
    sqlite3 *db;
    sqlite3_stmt *put, *get;
};

/* SQLite's own words say "disk I/O error" of a full disk and of a broken one: the system's are added. */
static bool failed(struct store *s, struct diag *d, const char *what)
{
    int code = sqlite3_errcode(s->db) & 0xff, system = sqlite3_system_errno(s->db);
    bool of_system = (code == SQLITE_CANTOPEN || code == SQLITE_IOERR) && system;
    return diag_file(d, s->path, "%s: %s%s%s", what, sqlite3_errmsg(s->db), of_system ? ": " : "",
                     of_system ? strerror(system) : "");
}

/* For each column of the database, with commas between: its name in quotes and the type; its name
 * alone; or a place for its value. */
enum list_of { LIST_TYPES, LIST_NAMES, LIST_PLACES };
static const char *column_list(struct arena *a, enum list_of what)
{
    struct strbuf b = strbuf_make(a);
    vec_foreach (const struct column, c, &sweep_columns) {
        if (!(c->where & IN_DB))
            continue;
        strbuf_add(&b, b.len ? ", " : "");
        if (what == LIST_PLACES)
            strbuf_add(&b, "?");
        else
            strbuf_addf(&b, "\"%s\"", c->name);
        if (what == LIST_TYPES)
            strbuf_addf(&b, " %s %s", c->type == COLUMN_TEXT ? "TEXT" : "INTEGER",
                        c == sweep_columns.items ? "PRIMARY KEY" : "NOT NULL");
    }
    return b.text;
}

/* The number that a statement says, or -1: d is filled. */
static int ask(struct store *s, const char *statement, struct diag *d)
{
    sqlite3_stmt *q;
    int n = -1;
    bool ok = sqlite3_prepare_v2(s->db, statement, -1, &q, NULL) == SQLITE_OK &&
              sqlite3_step(q) == SQLITE_ROW;
    if (ok)
        n = sqlite3_column_int(q, 0);
    else
        failed(s, d,
               (sqlite3_errcode(s->db) & 0xff) == SQLITE_NOTADB ? "is no result file"
                                                                : "cannot read");
    sqlite3_finalize(q);
    return n;
}

/* Of the file that is open as `schema`; may_be_new: nothing was ever written to it. */
static bool version_ok(struct store *s, const char *path, const char *schema, bool may_be_new,
                       struct diag *d)
{
    int version = ask(s, arena_printf(d->arena, "PRAGMA %s.user_version", schema), d);
    int tables =
        d->failed
            ? 0
            : ask(s, arena_printf(d->arena, "SELECT count(*) FROM %s.sqlite_master", schema), d);
    if (d->failed || version == SCHEMA_VERSION || (may_be_new && !version && !tables))
        return !d->failed;
    if (!version)
        return diag_file(d, path, "is no result file: a database of something else");
    return diag_file(d, path,
                     "is a result file of version %d, and this program writes version %d: sweep "
                     "into a new one",
                     version, SCHEMA_VERSION);
}

struct store *store_open(const char *path, struct arena *a, struct diag *d)
{
    struct store *s = arena_new(a, struct store);
    s->path = path;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
    const char *setup =
        arena_printf(a,
                     "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE; "
                     "CREATE TABLE IF NOT EXISTS sweep (%s); PRAGMA user_version=%d; COMMIT",
                     column_list(a, LIST_TYPES), SCHEMA_VERSION);
    const char *names = column_list(a, LIST_NAMES), *places = column_list(a, LIST_PLACES);
    const char *put =
        arena_printf(a, "INSERT OR REPLACE INTO sweep (%s) VALUES (%s)", names, places);
    const char *get = arena_printf(a, "SELECT %s FROM sweep WHERE key = ?", names);
    bool ok = sqlite3_open(path, &s->db) == SQLITE_OK || failed(s, d, "cannot open");
    /* Another process, or one that was just killed, may still hold the file for a moment. */
    if (ok)
        sqlite3_busy_timeout(s->db, BUSY_MILLISECONDS);
    ok = ok && version_ok(s, path, "main", true, d);
    ok = ok && (sqlite3_exec(s->db, setup, NULL, NULL, NULL) == SQLITE_OK ||
                failed(s, d, "cannot set up"));
    ok = ok && ((sqlite3_prepare_v2(s->db, put, -1, &s->put, NULL) == SQLITE_OK &&
                 sqlite3_prepare_v2(s->db, get, -1, &s->get, NULL) == SQLITE_OK) ||
                failed(s, d, "has another schema"));
    if (ok)
        return s;
    store_close(s);
    return NULL;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_finalize(s->put);
    sqlite3_finalize(s->get);
    sqlite3_close(s->db);
}

bool store_put(struct store *s, const struct sweep_row *row, struct diag *d)
{
    int at = 0;
    sqlite3_reset(s->put);
    vec_foreach (const struct column, c, &sweep_columns) {
        const void *value = (const char *)row + c->offset;
        if (!(c->where & IN_DB))
            continue;
        if (c->type == COLUMN_TEXT)
            sqlite3_bind_text(s->put, ++at, *(const char *const *)value, -1, SQLITE_TRANSIENT);
        else if (c->type == COLUMN_INT)
            sqlite3_bind_int(s->put, ++at, *(const int *)value);
        else
            sqlite3_bind_int64(s->put, ++at, (sqlite3_int64) * (const uint64_t *)value);
    }
    bool ok = sqlite3_step(s->put) == SQLITE_DONE || failed(s, d, "cannot write");
    sqlite3_reset(s->put);
    return ok;
}

/* The row that a query with all columns stands at. */
static void read_row(sqlite3_stmt *q, struct sweep_row *row, struct arena *a)
{
    int at = 0;
    vec_foreach (const struct column, c, &sweep_columns) {
        void *value = (char *)row + c->offset;
        if (!(c->where & IN_DB))
            continue;
        if (c->type == COLUMN_TEXT)
            *(const char **)value = arena_strdup(a, (const char *)sqlite3_column_text(q, at++));
        else if (c->type == COLUMN_INT)
            *(int *)value = sqlite3_column_int(q, at++);
        else
            *(uint64_t *)value = (uint64_t)sqlite3_column_int64(q, at++);
    }
}

bool store_get(struct store *s, const char *key, struct sweep_row *row, struct arena *a)
{
    sqlite3_reset(s->get);
    sqlite3_bind_text(s->get, 1, key, -1, SQLITE_TRANSIENT);
    if (sqlite3_step(s->get) != SQLITE_ROW)
        return false;
    read_row(s->get, row, a);
    sqlite3_reset(s->get);
    return true;
}

bool store_read(const char *path, struct arena *a,
                void (*fn)(void *ctx, const struct sweep_row *row), void *ctx, struct diag *d)
{
    struct store s = {.path = path};
    sqlite3_stmt *q = NULL;
    const char *all =
        arena_printf(a, "SELECT %s FROM sweep ORDER BY kernel, ranks, model, site, level",
                     column_list(a, LIST_NAMES));
    bool ok = sqlite3_open_v2(path, &s.db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK ||
              failed(&s, d, "cannot open");
    ok = ok && version_ok(&s, path, "main", false, d);
    ok = ok && (sqlite3_prepare_v2(s.db, all, -1, &q, NULL) == SQLITE_OK ||
                failed(&s, d, "has another schema"));
    int step = SQLITE_DONE;
    while (ok && (step = sqlite3_step(q)) == SQLITE_ROW) {
        struct sweep_row row = {0};
        read_row(q, &row, a);
        fn(ctx, &row);
    }
    ok = ok && (step == SQLITE_DONE || failed(&s, d, "cannot read"));
    sqlite3_finalize(q);
    sqlite3_close(s.db);
    return ok;
}

bool store_merge(struct store *s, const char *path, struct diag *d)
{
    sqlite3_stmt *attach;
    if (access(path, R_OK) != 0)
        return diag_file(d, path, "cannot open: %s", strerror(errno));
    bool ok = sqlite3_prepare_v2(s->db, "ATTACH ? AS other", -1, &attach, NULL) == SQLITE_OK;
    if (ok)
        sqlite3_bind_text(attach, 1, path, -1, SQLITE_TRANSIENT);
    ok = ok && sqlite3_step(attach) == SQLITE_DONE;
    sqlite3_finalize(attach);
    if (ok && !version_ok(s, path, "other", false, d))
        return false;
    const char *names = column_list(d->arena, LIST_NAMES);
    const char *copy = arena_printf(
        d->arena, "INSERT OR IGNORE INTO sweep (%s) SELECT %s FROM other.sweep; DETACH other",
        names, names);
    ok = ok && sqlite3_exec(s->db, copy, NULL, NULL, NULL) == SQLITE_OK;
    return ok || failed(s, d, arena_printf(d->arena, "cannot merge %s", path));
}
