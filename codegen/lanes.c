/* SPDX-License-Identifier: MIT */
/*
 * What runs at once (pypto-ops-facts 3): the lanes of a Group, both vector lanes of what is split or
 * takes part in exchanges with the cube, and the blocks of a launch with a core_num. Nothing but
 * cross-core flags orders them, so each runs on a core of its own: run one after the other they
 * would come out clean where the device reads old data.
 *
 * In a file without a host, blocks are those of pl.spmd in the function, of the Spmd function that
 * calls it or of that one's calls, or of the core_num or pl.spmd of a call. A scope in an InCore
 * function has no function of its own: every block, and every lane, runs all that the function
 * holds.
 */
#include <string.h>

#include "codegen/internal.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

/* ---- scopes inside of a kernel ---- */

static const char *scope_name(const struct ir_stmt *s)
{
    const struct ir_expr *call = s->kind == IR_SCOPE ? s->scope.call : NULL;
    return call && call->kind == IR_CALL ? call->call.name : "";
}

static bool is_scope(const struct ir_stmt *s, const char *name)
{
    return !strcmp(scope_name(s), name);
}

/* The mode of pl.split_aiv asks for a halved body. */
static bool asks_for_halves(const struct ir_stmt *s)
{
    const struct ir_expr *mode = ir_kwarg_find(&s->scope.call->call.kwargs, "mode");
    return mode && mode->kind == IR_NAME && !strstr(mode->name, "NONE");
}

bool lanes_enter_scope(struct gen *g, const struct ir_stmt *s)
{
    bool lanes = is_scope(s, "split_aiv"), blocks = is_scope(s, "spmd");
    if (lanes && asks_for_halves(s))
        return gen_error(
            g, s->span,
            "LowerAutoVectorSplit halves the body of this pl.split_aiv; it did not run");
    if ((lanes || blocks) && s->scope.var)
        gen_bind(g, s->scope.var,
                 (struct value){.kind = VAL_INT, .op = lanes ? g->lane_index : g->block_index});
    return true;
}

static enum walk find_split(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    return is_scope(s, "split_aiv") ? WALK_FOUND : WALK_INTO;
}

static bool is_true(const struct ir_expr *e)
{
    return e && e->kind == IR_BOOLEAN && e->boolean;
}

bool lanes_is_dual(const struct ir_func *f)
{
    return f->type != IR_FUNC_AIC && (is_true(ir_kwarg_find(&f->attrs, "dual_aiv_dispatch")) ||
                                      is_true(ir_kwarg_find(&f->attrs, "split_aiv")) ||
                                      pass_find_stmt(&f->body, find_split, NULL));
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
        "'%s' works on the cube and on vectors (%s in %s): ExpandMixedKernel makes two lanes "
        "of it, which run at once",
        f->name, early->what, source_line_words(g->arena, g->prog->source, early->span.line));
}

/* ---- launches of a file without a host ---- */

static const struct ir_expr *core_num(const ir_kwargs *kwargs, const ir_kwargs *attrs)
{
    const struct ir_expr *e = ir_kwarg_find(kwargs, "core_num");
    return e ? e : ir_kwarg_find(attrs, "core_num");
}

static const struct ir_expr *spmd_count(const struct ir_stmt *s)
{
    const ir_exprs *args = &s->scope.call->call.args;
    return args->len ? args->items[0]
                     : core_num(&s->scope.call->call.kwargs, &s->scope.call->call.attrs);
}

/* The numbers of blocks that the text gives a launch. */
struct counting {
    struct gen *g;
    const struct ir_func *func; /* that is launched */
    const struct ir_expr *in;   /* number of the pl.spmd around a call, or NULL */
    int64_t blocks;             /* 1: none says more */
    bool called, failed;
};

static void count(struct counting *c, const struct ir_expr *e)
{
    int64_t n = 1;
    if (!e || c->failed)
        return;
    c->failed = !gen_const(c->g, e, "the number of blocks", &n);
    if (!c->failed && (n < 1 || n > MAX_BLOCKS))
        c->failed = !gen_error(c->g, e->span, "expected 1 to %d blocks", MAX_BLOCKS);
    if (!c->failed && c->blocks > 1 && n > 1 && n != c->blocks)
        c->failed = !gen_error(c->g, e->span, "'%s' is launched in %lld blocks and in %lld",
                               c->func->name, (long long)c->blocks, (long long)n);
    if (n > c->blocks)
        c->blocks = n;
}

static enum walk count_scope(const struct ir_stmt *s, void *ctx)
{
    if (is_scope(s, "spmd"))
        count(ctx, spmd_count(s));
    return WALK_INTO;
}

static bool count_call(const struct ir_expr *e, void *ctx)
{
    struct counting *c = ctx;
    bool call = e->kind == IR_CALL &&
                (e->call.callee == IR_CALLEE_USER || e->call.callee == IR_CALLEE_SUBMIT);
    if (call && !strcmp(e->call.name, c->func->name)) {
        c->called = true;
        count(c, core_num(&e->call.kwargs, &e->call.attrs));
        count(c, c->in);
    }
    return !c->failed;
}

