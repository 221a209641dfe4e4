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

bool litmus_files(const char *path, const char *const **files, size_t *n, struct diag *d)
{
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return walk_folder(path, files, n, d);
    *files = arena_dup(d->arena, &path, sizeof path);
    *n = 1;
    return true;
}
