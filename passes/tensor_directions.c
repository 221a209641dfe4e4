/* SPDX-License-Identifier: MIT */
#include "passes/tensor_directions.h"

#include <string.h>

#include "ir/ops.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

/* ---- operators ---- */

enum access { WRITES = 1, READS_TOO = 2, BY_TILES = 4, BY_ELEMENTS = 8 };

/* Which argument an operator writes, and how; it reads the others. The rows of collectives say it by
 * themselves: they read and write their windows. */
static const struct writer {
    const char *op;
    size_t target;
    unsigned access;
} writers[] = {
    {"tile.store", 2, WRITES | BY_TILES},
    {"tensor.assemble", 0, WRITES | BY_TILES},
    {"tensor.write", 0, WRITES | BY_ELEMENTS},
    {"pld.tile.remote_store", 1, WRITES},
    {"pld.tile.put", 0, WRITES},
    {"pld.tile.get", 0, WRITES},
    {"pld.system.notify", 0, WRITES},
};

static const struct writer *find_writer(const struct ir_call *call)
{
    for (size_t i = 0; call->op && i < sizeof writers / sizeof *writers; i++)
        if (strcmp(writers[i].op, call->op->name) == 0 && call->args.len > writers[i].target)
            return &writers[i];
    return NULL;
}

static bool is_op(const struct ir_call *call, const char *name)
{
    return call->op && strcmp(call->op->name, name) == 0;
}

/* A view is the same memory under another shape; making one reads nothing. */
static bool is_view(const struct ir_call *call)
{
    return is_op(call, "tensor.slice") || is_op(call, "tensor.view");
}

/* ---- parameters that a value may stand for, as bits ---- */

typedef uint64_t *origins; /* NULL: none */

struct analysis {
    struct arena arena;
    size_t words;
    struct map of; /* variable -> origins */
    origins read, written, by_tiles, by_elements;
    struct span *element_store; /* the first one of each parameter */
};

enum { BITS = 64 };

static origins no_origins(struct analysis *x)
{
    return arena_array(&x->arena, uint64_t, x->words);
}

static bool merge(struct analysis *x, origins into, const uint64_t *from)
{
    bool changed = false;
    for (size_t i = 0; from && i < x->words; i++) {
        changed |= from[i] & ~into[i];
        into[i] |= from[i];
    }
    return changed;
}

static bool holds(const uint64_t *set, size_t i)
{
    return set && set[i / BITS] >> i % BITS & 1;
}

static origins alias(struct analysis *x, const struct ir_expr *e);

static origins alias_of_call(struct analysis *x, const struct ir_call *call)
{
    const struct writer *w = find_writer(call);
    if (w)
        return alias(x, call->args.items[w->target]);
    bool collective = call->op && call->op->effect == IR_EFFECT_COLLECTIVE && call->op->target >= 0;
    if (collective && (size_t)call->op->target < call->args.len)
        return alias(x, call->args.items[call->op->target]);
    return is_view(call) && call->args.len ? alias(x, call->args.items[0]) : NULL;
}

/* The parameters in whose memory the value lies. */
static origins alias(struct analysis *x, const struct ir_expr *e)
{
    if (e->kind == IR_VAR)
        return map_get(&x->of, e->var);
    if (e->kind == IR_GETITEM && e->getitem.base->kind == IR_TUPLE &&
        (size_t)e->getitem.index < e->getitem.base->items.len)
        return alias(x, e->getitem.base->items.items[e->getitem.index]);
    return e->kind == IR_CALL ? alias_of_call(x, &e->call) : NULL;
}

struct mention {
    struct analysis *x;
    origins into;
};

static bool add_mentioned(const struct ir_expr *e, void *ctx)
{
    struct mention *m = ctx;
    if (e->kind == IR_VAR)
        merge(m->x, m->into, map_get(&m->x->of, e->var));
    return true;
}

static void reads(struct analysis *x, const struct ir_expr *e)
{
    struct mention m = {x, x->read};
    ir_walk_expr(e, add_mentioned, &m);
}

/* ---- calls ---- */

