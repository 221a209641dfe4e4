/* SPDX-License-Identifier: MIT */
/*
 * What one core cannot run in place of several. The compiler makes lanes of a cluster of what works
 * on the cube and on vectors, both vector lanes of what is split, and blocks of what is launched
 * with a core_num. They run at once, ordered by nothing but cross-core flags (pypto-ops-facts 3):
 * run one after the other they would come out clean where the device reads old data. So they are
 * refused, but for lanes and blocks that a host program launches on cores of their own (host.h).
 */
#include <string.h>

#include "codegen/internal.h"
#include "passes/pass.h"

static const char at_once[] = "a kernel runs on one core here";

bool lanes_check_scope(struct gen *g, const struct ir_stmt *s)
{
    const struct ir_expr *call = s->scope.call;
    const char *name = call && call->kind == IR_CALL ? call->call.name : "";
    if (!strcmp(name, "split_aiv"))
        return gen_error(g, s->span, "pl.split_aiv runs its body on both vector lanes at once; %s",
                         at_once);
    if (!strcmp(name, "spmd"))
        return gen_error(g, s->span,
                         "pl.spmd runs its body in several blocks at once; %s. A HOST orchestrator "
                         "may launch an InCore function with core_num=",
                         at_once);
    if (!strcmp(name, "cluster"))
        return gen_error(g, s->span, "pl.cluster runs what it holds at once; %s", at_once);
    return true;
}

static bool is_true(const struct ir_expr *e)
{
    return e && e->kind == IR_BOOLEAN && e->boolean;
}

bool lanes_check_function(struct gen *g, const struct ir_func *f)
{
    const struct ir_expr *dual = ir_kwarg_find(&f->attrs, "dual_aiv_dispatch");
    return !is_true(dual) ||
           gen_error(g, dual->span,
                     "'%s' runs on both vector lanes of a cluster at once (dual_aiv_dispatch); %s",
                     f->name, at_once);
}

/* ---- cube and vectors in one function ---- */

/* It takes a tile over to the other kind of core, from Vec or to it (pypto-ops-facts 3.1). */
static bool crosses(const struct gen *g, const struct tile_op *t)
{
    return t && t->nsrc == 1 && strcmp(t->name, GEN_COPY) &&
           (g->spaces.items[t->src[0]] == IR_SPACE_VEC) !=
               (g->spaces.items[t->dst] == IR_SPACE_VEC);
}

static const struct tile_op *tile_op_at(const struct gen *g, int at)
{
    const struct insn *i = &g->code.items[at];
    return i->op == I_TILE_OP ? &g->tile_ops.items[i->aux] : NULL;
}

static bool is_cube(const struct gen *g, int at)
{
    const struct tile_op *t = tile_op_at(g, at);
    return g->code.items[at].op == I_FIX ||
           (t && (t->pipe == PIPE_M || t->pipe == PIPE_MTE1 || t->pipe == PIPE_FIX) &&
            strcmp(t->name, GEN_COPY));
}

/* Vector arithmetic, stores of its tiles, and what communicates. */
static bool is_vector(const struct gen *g, int at, bool feeds)
{
    const struct insn *i = &g->code.items[at];
    const struct tile_op *t = tile_op_at(g, at);
    bool work = t && t->pipe == PIPE_V && strcmp(t->name, GEN_COPY);
    return i->op == I_MTE3 || (work && !(feeds && crosses(g, t))) ||
           (i->op == I_MTE2 && (g->dmas.items[i->aux].macro || g->gm_uses.items[at].peer));
}

static bool writes_region(const struct gen *g, int first, int region)
{
    for (int at = first; at < gen_here(g); at++) {
        const struct insn *i = &g->code.items[at];
        bool writes = i->op == I_FIX || i->op == I_MTE3 || i->op == I_ST || i->op == I_ST_ATOMIC;
        if (writes && (i->region < 0 || i->region == region))
            return true;
    }
    return false;
}

/* What the vector core loads is written by nothing in the function, and nobody is told of its end
 * before: then tiles that it hands to the cube are all that lies between the two, and they keep the
 * order of the text. */
