/* SPDX-License-Identifier: MIT */
/* Building blocks of ConvertTensorToTileOps: calls with the types of their results. */
#include "passes/tiling.h"

#include <string.h>

#include "ir/infer.h"
#include "ir/valid.h"
#include "passes/rewrite.h"

/* ---- the table ---- */

static const struct tile_form *const tables[] = {tiling_values, tiling_memory, tiling_places};

const struct tile_form *tiling_form(const struct ir_expr *e)
{
    if (e->kind != IR_CALL || e->call.callee != IR_CALLEE_OP)
        return NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct tile_form *f = tables[i]; f->tensor; f++)
            if (strcmp(f->tensor, e->call.op->name) == 0)
                return f;
    return NULL;
}

enum ir_space tiling_wants(const struct tile_form *form, size_t i)
{
    if (!form->spaces || i >= strlen(form->spaces) || form->spaces[i] == '-')
        return IR_SPACE_NONE;
    return form->spaces[i] == 'M' ? IR_SPACE_MAT : IR_SPACE_VEC;
}

static bool in_memory(const struct ir_expr *e)
{
    return e->type && ir_type_is_tensor_like(e->type);
}

bool tiling_stays(const struct tile_form *form, const struct ir_expr *e)
{
    static const char *const accesses[] = {"tensor.read", "tensor.write", "tensor.assemble"};
    bool access = false;
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        access |= strcmp(form->tensor, accesses[i]) == 0;
    bool copy = strcmp(form->tensor, "tensor.assemble") == 0;
    return access && in_memory(e->call.args.items[0]) &&
           (!copy || (in_memory(e->call.args.items[1]) && !ir_call_int(&e->call, "atomic")));
}

/* ---- expressions ---- */

bool tiling_is_tile(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_TILE;
}

bool tiling_is_scalar(const struct ir_expr *e)
{
    return e->type && e->type->kind == IR_TYPE_SCALAR;
}

struct ir_expr *tiling_index(struct tiling *t, int64_t value)
{
    return ir_int(t->arena, value, IR_INDEX, t->at);
}

struct ir_expr *tiling_number(struct tiling *t, int64_t value, enum ir_dtype dtype)
{
    if (!ir_dtype_is_float(dtype))
        return ir_int(t->arena, value, dtype, t->at);
    struct ir_expr *e = ir_expr_new(t->arena, IR_FLOAT, t->at);
    e->real.value = (double)value;
    e->real.dtype = dtype;
    e->type = ir_scalar_type(dtype);
    return e;
}

struct ir_expr *tiling_tuple(struct tiling *t, const ir_exprs *items)
{
    return ir_tuple(t->arena, *items, t->at);
}

struct ir_expr *tiling_pair(struct tiling *t, struct ir_expr *x, struct ir_expr *y)
{
    ir_exprs items = {0};
    vec_push(t->arena, &items, x);
    vec_push(t->arena, &items, y);
    return tiling_tuple(t, &items);
}

struct ir_expr *tiling_origin(struct tiling *t, size_t rank)
{
    ir_exprs items = {0};
    for (size_t i = 0; i < rank; i++)
        vec_push(t->arena, &items, tiling_index(t, 0));
    return tiling_tuple(t, &items);
}

struct ir_expr *tiling_name(struct tiling *t, const char *name)
{
    struct ir_expr *e = ir_expr_new(t->arena, IR_NAME, t->at);
    e->name = name;
    return e;
}

struct ir_expr *tiling_dtype(struct tiling *t, enum ir_dtype dtype)
{
    return tiling_name(t, arena_printf(t->arena, "pl.%s", ir_dtype_name(dtype)));
}

struct ir_expr *tiling_space(struct tiling *t, enum ir_space space)
{
    return tiling_name(t, ir_space_name(space));
}

struct ir_expr *tiling_no_shape(struct tiling *t, const struct tile_form *form,
                                const struct ir_expr *e)
{
    REFUSE(t, TILE_SHAPE, e->span, form->tensor);
    return NULL;
}

/* ---- types of results ---- */

static struct ir_expr *list_of(struct tiling *t, const ir_exprs *items)
{
    struct ir_expr *list = ir_expr_new(t->arena, IR_LIST, t->at);
    list->items = *items;
    return list;
}

static const ir_exprs *items_of(const struct ir_expr *e)
{
    bool list = e && (e->kind == IR_TUPLE || e->kind == IR_LIST);
    return list && e->items.len ? &e->items : NULL;
}

static bool same_extents(const ir_exprs *x, const ir_exprs *y)
{
    bool same = x->len == y->len;
    int64_t a, b;
    for (size_t i = 0; same && i < x->len; i++) {
        const struct ir_expr *p = x->items[i], *q = y->items[i];
        same = (p->kind == IR_VAR && q->kind == IR_VAR && p->var == q->var) ||
               (ir_const_int(p, &a) && ir_const_int(q, &b) && a == b);
    }
    return same;
}

/* A reduction leaves one row or column of what is valid. */
static const ir_exprs *reduced_part(struct tiling *t, const struct ir_call *call,
                                    const ir_exprs *part)
{
    bool row = call->op->result == IR_RESULT_TILE_ROW;
    if (!part || part->len < 2 || (!row && call->op->result != IR_RESULT_TILE_COL))
        return NULL;
    ir_exprs *out = arena_new(t->arena, ir_exprs);
    for (size_t i = 0; i < part->len; i++)
        vec_push(t->arena, out,
                 i == part->len - (row ? 1 : 2) ? tiling_index(t, 1) : part->items[i]);
    return out;
}

