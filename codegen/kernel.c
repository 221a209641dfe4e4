/* SPDX-License-Identifier: MIT */
#include "codegen/kernel.h"

#include <string.h>

#include "ir/parse.h"
#include "ir/verify.h"

static struct kernel *load(struct arena *a, const char *path, const struct source *source,
                           struct diag *d)
{
    struct kernel *k = arena_new(a, struct kernel);
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    const char *suffix = strrchr(base, '.');
    k->path = arena_strdup(a, path);
    k->name =
        arena_strndup(a, base, suffix && suffix != base ? (size_t)(suffix - base) : strlen(base));
    k->source = source;
    if (!k->source || !directives_scan(a, k->source, &k->directives, d))
        return NULL;
    k->program = ir_parse(a, k->source, d);
    return k->program && verify_program(k->program, d) ? k : NULL;
}

struct kernel *kernel_load(struct arena *a, const char *path, struct diag *d)
{
    return load(a, path, source_read(a, path, d), d);
}

struct kernel *kernel_load_text(struct arena *a, const char *path, const char *text, struct diag *d)
{
    return load(a, path, source_from_string(a, path, text), d);
}

const struct ir_program *kernel_lower(struct arena *a, const struct kernel *k,
                                      const struct kernel_options *o, struct diag *d)
{
    return passes_run(a, k->program, o->passes, o->npasses, &o->pass, &o->hooks, d);
}

struct program *kernel_compile(struct arena *a, const struct kernel *k,
                               const struct kernel_options *o, int nranks, struct diag *d)
{
    const struct ir_program *lowered = kernel_lower(a, k, o, d);
    if (!lowered)
        return NULL;
    struct codegen_options c = {.toolchain = o->toolchain,
                                .nranks = nranks,
                                .args = o->args,
                                .nargs = o->nargs,
                                .window_align = o->window_align,
                                .cores_per_rank = o->cores_per_rank,
                                .rules = o->pass.rules};
    struct program *p = codegen(a, lowered, &k->directives, &c, d);
    if (p)
        p->name = k->name;
    return p;
}
