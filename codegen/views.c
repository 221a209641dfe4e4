/* SPDX-License-Identifier: MIT */
/* Views of tensors: slices, other shapes and layouts, and the extents of a tensor. */
#include <string.h>

#include "codegen/internal.h"

static const ir_exprs *drop_arg(const struct ir_call *call)
{
    const struct ir_expr *e = ir_call_arg(call, "drop_dims");
    return e && (e->kind == IR_TUPLE || e->kind == IR_LIST) ? &e->items : NULL;
}

/* Its elements lie side by side, row by row or as its layout says. */
static bool is_packed(const struct tensor *t, const struct ir_type *type)
{
    struct tensor packed = *t;
    const struct ir_expr *layout = type ? ir_view_keyword(type, "layout") : NULL;
    bool known = gen_layout_strides(layout, &packed) && !t->run_time;
    return gen_is_dense(t) ||
           (known && !memcmp(packed.stride, t->stride, (size_t)t->ndims * sizeof *t->stride));
}

/* Another layout alone leaves every element in its place: the last two dimensions change names. */
static void turn(const struct ir_expr *e, const struct ir_expr *layout, struct tensor *view)
{
    const struct ir_type *t = e->call.args.items[0]->type;
    int i = view->ndims - 2;
    if (i < 0 || !layout || !t || !strcmp(ir_tensor_layout(t), layout->name))
        return;
    struct tensor old = *view;
    view->shape[i] = old.shape[i + 1];
    view->stride[i] = old.stride[i + 1];
    view->extent[i] = old.extent[i + 1];
    view->shape[i + 1] = old.shape[i];
    view->stride[i + 1] = old.stride[i];
    view->extent[i + 1] = old.extent[i];
}

/* The view under the layout that the call states, or under its tensor's. */
static struct value relaid(struct gen *g, const struct ir_expr *e, struct tensor *view)
{
    const struct ir_expr *given = ir_kwarg_find(&e->call.kwargs, "layout"),
                         *layout = given || !e->type ? given : ir_view_keyword(e->type, "layout");
    struct tensor packed = *view;
    if (!gen_layout_strides(layout, &packed))
        gen_error(g, layout->span, "code generation has no tensors of layout %s", layout->name);
    else if (ir_call_arg(&e->call, "shape"))
        *view = packed;
    else
        turn(e, layout, view);
    return g->d->failed ? none : (struct value){.kind = VAL_TENSOR, .tensor = view};
}

/* A slice that is the source of an assemble is loaded where it stands. */
static struct value sliced(struct gen *g, const struct ir_expr *e, const struct ir_var *target,
                           struct tensor *view)
{
    const ir_exprs *drop = drop_arg(&e->call);
    int kept = 0, tile;
    struct region_arg r;
    for (int i = 0; drop && i < view->ndims; i++) {
        bool gone = false;
        vec_foreach (struct ir_expr *, d, drop)
            gone |= (*d)->kind == IR_INT && (*d)->integer.value == i;
        if (gone)
            continue;
        view->shape[kept] = view->shape[i];
        view->stride[kept] = view->stride[i];
        view->extent[kept++] = view->extent[i];
    }
    if (drop && drop->len)
        view->ndims = kept ? kept : 1;
    if (!target || !gen_slot(g, target)->loaded)
        return (struct value){.kind = VAL_TENSOR, .tensor = view};
    bool ok = gen_load_whole(g, view, target->shown, e->span, &tile, &r);
    return ok ? (struct value){.kind = VAL_TILE, .tile = tile} : none;
}

struct value gen_tensor_view(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    const struct tensor *t = gen_tensor_arg(g, e->call.args.items[0]);
    const struct ir_expr *offset = ir_call_arg(&e->call, "offset"),
                         *given = ir_call_arg(&e->call, "shape");
    bool slice = !strcmp(e->call.op->name, "tensor.slice");
    const ir_exprs *shape = t && (given || slice) ? gen_tuple_arg(g, given, -1) : NULL;
    if (!t || g->d->failed)
        return none;
    struct tensor *view = arena_dup(g->arena, t, sizeof *t);
    if (!shape)
        return relaid(g, e, view);
    if (offset) {
        const ir_exprs *at = gen_tuple_arg(g, offset, t->ndims);
        if (!at)
            return none;
        view->base = gen_element_address(g, t, at);
    }
    if (!slice && !is_packed(t, e->call.args.items[0]->type)) {
        gen_error(g, e->span, "a part of a tensor whose rows lie apart cannot take another shape");
        return none;
    }
    if (shape->len > MAX_DIMS || (slice && shape->len != (size_t)t->ndims)) {
        gen_error(g, e->span, "a slice keeps the %d dimensions of its tensor", t->ndims);
        return none;
    }
    view->ndims = (int)shape->len;
    bool run_time = false;
    for (int i = view->ndims - 1; i >= 0; i--) {
        struct operand extent = imm_operand(0);
        if (!slice && !gen_const(g, shape->items[i], "the extent of a view", &extent.imm))
            return none;
        if (slice && !gen_int(g, shape->items[i], &extent))
            return none;
        /* An extent that only a run knows is at most the tensor's. */
        view->shape[i] = extent.reg == NO_REG ? extent.imm : t->shape[i];
        view->extent[i] = extent.reg == NO_REG ? extent : gen_copy(g, extent);
        run_time |= extent.reg != NO_REG;
    }
    view->run_time = slice && run_time;
    return slice ? sliced(g, e, target, view) : relaid(g, e, view);
}

struct value gen_dim(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    (void)target;
    const struct tensor *t = gen_tensor_arg(g, e->call.args.items[0]);
    int64_t axis = 0;
    if (!t || !gen_const(g, e->call.args.items[1], "the axis", &axis))
        return none;
    if (axis < 0 || axis >= t->ndims) {
        gen_error(g, e->span, "the tensor has no axis %lld", (long long)axis);
        return none;
    }
    return (struct value){.kind = VAL_INT, .op = gen_extent(t, (int)axis)};
}
