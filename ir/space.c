/* SPDX-License-Identifier: MIT */
#include "ir/space.h"

#include <string.h>

#include "base/table.h"

/* Rounds over a function in which a variable has several definitions. */
enum { MAX_ROUNDS = 8 };

/* The letters of struct ir_op.spaces. */
static const struct {
    char letter;
    const char *name;
} spaces[] = {
    [IR_SPACE_NONE] = {'-', NULL},
    [IR_SPACE_VEC] = {'V', "pl.Mem.Vec"},
    [IR_SPACE_MAT] = {'M', "pl.Mem.Mat"},
    [IR_SPACE_LEFT] = {'L', "pl.Mem.Left"},
    [IR_SPACE_RIGHT] = {'R', "pl.Mem.Right"},
    [IR_SPACE_ACC] = {'A', "pl.Mem.Acc"},
    [IR_SPACE_BIAS] = {'B', "pl.Mem.Bias"},
    [IR_SPACE_LEFT_SCALE] = {'l', "pl.Mem.LeftScale"},
    [IR_SPACE_RIGHT_SCALE] = {'r', "pl.Mem.RightScale"},
};
ROW_EACH(spaces, IR_SPACE_COUNT);

const char *ir_space_name(enum ir_space s)
{
    return spaces[s].name;
}

enum ir_space ir_space_named(const char *name)
{
    for (int s = IR_SPACE_NONE + 1; s < IR_SPACE_COUNT; s++)
        if (strcmp(spaces[s].name, name) == 0)
            return (enum ir_space)s;
    return IR_SPACE_NONE;
}

static enum ir_space of_letter(char letter)
{
    for (int s = IR_SPACE_NONE + 1; s < IR_SPACE_COUNT; s++)
        if (spaces[s].letter == letter)
            return (enum ir_space)s;
    return IR_SPACE_NONE;
}

enum ir_space ir_space_of_type(const struct ir_type *t)
{
    for (size_t i = 0; t && t->kind == IR_TYPE_TILE && i < t->annots.len; i++) {
        const struct ir_expr *e = t->annots.items[i];
        enum ir_space s = e->kind == IR_NAME && !e->type ? ir_space_named(e->name) : IR_SPACE_NONE;
        if (s != IR_SPACE_NONE)
            return s;
    }
    return IR_SPACE_NONE;
}

/* ---- a type in another space ---- */

static bool is_layout(const struct ir_kwarg *k)
{
    return !strcmp(k->name, "blayout") || !strcmp(k->name, "slayout") ||
           !strcmp(k->name, "fractal");
}

/* A TileView without what it says of the layout; NULL when it says nothing else. */
static struct ir_expr *without_layout(struct arena *a, struct ir_expr *view)
{
    struct ir_expr *copy = arena_dup(a, view, sizeof *view);
    copy->call.kwargs = (ir_kwargs){0};
    vec_foreach (struct ir_kwarg, k, &view->call.kwargs)
        if (!is_layout(k))
            vec_push(a, &copy->call.kwargs, *k);
    return copy->call.kwargs.len ? copy : NULL;
}

static bool is_view(const struct ir_expr *e)
{
    return e->kind == IR_CALL && e->call.name && !strcmp(e->call.name, "TileView");
}

static bool is_space(const struct ir_expr *e)
{
    return e->kind == IR_NAME && !e->type && ir_space_named(e->name) != IR_SPACE_NONE;
}

/* The MemRef comes first, the view last. */
struct ir_type *ir_type_in_space(struct arena *a, const struct ir_type *t, enum ir_space s,
                                 bool layout)
{
    struct ir_type *out = arena_dup(a, t, sizeof *t);
    struct ir_expr *name = ir_expr_new(a, IR_NAME, (struct span){0});
    name->name = ir_space_name(s);
    out->annots = (ir_exprs){0};
    bool placed = false;
    vec_foreach (struct ir_expr *, it, &t->annots) {
        struct ir_expr *e = *it;
        bool view = is_view(e);
        if (is_space(e))
            continue;
        if (view && !placed) {
            vec_push(a, &out->annots, name);
            placed = true;
        }
        if (view && !layout)
            e = without_layout(a, e);
        if (e)
            vec_push(a, &out->annots, e);
    }
    if (!placed)
        vec_push(a, &out->annots, name);
    return out;
}

/* ---- rows ---- */