/* The extents that are valid in the result, or NULL: all of it. */
static const ir_exprs *valid_part(struct tiling *t, const struct ir_call *call)
{
    const ir_exprs *first = call->args.len ? ir_valid_view(call->args.items[0]->type) : NULL;
    switch (ir_valid_source(call->op)) {
    case IR_VALID_FILLED:
        return NULL;
    case IR_VALID_KEPT:
        return first;
    case IR_VALID_GIVEN:
        if (ir_call_arg(call, "valid_rows"))
            return items_of(
                tiling_pair(t, ir_call_arg(call, "valid_rows"), ir_call_arg(call, "valid_cols")));
        return items_of(ir_call_arg(call, "valid_shape"));
    case IR_VALID_ROW:
    case IR_VALID_OPEN:
        break;
    }
    return reduced_part(t, call, first);
}

static void view_keyword(struct tiling *t, struct ir_expr **view, const char *name,
                         struct ir_expr *value)
{
    if (!*view) {
        *view = ir_expr_new(t->arena, IR_CALL, t->at);
        (*view)->call.callee = IR_CALLEE_UNKNOWN;
        (*view)->call.name = (*view)->call.written = "TileView";
    }
    tiling_keyword(t, *view, name, value);
}

/* Says where the tile lies and what of it is valid. */
static struct ir_type *placed(struct tiling *t, struct ir_type *type, const struct ir_expr *call)
{
    struct ir_type *out = arena_dup(t->arena, type, sizeof *type);
    enum ir_space space = ir_space_of(NULL, call);
    const ir_exprs *valid = valid_part(t, &call->call);
    struct ir_expr *view = NULL;
    out->annots = (ir_exprs){0};
    if (space != IR_SPACE_NONE)
        vec_push(t->arena, &out->annots, tiling_space(t, space));
    if (valid && !same_extents(valid, &type->shape))
        view_keyword(t, &view, "valid_shape", list_of(t, valid));
    if (ir_op_keyword(call->call.op, "pad_value") &&
        ir_valid_source(call->call.op) == IR_VALID_FILLED) {
        struct ir_expr *pad = ir_kwarg_find(&call->call.kwargs, "pad_value");
        view_keyword(t, &view, "pad", pad ? pad : tiling_name(t, "pl.PadValue.zero"));
    }
    if (view)
        vec_push(t->arena, &out->annots, view);
    return out;
}

struct ir_expr *tiling_typed(struct tiling *t, struct ir_expr *call)
{
    call->type = ir_infer_call(t->arena, &call->call);
    return call;
}

struct ir_type *tiling_place(struct tiling *t, const struct ir_expr *value)
{
    bool made =
        tiling_is_tile(value) && value->kind == IR_CALL && value->call.callee == IR_CALLEE_OP;
    return made ? placed(t, value->type, value) : value->type;
}

/* ---- calls and statements ---- */

struct ir_expr *tiling_call(struct tiling *t, const char *op, size_t n, struct ir_expr *const *args)
{
    struct ir_expr *e = ir_expr_new(t->arena, IR_CALL, t->at);
    e->call.callee = IR_CALLEE_OP;
    e->call.op = ir_op_find(op);
    e->call.name = e->call.written = e->call.op->name;
    for (size_t i = 0; i < n; i++)
        vec_push(t->arena, &e->call.args, args[i]);
    return e;
}

void tiling_keyword(struct tiling *t, struct ir_expr *call, const char *name, struct ir_expr *value)
{
    struct ir_kwarg k = {name, value, t->at};
    vec_push(t->arena, &call->call.kwargs, k);
}

struct ir_expr *tiling_bind(struct tiling *t, const char *name, struct ir_expr *value)
{
    struct ir_var *v = ir_var_new(t->arena, name, tiling_place(t, value), t->at);
    vec_push(t->arena, t->out, pass_assign(t->arena, v, value));
    return ir_var_ref(t->arena, v, t->at);
}

struct ir_expr *tiling_scratch(struct tiling *t, const char *name, const ir_exprs *shape,
                               enum ir_dtype dtype)
{
    struct ir_expr *e = TILING_CALL(t, "tile.create", tiling_tuple(t, shape));
    tiling_keyword(t, e, "dtype", tiling_dtype(t, dtype));
    tiling_keyword(t, e, "target_memory", tiling_space(t, IR_SPACE_VEC));
    return tiling_bind(t, name, tiling_typed(t, e));
}

struct ir_expr *tiling_load(struct tiling *t, struct ir_expr *tensor, struct ir_expr *offsets,
                            struct ir_expr *shape, struct ir_expr *valid, enum ir_space space)
{
    const ir_exprs *whole = &tensor->type->shape;
    if (!offsets) {
        offsets = tiling_origin(t, whole->len);
        shape = tiling_tuple(t, whole);
    }
    struct ir_expr *e = TILING_CALL(t, "tile.load", tensor, offsets, shape, valid ? valid : shape);
    tiling_keyword(t, e, "target_memory", tiling_space(t, space));
    return tiling_typed(t, e);
}
