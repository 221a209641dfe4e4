/* SPDX-License-Identifier: MIT */
#include "passes/lower_composite_ops.h"

#include <string.h>

#include "passes/composite.h"
#include "passes/refusals.h"
#include "passes/rewrite.h"

/* ---- the collectives ---- */

enum signal_form { MESH, RING };

/* What the operands must be besides what the verifier sees to. */
enum demands { STATIC_TARGET = 1, STATIC_RANKS = 2, PLAIN_INPUT = 4, PACKED_TARGET = 8 };

static const struct composite_form {
    const char *op, *mode;
    const char *written; /* the operand that the call gives back, whose context counts */
    enum signal_form signal;
    unsigned demands;
    void (*emit)(struct composite *m);
} collectives[] = {
    {"pld.tensor.barrier", NULL, "signal", MESH, 0, composite_barrier},
    {"pld.tensor.broadcast", NULL, "target", MESH, STATIC_TARGET, composite_broadcast},
    {"pld.tensor.allgather", NULL, "target", MESH, PLAIN_INPUT, composite_allgather},
    {"pld.tensor.all_to_all", NULL, "target", MESH, PLAIN_INPUT, composite_all_to_all},
    {"pld.tensor.all_to_all_v", NULL, "target", MESH, STATIC_RANKS, composite_all_to_all_v},
    {"pld.tensor.reduce_scatter", NULL, "target", MESH, 0, composite_reduce_scatter},
    {"pld.tensor.allreduce", "mesh", "target", MESH, PACKED_TARGET, composite_mesh_allreduce},
    {"pld.tensor.allreduce", "ring", "target", RING, PACKED_TARGET, composite_ring_allreduce},
};

static const struct composite_function {
    const char *op;
    struct ir_expr *(*emit)(struct composite *m);
} functions[] = {{"tile.sin", composite_sin}, {"tile.cos", composite_cos}};

static const struct composite_function *find_function(const struct ir_expr *e)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (e->kind == IR_CALL && e->call.op && strcmp(functions[i].op, e->call.op->name) == 0)
            return &functions[i];
    return NULL;
}

static bool is_composite(const struct ir_expr *e)
{
    return pass_is_collective(e) || find_function(e);
}

/* ---- the pass ---- */

struct composite_lowering {
    struct arena *arena;
    const struct ir_program *prog;
    struct diag *diag;
    const struct ir_func *func;
    struct composite_names names; /* of the function */
    int scopes;                   /* around the statement at hand */
};

static const struct composite_form *find_collective(struct composite_lowering *l,
                                                    const struct ir_expr *call)
{
    const struct ir_expr *mode = ir_kwarg_find(&call->call.kwargs, "mode");
    const char *wanted = mode && mode->kind == IR_STRING ? mode->string : "mesh";
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++) {
        const struct composite_form *c = &collectives[i];
        if (strcmp(c->op, call->call.op->name) == 0 && (!c->mode || strcmp(c->mode, wanted) == 0))
            return c;
    }
    REFUSE(l, MODE, mode ? mode->span : call->span, call->call.op->name);
    return NULL;
}

/* ---- checks ---- */

/* What a collective becomes runs on a core. A scope may become a function that does. */
static bool check_place(struct composite_lowering *l, const struct ir_expr *call)
{
    bool chip = !ir_func_is_incore(l->func) && l->func->type != IR_FUNC_OPAQUE;
    return !chip || l->scopes ||
           REFUSE(l, KERNEL_ONLY, call->span, call->call.op->name, ir_func_type_name(l->func->type),
                  l->func->name);
}

static bool is_no_call(const struct ir_expr *e, void *ctx)
{
    (void)ctx;
    return e->kind != IR_CALL;
}

static const char *operand_name(struct composite_lowering *l, const struct ir_expr *call, size_t i)
{
    return ir_op_arg_name(l->arena, call->call.op, call->call.args.len, i);
}

/* The statements repeat each operand. */
static bool check_repeatable(struct composite_lowering *l, const struct ir_expr *call, size_t i)
{
    const struct ir_expr *e = call->call.args.items[i];
    return ir_walk_expr(e, is_no_call, NULL) ||
           REFUSE(l, OPERAND_DIRECT, e->span, operand_name(l, call, i), call->call.op->name);
}

/* And are made by its type. */
static bool check_operand(struct composite_lowering *l, const struct ir_expr *call, size_t i)
{
    const struct ir_expr *e = call->call.args.items[i];
    if (!check_repeatable(l, call, i))
        return false;
    bool known = ir_type_is_tensor_like(e->type) && e->type->shape.len;
    return known || REFUSE(l, OPERAND_TYPE, e->span, operand_name(l, call, i), call->call.op->name);
}

