/* SPDX-License-Identifier: MIT */
#include "passes/composite.h"

#include "ir/infer.h"
#include "passes/rewrite.h"

/* ---- expressions ---- */

struct ir_expr *emit_index(struct composite *m, int64_t value)
{
    return ir_int(m->arena, value, IR_INDEX, m->at);
}

struct ir_expr *emit_int32(struct composite *m, int64_t value)
{
    return ir_int(m->arena, value, IR_INT32, m->at);
}

struct ir_expr *emit_binary(struct composite *m, enum ir_binary_op op, struct ir_expr *x,
                            struct ir_expr *y)
{
    return ir_binary(m->arena, op, x, y, m->at);
}

struct ir_expr *emit_cast(struct composite *m, struct ir_expr *x, enum ir_dtype to)
{
    struct ir_expr *e = ir_expr_new(m->arena, IR_CAST, m->at);
    e->cast.operand = x;
    e->cast.dtype = to;
    e->type = ir_scalar_type(to);
    return e;
}

struct ir_expr *emit_pair(struct composite *m, struct ir_expr *x, struct ir_expr *y)
{
    ir_exprs items = {0};
    vec_push(m->arena, &items, x);
    vec_push(m->arena, &items, y);
    return ir_tuple(m->arena, items, m->at);
}

struct ir_expr *emit_name(struct composite *m, const char *name)
{
    struct ir_expr *e = ir_expr_new(m->arena, IR_NAME, m->at);
    e->name = name;
    return e;
}

struct ir_expr *emit_call(struct composite *m, const char *op, size_t n,
                          struct ir_expr *const *args)
{
    ir_exprs list = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(m->arena, &list, args[i]);
    return ir_op_call(m->arena, op, list, m->at);
}

void emit_keyword(struct composite *m, struct ir_expr *call, const char *name,
                  struct ir_expr *value)
{
    struct ir_kwarg k = {name, value, m->at};
    vec_push(m->arena, &call->call.kwargs, k);
}

bool emit_literal(const struct ir_expr *e, int64_t *value)
{
    return ir_const_int(e, value);
}

struct ir_expr *emit_times(struct composite *m, struct ir_expr *x, struct ir_expr *y)
{
    int64_t a = 0, b = 0, product;
    bool first = emit_literal(x, &a), second = emit_literal(y, &b);
    if (first && second && !__builtin_mul_overflow(a, b, &product))
        return emit_index(m, product);
    if (first && a == 1)
        return y;
    return second && b == 1 ? x : emit_binary(m, IR_MUL, x, y);
}

struct ir_expr *emit_quotient(struct composite *m, struct ir_expr *x, struct ir_expr *y)
{
    int64_t value;
    struct ir_expr *e = emit_binary(m, IR_FLOORDIV, x, y);
    return emit_literal(e, &value) ? emit_index(m, value) : e;
}

/* ---- types of tiles ---- */

struct ir_expr *emit_list(struct composite *m, const struct ir_expr *tuple)
{
    struct ir_expr *list = ir_expr_new(m->arena, IR_LIST, m->at);
    list->items = tuple->items;
    return list;
}

/* pl.TileView(valid_shape=[...], pad=pl.PadValue.zero), or the part that says something. */
static struct ir_expr *tile_view(struct composite *m, const struct ir_expr *valid, bool padded)
{
    struct ir_expr *view = ir_expr_new(m->arena, IR_CALL, m->at);
    view->call.callee = IR_CALLEE_UNKNOWN;
    view->call.name = view->call.written = "TileView";
    if (valid)
        emit_keyword(m, view, "valid_shape", emit_list(m, valid));
    if (padded)
        emit_keyword(m, view, "pad", emit_name(m, "pl.PadValue.zero"));
    return view;
}

