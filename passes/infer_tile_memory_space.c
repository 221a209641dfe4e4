/* SPDX-License-Identifier: MIT */
#include "passes/infer_tile_memory_space.h"

#include <string.h>

#include "ir/space.h"
#include "passes/rewrite.h"

/* A tile that a block has moved. */
struct moved {
    const struct ir_var *from;
    enum ir_space to;
    struct ir_var *var;
};

struct memory {
    struct arena *arena;
    struct map spaces;      /* variable -> space, of the function at hand */
    struct map renewed;     /* variable -> the one of the new type */
    struct map relaid;      /* variables whose definition takes a moved operand */
    struct map assigned;    /* variables that are assigned -> &once or &again */
    VEC(struct moved) made; /* of the open blocks, the innermost last */
    size_t block;           /* where those of the innermost block begin */
};

/* ---- types ---- */

/* The variable with its space in its type. */
static struct ir_var *renewed(struct memory *m, struct ir_var *v)
{
    struct ir_var *known = map_get(&m->renewed, v);
    enum ir_space s = (enum ir_space)(uintptr_t)map_get(&m->spaces, v);
    if (known || s == IR_SPACE_NONE)
        return known ? known : v;
    bool same = ir_space_of_type(v->type) == s, relaid = map_get(&m->relaid, v);
    struct ir_var *out = v;
    if (!same || relaid)
        out = ir_var_new(m->arena, v->name, ir_type_in_space(m->arena, v->type, s, same && !relaid),
                         v->span);
    map_put(&m->renewed, v, out);
    return out;
}

static struct ir_expr *renew_expr(void *ctx, struct ir_expr *e)
{
    struct memory *m = ctx;
    struct ir_var *v = e->kind == IR_VAR ? renewed(m, e->var) : NULL;
    return v && v != e->var ? ir_var_ref(m->arena, v, e->span) : e;
}

static bool renew_list(struct memory *m, ir_vars *vars)
{
    ir_vars old = *vars;
    bool changed = false;
    *vars = (ir_vars){0};
    vec_foreach (struct ir_var *, v, &old) {
        vec_push(m->arena, vars, renewed(m, *v));
        changed |= vars->items[vars->len - 1] != *v;
    }
    if (!changed)
        *vars = old;
    return changed;
}

/* The variables that a statement binds; s is a copy. True when one changed. */
static bool renew_bound(struct memory *m, struct ir_stmt *s)
{
    bool changed;
    switch (s->kind) {
    case IR_ASSIGN:
        return renew_list(m, &s->assign.targets);
    case IR_IF:
        return renew_list(m, &s->if_.results);
    case IR_FOR:
        changed = renew_list(m, &s->for_.iter_args);
        return renew_list(m, &s->for_.results) || changed;
    case IR_WHILE:
        changed = renew_list(m, &s->while_.iter_args);
        return renew_list(m, &s->while_.results) || changed;
    default:
        return false;
    }
}

/* ---- moves ---- */

/* The operand that must be moved, or NULL, and where to. */
static struct ir_var *misplaced(const struct memory *m, const struct ir_call *call, size_t i,
                                enum ir_space *to)
{
    const struct ir_expr *e = call->args.items[i];
    enum ir_space s =
        e->kind == IR_VAR ? (enum ir_space)(uintptr_t)map_get(&m->spaces, e->var) : IR_SPACE_NONE;
    *to = ir_space_wanted(call->op, i);
    return s == IR_SPACE_NONE || ir_space_allowed(call->op, i, s) ? NULL : e->var;
}

static const struct ir_call *placed_call(const struct ir_stmt *s)
{
    const struct ir_call *call = ir_leaf_call(s);
    return call && call->op ? call : NULL;
}

/* Marks of a variable that is assigned: once, or again. */
static char once, again;

static enum walk note_assigned(const struct ir_stmt *s, void *ctx)
{
    struct memory *m = ctx;
    for (size_t i = 0; s->kind == IR_ASSIGN && i < s->assign.targets.len; i++) {
        const struct ir_var *v = s->assign.targets.items[i];
        map_put(&m->assigned, v, map_get(&m->assigned, v) ? &again : &once);
    }
    return WALK_INTO;
}

static enum walk note_relaid(const struct ir_stmt *s, void *ctx)
{
    struct memory *m = ctx;
    const struct ir_call *call = s->kind == IR_ASSIGN ? placed_call(s) : NULL;
    enum ir_space to;
    for (size_t i = 0; call && i < call->args.len; i++)
        if (misplaced(m, call, i, &to))
            map_put(&m->relaid, s->assign.targets.items[0], m);
    return WALK_INTO;
}