static bool check_function(struct composite_lowering *l, const struct ir_expr *call)
{
    const struct ir_expr *e = call->call.args.items[0];
    bool fp32 = !e->type || e->type->kind != IR_TYPE_TILE || e->type->dtype == IR_FP32;
    return check_repeatable(l, call, 0) &&
           (fp32 ||
            REFUSE(l, FP32_ONLY, e->span, call->call.op->name, ir_dtype_name(e->type->dtype)));
}

static bool check_operands(struct composite_lowering *l, const struct ir_expr *call)
{
    for (size_t i = 0; i < call->call.args.len; i++)
        if (!check_operand(l, call, i))
            return false;
    if (!ir_call_arg(&call->call, "signal"))
        return REFUSE(l, KERNEL_SIGNAL, call->span, call->call.op->name);
    bool cores = ir_kwarg_find(&call->call.kwargs, "core_num");
    if (cores && ir_call_int(&call->call, "core_num") != 1)
        return REFUSE(l, KERNEL_CORES, call->span, call->call.op->name);
    return true;
}

/* Each cell of a signal is written by one rank; a ring has a row of cells for each of its rounds.
 * Unknown extents are left to the run. */
static bool check_signal(struct composite_lowering *l, const struct composite_form *c,
                         const struct ir_expr *signal)
{
    const ir_exprs *shape = &signal->type->shape;
    bool ring = c->signal == RING;
    int64_t rows, cols;
    const char *dimensions = arena_decimal(l->arena, (long long)shape->len);
    if (shape->len != 2)
        return ring ? REFUSE(l, RING_DIMENSIONS, signal->span, c->op, dimensions)
                    : REFUSE(l, MESH_DIMENSIONS, signal->span, c->op, dimensions);
    bool known = ir_const_int(shape->items[1], &cols);
    bool bad = known && c->signal == MESH && cols != 1;
    bad |= known && ring && ir_const_int(shape->items[0], &rows) &&
           (cols < 1 || rows != 2 * (cols - 1));
    return !bad || (ring ? REFUSE(l, RING_SIGNAL, signal->span, c->op)
                         : REFUSE(l, MESH_SIGNAL, signal->span, c->op));
}

static bool check_static(struct composite_lowering *l, const struct ir_expr *call,
                         const char *operand, size_t dimensions)
{
    const struct ir_expr *e = ir_call_arg(&call->call, operand);
    int64_t extent;
    for (size_t i = 0; i < dimensions; i++)
        if (!ir_const_int(e->type->shape.items[i], &extent))
            return REFUSE(l, STATIC_SHAPE, e->span, arena_decimal(l->arena, (long long)i), operand,
                          call->call.op->name);
    return true;
}

static const ir_exprs *items_of(const struct ir_expr *e)
{
    bool list = e && (e->kind == IR_LIST || e->kind == IR_TUPLE);
    return list && e->items.len ? &e->items : NULL;
}

static bool same_extent(const struct ir_expr *x, const struct ir_expr *y)
{
    int64_t a, b;
    if (x->kind == IR_VAR && y->kind == IR_VAR)
        return x->var == y->var;
    return ir_const_int(x, &a) && ir_const_int(y, &b) && a == b;
}

const ir_exprs *composite_part(const struct ir_type *t)
{
    const ir_exprs *part = items_of(ir_view_keyword(t, "valid_shape"));
    if (!part || part->len != t->shape.len)
        return NULL;
    for (size_t i = 0; i < part->len; i++)
        if (!same_extent(part->items[i], t->shape.items[i]))
            return part;
    return NULL;
}

/* Rows that follow one another without gaps, last dimension innermost. */
static bool is_packed(const struct ir_type *t)
{
    const struct ir_expr *layout = ir_view_keyword(t, "layout");
    const ir_exprs *stride = items_of(ir_view_keyword(t, "stride"));
    vec_foreach (struct ir_expr *, e, &t->annots)
        if ((*e)->kind == IR_NAME && !(*e)->type && strstr((*e)->name, "Layout."))
            layout = *e;
    if (layout && (layout->kind != IR_NAME || strcmp(layout->name, "pl.TensorLayout.ND") != 0))
        return false;
    int64_t dense = 1, step, extent;
    for (size_t i = t->shape.len; stride && i-- > 0;) {
        if (stride->len != t->shape.len || !ir_const_int(stride->items[i], &step) || step != dense)
            return false;
        if (!ir_const_int(t->shape.items[i], &extent))
            return i == 0;
        dense *= extent;
    }
    return true;
}

