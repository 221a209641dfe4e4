/* SPDX-License-Identifier: MIT */
#include "bench/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool failed(const char *path, struct diag *d)
{
    struct source src = {.name = path, .text = ""};
    return diag_error(d, &src, (struct span){0}, "cannot write: %s", strerror(errno));
}

bool output_open(struct output *o, const char *path, struct diag *d)
{
    *o = (struct output){.file = stdout};
    if (!path)
        return true;
    o->path = arena_strdup(d->arena, path);
    o->temporary = arena_printf(d->arena, "%s.%ld.tmp", path, (long)getpid());
    o->file = fopen(o->temporary, "w");
    return o->file || failed(o->path, d);
}

bool output_close(struct output *o, bool keep, struct diag *d)
{
    bool ok = fflush(o->file) == 0 && !ferror(o->file);
    if (!o->path)
        return ok;
    ok = fclose(o->file) == 0 && ok;
    if (keep && ok && rename(o->temporary, o->path) == 0)
        return true;
    bool wrong = keep;
    if (wrong)
        failed(o->path, d);
    unlink(o->temporary);
    return !wrong;
}

void output_json(json_t *top)
{
    json_dumpf(top, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(top);
}