/* Blocks further out have moved it for this one too, unless it is assigned several times. */
static struct ir_var *find_moved(const struct memory *m, const struct ir_var *v, enum ir_space to)
{
    size_t first = map_get(&m->assigned, v) == &again ? m->block : 0;
    for (size_t i = m->made.len; i-- > first;)
        if (m->made.items[i].from == v && m->made.items[i].to == to)
            return m->made.items[i].var;
    return NULL;
}

/* What was moved of a variable is old when it is assigned again. */
static void forget_moved(struct memory *m, const struct ir_var *v)
{
    for (size_t i = m->block; i < m->made.len; i++)
        if (m->made.items[i].from == v)
            m->made.items[i].from = NULL;
}

static void add_keyword(struct arena *a, ir_kwargs *kw, const char *name, const char *value,
                        struct span at)
{
    struct ir_kwarg k = {name, ir_expr_new(a, IR_NAME, at), at};
    k.value->name = value;
    vec_push(a, kw, k);
}

/* The type with the layout of the cube's memories in its view, as the last annotation. */
static struct ir_type *with_cube_layout(struct arena *a, const struct ir_type *t, struct span at)
{
    struct ir_type *out = arena_dup(a, t, sizeof *t);
    struct ir_expr *view = ir_expr_new(a, IR_CALL, at);
    view->call =
        (struct ir_call){.callee = IR_CALLEE_UNKNOWN, .name = "TileView", .written = "TileView"};
    out->annots = (ir_exprs){0};
    vec_foreach (struct ir_expr *, e, &t->annots) {
        bool known = (*e)->kind == IR_CALL && strcmp((*e)->call.name, "TileView") == 0;
        if (!known)
            vec_push(a, &out->annots, *e);
        for (size_t i = 0; known && i < (*e)->call.kwargs.len; i++)
            vec_push(a, &view->call.kwargs, (*e)->call.kwargs.items[i]);
    }
    add_keyword(a, &view->call.kwargs, "blayout", "pl.TileLayout.col_major", at);
    add_keyword(a, &view->call.kwargs, "slayout", "pl.TileLayout.row_major", at);
    vec_push(a, &out->annots, view);
    return out;
}

/* v_Left = pl.tile.move(v, target_memory=pl.Mem.Left). Out of the cube's memories a tile keeps the
 * layout that is usual there, and its type says so where another one is usual. */
static struct ir_var *move_tile(struct memory *m, ir_block *out, struct ir_var *v, enum ir_space to,
                                struct span at)
{
    struct arena *a = m->arena;
    enum ir_space from = (enum ir_space)(uintptr_t)map_get(&m->spaces, v);
    struct ir_var *now = renewed(m, v);
    ir_exprs args = {0};
    vec_push(a, &args, ir_var_ref(a, now, at));
    struct ir_expr *move = ir_op_call(a, "tile.move", args, at);
    add_keyword(a, &move->call.kwargs, "target_memory", ir_space_name(to), at);
    if (from == IR_SPACE_ACC && to == IR_SPACE_VEC) {
        add_keyword(a, &move->call.kwargs, "blayout", "pl.TileLayout.row_major", at);
        add_keyword(a, &move->call.kwargs, "slayout", "pl.TileLayout.none_box", at);
    }
    struct ir_type *type = ir_type_in_space(a, now->type, to, false);
    if ((from == IR_SPACE_MAT || from == IR_SPACE_LEFT) && to == IR_SPACE_VEC)
        type = with_cube_layout(a, type, at);
    const char *space = strrchr(ir_space_name(to), '.') + 1;
    struct ir_var *moved = ir_var_new(a, arena_printf(a, "%s_%s", v->name, space), type, at);
    vec_push(a, out, pass_assign(a, moved, move));
    struct moved made = {v, to, moved};
    vec_push(a, &m->made, made);
    return moved;
}

/* The leaf call of a statement with its operands where they are wanted; their moves go to out. */
static struct ir_expr *place_operands(struct memory *m, ir_block *out, struct ir_expr *e)
{
    struct ir_call call = e->call;
    call.args = (ir_exprs){0};
    bool changed = false;
    for (size_t i = 0; i < e->call.args.len; i++) {
        enum ir_space to;
        struct ir_expr *arg = e->call.args.items[i];
        struct ir_var *v = misplaced(m, &e->call, i, &to);
        struct ir_var *moved = v ? find_moved(m, v, to) : NULL;
        if (v && !moved)
            moved = move_tile(m, out, v, to, e->span);
        vec_push(m->arena, &call.args, moved ? ir_var_ref(m->arena, moved, arg->span) : arg);
        changed |= moved != NULL;
    }
    if (!changed)
        return e;
    struct ir_expr *copy = arena_dup(m->arena, e, sizeof *e);
    copy->call = call;
    copy->type = pass_type_now(m->arena, e, &call);
    return copy;
}

