/* SPDX-License-Identifier: MIT */
/* Which functions run, on which kinds of cores at once, and in what order. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pto/lower.h"

typedef VEC(const struct pto_op *) func_list;

/* ---- functions ---- */

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

/* Some operation in the block satisfies the question. */
typedef bool question(const struct pto_op *op, const void *ctx);

static bool some(const struct pto_block *b, question *ask, const void *ctx)
{
    vec_foreach (struct pto_op *, op, &b->ops) {
        if (ask(*op, ctx))
            return true;
        vec_foreach (struct pto_region *, r, &(*op)->regions)
            vec_foreach (struct pto_block *, inner, &(*r)->blocks)
                if (some(*inner, ask, ctx))
                    return true;
    }
    return false;
}

static bool some_of(const struct pto_op *func, question *ask, const void *ctx)
{
    return some(func->regions.items[0]->blocks.items[0], ask, ctx);
}

static bool calls(const struct pto_op *op, const void *symbol)
{
    return !strcmp(op->name, "func.call") && op->symbol && !strcmp(op->symbol, symbol);
}

static bool is_named(const struct pto_op *op, const void *name)
{
    return !strcmp(op->name, name);
}

const char *tasks_kind(const struct pto_op *func)
{
    const struct pto_attr *kind = pto_find_attr(func, "pto.kernel_kind");
    return kind ? kind->word : NULL;
}

struct called {
    const func_list *all;
    const char *kind;
};

/* It is a part for that kind of core: a section, or a call of a function of the kind. */
static bool is_part(const struct pto_op *op, const void *ctx)
{
    const struct called *c = ctx;
    bool vector = !strcmp(c->kind, "vector");
    if (!strcmp(op->name, vector ? "pto.section.vector" : "pto.section.cube"))
        return true;
    vec_foreach (const struct pto_op *, f, c->all)
        if (calls(op, (*f)->symbol) && tasks_kind(*f) && !strcmp(tasks_kind(*f), c->kind))
            return true;
    return false;
}

/* A vector core reads which of two it is. */
static bool asks_lane(const struct pto_op *func, const func_list *all)
{
    vec_foreach (struct pto_value *, v, &func->regions.items[0]->blocks.items[0]->args)
        if (!strcmp((*v)->name, "%__pypto_spmd_subblock_idx"))
            return true;
    if (some_of(func, is_named, "pto.get_subblock_idx"))
        return true;
    vec_foreach (const struct pto_op *, f, all)
        if (*f != func && some_of(func, calls, (*f)->symbol) && asks_lane(*f, all))
            return true;
    return false;
}

/* ---- lanes of a task ---- */

static void add_lane(struct lower *l, const func_list *all, const struct pto_op *func, bool cube,
                     bool parts)
{
    struct task_lane lane = {.func = func,
                             .task = (int)l->launches.len - 1,
                             .cube = cube,
                             .parts = parts,
                             .dual = !cube && asks_lane(func, all)};
    l->launches.items[lane.task].nlanes++;
    vec_push(l->arena, &l->lanes, lane);
}

/* The function, cube core first where it is for both. */
static void add_function(struct lower *l, const func_list *all, const struct pto_op *func)
{
    const char *kind = tasks_kind(func);
    bool cube = some_of(func, is_part, &(struct called){all, "cube"}),
         vector = some_of(func, is_part, &(struct called){all, "vector"});
    if (!kind && cube && vector) {
        add_lane(l, all, func, true, true);
        add_lane(l, all, func, false, true);
        return;
    }
    add_lane(l, all, func, kind ? !strcmp(kind, "cube") : cube, false);
}

static struct task *add_task(struct lower *l, const char *name, int blocks)
{
    struct task t = {.name = name, .first_lane = (int)l->lanes.len, .blocks = blocks};
    vec_push(l->arena, &l->launches, t);
    return &l->launches.items[l->launches.len - 1];
}

size_t pto_stem_length(const char *symbol)
{
    size_t n = strlen(symbol);
    bool lane = n > 4 && (!strcmp(symbol + n - 4, "_aic") || !strcmp(symbol + n - 4, "_aiv"));
    return lane ? n - 4 : 0;
}

/* The other lane of a pair. */
static const struct pto_op *partner_of(const func_list *roots, const struct pto_op *func)
{
    size_t n = pto_stem_length(func->symbol);
    vec_foreach (const struct pto_op *, f, roots)
        if (n && *f != func && pto_stem_length((*f)->symbol) == n &&
            !strncmp((*f)->symbol, func->symbol, n) && strcmp((*f)->symbol, func->symbol))
            return *f;
    return NULL;
}

static bool is_cube(const struct pto_op *func)
{
    return func && tasks_kind(func) && !strcmp(tasks_kind(func), "cube");
}

/* A function with the other lane of its pair. */
static void fill_task(struct lower *l, const func_list *all, const func_list *roots,
                      const struct pto_op *func)
{
    const struct pto_op *other = partner_of(roots, func);
    if (!other || is_cube(func) == is_cube(other)) {
        add_function(l, all, func);
        return;
    }
    add_lane(l, all, is_cube(func) ? func : other, true, false);
    add_lane(l, all, is_cube(func) ? other : func, false, false);
}

/* ---- tasks that are not said ---- */

static void tasks_of_text(struct lower *l, const func_list *all, const func_list *roots)
{
    vec_foreach (const struct pto_op *, f, roots) {
        const struct pto_op *other = partner_of(roots, *f);
        bool pair = other && is_cube(*f) != is_cube(other);
        if (pair && other->span.line < (*f)->span.line)
            continue; /* with the other one */
        size_t n = pair ? pto_stem_length((*f)->symbol) : strlen((*f)->symbol);
        struct task *t =
            add_task(l, arena_strndup(l->arena, (*f)->symbol, n), l->o->blocks ? l->o->blocks : 1);
        t->after = arena_array(l->arena, int, 1);
        if (l->launches.len > 1)
            t->after[t->nafter++] = (int)l->launches.len - 2;
        fill_task(l, all, roots, *f);
    }
}