/* The part is one run of the rows' elements if only leading extents of 1 stand before the first
 * that is cut, and nothing behind it is cut. Its last `free` dimensions do not count. */
static bool is_run(const ir_exprs *part, const ir_exprs *shape, size_t free)
{
    bool past = false;
    int64_t extent;
    for (size_t i = 0; i + free < part->len; i++) {
        if (past && !same_extent(part->items[i], shape->items[i]))
            return false;
        past |= !ir_const_int(part->items[i], &extent) || extent != 1;
    }
    return true;
}

/* The elements that the tile of a rectangle needs: those of the part,
 * or all when it is symbolic. */
static bool fits_tile(const struct ir_type *t, const ir_exprs *part)
{
    int64_t extent, elements = 1, least = 1;
    bool known = true;
    for (size_t i = 0; i < part->len && known; i++)
        known = ir_const_int(part->items[i], &extent);
    const ir_exprs *tile = known ? part : &t->shape;
    for (size_t i = 0; i < tile->len; i++)
        if (!ir_const_int(tile->items[i], &least) ||
            __builtin_mul_overflow(elements, least, &elements))
            return false;
    return elements <= COMPOSITE_CHUNK_BYTES * 8 / ir_dtype_bits(t->dtype);
}

static bool check_packed(struct composite_lowering *l, const struct composite_form *c,
                         const struct ir_expr *target)
{
    const struct ir_type *t = target->type;
    const ir_exprs *part = composite_part(t), *stated = items_of(ir_view_keyword(t, "valid_shape"));
    if (stated && stated->len != t->shape.len)
        return REFUSE(l, VALID_DIMENSIONS, target->span, c->op,
                      arena_decimal(l->arena, (long long)t->shape.len),
                      arena_decimal(l->arena, (long long)stated->len));
    if (!is_packed(t))
        return REFUSE(l, PACKED_TARGET, target->span, c->op);
    if (!part)
        return true;
    if (c->signal == RING)
        return is_run(part, &t->shape, 0) || REFUSE(l, VALID_PREFIX, target->span, c->op);
    if (!is_run(part, &t->shape, 1))
        return REFUSE(l, VALID_RECTANGLE, target->span, c->op);
    return fits_tile(t, part) || REFUSE(l, VALID_SIZE, target->span, c->op,
                                        arena_decimal(l->arena, COMPOSITE_CHUNK_BYTES));
}

static bool check_site(struct composite_lowering *l, const struct composite_form *c,
                       const struct ir_expr *call)
{
    const struct ir_expr *input = call->call.args.items[0],
                         *target = ir_call_arg(&call->call, c->written),
                         *signal = ir_call_arg(&call->call, "signal");
    if (c->demands & PLAIN_INPUT && input->type->kind != IR_TYPE_TENSOR)
        return REFUSE(l, PLAIN_INPUT, input->span, c->op);
    return check_signal(l, c, signal) &&
           (!(c->demands & STATIC_TARGET) ||
            check_static(l, call, "target", target->type->shape.len)) &&
           (!(c->demands & STATIC_RANKS) || check_static(l, call, "signal", 1)) &&
           (!(c->demands & PACKED_TARGET) || check_packed(l, c, target));
}

/* ---- one call ---- */

/* Pushes what the call does; returns the window that it gives back, or NULL on an error. */
static struct ir_expr *lower_collective(struct composite_lowering *l, const struct ir_expr *call,
                                        struct composite *m)
{
    const struct composite_form *c = find_collective(l, call);
    if (!c || !check_place(l, call) || !check_operands(l, call) || !check_site(l, c, call))
        return NULL;
    m->target = ir_call_arg(&call->call, c->written);
    m->signal = ir_call_arg(&call->call, "signal");
    emit_setup(m, m->target);
    c->emit(m);
    return m->target;
}

/* Pushes what the call does to out; returns what is left of it as a value, or NULL on an error. */
static struct ir_expr *lower_call(struct composite_lowering *l, const struct ir_expr *call,
                                  const char *base, ir_block *out)
{
    const struct composite_function *f = find_function(call);
    struct composite m = {.arena = l->arena,
                          .prog = l->prog,
                          .call = &call->call,
                          .at = call->span,
                          .base = base,
                          .names = &l->names,
                          .out = out};
    if (!f)
        return lower_collective(l, call, &m);
    return check_function(l, call) ? f->emit(&m) : NULL;
}

/* ---- statements ---- */

