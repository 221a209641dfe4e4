/* SPDX-License-Identifier: MIT */
#include "bench/campaign/store.h"

#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

enum { SCHEMA_VERSION = 1, BUSY_MILLISECONDS = 30 * 1000 };

enum column_kind { COLUMN_TEXT, COLUMN_INT, COLUMN_LONG };

/* The columns of the table, and where their values are in a row. */
static const struct {
    const char *name;
    enum column_kind kind;
    size_t offset;
} columns[] = {
#define COLUMN(field, kind)                                                                        \
    {                                                                                              \
#field, kind, offsetof(struct sweep_row, field)                                            \
    }
    COLUMN(key, COLUMN_TEXT),          COLUMN(kernel, COLUMN_TEXT), COLUMN(model, COLUMN_TEXT),
    COLUMN(toolchain, COLUMN_TEXT),    COLUMN(ranks, COLUMN_INT),   COLUMN(site, COLUMN_INT),
    COLUMN(level, COLUMN_TEXT),        COLUMN(origin, COLUMN_TEXT), COLUMN(what, COLUMN_TEXT),
    COLUMN(anchor, COLUMN_TEXT),       COLUMN(line, COLUMN_INT),    COLUMN(executed, COLUMN_LONG),
    COLUMN(runs, COLUMN_LONG),         COLUMN(killed, COLUMN_LONG), COLUMN(first_seed, COLUMN_LONG),
    COLUMN(finding, COLUMN_TEXT),      COLUMN(where, COLUMN_TEXT),  COLUMN(reader_line, COLUMN_INT),
    COLUMN(producer_line, COLUMN_INT),
#undef COLUMN
};

enum { COLUMNS = sizeof columns / sizeof *columns };

struct store {
    const char *path;
    sqlite3 *db;
    sqlite3_stmt *put, *get;
};

static bool failed(struct store *s, struct diag *d, const char *what)
{
    struct source src = {.name = s->path, .text = ""};
    return diag_error(d, &src, (struct span){0}, "%s: %s", what, sqlite3_errmsg(s->db));
}

static const char *create_text(struct arena *a)
{
    static const char *const types[] = {"TEXT", "INTEGER", "INTEGER"};
    const char *text = "CREATE TABLE IF NOT EXISTS sweep (";
    for (size_t i = 0; i < COLUMNS; i++)
        text = arena_printf(a, "%s%s\"%s\" %s%s", text, i ? ", " : "", columns[i].name,
                            types[columns[i].kind], i ? " NOT NULL" : " PRIMARY KEY");
    return arena_printf(a, "%s)", text);
}

static const char *put_text(struct arena *a)
{
    const char *text = "INSERT OR REPLACE INTO sweep VALUES (?";
    for (size_t i = 1; i < COLUMNS; i++)
        text = arena_printf(a, "%s, ?", text);
    return arena_printf(a, "%s)", text);
}

static bool schema_ok(struct store *s, struct diag *d)
{
    sqlite3_stmt *q;
    int version = -1;
    if (sqlite3_prepare_v2(s->db, "PRAGMA user_version", -1, &q, NULL) == SQLITE_OK &&
        sqlite3_step(q) == SQLITE_ROW)
        version = sqlite3_column_int(q, 0);
    sqlite3_finalize(q);
    if (version != 0 && version != SCHEMA_VERSION)
        return failed(s, d, "is no result file of this version");
    return true;
}

struct store *store_open(const char *path, struct arena *a, struct diag *d)
{
    struct store *s = arena_new(a, struct store);
    s->path = path;
    const char *setup = arena_printf(
        a, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; %s; PRAGMA user_version=%d",
        create_text(a), SCHEMA_VERSION);
    bool ok = sqlite3_open(path, &s->db) == SQLITE_OK || failed(s, d, "cannot open");
    /* Another process, or one that was just killed, may still hold the file for a moment. */
    if (ok)
        sqlite3_busy_timeout(s->db, BUSY_MILLISECONDS);
    ok = ok && schema_ok(s, d);
    ok = ok && (sqlite3_exec(s->db, setup, NULL, NULL, NULL) == SQLITE_OK ||
                failed(s, d, "cannot set up"));
    ok = ok && ((sqlite3_prepare_v2(s->db, put_text(a), -1, &s->put, NULL) == SQLITE_OK &&
                 sqlite3_prepare_v2(s->db, "SELECT * FROM sweep WHERE key = ?", -1, &s->get,
                                    NULL) == SQLITE_OK) ||
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
    sqlite3_reset(s->put);
    for (int i = 0; i < COLUMNS; i++) {
        const void *field = (const char *)row + columns[i].offset;
        if (columns[i].kind == COLUMN_TEXT)
            sqlite3_bind_text(s->put, i + 1, *(const char *const *)field, -1, SQLITE_TRANSIENT);
        else if (columns[i].kind == COLUMN_INT)
            sqlite3_bind_int(s->put, i + 1, *(const int *)field);
        else
            sqlite3_bind_int64(s->put, i + 1, *(const long long *)field);
    }
    bool ok = sqlite3_step(s->put) == SQLITE_DONE || failed(s, d, "cannot write");
    sqlite3_reset(s->put);
    return ok;
}

bool store_get(struct store *s, const char *key, struct sweep_row *row, struct arena *a)
{
    sqlite3_reset(s->get);
    sqlite3_bind_text(s->get, 1, key, -1, SQLITE_TRANSIENT);
    if (sqlite3_step(s->get) != SQLITE_ROW)
        return false;
    for (int i = 0; i < COLUMNS; i++) {
        void *field = (char *)row + columns[i].offset;
        if (columns[i].kind == COLUMN_TEXT)
            *(const char **)field = arena_strdup(a, (const char *)sqlite3_column_text(s->get, i));
        else if (columns[i].kind == COLUMN_INT)
            *(int *)field = sqlite3_column_int(s->get, i);
        else
            *(long long *)field = sqlite3_column_int64(s->get, i);
    }
    sqlite3_reset(s->get);
    return true;
}

bool store_merge(struct store *s, const char *path, struct diag *d)
{
    sqlite3_stmt *attach;
    bool ok = sqlite3_prepare_v2(s->db, "ATTACH ? AS other", -1, &attach, NULL) == SQLITE_OK;
    if (ok)
        sqlite3_bind_text(attach, 1, path, -1, SQLITE_TRANSIENT);
    ok = ok && sqlite3_step(attach) == SQLITE_DONE;
    sqlite3_finalize(attach);
    ok = ok &&
         sqlite3_exec(s->db, "INSERT OR IGNORE INTO sweep SELECT * FROM other.sweep; DETACH other",
                      NULL, NULL, NULL) == SQLITE_OK;
    return ok || failed(s, d, arena_printf(d->arena, "cannot merge %s", path));
}
