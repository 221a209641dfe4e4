/* SPDX-License-Identifier: MIT */
/* The collectives that move data, and the barrier alone (pypto-facts
 * 5.4, pypto-front-facts 3.7). */
#include "ir/infer.h"
#include "passes/composite.h"

/* One barrier, taken back at the end of the call. */
static void barrier_and_end(struct composite *m)
{
    emit_barrier(m, "");
    emit_take_back(m, NULL, emit_int32(m, m->barriers));
}

void composite_barrier(struct composite *m)
{
    barrier_and_end(m);
}

static struct ir_expr *target_extent(const struct composite *m, size_t i)
{
    return m->target->type->shape.items[i];
}

/* A tile through which puts and gets copy. */
static struct ir_expr *emit_stage(struct composite *m, const char *name, struct ir_expr *shape)
{
    struct ir_expr *stage = EMIT_CALL(m, "tile.create", shape);
    enum ir_dtype dtype = m->target->type->dtype;
    emit_keyword(m, stage, "dtype",
                 emit_name(m, arena_printf(m->arena, "pl.%s", ir_dtype_name(dtype))));
    emit_keyword(m, stage, "target_memory", emit_name(m, "pl.Mem.Vec"));
    stage->type = ir_infer_call(m->arena, &stage->call);
    return emit_bind_as(m, name, emit_tile_type(m, shape, NULL, EMIT_TILE_VEC), stage);
}

/* Every rank copies from the root, which copies from itself. Nothing keeps the root's next write
 * from what a slow rank still copies (pypto-facts I5). */
void composite_broadcast(struct composite *m)
{
    const ir_exprs *shape = &m->target->type->shape;
    struct ir_expr *rows = emit_index(m, 1);
    for (size_t i = 0; i + 1 < shape->len; i++)
        rows = emit_times(m, rows, shape->items[i]);
    emit_barrier(m, "");
    struct ir_expr *stage =
        emit_stage(m, "bcast_stage", emit_pair(m, rows, shape->items[shape->len - 1]));
    struct ir_expr *root = emit_int32(m, ir_call_int(m->call, "root"));
    emit_bind(m, "get_ret", EMIT_CALL(m, "pld.tile.get", m->target, root, m->target, stage));
    emit_take_back(m, NULL, emit_int32(m, m->barriers));
}

static void emit_put(struct composite *m, const char *name, struct ir_expr *peer,
                     struct ir_expr *stage, struct ir_expr *to_row, struct ir_expr *from_row,
                     struct ir_expr *shape)
{
    struct ir_expr *zero = emit_index(m, 0);
    struct ir_expr *put =
        EMIT_CALL(m, "pld.tile.put", m->target, peer, m->call->args.items[0], stage,
                  emit_pair(m, to_row, zero), emit_pair(m, from_row, zero), shape);
    emit_keyword(m, put, "atomic", emit_index(m, ir_enum_find("pl.AtomicType.None_")->value));
    emit_bind(m, name, put);
}

static struct ir_expr *one_row(struct composite *m)
{
    return emit_pair(m, emit_index(m, 1), target_extent(m, 1));
}

void composite_allgather(struct composite *m)
{
    struct ir_expr *row = one_row(m), *stage = emit_stage(m, "ag_stage", row);
    struct ir_expr *peer = emit_for_ranks(m, "peer");
    emit_put(m, "push", peer, stage, m->my_rank, emit_index(m, 0), row);
    emit_end(m);
    barrier_and_end(m);
}

void composite_all_to_all(struct composite *m)
{
    struct ir_expr *row = one_row(m), *stage = emit_stage(m, "aa_stage", row);
    struct ir_expr *dest = emit_for_ranks(m, "dest");
    emit_put(m, "aa_put", dest, stage, m->my_rank, dest, row);
    emit_end(m);
    barrier_and_end(m);
}

/* How many rows go to dest: what the caller asks for, but no more than the receiver has room for.
 * The receiver is told; its count is set, not added to. */
static void emit_count(struct composite *m, struct ir_expr *dest, struct ir_expr *most)
{
    struct ir_expr *counts = ir_call_arg(m->call, "send_counts");
    struct ir_expr *zero = emit_index(m, 0), *at = emit_pair(m, dest, zero);
    if (counts->type->shape.len == 1)
        at->items.len = 1;
    struct ir_expr *count = emit_bind(m, "aav_count", EMIT_CALL(m, "tensor.read", counts, at));
    struct ir_expr *rows =
        emit_bind(m, "aav_rows", emit_binary(m, IR_MIN, emit_cast(m, count, IR_INDEX), most));
    struct ir_expr *told = emit_bind(m, "aav_count_i32", emit_cast(m, rows, IR_INT32));
    struct ir_expr *notify = EMIT_CALL(m, "pld.system.notify", ir_call_arg(m->call, "recv_counts"),
                                       dest, emit_pair(m, m->my_rank, zero), told);
    emit_keyword(m, notify, "op", emit_index(m, ir_enum_find("pld.NotifyOp.Set")->value));
    emit_bind(m, "aav_count_notify", notify);
}

/* All of a rank's rows are copied; how many of them mean something, the count says. */
void composite_all_to_all_v(struct composite *m)
{
    struct ir_expr *most = emit_quotient(m, target_extent(m, 0), m->signal->type->shape.items[0]);
    struct ir_expr *stage = emit_stage(m, "aav_stage", one_row(m));
    struct ir_expr *dest = emit_for_ranks(m, "dest");
    emit_count(m, dest, most);
    emit_put(m, "aav_put", dest, stage,
             emit_binary(m, IR_MUL, emit_cast(m, m->my_rank, IR_INDEX), most),
             emit_binary(m, IR_MUL, dest, most), emit_pair(m, most, target_extent(m, 1)));
    emit_end(m);
    barrier_and_end(m);
}
