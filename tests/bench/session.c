/* SPDX-License-Identifier: MIT */
#include "tests/bench/session.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"

static void set_path(const char *name, const char *path)
{
    char real[PATH_MAX];
    cr_assert(realpath(path, real), "%s: no such file", path);
    setenv(name, real, 1);
}

void session_open(struct session *s)
{
    const char *binary = getenv("FENCEBENCH");
    *s = (struct session){.folder = "/tmp/fencebench-session-XXXXXX"};
    set_path("F", binary ? binary : "build/fencebench");
    set_path("K", "kernels");
    set_path("L", "litmus");
    set_path("FENCEBENCH_MODELS", "models");
    cr_assert(mkdtemp(s->folder), "no folder for files");
}

void session_close(struct session *s)
{
    cr_expect(system(arena_printf(&s->arena, "rm -r '%s'", s->folder)) == 0);
    arena_free(&s->arena);
}

static const char *path_of(struct session *s, const char *name)
{
    return arena_printf(&s->arena, "%s/%s", s->folder, name);
}

const char *session_read(struct session *s, const char *name)
{
    struct diag d = {.arena = &s->arena};
    const struct source *text = source_read(&s->arena, path_of(s, name), &d);
    cr_assert(text, "%s", diag_text(&d, &s->arena));
    return text->text;
}

void session_write(struct session *s, const char *name, const char *text)
{
    FILE *f = fopen(path_of(s, name), "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "cannot write %s", name);
}

struct session_result session_shell(struct session *s, const char *line)
{
    int status = system(
        arena_printf(&s->arena, "cd '%s' && { %s; } >.out 2>.err </dev/null", s->folder, line));
    return (struct session_result){.out = session_read(s, ".out"),
                                   .err = session_read(s, ".err"),
                                   .code = WIFEXITED(status) ? WEXITSTATUS(status)
                                                             : 128 + WTERMSIG(status)};
}

json_t *session_json(const char *name, const struct session_result *r)
{
    json_error_t e;
    json_t *j = json_loads(r->out, 0, &e);
    cr_assert(j, "%s: line %d: %s\n%s%s", name, e.line, e.text, r->out, r->err);
    return j;
}
