/* SPDX-License-Identifier: MIT */
/* The collectives in which each rank reads from all others: pypto-facts
 * 5.4, pypto-front-facts 3.7. */
#include "passes/composite.h"

/* The own piece and that of each peer, reduced. */
static struct ir_expr *reduce_ranks(struct composite *m, const struct piece *p)
{
    struct ir_expr *own = emit_load_own(m, p, "acc_loaded", "acc_initial");
    struct ir_expr *peer = emit_for_ranks(m, "peer"), *acc = emit_carry(m, own);
    emit_if_other(m, peer);
    emit_else(m, emit_reduce(m, "acc_next", acc, emit_load_peer(m, p, peer, "recv")));
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

/* ---- mesh ---- */

/* A part of the rows: one rectangle, in the smallest tile that is known to hold it. */
static void reduce_part(struct composite *m, const ir_exprs *part)
{
    struct ir_expr *shape = emit_rectangle(m, &m->target->type->shape),
                   *valid = emit_rectangle(m, part);
    int64_t rows, cols;
    bool known =
        emit_literal(valid->items.items[0], &rows) && emit_literal(valid->items.items[1], &cols);
    struct piece p = {.window = emit_view(m, shape, valid),
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
    emit_store_part(m, p, "store_value", "store_ret", reduced, p->valid_cols, p->offsets);
}

static void reduce_line(struct composite *m)
{
    struct ir_expr *line = emit_line(m, &m->target->type->shape), *n = line->items.items[1];
    struct ir_expr *width = emit_chunk_width(m, n), *window = emit_view(m, line, NULL);
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
        emit_binary(m, IR_ADD, emit_index(m, m->barriers), emit_chunk_count(m, n, width));
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
