/* SPDX-License-Identifier: MIT */
/*
 * Which tiles are used in one order in every schedule (sim/tile_order.h). Tiles 0, 1, .. of a core, whose
 * instructions are issued once each, in the order of the text.
 */
#include "sim/tile_order.h"

#include "tests/sim/rig.h"

/* ---- by flags ---- */

static struct loc memory;

static void begin(struct builder *b)
{
    memory = var(b, "x", 1);
    core(b, 0);
    for (int t = 0; t < 3; t++)
        tile(b, 1);
}

static void flag(struct builder *b, enum pipe from, enum pipe to)
{
    set_flag(b, from, to, 0);
    wait_flag(b, from, to, 0);
}

static void load_then_add(struct builder *b)
{
    mte2(b, 0, memory);
    tile_op(b, TILE_ADD, 1, 0, 0);
}

static void load_flag_add(struct builder *b)
{
    mte2(b, 0, memory);
    flag(b, PIPE_MTE2, PIPE_V);
    tile_op(b, TILE_ADD, 1, 0, 0);
}

/* The next load may overtake the addition that still reads the tile. */
static void load_again(struct builder *b)
{
    load_flag_add(b);
    mte2(b, 0, memory);
}

static void load_again_behind_flag(struct builder *b)
{
    load_flag_add(b);
    flag(b, PIPE_V, PIPE_MTE2);
    mte2(b, 0, memory);
}

/* By way of the scalar unit. */
static void scalar_between(struct builder *b)
{
    mte2(b, 0, memory);
    flag(b, PIPE_MTE2, PIPE_S);
    tile_op(b, TILE_ADD, 1, 0, 0);
}

/* The first wait is for the first set, behind which the second load is. */
static void set_too_early(struct builder *b)
{
    set_flag(b, PIPE_MTE2, PIPE_V, 0);
    mte2(b, 0, memory);
    set_flag(b, PIPE_MTE2, PIPE_V, 0);
    wait_flag(b, PIPE_MTE2, PIPE_V, 0);
    tile_op(b, TILE_ADD, 1, 0, 0);
}

static void set_too_early_awaited_twice(struct builder *b)
{
    set_flag(b, PIPE_MTE2, PIPE_V, 0);
    mte2(b, 0, memory);
    set_flag(b, PIPE_MTE2, PIPE_V, 0);
    wait_flag(b, PIPE_MTE2, PIPE_V, 0);
    wait_flag(b, PIPE_MTE2, PIPE_V, 0);
    tile_op(b, TILE_ADD, 1, 0, 0);
}

static void another_id(struct builder *b)
{
    mte2(b, 0, memory);
    set_flag(b, PIPE_MTE2, PIPE_V, 0);
    wait_flag(b, PIPE_MTE2, PIPE_V, 1);
    tile_op(b, TILE_ADD, 1, 0, 0);
}

/* ---- by barriers ---- */

static void barrier_all(struct builder *b)
{
    mte2(b, 0, memory);
    barrier(b, PIPE_ALL);
    tile_op(b, TILE_ADD, 1, 0, 0);
}

static void barrier_of_one(struct builder *b)
{
    mte2(b, 0, memory);
    barrier(b, PIPE_MTE2);
    tile_op(b, TILE_ADD, 1, 0, 0);
}

static void barrier_of_another(struct builder *b)
{
    mte2(b, 0, memory);
    barrier(b, PIPE_V);
    tile_op(b, TILE_ADD, 1, 0, 0);
}

/* ---- reads, units and views ---- */

static void two_readers(struct builder *b)
{
    load_flag_add(b);
    set_flag(b, PIPE_MTE2, PIPE_MTE3, 0);
    wait_flag(b, PIPE_MTE2, PIPE_MTE3, 0);
    mte3(b, memory, 0);
}

static void same_pipe(struct builder *b)
{
    tile_op(b, TILE_ADD, 1, 0, 0);
    tile_op(b, TILE_ADD, 0, 1, 1);
}

static void scalar_store(struct builder *b)
{
    tile_st(b, 2, 0, 5);
    mte3(b, memory, 2);
}

static void scalar_load(struct builder *b)
{
    mte2(b, 2, memory);
    tile_ld(b, 1, 2, 0);
}

/* Tile 3 lies in the memory of tile 0. */
static void view(struct builder *b)
{
    mte2(b, tile(b, 1), memory);
    b->parts[0].tiles.items[3].view_of = 1;
    tile_op(b, TILE_ADD, 1, 0, 0);
}

static const struct {
    const char *name;
    void (*write)(struct builder *b);
    bool blocking; /* a barrier of one pipe holds the scalar unit */
    uint64_t mixed;
} rows[] = {
    {"nothing orders them", load_then_add, false, 1 << 0},
    {"a flag", load_flag_add, false, 0},
    {"a write behind a read of another pipe", load_again, false, 1 << 0},
    {"and a flag back", load_again_behind_flag, false, 0},
    {"a flag to the scalar unit", scalar_between, false, 0},
    {"a set that was left over", set_too_early, false, 1 << 0},
    {"it is taken first", set_too_early_awaited_twice, false, 0},
    {"a flag that nothing sets", another_id, false, 0},
    {"a barrier of all pipes", barrier_all, false, 0},
    {"a barrier in the pipe's queue", barrier_of_one, false, 1 << 0},
    {"a barrier that holds the unit", barrier_of_one, true, 0},
    {"a barrier of another pipe", barrier_of_another, true, 1 << 0},
    {"reads of two pipes", two_readers, false, 0},
    {"one pipe keeps its order", same_pipe, false, 0},
    {"what the unit stores before it issues", scalar_store, false, 0},
    {"what it loads without waiting", scalar_load, false, 1 << 2},
    {"two names of one memory", view, false, 1 << 0},
};

Test(tile_order, by_hand)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = {0};
        struct builder b = {.arena = &a};
        begin(&b);
        rows[i].write(&b);
        const struct program *p = built(&b);
        struct contract k = {.pipe_barrier =
                                 rows[i].blocking ? BARRIER_SCALAR_BLOCKING : BARRIER_QUEUE_LOCAL};
        struct tile_order *order = tile_order_new(&a, p, &k);
        for (int n = 0; n < p->cores[0].code->count; n++)
            tile_order_step(order, 0, &p->cores[0].code->insns[n]);
        cr_expect(tile_order_mixed(order, 0) == rows[i].mixed, "%s: %#llx", rows[i].name,
                  (unsigned long long)tile_order_mixed(order, 0));
        arena_free(&a);
    }
}
