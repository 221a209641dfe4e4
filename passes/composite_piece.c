/* SPDX-License-Identifier: MIT */
/* What the collectives that reduce are made of: tiles of a window, and the window as rows
 * (pypto-front-facts 3.7). */
#include "passes/composite.h"
#include "passes/lower_composite_ops.h"

/* A tile's row is a multiple of this many bytes, and so is what a peer's FP16 load transfers. */
enum { TILE_ALIGNMENT = 32 };

/* ---- the own data ---- */

static struct ir_expr *filled(struct composite *m, const struct piece *p, const char *name,
                              struct ir_expr *loaded)
{
    struct ir_expr *fill = EMIT_CALL(m, "tile.fillpad_inplace", loaded);
    emit_keyword(m, fill, "pad_value", emit_name(m, "pl.PadValue.zero"));
    return emit_bind_as(m, name,
                        emit_tile_type(m, p->shape, NULL, EMIT_TILE_VEC | EMIT_TILE_PADDED), fill);
}

struct ir_expr *emit_load_own(struct composite *m, const struct piece *p, const char *loaded,
                              const char *name)
{
    struct ir_expr *load =
        EMIT_CALL(m, "tile.load", p->window, p->offsets, p->shape, p->valid ? p->valid : p->shape);
    emit_keyword(m, load, "target_memory", emit_name(m, "pl.Mem.Vec"));
    struct ir_type *type = emit_tile_type(m, p->shape, p->valid, EMIT_TILE_VEC);
    return p->valid_cols ? filled(m, p, name, emit_bind_as(m, loaded, type, load))
                         : emit_bind_as(m, name, type, load);
}

/* ---- what is valid of a load from a peer ---- */

bool composite_is_half(const struct composite *m)
{
    return m->target->type->dtype == IR_FP16;
}

int64_t composite_alignment(const struct composite *m)
{
    return TILE_ALIGNMENT * 8 / ir_dtype_bits(m->target->type->dtype);
}

static struct ir_expr *rounded_up(struct composite *m, struct ir_expr *x)
{
    int64_t a = composite_alignment(m);
    struct ir_expr *up = emit_binary(m, IR_ADD, x, emit_index(m, a - 1));
    return emit_binary(m, IR_MUL, emit_binary(m, IR_FLOORDIV, up, emit_index(m, a)),
                       emit_index(m, a));
}

static struct ir_expr *sum(struct composite *m, struct ir_expr *x, int64_t n)
{
    int64_t value;
    return emit_literal(x, &value) ? emit_index(m, value + n)
                                   : emit_binary(m, IR_ADD, x, emit_index(m, n));
}

/* As much as the window still has behind the offset: min(max(limit - offset, 0), cols). */
static struct ir_expr *available(struct composite *m, const struct piece *p, struct ir_expr *limit)
{
    struct ir_expr *offset = p->offsets->items.items[1], *cols = p->shape->items.items[1];
    int64_t whole, most;
    struct ir_expr *left =
        emit_binary(m, IR_MAX, emit_binary(m, IR_SUB, limit, offset), emit_index(m, 0));
    bool fits = emit_literal(limit, &whole) && emit_literal(cols, &most) && whole <= most;
    return fits ? left : emit_binary(m, IR_MIN, left, cols);
}

/* The columns in the type of a ragged load from a peer, which never goes beyond the window's data;
 * an aligned FP16 load may go up to 15 elements beyond its memory, where nothing else lies. */
static struct ir_expr *peer_columns(struct composite *m, const struct piece *p)
{
    const struct ir_type *t = p->window->type;
    const ir_exprs *part = composite_part(t);
    if (composite_is_half(m))
        return emit_binary(m, IR_MIN, rounded_up(m, p->simplified),
                           available(m, p, sum(m, t->shape.items[1], composite_alignment(m) - 1)));
    if (part)
        return emit_binary(m, IR_MIN, p->simplified, available(m, p, part->items[1]));
    return p->valid_cols;
}

/* An extent that is not known is no more than the tile's. */
static struct ir_expr *bounded(struct composite *m, struct ir_expr *extent, struct ir_expr *most)
{
    int64_t known;
    return emit_literal(extent, &known) ? extent : emit_binary(m, IR_MIN, extent, most);
}

/* A rectangle from a peer. */
static struct ir_expr *load_rectangle(struct composite *m, const struct piece *p,
                                      struct ir_expr *peer, const char *name)
{
    if (!p->valid)
        return emit_bind(
            m, name, EMIT_CALL(m, "pld.tile.remote_load", p->window, peer, p->offsets, p->shape));
    const ir_exprs *valid = &p->valid->items, *shape = &p->shape->items;
    struct ir_expr *part = p->shape;
    if (p->valid != p->shape)
        part = emit_pair(m, bounded(m, valid->items[0], shape->items[0]),
                         bounded(m, valid->items[1], shape->items[1]));
    return emit_bind_as(
        m, name, emit_tile_type(m, p->shape, part, 0),
        EMIT_CALL(m, "pld.tile.remote_load", p->window, peer, p->offsets, p->shape, p->valid));
}