static void writes(struct analysis *x, const struct ir_expr *target, unsigned access,
                   struct span at)
{
    const uint64_t *set = alias(x, target);
    if (!set)
        return;
    merge(x, x->written, set);
    if (access & READS_TOO)
        merge(x, x->read, set);
    if (access & BY_TILES)
        merge(x, x->by_tiles, set);
    for (size_t i = 0; access & BY_ELEMENTS && i < x->words * BITS; i++)
        if (holds(set, i) && !holds(x->by_elements, i))
            x->element_store[i] = at;
    if (access & BY_ELEMENTS)
        merge(x, x->by_elements, set);
}

static bool is_soft_barrier(const struct ir_call *call)
{
    const struct ir_expr *mode = ir_kwarg_find(&call->kwargs, "mode");
    return is_op(call, "system.syncall") && mode && mode->kind == IR_STRING &&
           strcmp(mode->string, "soft") == 0;
}

static unsigned access_of(const struct ir_call *call, size_t i)
{
    const struct writer *w = find_writer(call);
    if (w && w->target == i) {
        bool adds = is_op(call, "pld.system.notify") &&
                    ir_call_int(call, "op") != ir_enum_find("pld.NotifyOp.Set")->value;
        return w->access | (adds ? READS_TOO : 0);
    }
    bool collective = call->op && call->op->effect == IR_EFFECT_COLLECTIVE &&
                      ir_op_arg_kind(call->op, call->args.len, i) == 'D';
    return collective || (i == 0 && is_soft_barrier(call)) ? WRITES | READS_TOO : 0;
}

static void note_call(struct analysis *x, const struct ir_expr *e)
{
    if (!e || e->kind != IR_CALL)
        return;
    const struct ir_call *call = &e->call;
    bool view = is_view(call) && !is_op(call, "tensor.view");
    for (size_t i = 0; i < call->args.len; i++) {
        unsigned access = access_of(call, i);
        if (access)
            writes(x, call->args.items[i], access, e->span);
        else if (!view || i > 0)
            reads(x, call->args.items[i]);
    }
}

/* ---- statements ---- */

static void note_block(struct analysis *x, const ir_block *block);

static void stands_for(struct analysis *x, const struct ir_var *v, const uint64_t *set)
{
    bool tensor = v->type && ir_type_is_tensor_like(v->type);
    map_put(&x->of, v, tensor ? (void *)set : NULL);
}

static void add_yielded(struct analysis *x, const ir_block *block, size_t i, origins into)
{
    const struct ir_stmt *s = ir_block_yield(block);
    if (s && i < s->yield.values.len)
        merge(x, into, alias(x, s->yield.values.items[i]));
}

static void note_branches(struct analysis *x, const struct ir_stmt *s)
{
    note_call(x, s->if_.cond);
    note_block(x, &s->if_.then_body);
    note_block(x, &s->if_.else_body);
    for (size_t i = 0; i < s->if_.results.len; i++) {
        origins set = no_origins(x);
        add_yielded(x, &s->if_.then_body, i, set);
        add_yielded(x, &s->if_.else_body, i, set);
        stands_for(x, s->if_.results.items[i], set);
    }
}

/* What the body yields is what the next round starts with: a second reading settles it. */
static void note_loop(struct analysis *x, const ir_vars *iter_args, const ir_exprs *inits,
                      const ir_block *body, const ir_vars *results)
{
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; round == 0 && i < iter_args->len; i++) {
            origins set = no_origins(x);
            merge(x, set, i < inits->len ? alias(x, inits->items[i]) : NULL);
            stands_for(x, iter_args->items[i], set);
        }
        note_block(x, body);
        for (size_t i = 0; i < iter_args->len; i++) {
            origins set = map_get(&x->of, iter_args->items[i]);
            if (set)
                add_yielded(x, body, i, set);
        }
    }
    for (size_t i = 0; i < results->len && i < iter_args->len; i++)
        stands_for(x, results->items[i], map_get(&x->of, iter_args->items[i]));
}

static void note_stmt(struct analysis *x, const struct ir_stmt *s)
{
    switch (s->kind) {
    case IR_ASSIGN:
        note_call(x, s->assign.value);
        if (s->assign.targets.len == 1)
            stands_for(x, s->assign.targets.items[0], alias(x, s->assign.value));
        break;
    case IR_EVAL:
        note_call(x, s->eval);
        break;
    case IR_IF:
        note_branches(x, s);
        break;
    case IR_FOR:
        note_call(x, s->for_.start);
        note_call(x, s->for_.stop);
        note_call(x, s->for_.step);
        note_loop(x, &s->for_.iter_args, &s->for_.inits, &s->for_.body, &s->for_.results);
        break;
    case IR_WHILE:
        note_call(x, s->while_.cond);
        note_loop(x, &s->while_.iter_args, &s->while_.inits, &s->while_.body, &s->while_.results);
        break;
    case IR_SCOPE:
        note_block(x, &s->scope.body);
        break;
    default:
        break;
    }
}