struct ir_type *emit_tile_type(struct composite *m, const struct ir_expr *shape,
                               const struct ir_expr *valid, unsigned flags)
{
    struct ir_type *t = ir_type_new(m->arena, IR_TYPE_TILE);
    bool padded = flags & EMIT_TILE_PADDED;
    valid = valid == shape ? NULL : valid;
    t->dtype = m->target->type->dtype;
    t->shape = shape->items;
    if (flags & EMIT_TILE_VEC)
        vec_push(m->arena, &t->annots, emit_name(m, "pl.Mem.Vec"));
    if (valid || padded)
        vec_push(m->arena, &t->annots, tile_view(m, valid, padded));
    return t;
}

/* ---- names ---- */

/* The first free number counts; in a program that names nothing so, that is every number. */
static struct ir_var *new_var(struct composite *m, const char *name, struct ir_type *type)
{
    const char *full;
    do
        full = arena_printf(m->arena, "%s__%s_tmp_v%u", m->base, name, m->names->next++);
    while (map_get_text(&m->names->taken, full));
    return ir_var_new(m->arena, full, type, m->at);
}

static struct ir_expr *ref(struct composite *m, struct ir_var *v)
{
    return ir_var_ref(m->arena, v, m->at);
}

/* ---- statements ---- */

struct ir_expr *emit_bind_as(struct composite *m, const char *name, struct ir_type *type,
                             struct ir_expr *value)
{
    struct ir_var *v = new_var(m, name, type);
    vec_push(m->arena, m->out, pass_assign(m->arena, v, value));
    return ref(m, v);
}

struct ir_expr *emit_bind(struct composite *m, const char *name, struct ir_expr *value)
{
    return emit_bind_as(m, name, value->type, value);
}

/* Pushes a statement whose block is filled from here on. */
static void open_stmt(struct composite *m, struct ir_stmt *s, const char *name, ir_block *inner)
{
    struct open_stmt open = {s, name, m->out};
    vec_push(m->arena, m->out, s);
    vec_push(m->arena, &m->open, open);
    m->out = inner;
}

struct ir_expr *emit_for(struct composite *m, const char *name, struct ir_expr *stop,
                         struct ir_expr *step)
{
    struct ir_stmt *s = ir_stmt_new(m->arena, IR_FOR, m->at);
    s->for_.var = new_var(m, name, ir_scalar_type(IR_INDEX));
    s->for_.start = emit_index(m, 0);
    s->for_.stop = stop;
    s->for_.step = step;
    open_stmt(m, s, name, &s->for_.body);
    return ref(m, s->for_.var);
}

struct ir_expr *emit_for_ranks(struct composite *m, const char *name)
{
    return emit_for(m, name, m->ranks, emit_index(m, 1));
}

static struct open_stmt *innermost(struct composite *m)
{
    return &m->open.items[m->open.len - 1];
}

struct ir_expr *emit_carry(struct composite *m, struct ir_expr *init)
{
    struct open_stmt *loop = innermost(m);
    struct ir_var *v = new_var(m, arena_printf(m->arena, "%s_acc", loop->name), init->type);
    vec_push(m->arena, &loop->stmt->for_.iter_args, v);
    vec_push(m->arena, &loop->stmt->for_.inits, init);
    return ref(m, v);
}

void emit_if(struct composite *m, struct ir_expr *condition)
{
    struct ir_stmt *s = ir_stmt_new(m->arena, IR_IF, m->at);
    s->if_.cond = condition;
    open_stmt(m, s, NULL, &s->if_.then_body);
}

void emit_if_other(struct composite *m, struct ir_expr *rank)
{
    emit_if(m, emit_binary(m, IR_NE, rank, emit_cast(m, m->my_rank, IR_INDEX)));
}

static void push_yield(struct composite *m, struct ir_expr *value)
{
    struct ir_stmt *s = ir_stmt_new(m->arena, IR_YIELD, m->at);
    vec_push(m->arena, &s->yield.values, value);
    vec_push(m->arena, m->out, s);
}

void emit_else(struct composite *m, struct ir_expr *value)
{
    struct ir_stmt *s = innermost(m)->stmt;
    push_yield(m, value);
    s->if_.has_else = true;
    m->out = &s->if_.else_body;
}