/* ---- tasks that are said ---- */

static bool task_error(struct lower *l, const struct pto_task *t, struct span at, const char *fmt,
                       const char *name)
{
    return diag_error(l->d, t->source, at, fmt, name);
}

static bool is_task(const struct lower *l, const struct pto_task *t, const struct pto_op *f)
{
    const char *file = source_place(l->file->source, f->span.line).file;
    if (t->file)
        return !strcmp(file, t->file);
    size_t n = strlen(t->name);
    return !strcmp(f->symbol, t->name) ||
           (pto_stem_length(f->symbol) == n && !strncmp(f->symbol, t->name, n));
}

static bool find_before(struct lower *l, const struct pto_task *t, int k, struct task *task)
{
    size_t i = l->launches.len - 1;
    while (i-- > 0)
        if (!strcmp(l->launches.items[i].name, t->after[k])) {
            task->after[task->nafter++] = (int)i;
            return true;
        }
    return task_error(l, t, t->after_at[k], "no task in front of this one is called '%s'",
                      t->after[k]);
}

static bool add_said(struct lower *l, const func_list *all, const func_list *roots,
                     const struct pto_task *t)
{
    const struct pto_op *func = NULL;
    vec_foreach (const struct pto_op *, f, roots) {
        if (!is_task(l, t, *f))
            continue;
        bool pair = func && partner_of(roots, func) == *f;
        if (func && !pair)
            return task_error(l, t, t->span,
                              "'%s' holds several kernels; expected one, or the two lanes of one",
                              t->name);
        func = func ? func : *f;
    }
    if (!func)
        return task_error(l, t, t->span, "no function '%s' that no other calls is in this file",
                          t->name);
    struct task *task = add_task(l, t->name, t->blocks);
    task->tensors = t->tensors;
    task->ntensors = t->ntensors;
    task->after = arena_array(l->arena, int, (size_t)t->nafter + 1);
    for (int k = 0; k < t->nafter; k++)
        if (!find_before(l, t, k, task))
            return false;
    if (t->file || strcmp(t->name, func->symbol) != 0)
        fill_task(l, all, roots, func);
    else
        add_function(l, all, func);
    for (int k = task->first_lane; k < (int)l->lanes.len; k++)
        if (t->vectors && !l->lanes.items[k].cube)
            l->lanes.items[k].dual = t->vectors > 1;
    return true;
}

bool tasks_choose(struct lower *l)
{
    func_list all = {0}, roots = {0};
    find_functions(l->arena, &l->file->top, &all);
    vec_foreach (const struct pto_op *, f, &all)
        if (!some(&l->file->top, calls, (*f)->symbol))
            vec_push(l->arena, &roots, *f);
    for (size_t i = 0; i < l->o->ntasks; i++)
        if (!add_said(l, &all, &roots, &l->o->tasks[i]))
            return false;
    if (!l->o->ntasks)
        tasks_of_text(l, &all, &roots);
    vec_foreach (const struct task, t, &l->launches)
        l->together |= t->blocks > 1 || t->nlanes > 1 || l->lanes.items[t->first_lane].dual;
    l->together |= l->o->cores_per_rank > 1 && l->launches.len > 1;
    return l->launches.len || lower_error(l, (struct span){0}, "holds no function to run");
}

/* ---- the lane in hand ---- */

void tasks_enter(struct lower *l, int lane)
{
    l->lane = &l->lanes.items[lane];
    l->func = l->lane->func;
    l->own_first = l->lane->first_arg;
    l->own_end = l->own_first + l->lane->nargs;
}

bool tasks_skip(const struct lower *l, const char *kind)
{
    return l->lane->parts && kind && strcmp(kind, l->lane->cube ? "cube" : "vector") != 0;
}

/* ---- names ---- */

int pto_position(const char *name)
{
    char *end;
    long n = strncmp(name, "arg", 3) || !isdigit((unsigned char)name[3])
                 ? -1
                 : strtol(name + 3, &end, 10);
    return n >= 0 && n < INT_MAX && !*end ? (int)n : -1;
}

static const struct pto_block *arguments_of(const struct pto_op *func)
{
    return func->regions.items[0]->blocks.items[0];
}

bool pto_knows(const struct pto_file *f, const char *name)
{
    struct arena a = {0};
    func_list all = {0};
    bool known = false;
    const char *dot = strchr(name, '.'), *own = dot ? dot + 1 : name;
    int position = pto_position(own);
    find_functions(&a, &f->top, &all);
    vec_foreach (const struct pto_op *, func, &all) {
        known |= position >= 0 && position < (int)arguments_of(*func)->args.len;
        vec_foreach (struct pto_value *, v, &arguments_of(*func)->args)
            known |= !strcmp((*v)->name + 1, own);
    }
    arena_free(&a);
    return known;
}

pto_names pto_function_names(struct arena *a, const struct pto_file *f)
{
    func_list all = {0};
    pto_names names = {0};
    find_functions(a, &f->top, &all);
    vec_foreach (const struct pto_op *, func, &all)
        vec_push(a, &names, (*func)->symbol);
    return names;
}

pto_names pto_argument_names(struct arena *a, const struct pto_file *f)
{
    func_list all = {0};
    pto_names names = {0};
    find_functions(a, &f->top, &all);
    vec_foreach (const struct pto_op *, func, &all)
        vec_foreach (struct pto_value *, v, &arguments_of(*func)->args)
            vec_push(a, &names, (*v)->name + 1);
    return names;
}
