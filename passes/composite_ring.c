/* SPDX-License-Identifier: MIT */
/*
 * The ring allreduce (pypto-facts 5.4, pypto-front-facts 3.7): in each step a rank takes a segment
 * from its left neighbour, P-1 times to reduce it, P-1 times to have it.
 */
#include "passes/composite.h"

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

/* The tag between two parts of a name. */
static const char *tagged(struct composite *m, const char *before, const struct ring_step *s,
                          const char *after)
{
    return arena_printf(m->arena, "%s%s%s", before, s->tag, after);
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
    if (!composite_is_half(m))
        return emit_binary(m, IR_FLOORDIV, scaled, r->ranks);
    struct ir_expr *step = emit_index(m, composite_alignment(m)), *one = emit_index(m, 1);
    struct ir_expr *by = emit_binary(m, IR_MUL, r->ranks, step);
    struct ir_expr *up = emit_binary(m, IR_ADD, scaled, emit_binary(m, IR_SUB, by, one));
    struct ir_expr *aligned = emit_binary(m, IR_MUL, emit_binary(m, IR_FLOORDIV, up, by), step);
    return emit_binary(m, IR_MIN, aligned, r->size);
}

/* ceil(size / ranks); aligning FP16 boundaries can add 15 elements. */
static struct ir_expr *largest_segment(struct composite *m, const struct ring *r)
{
    int64_t size, ranks, rest = composite_alignment(m) - 1;
    if (emit_literal(r->size, &size) && emit_literal(r->ranks, &ranks) && ranks > 0) {
        int64_t most = (size + ranks - 1) / ranks;
        if (composite_is_half(m))
            most = most + rest < size ? most + rest : size;
        return emit_index(m, most);
    }
    struct ir_expr *most = emit_chunk_count(m, r->size, r->ranks);
    return composite_is_half(m)
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
    struct ir_expr *value = emit_load_peer(m, p, s->left, tagged(m, "recv_", s, ""));
    if (s->reduces) {
        struct ir_expr *own =
            emit_load_own(m, p, tagged(m, "acc_", s, "_loaded"), tagged(m, "acc_", s, ""));
        value = emit_reduce(m, tagged(m, "acc_", s, "_next"), own, value);
    }
    emit_else(m, value);
    struct piece first = *p;
    first.offsets = emit_pair(m, emit_index(m, 0), emit_index(m, 0));
    const char *of = s->reduces ? "acc" : "recv";
    struct ir_expr *placeholder =
        emit_load_own(m, &first, arena_printf(m->arena, "%s_%s_placeholder_loaded", of, s->tag),
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
    emit_barrier_at(m, tagged(m, "_", s, "_ready"), s->round,
                    emit_bind(m, tagged(m, "", s, "_ready_epoch"), emit_cast(m, ready, IR_INT32)));
    struct ir_expr *value = ring_value(m, &p, s, active);
    struct ir_expr *read = emit_binary(m, IR_ADD, ready, one);
    emit_barrier_at(m, tagged(m, "_", s, "_read"), s->round,
                    emit_bind(m, tagged(m, "", s, "_read_epoch"), emit_cast(m, read, IR_INT32)));
    emit_if(m, active);
    struct ir_expr *at = clamped(m, r, p.offsets->items.items[1]);
    struct ir_expr *end = clamped(m, r, emit_binary(m, IR_ADD, at, width));
    emit_store_part(m, &p, tagged(m, s->reduces ? "acc_" : "recv_", s, "_valid"),
                    tagged(m, "store_", s, ""), value, emit_binary(m, IR_SUB, end, at),
                    emit_pair(m, emit_index(m, 0), at));
    emit_end(m);
}

static void ring_segment(struct composite *m, const struct ring *r, struct ring_step *s,
                         struct ir_expr *segment)
{
    struct ir_expr *next = emit_binary(m, IR_ADD, segment, emit_index(m, 1));
    s->begin = emit_bind(m, tagged(m, "", s, "_segment_begin"), boundary(m, r, segment));
    struct ir_expr *end = emit_bind(m, tagged(m, "", s, "_segment_end"), boundary(m, r, next));
    s->cols =
        emit_bind(m, tagged(m, "", s, "_segment_cols"), emit_binary(m, IR_SUB, end, s->begin));
    struct ir_expr *col = emit_for(m, tagged(m, "", s, "_col"), r->most, r->width);
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
    struct ir_expr *valid = part ? emit_line(m, part) : NULL, *line = emit_line(m, shape);
    struct ring r = {.my_rank = emit_bind(m, "my_rank_idx", emit_cast(m, m->my_rank, IR_INDEX)),
                     .size = (valid ? valid : line)->items.items[1],
                     .ranks = m->signal->type->shape.items[1]};
    r.most = largest_segment(m, &r);
    r.width = emit_chunk_width(m, r.most);
    r.window = emit_view(m, line, valid);
    r.last = emit_bind(m, "nr_minus_one", emit_binary(m, IR_SUB, m->ranks, emit_index(m, 1)));
    ring_reduce(m, &r);
    ring_gather(m, &r);
    struct ir_expr *total =
        emit_binary(m, IR_MUL, emit_index(m, 2), emit_chunk_count(m, r.most, r.width));
    emit_take_back(m, m->signal->type->shape.items[0],
                   emit_bind(m, "ring_reset_total", emit_cast(m, total, IR_INT32)));
}
