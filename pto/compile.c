/* SPDX-License-Identifier: MIT */
/* From a file to a program: its tasks, memory and cores. */
#include "pto/compile.h"

#include <stdarg.h>
#include <string.h>

#include "pto/lower.h"

typedef VEC(const struct pto_op *) func_list;

bool lower_error(struct lower *l, struct span at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_verror(l->d, l->file->source, at, fmt, ap);
    va_end(ap);
    return false;
}

/* ---- which functions are tasks ---- */

static void find_functions(struct arena *a, const struct pto_block *b, func_list *out)
{
    vec_foreach (struct pto_op *, op, &b->ops) {
        bool func = !strcmp((*op)->name, "func.func") && (*op)->symbol;
        if (func && (*op)->regions.len)
            vec_push(a, out, *op);
        if (!strcmp((*op)->name, "module"))
            vec_foreach (struct pto_region *, r, &(*op)->regions)
                find_functions(a, (*r)->blocks.items[0], out);
    }
}

static bool calls(const struct pto_block *b, const char *symbol)
{
    vec_foreach (struct pto_op *, op, &b->ops) {
        if (!strcmp((*op)->name, "func.call") && (*op)->symbol && !strcmp((*op)->symbol, symbol))
            return true;
        vec_foreach (struct pto_region *, r, &(*op)->regions)
            vec_foreach (struct pto_block *, inner, &(*r)->blocks)
                if (calls(*inner, symbol))
                    return true;
    }
    return false;
}

static bool choose_tasks(struct lower *l, func_list *tasks)
{
    func_list all = {0};
    find_functions(l->arena, &l->file->top, &all);
    vec_foreach (const struct pto_op *, f, &all)
        if (!calls(&l->file->top, (*f)->symbol))
            vec_push(l->arena, tasks, *f);
    return tasks->len || lower_error(l, (struct span){0}, "holds no function to run");
}

/* ---- memory ---- */

static void fill_memory(const struct lower *l, struct program *p)
{
    int windows = 0;
    vec_foreach (const struct region, r, &l->regions)
        windows += r->kind == REGION_WINDOW;
    p->gm_init = arena_array(l->arena, uint8_t *, (size_t)p->nranks);
    for (int rank = 0; rank < p->nranks; rank++) {
        uint8_t *memory = p->gm_init[rank] = arena_alloc(l->arena, p->gm_bytes);
        for (int i = 0; i < (int)l->regions.len; i++) {
            const struct region *r = &l->regions.items[i];
            uint64_t bases[MAX_RANKS];
            if (r->kind != REGION_CTX) {
                build_fill_region(r, r->kind == REGION_LOCAL && !r->uninitialised, memory, rank);
                continue;
            }
            for (int k = 0; k < p->nranks; k++)
                bases[k] = gm_addr(k, l->regions.items[i - windows].offset);
            build_fill_ctx(memory + r->offset, rank, p->nranks, bases);
        }
    }
}

static int grain_of(const struct lower *l)
{
    int grain = 4;
    vec_foreach (const struct region, r, &l->regions)
        if (elem_size(r->elem) < grain)
            grain = elem_size(r->elem);
    return grain;
}

/* ---- the program ---- */

static const char *file_stem(struct arena *a, const char *path)
{
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    const char *suffix = strrchr(base, '.');
    return arena_strndup(a, base,
                         suffix && suffix != base ? (size_t)(suffix - base) : strlen(base));
}

static bool lower_tasks(struct lower *l, const func_list *tasks)
{
    vec_foreach (const struct pto_op *, f, tasks)
        if (!lower_function(l, *f))
            return false;
    build_simple(&l->build, I_END);
    if (l->toolchain->auto_sync)
        auto_sync(&l->build);
    return true;
}

static struct program *program_of(struct lower *l, uint64_t bytes, int64_t **values, int nargs)
{
    struct program *p =
        build_program(&l->build, file_stem(l->arena, l->file->path), l->file->source, l->o->nranks);
    const struct code *c = build_code(&l->build);
    p->ncores = p->nranks;
    p->cores = arena_array(l->arena, struct core_desc, (size_t)p->ncores);
    for (int r = 0; r < p->ncores; r++)
        p->cores[r] = (struct core_desc){.rank = r, .code = c, .args = values[r], .nargs = nargs};
    p->written = l->written.items;
    p->nwritten = (int)l->written.len;
    p->gm_bytes = bytes;
    p->grain = grain_of(l);
    fill_memory(l, p);
    return p;
}

struct program *pto_compile(struct arena *a, const struct pto_file *f, const struct pto_options *o,
                            struct diag *d)
{
    struct lower l = {.arena = a,
                      .toolchain = o->toolchain,
                      .site = -1,
                      .origin = ORIGIN_USER,
                      .file = f,
                      .o = o,
                      .d = d,
                      .slots = {.arena = a},
                      .homes = {.arena = a}};
    func_list tasks = {0};
    uint64_t bytes;
    int64_t **values = arena_array(a, int64_t *, (size_t)o->nranks);
    if (!choose_tasks(&l, &tasks))
        return NULL;
    vec_foreach (const struct pto_op *, t, &tasks)
        if (!bind_recognise(&l, *t))
            return NULL;
    for (int r = 0; r < o->nranks; r++)
        values[r] = arena_array(a, int64_t, 3 * l.args.len + 1);
    if (!bind_arguments(&l, &bytes, values))
        return NULL;
    int nargs = (int)l.reg_names.len;
    return lower_tasks(&l, &tasks) ? program_of(&l, bytes, values, nargs) : NULL;
}

bool pto_knows(const struct pto_file *f, const char *name)
{
    struct arena a = {0};
    func_list all = {0};
    bool known = false;
    find_functions(&a, &f->top, &all);
    vec_foreach (const struct pto_op *, func, &all)
        vec_foreach (struct pto_value *, v, &(*func)->regions.items[0]->blocks.items[0]->args)
            known |= !strcmp((*v)->name + 1, name);
    arena_free(&a);
    return known;
}