/* The letters of argument i, and in *n how many they are. */
static const char *letters(const struct ir_op *op, size_t i, size_t *n)
{
    const char *at = op->spaces ? op->spaces : "";
    for (; i > 0 && at[strcspn(at, ",>")] == ','; i--)
        at += strcspn(at, ",>") + 1;
    *n = i ? 0 : strcspn(at, ",>");
    return at;
}

enum ir_space ir_space_wanted(const struct ir_op *op, size_t i)
{
    size_t n;
    const char *allowed = letters(op, i, &n);
    return n ? of_letter(*allowed) : IR_SPACE_NONE;
}

bool ir_space_allowed(const struct ir_op *op, size_t i, enum ir_space s)
{
    size_t n;
    const char *allowed = letters(op, i, &n);
    return ir_space_wanted(op, i) == IR_SPACE_NONE || memchr(allowed, spaces[s].letter, n);
}

/* What stands behind the arrow, or '\0'. */
static char result_letter(const struct ir_op *op)
{
    const char *arrow = op->spaces ? strchr(op->spaces, '>') : NULL;
    return arrow ? arrow[1] : '\0';
}

bool ir_space_retargetable(const struct ir_op *op)
{
    return result_letter(op) == '?';
}

/* ---- values ---- */

enum ir_space ir_space_of_var(const struct map *m, const struct ir_var *v)
{
    enum ir_space s = m ? (enum ir_space)(uintptr_t)map_get(m, v) : IR_SPACE_NONE;
    return s != IR_SPACE_NONE ? s : ir_space_of_type(v->type);
}

static enum ir_space of_first_tile(const struct map *m, const struct ir_call *call)
{
    vec_foreach (struct ir_expr *, e, &call->args) {
        enum ir_space s = ir_space_of(m, *e);
        if (s != IR_SPACE_NONE)
            return s;
    }
    return IR_SPACE_VEC;
}

static enum ir_space of_keyword(const struct ir_expr *e)
{
    const struct ir_expr *k = ir_kwarg_find(&e->call.kwargs, "target_memory");
    enum ir_space s = k && k->kind == IR_NAME ? ir_space_named(k->name) : IR_SPACE_NONE;
    return s != IR_SPACE_NONE ? s : IR_SPACE_VEC;
}

static enum ir_space of_call(const struct map *m, const struct ir_expr *e)
{
    const struct ir_op *op = e->call.op;
    enum ir_space stated = ir_space_of_type(e->type);
    char result = op ? result_letter(op) : '\0';
    switch (result) {
    case '\0':
        return stated != IR_SPACE_NONE ? stated : IR_SPACE_VEC;
    case '=':
        return of_first_tile(m, &e->call);
    case 'k':
    case '?':
        return of_keyword(e);
    default:
        return of_letter(result);
    }
}

enum ir_space ir_space_of(const struct map *m, const struct ir_expr *e)
{
    if (!e->type || e->type->kind != IR_TYPE_TILE)
        return IR_SPACE_NONE;
    if (e->kind == IR_VAR)
        return ir_space_of_var(m, e->var);
    return e->kind == IR_CALL ? of_call(m, e) : ir_space_of_type(e->type);
}

/* ---- functions ---- */

struct space_collector {
    struct map *map;
    struct map seen; /* variables with a definition */
    bool several;    /* a variable has more than one */
    bool changed;
};

static void put(struct space_collector *c, const struct ir_var *v, enum ir_space s)
{
    bool tile = v->type && v->type->kind == IR_TYPE_TILE;
    if (!tile || s == IR_SPACE_NONE || map_get(c->map, v) == (void *)(uintptr_t)s)
        return;
    map_put(c->map, v, (void *)(uintptr_t)s);
    c->changed = true;
}

/* Of several definitions one that is not in Vec counts: Vec is where a tile lies that nobody has
 * put anywhere. */
static void define(struct space_collector *c, const struct ir_var *v, enum ir_space s)
{
    enum ir_space old = (enum ir_space)(uintptr_t)map_get(c->map, v);
    bool again = map_get(&c->seen, v) != NULL;
    c->several |= again;
    map_put(&c->seen, v, (void *)v);
    if (!again || old == IR_SPACE_NONE || old == IR_SPACE_VEC)
        put(c, v, s);
}

static void collect_block(struct space_collector *c, const ir_block *block);

