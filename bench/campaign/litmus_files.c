/* SPDX-License-Identifier: MIT */
#include "bench/campaign/litmus_files.h"

#include <errno.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>

static int by_bytes(const FTSENT **x, const FTSENT **y)
{
    return strcmp((*x)->fts_name, (*y)->fts_name);
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), k = strlen(suffix);
    return n > k && !strcmp(name + n - k, suffix);
}

static bool walk_folder(const char *dir, const char *const **files, size_t *n, struct diag *d)
{
    VEC(const char *) found = {0};
    char *const roots[] = {arena_strdup(d->arena, dir), NULL};
    FTS *walk = fts_open(roots, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, by_bytes);
    if (!walk)
        return diag_file(d, roots[0], "cannot read: %s", strerror(errno));
    FTSENT *at;
    while (!d->failed && (at = fts_read(walk))) {
        if (at->fts_info == FTS_F && has_suffix(at->fts_name, ".litmus"))
            vec_push(d->arena, &found, arena_strdup(d->arena, at->fts_path));
        else if (at->fts_info == FTS_DNR || at->fts_info == FTS_ERR || at->fts_info == FTS_NS)
            diag_file(d, arena_strdup(d->arena, at->fts_path), "cannot read: %s",
                      strerror(at->fts_errno));
    }
    fts_close(walk);
    *files = found.items;
    *n = found.len;
    return !d->failed && (found.len || diag_file(d, roots[0], "holds no file *.litmus"));
}

/* ---- lists ---- */

enum { LISTS_NESTED = 16 };

struct list_reader {
    struct diag *d;
    int depth;
    VEC(const char *) found;
};

static bool read_list(struct list_reader *r, const char *path);

/* A line of a list in a folder, which is empty or ends in '/'. */
static bool add_line(struct list_reader *r, const char *folder, const char *line)
{
    struct arena *a = r->d->arena;
    bool list = *line == '@';
    const char *path = arena_printf(a, "%s%s", line[list] == '/' ? "" : folder, line + list);
    if (list)
        return read_list(r, path);
    const char *const *files;
    size_t n;
    if (!litmus_files(path, &files, &n, r->d))
        return false;
    for (size_t i = 0; i < n; i++)
        vec_push(a, &r->found, files[i]);
    return true;
}

static const char *trimmed(struct arena *a, const char *text, size_t len)
{
    static const char blanks[] = " \t\r";
    while (len && strchr(blanks, text[len - 1]))
        len--;
    while (len && strchr(blanks, *text)) {
        text++;
        len--;
    }
    return arena_strndup(a, text, len);
}

static bool read_list(struct list_reader *r, const char *path)
{
    struct arena *a = r->d->arena;
    if (r->depth == LISTS_NESTED)
        return diag_file(r->d, path, "lists name each other more than %d deep", LISTS_NESTED);
    const struct source *src = source_read(a, path, r->d);
    if (!src)
        return false;
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? arena_strndup(a, path, (size_t)(slash - path) + 1) : "";
    r->depth++;
    for (const char *p = src->text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        const char *line = trimmed(a, p, strcspn(p, "#\n"));
        if (*line && !add_line(r, folder, line))
            return false;
    }
    r->depth--;
    return true;
}

static bool walk_list(const char *path, const char *const **files, size_t *n, struct diag *d)
{
    struct list_reader r = {.d = d};
    if (!read_list(&r, path))
        return false;
    *files = r.found.items;
    *n = r.found.len;
    return r.found.len || diag_file(d, path, "names no test");
}

bool litmus_files(const char *path, const char *const **files, size_t *n, struct diag *d)
{
    struct stat st;
    if (*path == '@')
        return walk_list(arena_strdup(d->arena, path + 1), files, n, d);
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return walk_folder(path, files, n, d);
    *files = arena_dup(d->arena, &path, sizeof path);
    *n = 1;
    return true;
}