void emit_end(struct composite *m)
{
    m->out = innermost(m)->outer;
    m->open.len--;
}

struct ir_expr *emit_end_with(struct composite *m, struct ir_expr *value)
{
    const struct open_stmt open = *innermost(m);
    bool loop = open.stmt->kind == IR_FOR;
    push_yield(m, value);
    struct ir_var *v =
        new_var(m, loop ? arena_printf(m->arena, "%s_final", open.name) : "if_res", value->type);
    vec_push(m->arena, loop ? &open.stmt->for_.results : &open.stmt->if_.results, v);
    emit_end(m);
    return ref(m, v);
}

/* ---- the protocol (pypto-facts 5.3) ---- */

void emit_setup(struct composite *m, struct ir_expr *window)
{
    struct ir_expr *ctx = emit_bind(m, "ctx", EMIT_CALL(m, "pld.system.get_comm_ctx", window));
    struct ir_expr *ranks = emit_bind(m, "nranks", EMIT_CALL(m, "pld.system.nranks", ctx));
    m->ranks = emit_bind(m, "nranks_idx", emit_cast(m, ranks, IR_INDEX));
    m->my_rank = emit_bind(m, "my_rank", EMIT_CALL(m, "pld.system.rank", ctx));
}

/* The cell that a rank owns. */
static struct ir_expr *cell(struct composite *m, struct ir_expr *row, struct ir_expr *rank)
{
    return row ? emit_pair(m, row, rank) : emit_pair(m, rank, emit_index(m, 0));
}

static struct ir_expr *notify(struct composite *m, struct ir_expr *peer, struct ir_expr *at,
                              struct ir_expr *value)
{
    struct ir_expr *call = EMIT_CALL(m, "pld.system.notify", m->signal, peer, at, value);
    emit_keyword(m, call, "op", emit_index(m, ir_enum_find("pld.NotifyOp.AtomicAdd")->value));
    return call;
}

void emit_barrier_at(struct composite *m, const char *suffix, struct ir_expr *row,
                     struct ir_expr *expected)
{
    struct arena *a = m->arena;
    struct ir_expr *peer = emit_for_ranks(m, arena_printf(a, "peer%s", suffix));
    emit_if_other(m, peer);
    emit_bind(m, arena_printf(a, "notify%s_ret", suffix),
              notify(m, peer, cell(m, row, m->my_rank), emit_int32(m, 1)));
    emit_end(m);
    emit_end(m);
    struct ir_expr *src = emit_for_ranks(m, arena_printf(a, "src%s", suffix));
    emit_if_other(m, src);
    struct ir_expr *wait = EMIT_CALL(m, "pld.system.wait", m->signal, cell(m, row, src), expected);
    emit_keyword(m, wait, "cmp", emit_index(m, ir_enum_find("pld.WaitCmp.Ge")->value));
    emit_bind(m, arena_printf(a, "wait%s_ret", suffix), wait);
    emit_end(m);
    emit_end(m);
}

void emit_barrier(struct composite *m, const char *suffix)
{
    emit_barrier_at(m, suffix, NULL, emit_int32(m, ++m->barriers));
}

static struct ir_expr *negated(struct composite *m, struct ir_expr *total)
{
    int64_t value;
    if (emit_literal(total, &value))
        return emit_int32(m, -value);
    struct ir_expr *e = ir_expr_new(m->arena, IR_UNARY, m->at);
    e->unary.op = IR_NEG;
    e->unary.operand = total;
    e->type = total->type;
    return e;
}

void emit_take_back(struct composite *m, struct ir_expr *rows, struct ir_expr *total)
{
    struct ir_expr *row = rows ? emit_for(m, "reset_row", rows, emit_index(m, 1)) : NULL;
    struct ir_expr *src = emit_for_ranks(m, "reset_src");
    emit_if_other(m, src);
    emit_bind(m, "epilogue_reset_ret", notify(m, m->my_rank, cell(m, row, src), negated(m, total)));
    emit_end(m);
    emit_end(m);
    if (rows)
        emit_end(m);
}