/* A row from a peer, whose end is filled behind. */
static struct ir_expr *load_row(struct composite *m, const struct piece *p, struct ir_expr *peer,
                                const char *name)
{
    bool padded = composite_is_half(m);
    struct ir_expr *one = emit_index(m, 1);
    struct ir_expr *valid = padded ? emit_pair(m, one, rounded_up(m, p->valid_cols)) : p->valid;
    struct ir_expr *load =
        EMIT_CALL(m, "pld.tile.remote_load", p->window, peer, p->offsets, p->shape, valid);
    if (padded)
        emit_keyword(m, load, "allow_physical_tail_padding", ir_bool(m->arena, true, m->at));
    struct ir_expr *part = emit_pair(m, one, peer_columns(m, p));
    struct ir_expr *loaded = emit_bind_as(m, arena_printf(m->arena, "%s_loaded", name),
                                          emit_tile_type(m, p->shape, part, 0), load);
    if (padded)
        loaded = emit_bind_as(m, arena_printf(m->arena, "%s_tail", name),
                              emit_tile_type(m, p->shape, p->valid, 0),
                              EMIT_CALL(m, "tile.set_validshape", loaded, one, p->valid_cols));
    return filled(m, p, name, loaded);
}

struct ir_expr *emit_load_peer(struct composite *m, const struct piece *p, struct ir_expr *peer,
                               const char *name)
{
    return p->valid_cols ? load_row(m, p, peer, name) : load_rectangle(m, p, peer, name);
}

/* ---- reducing and storing ---- */

struct ir_expr *emit_reduce(struct composite *m, const char *name, struct ir_expr *acc,
                            struct ir_expr *other)
{
    static const struct {
        const char *member, *op;
    } reductions[] = {{"pld.ReduceOp.Sum", "tile.add"},
                      {"pld.ReduceOp.Max", "tile.maximum"},
                      {"pld.ReduceOp.Min", "tile.minimum"},
                      {"pld.ReduceOp.Prod", "tile.mul"}};
    const char *op = NULL;
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        if (ir_enum_find(reductions[i].member)->value == ir_call_int(m->call, "op"))
            op = reductions[i].op;
    return emit_bind_as(m, name, acc->type, EMIT_CALL(m, op, acc, other));
}

void emit_store_part(struct composite *m, const struct piece *p, const char *part,
                     const char *stored, struct ir_expr *value, struct ir_expr *valid_cols,
                     struct ir_expr *offsets)
{
    struct ir_expr *cut = EMIT_CALL(m, "tile.set_validshape", value, emit_index(m, 1), valid_cols);
    struct ir_expr *valid = emit_pair(m, emit_index(m, 1), valid_cols);
    struct ir_type *type = emit_tile_type(m, p->shape, valid, EMIT_TILE_VEC | EMIT_TILE_PADDED);
    struct ir_expr *tile = emit_bind_as(m, part, type, cut);
    emit_bind(m, stored, EMIT_CALL(m, "tile.store", tile, offsets, p->window));
}

/* ---- the target under two dimensions ---- */

static struct ir_expr *product(struct composite *m, const ir_exprs *extents, size_t n)
{
    struct ir_expr *all = extents->items[0];
    for (size_t i = 1; i < n; i++)
        all = emit_times(m, all, extents->items[i]);
    return all;
}

struct ir_expr *emit_line(struct composite *m, const ir_exprs *extents)
{
    return emit_pair(m, emit_index(m, 1), product(m, extents, extents->len));
}

struct ir_expr *emit_rectangle(struct composite *m, const ir_exprs *extents)
{
    if (extents->len == 1)
        return emit_line(m, extents);
    return emit_pair(m, product(m, extents, extents->len - 1), extents->items[extents->len - 1]);
}

struct ir_expr *emit_view(struct composite *m, struct ir_expr *shape, struct ir_expr *valid)
{
    struct ir_expr *view = valid ? EMIT_CALL(m, "tensor.view", m->target, shape, valid)
                                 : EMIT_CALL(m, "tensor.view", m->target, shape);
    return emit_bind(m, "target_2d", view);
}

struct ir_expr *emit_chunk_width(struct composite *m, const struct ir_expr *n)
{
    int64_t elements = 0, a = composite_alignment(m),
            most = COMPOSITE_CHUNK_BYTES * 8 / ir_dtype_bits(m->target->type->dtype);
    bool small = emit_literal(n, &elements) && elements > 0 && elements < most;
    return emit_index(m, small ? (elements + a - 1) / a * a : most);
}

struct ir_expr *emit_chunk_count(struct composite *m, struct ir_expr *n, struct ir_expr *width)
{
    struct ir_expr *up = emit_binary(m, IR_ADD, n, emit_binary(m, IR_SUB, width, emit_index(m, 1)));
    return emit_binary(m, IR_FLOORDIV, up, width);
}