/* Each value is where the pass can replace it, or holds no collective. */
static bool check_direct(struct composite_lowering *l, const struct ir_stmt *stmt)
{
    const struct ir_expr *nested = pass_nested_call(stmt, pass_is_collective);
    if (stmt->kind == IR_ASSIGN && stmt->assign.targets.len != 1 &&
        pass_is_collective(stmt->assign.value))
        nested = stmt->assign.value;
    return !nested || REFUSE(l, KERNEL_DIRECT, nested->span, nested->call.op->name);
}

/* The name in front of what the compiler put behind it: win of win__ssa_v0. */
static const char *base_name(struct arena *a, const char *name)
{
    const char *suffix = strstr(name, "__");
    return suffix ? arena_strndup(a, name, (size_t)(suffix - name)) : name;
}

/* target = window or value, unless that is the variable itself. */
static void lower_assign(struct composite_lowering *l, const struct ir_stmt *stmt, ir_block *out)
{
    struct ir_var *target = stmt->assign.targets.items[0];
    struct ir_expr *given =
        lower_call(l, stmt->assign.value, base_name(l->arena, target->name), out);
    if (!given || (given->kind == IR_VAR && given->var == target))
        return;
    struct ir_stmt *alias = arena_dup(l->arena, stmt, sizeof *stmt);
    alias->assign.value = given;
    vec_push(l->arena, out, alias);
}

static bool returns_composite(const struct ir_stmt *stmt)
{
    vec_foreach (struct ir_expr *, e, &stmt->return_.values)
        if (is_composite(*e))
            return true;
    return false;
}

static void lower_return(struct composite_lowering *l, const struct ir_stmt *stmt, ir_block *out)
{
    struct ir_stmt *copy = arena_dup(l->arena, stmt, sizeof *stmt);
    ir_exprs values = {0};
    for (size_t i = 0; i < stmt->return_.values.len; i++) {
        struct ir_expr *value = stmt->return_.values.items[i];
        if (is_composite(value)) {
            const char *base = arena_printf(l->arena, "ret%zu", i);
            struct ir_expr *given = lower_call(l, value, base, out);
            if (!given)
                return;
            struct composite m = {l->arena, .at = value->span, .base = base, .names = &l->names,
                                  .out = out};
            value = emit_bind(&m, "result", given);
        }
        vec_push(l->arena, &values, value);
    }
    copy->return_.values = values;
    vec_push(l->arena, out, copy);
}

/* True when the statement was one to expand: what it does is in out. */
static bool lower_stmt(struct composite_lowering *l, const struct ir_stmt *stmt, ir_block *out)
{
    if (stmt->kind == IR_EVAL && is_composite(stmt->eval))
        lower_call(l, stmt->eval, "eval", out);
    else if (stmt->kind == IR_ASSIGN && is_composite(stmt->assign.value))
        lower_assign(l, stmt, out);
    else if (stmt->kind == IR_RETURN && returns_composite(stmt))
        lower_return(l, stmt, out);
    else
        return false;
    return true;
}

static void lower_block(void *ctx, ir_block *block)
{
    struct composite_lowering *l = ctx;
    ir_block out = {0};
    bool changed = false;
    for (size_t i = 0; i < block->len && !l->diag->failed; i++) {
        struct ir_stmt *stmt = block->items[i];
        if (!check_direct(l, stmt))
            return;
        if (lower_stmt(l, stmt, &out)) {
            changed = true;
            continue;
        }
        l->scopes += stmt->kind == IR_SCOPE;
        struct ir_stmt *lowered = rewrite_blocks(l->arena, stmt, lower_block, l);
        l->scopes -= stmt->kind == IR_SCOPE;
        changed |= lowered != stmt;
        vec_push(l->arena, &out, lowered);
    }
    if (changed)
        *block = out;
}

/* ---- functions ---- */

static struct ir_func *lower_func(void *ctx, struct ir_func *f)
{
    struct composite_lowering *l = ctx;
    ir_block body = f->body;
    l->func = f;
    l->names = (struct composite_names){.taken.arena = l->arena};
    pass_names_in_use(f, &l->names.taken);
    vec_foreach (struct ir_global, g, &l->prog->globals)
        map_put_text(&l->names.taken, g->var->name, g->var);
    lower_block(l, &body);
    return l->diag->failed ? NULL : pass_with_body(l->arena, f, body);
}

struct ir_program *lower_composite_ops(struct arena *a, const struct ir_program *p,
                                       const struct pass_options *o, struct diag *d)
{
    struct composite_lowering l = {.arena = a, .prog = p, .diag = d};
    (void)o;
    return rewrite_funcs(a, p, PASS_EVERY & ~PASS_HOST, lower_func, &l);
}