/* The value that a block's yield gives to place i, or NULL. */
static const struct ir_expr *yielded(const ir_block *block, size_t i)
{
    const struct ir_stmt *s = ir_block_yield(block);
    return s && i < s->yield.values.len ? s->yield.values.items[i] : NULL;
}

static enum ir_space of_yield(const struct space_collector *c, const ir_block *block, size_t i)
{
    const struct ir_expr *e = yielded(block, i);
    return e ? ir_space_of(c->map, e) : IR_SPACE_NONE;
}

/* A branch that agrees with the other one, or is the only one, or else what the type says. */
static void collect_if(struct space_collector *c, const struct ir_stmt *s)
{
    collect_block(c, &s->if_.then_body);
    collect_block(c, &s->if_.else_body);
    for (size_t i = 0; i < s->if_.results.len; i++) {
        enum ir_space a = of_yield(c, &s->if_.then_body, i), b = of_yield(c, &s->if_.else_body, i);
        if (a == IR_SPACE_NONE || b == IR_SPACE_NONE || a == b)
            define(c, s->if_.results.items[i], a != IR_SPACE_NONE ? a : b);
    }
}

/* What the body yields is where the loop's value lies, from its start on: a tile that is created in
 * Vec and that products are added to is one in the accumulator. */
static void collect_loop(struct space_collector *c, const ir_vars *iter_args, const ir_exprs *inits,
                         const ir_block *body, const ir_vars *results)
{
    for (size_t i = 0; i < iter_args->len; i++)
        put(c, iter_args->items[i], ir_space_of(c->map, inits->items[i]));
    collect_block(c, body);
    for (size_t i = 0; i < results->len && i < iter_args->len; i++) {
        enum ir_space s = of_yield(c, body, i);
        put(c, results->items[i], s);
        put(c, iter_args->items[i], s);
        if (inits->items[i]->kind == IR_VAR)
            put(c, inits->items[i]->var, s);
    }
}

/* What a variable is assigned. A load or creation without a keyword, and what an unknown operator
 * or a function gives, lies where the variable's type says, or else in Vec. */
static enum ir_space of_value(const struct space_collector *c, const struct ir_var *v,
                              const struct ir_expr *e)
{
    enum ir_space stated = ir_space_of_type(v->type), s = ir_space_of(c->map, e);
    bool open = e->kind == IR_CALL && e->call.op && ir_space_retargetable(e->call.op) &&
                !ir_kwarg_find(&e->call.kwargs, "target_memory");
    bool unknown = s == IR_SPACE_NONE && e->kind == IR_CALL;
    if ((open || unknown) && stated != IR_SPACE_NONE)
        return stated;
    return unknown ? IR_SPACE_VEC : s;
}

static void collect_assign(struct space_collector *c, const struct ir_stmt *s)
{
    const ir_vars *targets = &s->assign.targets;
    const struct ir_expr *value = s->assign.value;
    if (targets->len == 1)
        define(c, targets->items[0], of_value(c, targets->items[0], value));
    for (size_t i = 0; targets->len > 1 && value->kind == IR_TUPLE && i < targets->len; i++)
        define(c, targets->items[i], ir_space_of(c->map, value->items.items[i]));
}

static void collect_block(struct space_collector *c, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, at, block) {
        const struct ir_stmt *s = *at;
        if (s->kind == IR_ASSIGN)
            collect_assign(c, s);
        else if (s->kind == IR_IF)
            collect_if(c, s);
        else if (s->kind == IR_FOR)
            collect_loop(c, &s->for_.iter_args, &s->for_.inits, &s->for_.body, &s->for_.results);
        else if (s->kind == IR_WHILE)
            collect_loop(c, &s->while_.iter_args, &s->while_.inits, &s->while_.body,
                         &s->while_.results);
        else if (s->kind == IR_SCOPE)
            collect_block(c, &s->scope.body);
    }
}

void ir_space_collect(struct map *m, const struct ir_func *f)
{
    struct space_collector c = {.map = m, .seen.arena = m->arena};
    vec_foreach (struct ir_param, p, &f->params)
        put(&c, p->var, ir_space_of_type(p->var->type));
    for (int round = 0; round < MAX_ROUNDS; round++) {
        c.changed = false;
        collect_block(&c, &f->body);
        /* One reading settles a function whose variables have one definition each. */
        if (!c.several || !c.changed)
            break;
    }
}