/* A load or creation says where its variable was found to lie. */
static struct ir_expr *retarget(struct memory *m, struct ir_expr *e, const struct ir_var *v)
{
    enum ir_space s = (enum ir_space)(uintptr_t)map_get(&m->spaces, v);
    const struct ir_expr *k = ir_kwarg_find(&e->call.kwargs, "target_memory");
    enum ir_space said = k && k->kind == IR_NAME ? ir_space_named(k->name) : IR_SPACE_VEC;
    if (!ir_space_retargetable(e->call.op) || s == IR_SPACE_NONE || s == said)
        return e;
    struct ir_expr *copy = arena_dup(m->arena, e, sizeof *e);
    copy->call.kwargs = (ir_kwargs){0};
    vec_foreach (struct ir_kwarg, it, &e->call.kwargs) {
        if (strcmp(it->name, "target_memory") == 0)
            continue;
        vec_push(m->arena, &copy->call.kwargs, *it);
    }
    add_keyword(m->arena, &copy->call.kwargs, "target_memory", ir_space_name(s), e->span);
    return copy;
}

/* ---- statements ---- */

static void renew_block(void *ctx, ir_block *block);

/* s, or a copy, with its leaf call's operands in place. */
static struct ir_stmt *place_stmt(struct memory *m, ir_block *out, struct ir_stmt *s)
{
    struct ir_expr *e = s->kind == IR_ASSIGN ? s->assign.value
                        : s->kind == IR_EVAL ? s->eval
                                             : NULL;
    if (!e || !placed_call(s))
        return s;
    struct ir_expr *placed = place_operands(m, out, e);
    if (s->kind == IR_ASSIGN)
        placed = retarget(m, placed, s->assign.targets.items[0]);
    if (placed == e)
        return s;
    struct ir_stmt *copy = arena_dup(m->arena, s, sizeof *s);
    *(s->kind == IR_ASSIGN ? &copy->assign.value : &copy->eval) = placed;
    return copy;
}

static struct ir_stmt *renew_stmt(struct memory *m, struct ir_stmt *s)
{
    struct ir_stmt *rewritten = rewrite_exprs(m->arena, s, renew_expr, m), copy = *rewritten;
    if (renew_bound(m, &copy))
        rewritten = arena_dup(m->arena, &copy, sizeof copy);
    return rewrite_blocks(m->arena, rewritten, renew_block, m);
}

static void renew_block(void *ctx, ir_block *block)
{
    struct memory *m = ctx;
    size_t outer = m->block, made = m->made.len;
    ir_block out = {0};
    bool changed = false;
    m->block = made;
    vec_foreach (struct ir_stmt *, it, block) {
        size_t before = out.len;
        struct ir_stmt *s = renew_stmt(m, place_stmt(m, &out, *it));
        vec_push(m->arena, &out, s);
        changed |= s != *it || out.len > before + 1;
        for (size_t i = 0; (*it)->kind == IR_ASSIGN && i < (*it)->assign.targets.len; i++)
            forget_moved(m, (*it)->assign.targets.items[i]);
    }
    m->made.len = made;
    m->block = outer;
    if (changed)
        *block = out;
}

static struct ir_func *infer_func(void *ctx, struct ir_func *f)
{
    struct memory *m = ctx;
    if (f->type != IR_FUNC_INCORE)
        return f;
    m->spaces.head = m->renewed.head = m->relaid.head = m->assigned.head = NULL;
    ir_space_collect(&m->spaces, f);
    vec_foreach (struct ir_param, p, &f->params) {
        map_put(&m->renewed, p->var, p->var);
        map_put(&m->assigned, p->var, &once);
    }
    pass_find_stmt(&f->body, note_assigned, m);
    pass_find_stmt(&f->body, note_relaid, m);
    ir_block body = f->body;
    renew_block(m, &body);
    return pass_with_body(m->arena, f, body);
}

struct ir_program *infer_tile_memory_space(struct arena *a, const struct ir_program *p,
                                           const struct pass_options *o, struct diag *d)
{
    (void)o, (void)d;
    struct memory m = {
        .arena = a, .spaces.arena = a, .renewed.arena = a, .relaid.arena = a, .assigned.arena = a};
    return rewrite_funcs(a, p, PASS_CORE, infer_func, &m);
}
