/* SPDX-License-Identifier: MIT */
#include "bench/campaign/compiled.h"

#include <string.h>
#include <unistd.h>

#include "pto/compile.h"
#include "pto/emit.h"

bool compiled_is(const char *path)
{
    const char *suffix = strrchr(path, '.');
    return suffix && !strcmp(suffix, ".pto");
}

const struct pto_file *compiled_file(const struct kernel *k)
{
    return k->read;
}

/* Where its names are looked up: the command line wins over directives. */
struct outside {
    struct arena *arena;
    const struct directives *directives;
    const struct kernel_options *options;
    int nranks;
};

static const struct binding *find_binding(const struct outside *o, const char *name)
{
    for (size_t i = o->options->nargs; i-- > 0;)
        if (!strcmp(o->options->args[i].name, name))
            return &o->options->args[i];
    for (size_t i = o->directives->args.len; i-- > 0;)
        if (!strcmp(o->directives->args.items[i].name, name))
            return &o->directives->args.items[i];
    return NULL;
}

static enum pto_answer value_of(void *ctx, const char *name, int rank, int64_t *out, struct diag *d)
{
    const struct outside *o = ctx;
    const struct binding *b = find_binding(o, name);
    if (!b)
        return PTO_UNKNOWN;
    return binding_eval(o->arena, b, rank, o->nranks, out, d) ? PTO_GIVEN : PTO_WRONG;
}

static struct program *compile(struct arena *a, const struct kernel *k,
                               const struct kernel_options *o, int nranks, struct diag *d)
{
    struct outside outside = {a, &k->directives, o, nranks};
    struct pto_options p = {.toolchain = o->toolchain,
                            .nranks = nranks,
                            .window_align = o->window_align,
                            .value = value_of,
                            .ctx = &outside};
    return pto_compile(a, compiled_file(k), &p, d);
}

static bool knows(const struct kernel *k, const char *name)
{
    return pto_knows(compiled_file(k), name);
}

static struct kernel *of_source(struct arena *a, const struct kernel *k,
                                const struct source *source, struct diag *d)
{
    struct kernel *changed = arena_dup(a, k, sizeof *k);
    changed->source = source;
    changed->read = pto_read(a, source, d);
    return changed->read ? changed : NULL;
}

static const struct kernel_front front = {compile, knows, of_source};

/* Directives of the file, and of the one beside it. */
static bool scan(struct arena *a, const struct source *src, struct directives *out, struct diag *d)
{
    static const char lead[] = "// fencebench:";
    const char *beside = arena_printf(a, "%s.bind", src->name);
    if (!directives_scan_behind(a, src, lead, out, d))
        return false;
    if (access(beside, R_OK))
        return true;
    const struct source *more = source_read(a, beside, d);
    return more && directives_scan_behind(a, more, lead, out, d);
}

struct kernel *compiled_load(struct arena *a, const char *path, const struct kernel_options *o,
                             struct diag *d)
{
    const struct source *src = source_read(a, path, d);
    const struct pto_file *read = src ? pto_read(a, src, d) : NULL;
    struct kernel_file *f = arena_new(a, struct kernel_file);
    if (!read || !scan(a, src, &f->directives, d))
        return NULL;
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    f->path = arena_strdup(a, path);
    f->name = arena_strndup(a, base, (size_t)(strrchr(base, '.') - base));
    f->source = src;
    f->text = arena_new(a, struct ir_file);
    struct ir_program *empty = arena_new(a, struct ir_program);
    empty->source = src;
    struct kernel *k = arena_new(a, struct kernel);
    *k = (struct kernel){.front = &front,
                         .read = read,
                         .path = f->path,
                         .name = f->name,
                         .source = src,
                         .program = empty,
                         .directives = f->directives,
                         .file = f,
                         .args = o->args,
                         .nargs = o->nargs};
    return k;
}

/* ---- the other way ---- */

struct emission {
    struct arena *arena;
    struct diag *d;
    const char *text;
};

static void emit(void *ctx, const struct builder *b, const struct program *p)
{
    struct emission *e = ctx;
    e->text = pto_emit(e->arena, b, p, e->d);
}

const char *kernel_as_compiled(struct arena *a, const struct kernel *k,
                               const struct kernel_options *o, int nranks, struct diag *d)
{
    struct toolchain plain = *o->toolchain;
    plain.auto_sync = false;
    plain.region_cacheinvalid = REGION_BASE_LINE;
    struct emission e = {a, d, NULL};
    struct kernel_options options = *o;
    options.toolchain = &plain;
    options.built = emit;
    options.built_ctx = &e;
    const struct program *p = kernel_compile(a, k, &options, nranks, d);
    if (p && !e.text && !d->failed)
        diag_error(d, k->source, (struct span){0},
                   "holds a host program; its kernels alone are printed as .pto");
    return e.text;
}
