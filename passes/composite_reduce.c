/* SPDX-License-Identifier: MIT */
/* The collectives that reduce (pypto-facts 5.4, pypto-front-facts 3.7). */
#include "passes/composite.h"
#include "passes/lower_composite_ops.h"

#include <string.h>

/* A tile's row is a multiple of this many bytes, and so is what a peer's FP16 load transfers. */
enum { TILE_ALIGNMENT = 32 };

/* ---- a piece: what one tile holds ---- */

/*
 * Rows and columns of a window. When only a part is valid, the rest of the tile is filled with
 * zeros, so that a tile has one type whatever the part; valid_cols is that part's width.
 */
struct piece {
    struct ir_expr *window, *offsets, *shape;
    struct ir_expr *valid;      /* extents to load, or NULL: the shape */
    struct ir_expr *valid_cols; /* NULL: not filled */
    struct ir_expr *simplified; /* valid_cols as a type holds what arithmetic made of it */
};

static struct ir_expr *filled(struct composite *m, const struct piece *p, const char *name,
                              struct ir_expr *loaded)
{
    struct ir_expr *fill = EMIT_CALL(m, "tile.fillpad_inplace", loaded);
    emit_keyword(m, fill, "pad_value", emit_name(m, "pl.PadValue.zero"));
    return emit_bind_as(m, name,
                        emit_tile_type(m, p->shape, NULL, EMIT_TILE_VEC | EMIT_TILE_PADDED), fill);
}

/* The own data: `loaded` names what is loaded when it is filled behind. */
static struct ir_expr *load_own(struct composite *m, const struct piece *p, const char *loaded,
                                const char *name)
{
    struct ir_expr *load =
        EMIT_CALL(m, "tile.load", p->window, p->offsets, p->shape, p->valid ? p->valid : p->shape);
    emit_keyword(m, load, "target_memory", emit_name(m, "pl.Mem.Vec"));
    struct ir_type *type = emit_tile_type(m, p->shape, p->valid_cols, EMIT_TILE_VEC);
    return p->valid_cols ? filled(m, p, name, emit_bind_as(m, loaded, type, load))
                         : emit_bind_as(m, name, type, load);
}

/* ---- what is valid of a load from a peer ---- */

static bool is_half(const struct composite *m)
{
    return m->target->type->dtype == IR_FP16;
}

/* Elements of this rank's data in 32 bytes. */
static int64_t alignment(const struct composite *m)
{
    return TILE_ALIGNMENT * 8 / ir_dtype_bits(m->target->type->dtype);
}