static void note_block(struct analysis *x, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, s, block)
        note_stmt(x, *s);
}

/* ---- functions ---- */

static void analyse(struct analysis *x, const struct ir_func *f)
{
    size_t n = f->params.len;
    x->words = n / BITS + 1;
    x->of.arena = &x->arena;
    origins *const sets[] = {&x->read, &x->written, &x->by_tiles, &x->by_elements};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        *sets[i] = no_origins(x);
    x->element_store = arena_array(&x->arena, struct span, x->words * BITS);
    for (size_t i = 0; i < n; i++) {
        origins self = no_origins(x);
        self[i / BITS] |= (uint64_t)1 << i % BITS;
        stands_for(x, f->params.items[i].var, self);
    }
    note_block(x, &f->body);
}

static struct ir_func *with_own_params(struct arena *a, struct ir_func *f)
{
    struct ir_func *copy = arena_dup(a, f, sizeof *f);
    copy->params.items = arena_dup(a, f->params.items, f->params.len * sizeof *f->params.items);
    copy->params.cap = f->params.len;
    return copy;
}

struct ir_func *tensor_directions(struct arena *a, const struct ir_program *p, struct ir_func *f,
                                  struct diag *d)
{
    struct analysis x = {0};
    struct ir_func *out = f;
    analyse(&x, f);
    for (size_t i = 0; out && i < f->params.len; i++) {
        if (holds(x.by_tiles, i) && holds(x.by_elements, i)) {
            pass_refuse(d, p, REFUSE_MIXED_STORES, x.element_store[i],
                        f->params.items[i].var->shown, NULL);
            out = NULL;
        } else if (f->params.items[i].direction == IR_IN && holds(x.written, i)) {
            if (out == f)
                out = with_own_params(a, f);
            out->params.items[i].direction = holds(x.read, i) ? IR_INOUT : IR_OUT;
        }
    }
    arena_free(&x.arena);
    return out;
}

/* ---- callers ---- */

struct caller {
    struct arena *arena;
    struct ir_program *prog;
    struct ir_func *func;
    bool changed;
};

static enum ir_direction combined(enum ir_direction own, enum ir_direction callee)
{
    if (callee == IR_INOUT)
        return IR_INOUT;
    return callee == IR_OUT && own == IR_IN ? IR_OUT : own;
}

static void pass_on(struct caller *c, const struct ir_expr *arg, enum ir_direction callee)
{
    for (size_t i = 0; arg->kind == IR_VAR && i < c->func->params.len; i++) {
        enum ir_direction own = c->func->params.items[i].direction, now = combined(own, callee);
        if (c->func->params.items[i].var != arg->var || now == own)
            continue;
        c->func = with_own_params(c->arena, c->func);
        c->func->params.items[i].direction = now;
        c->changed = true;
    }
}

static bool pass_on_call(const struct ir_expr *e, void *ctx)
{
    struct caller *c = ctx;
    if (e->kind != IR_CALL || e->call.callee != IR_CALLEE_USER)
        return true;
    const struct ir_func *f = ir_find_func(c->prog, e->call.name);
    for (size_t i = 0; f && i < f->params.len && i < e->call.args.len; i++)
        pass_on(c, e->call.args.items[i], f->params.items[i].direction);
    return true;
}

static enum walk pass_on_stmt(const struct ir_stmt *s, void *ctx)
{
    pass_walk_stmt(s, pass_on_call, ctx);
    return WALK_INTO;
}

void tensor_directions_of_callers(struct arena *a, struct ir_program *p)
{
    struct caller c = {.arena = a, .prog = p, .changed = true};
    while (c.changed) {
        c.changed = false;
        for (size_t i = 0; i < p->funcs.len; i++) {
            c.func = p->funcs.items[i];
            if (c.func->type != IR_FUNC_INCORE)
                pass_find_stmt(&c.func->body, pass_on_stmt, &c);
            p->funcs.items[i] = c.func;
        }
    }
}