static bool feeds_only(const struct gen *g, int first)
{
    for (int at = first; at < gen_here(g); at++) {
        const struct insn *i = &g->code.items[at];
        bool load = i->op == I_MTE2 && g->spaces.items[g->dmas.items[i->aux].tile] == IR_SPACE_VEC;
        if ((i->flags & INSN_NOTIFY) ||
            (load && (i->region < 0 || writes_region(g, first, i->region))))
            return false;
    }
    return true;
}

bool lanes_check_code(struct gen *g, const struct ir_func *f, int first)
{
    const struct insn *cube = NULL, *vector = NULL;
    bool feeds = f->type == IR_FUNC_INCORE && feeds_only(g, first);
    for (int at = first; at < gen_here(g) && f->type == IR_FUNC_INCORE; at++) {
        cube = !cube && is_cube(g, at) ? &g->code.items[at] : cube;
        vector = !vector && is_vector(g, at, feeds) ? &g->code.items[at] : vector;
    }
    if (!cube || !vector)
        return true;
    const struct insn *late = cube < vector ? vector : cube, *early = cube < vector ? cube : vector;
    return gen_error(
        g, late->span,
        "'%s' works on the cube and on vectors (%s in line %d): the compiler makes two "
        "lanes of it, which run at once; %s",
        f->name, early->what, early->span.line, at_once);
}

/* ---- functions of a file without a host ---- */

struct launches {
    const task_list *tasks;
    const char *first, *second;    /* tasks that it calls */
    const struct ir_expr *blocked; /* a call of a task in several blocks */
    bool in_blocks;
};

static bool is_one(const struct ir_expr *e)
{
    return !e || (e->kind == IR_INT && e->integer.value == 1);
}

static const struct ir_expr *core_num(const ir_kwargs *kwargs, const ir_kwargs *attrs)
{
    const struct ir_expr *e = ir_kwarg_find(kwargs, "core_num");
    return e ? e : ir_kwarg_find(attrs, "core_num");
}

static bool note_call(const struct ir_expr *e, void *ctx)
{
    struct launches *l = ctx;
    bool call = e->kind == IR_CALL &&
                (e->call.callee == IR_CALLEE_USER || e->call.callee == IR_CALLEE_SUBMIT);
    for (size_t i = 0; call && i < l->tasks->len; i++) {
        const char *name = l->tasks->items[i]->name;
        if (strcmp(e->call.name, name))
            continue;
        if (!l->first)
            l->first = name;
        else if (strcmp(l->first, name))
            l->second = name;
        if (!l->blocked && (l->in_blocks || !is_one(core_num(&e->call.kwargs, &e->call.attrs))))
            l->blocked = e;
    }
    return true;
}

static void note_block(const ir_block *block, struct launches *l)
{
    vec_foreach (struct ir_stmt *, at, block) {
        struct ir_stmt *s = *at;
        const struct ir_expr *e = s->kind == IR_ASSIGN ? s->assign.value
                                  : s->kind == IR_EVAL ? s->eval
                                                       : NULL;
        const struct ir_expr *scope = s->kind == IR_SCOPE ? s->scope.call : NULL;
        bool outer = l->in_blocks;
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, inner);
        l->in_blocks |= scope && scope->kind == IR_CALL && !strcmp(scope->call.name, "spmd");
        if (e)
            ir_walk_expr(e, note_call, l);
        for (size_t i = 0; i < n; i++)
            note_block(inner[i], l);
        l->in_blocks = outer;
    }
}

bool lanes_check_tasks(struct gen *g, const task_list *tasks)
{
    vec_foreach (struct ir_func *, at, &g->prog->funcs) {
        const struct ir_func *f = *at;
        struct launches l = {.tasks = tasks};
        l.in_blocks = f->type == IR_FUNC_SPMD && !is_one(core_num(&f->decorator, &f->attrs));
        if (ir_func_is_incore(f))
            continue;
        note_block(&f->body, &l);
        if (f->type == IR_FUNC_GROUP && l.second)
            return gen_error(g, f->span,
                             "'%s' and '%s' run at once, as lanes of the Group '%s'; without a "
                             "HOST orchestrator tasks run one after the other, on one core",
                             l.first, l.second, f->name);
        if (l.blocked)
            return gen_error(g, l.blocked->span,
                             "'%s' runs in several blocks at once; without a HOST orchestrator "
                             "tasks run one after the other, on one core",
                             l.blocked->call.name);
    }
    return true;
}