static void count_block(struct counting *c, const ir_block *block)
{
    vec_foreach (struct ir_stmt *, at, block) {
        struct ir_stmt *s = *at;
        const struct ir_expr *outer = c->in;
        ir_block *inner[PASS_MAX_BLOCKS];
        size_t n = pass_child_blocks(s, inner);
        c->in = is_scope(s, "spmd") ? spmd_count(s) : outer;
        pass_walk_stmt(s, count_call, c);
        for (size_t i = 0; i < n && !c->failed; i++)
            count_block(c, inner[i]);
        c->in = outer;
    }
}

/* The numbers that stand at calls of an Spmd function, which launches the function at hand. */
static void count_launches(struct counting *c, const struct ir_func *spmd)
{
    const struct ir_func *func = c->func;
    c->func = spmd;
    vec_foreach (struct ir_func *, by, &c->g->prog->funcs)
        if (!ir_func_is_incore(*by) && *by != spmd)
            count_block(c, &(*by)->body);
    c->func = func;
}

/* The blocks that f, a kernel or a Group, is launched in. */
static bool count_blocks(struct gen *g, const struct ir_func *f, int *blocks)
{
    struct counting c = {.g = g, .func = f, .blocks = 1};
    pass_find_stmt(&f->body, count_scope, &c);
    vec_foreach (struct ir_func *, by, &g->prog->funcs) {
        c.called = false;
        if (!ir_func_is_incore(*by) && *by != f)
            count_block(&c, &(*by)->body);
        if (!c.called || (*by)->type != IR_FUNC_SPMD)
            continue;
        count(&c, core_num(&(*by)->decorator, &(*by)->attrs));
        count_launches(&c, *by);
    }
    *blocks = (int)c.blocks;
    return !c.failed;
}

static void add_member(struct gen *g, struct launch *l, const struct ir_func *f,
                       const struct ir_call *call)
{
    struct launch_member m = {.func = f, .call = call, .kind = LANE_AIV0, .dual = lanes_is_dual(f)};
    if (f->type == IR_FUNC_AIC)
        m.kind = LANE_AIC;
    l->together |= m.dual || l->members.len;
    vec_push(g->arena, &l->members, m);
}

struct member_search {
    struct gen *g;
    struct launch *launch;
};

static enum walk add_called(const struct ir_stmt *s, void *ctx)
{
    struct member_search *m = ctx;
    const struct ir_call *call = ir_leaf_call(s);
    const struct ir_func *f =
        call && call->callee == IR_CALLEE_USER ? ir_find_func(m->g->prog, call->name) : NULL;
    if (f && ir_func_is_incore(f))
        add_member(m->g, m->launch, f, call);
    return WALK_INTO;
}

/* A lane of each kind, and the cube core's first. */
static bool check_members(struct gen *g, const struct ir_func *group, const struct launch *l)
{
    bool seen[LANE_COUNT] = {false};
    vec_foreach (const struct launch_member, m, &l->members) {
        if (seen[m->kind])
            return gen_error(g, group->span,
                             "the Group '%s' runs an AIC and an AIV function at once; '%s' is one "
                             "function more",
                             group->name, m->func->name);
        seen[m->kind] = true;
    }
    return true;
}

bool lanes_add_launch(struct gen *g, const struct ir_func *f, launch_list *out)
{
    struct launch l = {.func = f};
    struct member_search search = {g, &l};
    if (f->type == IR_FUNC_GROUP)
        pass_find_stmt(&f->body, add_called, &search);
    else
        add_member(g, &l, f, NULL);
    if (!check_members(g, f, &l) || !count_blocks(g, f, &l.blocks))
        return false;
    l.together |= l.blocks > 1;
    if (l.members.len)
        vec_push(g->arena, out, l);
    return true;
}

/* ---- programs with a host ---- */

struct kinds {
    const struct ir_program *prog;
    bool cube, vector;
};

static enum walk note_kind(const struct ir_stmt *s, void *ctx)
{
    struct kinds *k = ctx;
    const struct ir_call *call = ir_leaf_call(s);
    const struct ir_func *f =
        call && call->callee == IR_CALLEE_USER ? ir_find_func(k->prog, call->name) : NULL;
    k->cube |= f && f->type == IR_FUNC_AIC;
    k->vector |= f && ir_func_is_incore(f) && f->type != IR_FUNC_AIC;
    return WALK_INTO;
}

bool lanes_is_mixed(const struct ir_program *p, const struct ir_func *f)
{
    struct kinds k = {.prog = p};
    if (f->type == IR_FUNC_GROUP)
        pass_find_stmt(&f->body, note_kind, &k);
    return k.cube && k.vector;
}

static enum walk find_meeting(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    const struct ir_call *call = ir_leaf_call(s);
    return call && call->op && call->op->effect == IR_EFFECT_LANE ? WALK_FOUND : WALK_INTO;
}

bool lanes_have_clusters(const struct ir_program *p)
{
    vec_foreach (struct ir_func *, f, &p->funcs) {
        bool kernel = ir_func_is_incore(*f);
        if (lanes_is_mixed(p, *f) || (kernel && lanes_is_dual(*f)) ||
            (kernel && pass_find_stmt(&(*f)->body, find_meeting, NULL)))
            return true;
    }
    return false;
}