static struct ir_expr *rounded_up(struct composite *m, struct ir_expr *x)
{
    int64_t a = alignment(m);
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

/* The valid part in the type of a load from a peer, which never goes beyond the window's data; an
 * aligned FP16 load may go up to 15 elements beyond its memory, where nothing else lies. */
static struct ir_expr *peer_part(struct composite *m, const struct piece *p)
{
    const struct ir_type *t = p->window->type;
    const ir_exprs *part = composite_part(t);
    if (is_half(m))
        return emit_binary(m, IR_MIN, rounded_up(m, p->simplified),
                           available(m, p, sum(m, t->shape.items[1], alignment(m) - 1)));
    if (part)
        return emit_binary(m, IR_MIN, p->simplified, available(m, p, part->items[1]));
    return p->valid_cols;
}

/* A peer's data, filled behind if only a part is valid. */
static struct ir_expr *load_peer(struct composite *m, const struct piece *p, struct ir_expr *peer,
                                 const char *name)
{
    struct arena *a = m->arena;
    if (!p->valid) {
        struct ir_expr *load =
            EMIT_CALL(m, "pld.tile.remote_load", p->window, peer, p->offsets, p->shape);
        return emit_bind(m, name, load);
    }
    bool padded = p->valid_cols && is_half(m);
    struct ir_expr *one = emit_index(m, 1);
    struct ir_expr *valid = padded ? emit_pair(m, one, rounded_up(m, p->valid_cols)) : p->valid;
    struct ir_expr *load =
        EMIT_CALL(m, "pld.tile.remote_load", p->window, peer, p->offsets, p->shape, valid);
    if (!p->valid_cols)
        return emit_bind(m, name, load);
    if (padded) {
        struct ir_expr *yes = ir_expr_new(a, IR_BOOLEAN, m->at);
        yes->boolean = true;
        yes->type = ir_scalar_type(IR_BOOL);
        emit_keyword(m, load, "allow_physical_tail_padding", yes);
    }
    struct ir_expr *loaded = emit_bind_as(m, arena_printf(a, "%s_loaded", name),
                                          emit_tile_type(m, p->shape, peer_part(m, p), 0), load);
    if (padded)
        loaded = emit_bind_as(m, arena_printf(a, "%s_tail", name),
                              emit_tile_type(m, p->shape, p->valid_cols, 0),
                              EMIT_CALL(m, "tile.set_validshape", loaded, one, p->valid_cols));
    return filled(m, p, name, loaded);
}

/* ---- reducing and storing ---- */

static struct ir_expr *reduce(struct composite *m, const char *name, struct ir_expr *acc,
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

/* The own piece and that of each peer, reduced. */
static struct ir_expr *reduce_ranks(struct composite *m, const struct piece *p)
{
    struct ir_expr *own = load_own(m, p, "acc_loaded", "acc_initial");
    struct ir_expr *peer = emit_for_ranks(m, "peer"), *acc = emit_carry(m, own);
    emit_if_other(m, peer);
    emit_else(m, reduce(m, "acc_next", acc, load_peer(m, p, peer, "recv")));
    return emit_end_with(m, emit_end_with(m, acc));
}

/* The reduced rectangle goes back once every rank has read its part of it. */
static void reduce_rectangle(struct composite *m, const struct piece *p)
{
    emit_barrier(m, "");
    struct ir_expr *reduced = reduce_ranks(m, p);
    emit_barrier(m, "2");
    emit_bind(m, "store_ret", EMIT_CALL(m, "tile.store", reduced, p->offsets, p->window));
    emit_take_back(m, NULL, emit_int32(m, m->barriers));
}

void composite_reduce_scatter(struct composite *m)
{
    struct piece p = {.window = m->target,
                      .offsets = emit_pair(m, m->my_rank, emit_index(m, 0)),
                      .shape = emit_pair(m, emit_index(m, 1), m->target->type->shape.items[1])};
    reduce_rectangle(m, &p);
}

/* The filled tile's valid part goes back. */
static void store_part(struct composite *m, const struct piece *p, const char *part,
                       const char *stored, struct ir_expr *value, struct ir_expr *valid_cols,
                       struct ir_expr *offsets)
{
    struct ir_expr *cut = EMIT_CALL(m, "tile.set_validshape", value, emit_index(m, 1), valid_cols);
    struct ir_type *type =
        emit_tile_type(m, p->shape, valid_cols, EMIT_TILE_VEC | EMIT_TILE_PADDED);
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

/* [1, N] */
static struct ir_expr *as_line(struct composite *m, const ir_exprs *extents)
{
    return emit_pair(m, emit_index(m, 1), product(m, extents, extents->len));
}

/* [rows, columns], all dimensions but the last being rows. */
static struct ir_expr *as_rectangle(struct composite *m, const ir_exprs *extents)
{
    if (extents->len == 1)
        return as_line(m, extents);
    return emit_pair(m, product(m, extents, extents->len - 1), extents->items[extents->len - 1]);
}

static struct ir_expr *list_of(struct composite *m, const struct ir_expr *pair)
{
    struct ir_expr *list = ir_expr_new(m->arena, IR_LIST, m->at);
    list->items = pair->items;
    return list;
}

/* The target as packed rows of that shape, of which a part may be valid. */
static struct ir_expr *view_target(struct composite *m, struct ir_expr *shape,
                                   struct ir_expr *valid)
{
    struct ir_expr *view = valid ? EMIT_CALL(m, "tensor.view", m->target, shape, valid)
                                 : EMIT_CALL(m, "tensor.view", m->target, shape);
    struct ir_type *t = arena_dup(m->arena, m->target->type, sizeof *t);
    struct ir_expr *packed = ir_expr_new(m->arena, IR_CALL, m->at);
    packed->call.callee = IR_CALLEE_UNKNOWN;
    packed->call.name = packed->call.written = "TensorView";
    if (valid)
        emit_keyword(m, packed, "valid_shape", list_of(m, valid));
    emit_keyword(m, packed, "stride",
                 list_of(m, emit_pair(m, shape->items.items[1], emit_index(m, 1))));
    emit_keyword(m, packed, "layout", emit_name(m, "pl.TensorLayout.ND"));
    t->shape = shape->items;
    t->annots.items = NULL;
    t->annots.len = t->annots.cap = 0;
    vec_push(m->arena, &t->annots, packed);
    return emit_bind_as(m, "target_2d", t, view);
}

/* The width of a chunk of n elements in all: what 16 KiB hold, or, when it is known to be less, n
 * rounded up to what a tile's row needs. */
static struct ir_expr *chunk_width(struct composite *m, const struct ir_expr *n)
{
    int64_t elements = 0, a = alignment(m),
            most = COMPOSITE_CHUNK_BYTES * 8 / ir_dtype_bits(m->target->type->dtype);
    bool small = emit_literal(n, &elements) && elements > 0 && elements < most;
    return emit_index(m, small ? (elements + a - 1) / a * a : most);
}

/* (n + (width - 1)) // width, as the compiler leaves it. */
static struct ir_expr *chunk_count(struct composite *m, struct ir_expr *n, struct ir_expr *width)
{
    struct ir_expr *up = emit_binary(m, IR_ADD, n, emit_binary(m, IR_SUB, width, emit_index(m, 1)));
    return emit_binary(m, IR_FLOORDIV, up, width);
}

/* ---- mesh ---- */

/* A part of the rows: one rectangle, in the smallest tile that is known to hold it. */
static void reduce_part(struct composite *m, const ir_exprs *part)
{
    struct ir_expr *shape = as_rectangle(m, &m->target->type->shape),
                   *valid = as_rectangle(m, part);
    int64_t rows, cols;
    bool known =
        emit_literal(valid->items.items[0], &rows) && emit_literal(valid->items.items[1], &cols);
    struct piece p = {.window = view_target(m, shape, valid),
                      .offsets = emit_pair(m, emit_index(m, 0), emit_index(m, 0)),
                      .shape = known ? valid : shape,
                      .valid = valid};
    reduce_rectangle(m, &p);
}

/* Chunk k waits for barrier 2 + k, so that no rank stores what another has yet to read. */
static void reduce_chunk(struct composite *m, const struct piece *p, struct ir_expr *col,
                         struct ir_expr *width)
{
    struct ir_expr *reduced = reduce_ranks(m, p);
    struct ir_expr *number = emit_binary(m, IR_FLOORDIV, col, width);
    struct ir_expr *expected = emit_bind(
        m, "chunk_expected",
        emit_cast(m, emit_binary(m, IR_ADD, number, emit_index(m, m->barriers + 1)), IR_INT32));
    emit_barrier_at(m, "_chunk", NULL, expected);
    store_part(m, p, "store_value", "store_ret", reduced, p->valid_cols, p->offsets);
}

static void reduce_line(struct composite *m)
{
    struct ir_expr *line = as_line(m, &m->target->type->shape), *n = line->items.items[1];
    struct ir_expr *width = chunk_width(m, n), *window = view_target(m, line, NULL);
    int64_t elements, most;
    emit_barrier(m, "");
    struct ir_expr *col = emit_for(m, "col", n, width);
    struct ir_expr *left = emit_binary(m, IR_SUB, n, col);
    bool one = emit_literal(n, &elements) && emit_literal(width, &most) && elements <= most;
    struct ir_expr *valid = emit_binary(m, IR_MIN, width, left);
    struct piece p = {.window = window,
                      .offsets = emit_pair(m, emit_index(m, 0), col),
                      .shape = emit_pair(m, emit_index(m, 1), width),
                      .valid = emit_pair(m, emit_index(m, 1), valid),
                      .valid_cols = valid,
                      .simplified = one ? left : emit_binary(m, IR_MIN, left, width)};
    reduce_chunk(m, &p, col, width);
    emit_end(m);
    struct ir_expr *total =
        emit_binary(m, IR_ADD, emit_index(m, m->barriers), chunk_count(m, n, width));
    emit_take_back(m, NULL, emit_bind(m, "allreduce_reset_total", emit_cast(m, total, IR_INT32)));
}

void composite_mesh_allreduce(struct composite *m)
{
    const ir_exprs *part = composite_part(m->target->type);
    if (part)
        reduce_part(m, part);
    else
        reduce_line(m);
}

/* ---- ring ---- */

/* What all steps of a ring share. */
struct ring {
    struct ir_expr *window;
    struct ir_expr *my_rank; /* INDEX */
    struct ir_expr *last;    /* ranks - 1 */
    struct ir_expr *size;    /* elements, cut into segments, */
    struct ir_expr *ranks;   /* as many as the signal has columns */
    struct ir_expr *most;    /* elements of the largest segment */
    struct ir_expr *width;   /* of a chunk */
};

/* One step: the segment that the left neighbour has ready. */
struct ring_step {
    const char *tag; /* in names: "rs" reduces, "ag" gathers */
    struct ir_expr *round, *left, *begin, *cols;
    bool reduces;
};

static const char *tagged(struct composite *m, const char *fmt, const struct ring_step *s)
{
    char name[64];
    snprintf(name, sizeof name, fmt, s->tag);
    return arena_strndup(m->arena, name, strlen(name));
}

/* x wrapped around the ring: (x + ranks) % ranks. */
static struct ir_expr *around(struct composite *m, struct ir_expr *x)
{
    return emit_binary(m, IR_MOD, emit_binary(m, IR_ADD, x, m->ranks), m->ranks);
}

/* Where segment i begins: floor(i * size / ranks); for FP16 the next multiple of 32 bytes, but no
 * more than the size, so that a peer's load starts where the hardware can. */
static struct ir_expr *boundary(struct composite *m, const struct ring *r, struct ir_expr *i)
{
    struct ir_expr *scaled = emit_binary(m, IR_MUL, i, r->size);
    if (!is_half(m))
        return emit_binary(m, IR_FLOORDIV, scaled, r->ranks);
    struct ir_expr *step = emit_index(m, alignment(m)), *one = emit_index(m, 1);
    struct ir_expr *by = emit_binary(m, IR_MUL, r->ranks, step);
    struct ir_expr *up = emit_binary(m, IR_ADD, scaled, emit_binary(m, IR_SUB, by, one));
    struct ir_expr *aligned = emit_binary(m, IR_MUL, emit_binary(m, IR_FLOORDIV, up, by), step);
    return emit_binary(m, IR_MIN, aligned, r->size);
}

/* ceil(size / ranks); aligning FP16 boundaries can add 15 elements. */
static struct ir_expr *largest_segment(struct composite *m, const struct ring *r)
{
    int64_t size, ranks, rest = alignment(m) - 1;
    if (emit_literal(r->size, &size) && emit_literal(r->ranks, &ranks) && ranks > 0) {
        int64_t most = (size + ranks - 1) / ranks;
        if (is_half(m))
            most = most + rest < size ? most + rest : size;
        return emit_index(m, most);
    }
    struct ir_expr *most = chunk_count(m, r->size, r->ranks);
    return is_half(m)
               ? emit_binary(m, IR_MIN, r->size, emit_binary(m, IR_ADD, most, emit_index(m, rest)))
               : most;
}

/* Clamped to the size: a chunk that is there is not changed by it. */
static struct ir_expr *clamped(struct composite *m, const struct ring *r, struct ir_expr *x)
{
    struct ir_expr *left = emit_binary(m, IR_SUB, r->size, x);
    return emit_binary(m, IR_SUB, r->size, emit_binary(m, IR_MAX, emit_index(m, 0), left));
}

/* The chunk of a segment at col: at least one element, so that a tile has a type even where the
 * segment has ended. */
static struct piece ring_piece(struct composite *m, const struct ring *r, const struct ring_step *s,
                               struct ir_expr *col, struct ir_expr **width)
{
    struct ir_expr *one = emit_index(m, 1), *zero = emit_index(m, 0);
    struct ir_expr *left = emit_binary(m, IR_SUB, s->cols, col);
    *width = emit_binary(m, IR_MIN, r->width, left);
    struct ir_expr *loaded = emit_binary(m, IR_MAX, one, *width);
    return (struct piece){.window = r->window,
                          .offsets = emit_pair(m, zero, emit_binary(m, IR_ADD, s->begin, col)),
                          .shape = emit_pair(m, one, r->width),
                          .valid = emit_pair(m, one, loaded),
                          .valid_cols = loaded,
                          .simplified =
                              emit_binary(m, IR_MAX, emit_binary(m, IR_MIN, left, r->width), one)};
}

/* What a step makes of its chunk: the neighbour's, reduced with the own one while reducing. Where
 * the segment has ended, the first elements stand for it. */
static struct ir_expr *ring_value(struct composite *m, const struct piece *p,
                                  const struct ring_step *s, struct ir_expr *active)
{
    emit_if(m, active);
    struct ir_expr *value = load_peer(m, p, s->left, tagged(m, "recv_%s", s));
    if (s->reduces) {
        struct ir_expr *own = load_own(m, p, tagged(m, "acc_%s_loaded", s), tagged(m, "acc_%s", s));
        value = reduce(m, tagged(m, "acc_%s_next", s), own, value);
    }
    emit_else(m, value);
    struct piece first = *p;
    first.offsets = emit_pair(m, emit_index(m, 0), emit_index(m, 0));
    const char *of = s->reduces ? "acc" : "recv";
    struct ir_expr *placeholder =
        load_own(m, &first, arena_printf(m->arena, "%s_%s_placeholder_loaded", of, s->tag),
                 arena_printf(m->arena, "%s_%s_placeholder", of, s->tag));
    return emit_end_with(m, placeholder);
}

/* One barrier when the neighbour's chunk is ready, one when all have read. Ranks whose segment has
 * ended keep the barriers. */
static void ring_chunk(struct composite *m, const struct ring *r, const struct ring_step *s,
                       struct ir_expr *col)
{
    struct ir_expr *active = emit_binary(m, IR_LT, col, s->cols), *width;
    struct piece p = ring_piece(m, r, s, col, &width);
    struct ir_expr *number = emit_binary(m, IR_FLOORDIV, col, r->width), *one = emit_index(m, 1);
    struct ir_expr *ready =
        emit_binary(m, IR_ADD, emit_binary(m, IR_MUL, number, emit_index(m, 2)), one);
    emit_barrier_at(m, tagged(m, "_%s_ready", s), s->round,
                    emit_bind(m, tagged(m, "%s_ready_epoch", s), emit_cast(m, ready, IR_INT32)));
    struct ir_expr *value = ring_value(m, &p, s, active);
    struct ir_expr *read = emit_binary(m, IR_ADD, ready, one);
    emit_barrier_at(m, tagged(m, "_%s_read", s), s->round,
                    emit_bind(m, tagged(m, "%s_read_epoch", s), emit_cast(m, read, IR_INT32)));
    emit_if(m, active);
    struct ir_expr *at = clamped(m, r, p.offsets->items.items[1]);
    struct ir_expr *end = clamped(m, r, emit_binary(m, IR_ADD, at, width));
    store_part(m, &p, tagged(m, s->reduces ? "acc_%s_valid" : "recv_%s_valid", s),
               tagged(m, "store_%s", s), value, emit_binary(m, IR_SUB, end, at),
               emit_pair(m, emit_index(m, 0), at));
    emit_end(m);
}

static void ring_segment(struct composite *m, const struct ring *r, struct ring_step *s,
                         struct ir_expr *segment)
{
    struct ir_expr *next = emit_binary(m, IR_ADD, segment, emit_index(m, 1));
    s->begin = emit_bind(m, tagged(m, "%s_segment_begin", s), boundary(m, r, segment));
    struct ir_expr *end = emit_bind(m, tagged(m, "%s_segment_end", s), boundary(m, r, next));
    s->cols = emit_bind(m, tagged(m, "%s_segment_cols", s), emit_binary(m, IR_SUB, end, s->begin));
    struct ir_expr *col = emit_for(m, tagged(m, "%s_col", s), r->most, r->width);
    ring_chunk(m, r, s, col);
    emit_end(m);
}

static struct ir_expr *left_neighbour(struct composite *m, const struct ring *r, const char *name)
{
    struct ir_expr *left = emit_binary(m, IR_SUB, r->my_rank, emit_index(m, 1));
    return emit_bind(m, name, around(m, left));
}

/* Step s of ranks - 1: segment my_rank - s - 1 comes from the left, and the own part is added. */
static void ring_reduce(struct composite *m, const struct ring *r)
{
    struct ring_step s = {.tag = "rs", .reduces = true};
    struct ir_expr *one = emit_index(m, 1);
    s.round = emit_for(m, "rs_step", r->last, one);
    struct ir_expr *step = emit_bind(m, "step", emit_binary(m, IR_ADD, s.round, one));
    struct ir_expr *behind = emit_binary(m, IR_SUB, emit_binary(m, IR_SUB, r->my_rank, step), one);
    struct ir_expr *segment = emit_bind(m, "recv_add_idx", around(m, behind));
    s.left = left_neighbour(m, r, "left");
    ring_segment(m, r, &s, segment);
    emit_end(m);
}

/* Step s of ranks - 1: segment my_rank - s comes from the left, complete. */
static void ring_gather(struct composite *m, const struct ring *r)
{
    struct ring_step s = {.tag = "ag"};
    struct ir_expr *one = emit_index(m, 1), *loop = emit_for(m, "ag_step", r->last, one);
    struct ir_expr *step = emit_bind(m, "ag_step_val", emit_binary(m, IR_ADD, loop, one));
    s.round = emit_bind(m, "ag_round", emit_binary(m, IR_ADD, loop, r->last));
    struct ir_expr *behind = emit_binary(m, IR_SUB, r->my_rank, step);
    struct ir_expr *segment = emit_bind(m, "ag_segment_idx", around(m, behind));
    s.left = left_neighbour(m, r, "ag_left");
    ring_segment(m, r, &s, segment);
    emit_end(m);
}

void composite_ring_allreduce(struct composite *m)
{
    const ir_exprs *shape = &m->target->type->shape, *part = composite_part(m->target->type);
    struct ir_expr *valid = part ? as_line(m, part) : NULL, *line = as_line(m, shape);
    struct ring r = {.my_rank = emit_bind(m, "my_rank_idx", emit_cast(m, m->my_rank, IR_INDEX)),
                     .size = (valid ? valid : line)->items.items[1],
                     .ranks = m->signal->type->shape.items[1]};
    r.most = largest_segment(m, &r);
    r.width = chunk_width(m, r.most);
    r.window = view_target(m, line, valid);
    r.last = emit_bind(m, "nr_minus_one", emit_binary(m, IR_SUB, m->ranks, emit_index(m, 1)));
    ring_reduce(m, &r);
    ring_gather(m, &r);
    struct ir_expr *total =
        emit_binary(m, IR_MUL, emit_index(m, 2), chunk_count(m, r.most, r.width));
    emit_take_back(m, m->signal->type->shape.items[0],
                   emit_bind(m, "ring_reset_total", emit_cast(m, total, IR_INT32)));
}
