/* SPDX-License-Identifier: MIT */
#include "bench/report/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0777 };

static bool failed(const char *path, struct diag *d)
{
    return diag_file(d, path, "cannot write: %s", strerror(errno));
}

/* The file that a link leads to: a rename would replace the link. */
static const char *target_of(const char *path, struct arena *a)
{
    char *real = realpath(path, NULL);
    const char *target = arena_strdup(a, real ? real : path);
    free(real);
    return target;
}

bool output_open(struct output *o, const char *path, struct diag *d)
{
    *o = (struct output){.file = stdout};
    if (!path)
        return true;
    o->path = arena_strdup(d->arena, path);
    o->target = target_of(path, d->arena);
    struct stat st;
    if (stat(path, &st) || S_ISREG(st.st_mode))
        o->temporary = arena_printf(d->arena, "%s.%ld.tmp", o->target, (long)getpid());
    o->file = fopen(o->temporary ? o->temporary : o->target, "w");
    return o->file || failed(o->path, d);
}

bool output_close(struct output *o, bool keep, struct diag *d)
{
    bool ok = fflush(o->file) == 0 && !ferror(o->file);
    if (!o->path)
        return ok;
    ok = fclose(o->file) == 0 && ok;
    bool replaces = o->temporary != NULL;
    if (keep && ok && (!replaces || rename(o->temporary, o->target) == 0))
        return true;
    bool wrong = keep;
    if (wrong)
        failed(o->path, d);
    if (replaces)
        unlink(o->temporary);
    return !wrong;
}

bool output_possible(const char *path, struct diag *d)
{
    struct stat st;
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *folder = slash ? arena_strndup(d->arena, path, (size_t)(slash - path) + 1) : ".";
    errno = EISDIR;
    if (path && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return failed(path, d);
    bool special = path && stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    return !path || access(special ? path : folder, W_OK) == 0 || failed(path, d);
}

bool output_text(const char *path, const char *text, struct diag *d)
{
    struct output o;
    if (!output_open(&o, path, d))
        return false;
    fputs(text, o.file); /* output_close sees whether it was written */
    return output_close(&o, true, d);
}

bool output_folder(const char *path, struct diag *d)
{
    struct stat st;
    if (mkdir(path, FOLDER_MODE) == 0)
        return true;
    int error = errno;
    if (error == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    return diag_file(d, path, "cannot make the folder: %s",
                     error == EEXIST ? "it is no folder" : strerror(error));
}

void output_json(json_t *top)
{
    json_dumpf(top, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(top);
}
