/* SPDX-License-Identifier: MIT */
#include "codegen/kernel.h"

#include <string.h>

#include "ir/names.h"
#include "ir/verify.h"

/* ---- files ---- */

struct kernel_file *kernel_file_of(struct arena *a, const struct source *source, struct diag *d)
{
    struct kernel_file *f = arena_new(a, struct kernel_file);
    const char *path = source->name;
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    const char *suffix = strrchr(base, '.');
    f->path = arena_strdup(a, path);
    f->name =
        arena_strndup(a, base, suffix && suffix != base ? (size_t)(suffix - base) : strlen(base));
    if (!directives_scan(a, source_main(a, source), &f->directives, d))
        return NULL;
    f->text = ir_file_read(a, source, d);
    if (!f->text)
        return NULL;
    f->source = f->text->source;
    return f;
}

struct kernel_file *kernel_file_read(struct arena *a, const char *path, struct diag *d)
{
    static const char litmus[] = ".litmus";
    size_t n = strlen(path), end = sizeof litmus - 1;
    const struct source *source = source_read(a, path, d);
    if (source && n > end && !strcmp(path + n - end, litmus))
        diag_error(d, source, (struct span){0},
                   "is a litmus test, not a kernel: 'fencebench litmus' runs it");
    return source && !d->failed ? kernel_file_of(a, source, d) : NULL;
}

void kernel_file_note(const struct kernel_file *f)
{
    if (*f->text->left_out)
        fprintf(stderr, "%s: note: no part of a program: %s\n", f->path, f->text->left_out);
}

/* ---- programs ---- */

static void add_given(struct arena *a, struct ir_outside *out, const struct binding *list, size_t n)
{
    struct ir_given *given = arena_array(a, struct ir_given, out->n + n + 1);
    if (out->n)
        memcpy(given, out->given, out->n * sizeof *given);
    for (size_t i = 0; i < n; i++)
        given[out->n + i] =
            (struct ir_given){list[i].name,
                              list[i].expr,
                              list[i].source,
                              {list[i].line, list[i].col, (int)strlen(list[i].expr)}};
    out->given = given;
    out->n += n;
}

const struct ir_program *kernel_parse(struct arena *a, const struct kernel_file *f,
                                      const struct ir_unit *u, const struct kernel_options *o,
                                      int nranks, struct diag *d)
{
    struct ir_outside outside = {.nranks = nranks};
    add_given(a, &outside, o->args, o->nargs);
    add_given(a, &outside, f->directives.args.items, f->directives.args.len);
    return ir_parse_unit(a, f->text, u, &outside, d);
}

struct kernel *kernel_of(struct arena *a, const struct kernel_file *f, const struct ir_unit *u,
                         const struct kernel_options *o, int nranks, struct diag *d)
{
    struct kernel *k = arena_new(a, struct kernel);
    *k = (struct kernel){.path = f->path,
                         .name = f->name,
                         .source = f->source,
                         .directives = f->directives,
                         .file = f,
                         .unit = u,
                         .args = o->args,
                         .nargs = o->nargs,
                         .nranks = nranks};
    if (f->text->units.len > 1)
        k->name = arena_printf(a, "%s:%s", f->name, u->path);
    k->program = kernel_parse(a, f, u, o, nranks, d);
    return k->program && verify_program(k->program, d) ? k : NULL;
}

/* Of one of the numbers of ranks that the file names. */
static int first_ranks(const struct kernel_file *f)
{
    return f->directives.ranks.len ? f->directives.ranks.items[0] : 0;
}

struct kernel *kernel_load(struct arena *a, const char *path, struct diag *d)
{
    static const struct kernel_options none;
    const struct kernel_file *f = kernel_file_read(a, path, d);
    const struct ir_unit *u = f ? ir_file_only(a, f->text, d) : NULL;
    return u ? kernel_of(a, f, u, &none, first_ranks(f), d) : NULL;
}

struct kernel *kernel_of_source(struct arena *a, const struct kernel *k,
                                const struct source *source, struct diag *d)
{
    if (k->front)
        return k->front->of_source(a, k, source, d);
    const struct kernel_file *f = kernel_file_of(a, source, d);
    struct kernel_options o = {.args = k->args, .nargs = k->nargs};
    ir_units units = {0};
    if (!f || !ir_file_choose(a, f->text, k->unit->path, &units, d))
        return NULL;
    return kernel_of(a, f, &units.items[0], &o, k->nranks, d);
}

/* Names are given as they are shown: peer of peer__ssa_v0. */
static bool is_called(const struct ir_var *v, const char *name)
{
    struct arena a = {0};
    bool same = !strcmp(v->name, name) || !strcmp(ir_shown_name(&a, v->name), name);
    arena_free(&a);
    return same;
}

bool kernel_knows(const struct kernel *k, const char *name)
{
    if (k->front)
        return k->front->knows(k, name);
    const struct ir_program *p = k->program;
    bool known = ir_find_constant(p, name) != NULL;
    vec_foreach (struct ir_func *, f, &p->funcs)
        vec_foreach (struct ir_param, param, &(*f)->params)
            known |= is_called(param->var, name);
    vec_foreach (struct ir_global, g, &p->globals)
        known |= is_called(g->var, name);
    vec_foreach (struct ir_var *, v, &p->implicit_symbols)
        known |= is_called(*v, name);
    return known;
}

/* The tree for these values, which are those that it was parsed with or others. */
static const struct ir_program *program_for(struct arena *a, const struct kernel *k,
                                            const struct kernel_options *o, int nranks,
                                            struct diag *d)
{
    bool same = o->nargs == k->nargs && (!o->nargs || o->args == k->args) &&
                (nranks == k->nranks || !k->program->counts_ranks);
    if (same || !k->file)
        return k->program;
    const struct ir_program *p = kernel_parse(a, k->file, k->unit, o, nranks, d);
    return p && verify_program(p, d) ? p : NULL;
}

const struct ir_program *kernel_lower(struct arena *a, const struct kernel *k,
                                      const struct kernel_options *o, int nranks, struct diag *d)
{
    const struct ir_program *p = program_for(a, k, o, nranks, d);
    return p ? passes_run(a, p, o->passes, o->npasses, &o->pass, &o->hooks, d) : NULL;
}

/* What is given by name may be for another program of the file. */
static size_t own_args(struct arena *a, const struct kernel *k, const struct kernel_options *o,
                       const struct binding **out)
{
    struct binding *own = arena_array(a, struct binding, o->nargs + 1);
    size_t n = 0;
    bool several = k->file && k->file->text->units.len > 1;
    for (size_t i = 0; i < o->nargs; i++)
        if (!several || kernel_knows(k, o->args[i].name))
            own[n++] = o->args[i];
    *out = own;
    return n;
}

struct program *kernel_compile(struct arena *a, const struct kernel *k,
                               const struct kernel_options *o, int nranks, struct diag *d)
{
    if (k->front)
        return k->front->compile(a, k, o, nranks, d);
    const struct ir_program *lowered = kernel_lower(a, k, o, nranks, d);
    if (!lowered)
        return NULL;
    struct codegen_options c = {.toolchain = o->toolchain,
                                .nranks = nranks,
                                .window_align = o->window_align,
                                .cores_per_rank = o->cores_per_rank,
                                .pass = o->pass,
                                .built = o->built,
                                .built_ctx = o->built_ctx};
    c.nargs = own_args(a, k, o, &c.args);
    struct program *p = codegen(a, lowered, &k->directives, &c, d);
    if (p)
        p->name = k->name;
    return p;
}
