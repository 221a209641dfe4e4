/* SPDX-License-Identifier: MIT */
#include "tests/sim/random.h"

const char *const random_models[RANDOM_MODELS] = {
    "sc", "benign", "a2a3", "a2a3-blocking", "a2a3-fifo", "a2a3-evict", "weakest"};

/* Registers that hold addresses; the others are the menu's. */
enum { ADDRESS_REG = TEST_REGS - 1, VALUE_REGS = ADDRESS_REG };

struct menu {
    struct builder *b;
    struct rng *rng;
    struct loc x, y, s; /* x: two words of a line */
    int reg, t;
    bool registers; /* most accesses go to an address in a register */
    enum lane lane; /* of the core, or none */
};

static int below(struct menu *m, int n)
{
    return (int)rng_below(m->rng, (uint64_t)n);
}

static struct loc some_word(struct menu *m)
{
    struct loc at[] = {m->x, word(m->x, 1), m->y};
    return on(at[below(m, 3)], below(m, 2));
}

static enum pipe some_pipe(struct menu *m)
{
    static const enum pipe p[] = {PIPE_ALL, PIPE_MTE2, PIPE_MTE3, PIPE_V};
    return p[below(m, 4)];
}

/* The address register gets the address of x: as a constant, or of x or the word at a distance
 * from it, as the last bit of what was loaded last says. */
static void make_address(struct menu *m, struct loc x)
{
    struct builder *b = m->b;
    const int64_t distances[] = {4, address(b, m->y) - address(b, m->x),
                                 (int64_t)gm_addr(1, 0) - (int64_t)gm_addr(0, 0)};
    if (m->reg == 0 || below(m, 2)) {
        li(b, ADDRESS_REG, address(b, x));
        return;
    }
    bool over_ranks = below(m, 3) == 0;
    alu(b, ADDRESS_REG, ALU_AND, (m->reg - 1) % VALUE_REGS, 1);
    alu(b, ADDRESS_REG, ALU_MUL, ADDRESS_REG, distances[over_ranks ? 2 : below(m, 2)]);
    alu(b, ADDRESS_REG, ALU_ADD, ADDRESS_REG, address(b, over_ranks ? on(x, 0) : on(m->x, x.rank)));
}

static struct insn *scalar_access(struct menu *m, struct loc x)
{
    struct builder *b = m->b;
    switch (below(m, 6)) {
    case 0:
        return ld(b, m->reg++ % VALUE_REGS, x);
    case 1:
        return ld_dev(b, m->reg++ % VALUE_REGS, x);
    case 2:
        return st(b, x, 1 + below(m, 9));
    case 3:
        return st_dev(b, x, 1 + below(m, 9));
    case 4:
        return st_atomic(b, x, 1 + below(m, 9));
    default:
        return dcci(b, x);
    }
}

static void add_scalar(struct menu *m)
{
    struct loc x = some_word(m);
    bool by_register = m->registers && below(m, 4);
    if (by_register)
        make_address(m, x);
    struct insn *i = scalar_access(m, x);
    if (by_register)
        through(i, ADDRESS_REG);
}

static void add_order(struct menu *m)
{
    struct builder *b = m->b;
    switch (below(m, 5)) {
    case 0:
        dsb(b);
        break;
    case 1:
        barrier(b, some_pipe(m));
        break;
    case 2:
        dcci_all(b);
        break;
    case 3:
        post_add(b, on(m->s, below(m, 2)), 1);
        break;
    case 4:
        wait_ge(b, m->s, 1);
        break;
    }
}

static void add_pipe_op(struct menu *m)
{
    struct builder *b = m->b;
    switch (below(m, 6)) {
    case 0:
        mte2(b, m->t, some_word(m));
        break;
    case 1:
        mte3(b, some_word(m), m->t);
        break;
    case 2:
        mte3_add(b, some_word(m), m->t);
        break;
    case 3:
        set_flag(b, PIPE_MTE2, PIPE_MTE3, 0);
        break;
    case 4:
        wait_flag(b, PIPE_MTE2, PIPE_MTE3, 0);
        break;
    case 5:
        tile_st(b, m->t, 0, 1 + below(m, 9));
        break;
    }
}

/* A core sets more flags than it waits for, so that most programs go on. */
static void add_cross(struct menu *m)
{
    static const enum pipe pipes[] = {PIPE_MTE3, PIPE_MTE2, PIPE_S};
    struct builder *b = m->b;
    switch (below(m, 7)) {
    case 0:
    case 1:
    case 2:
        set_cross(b, pipes[below(m, 3)], CROSS_CLUSTER, 0);
        break;
    case 3:
        set_cross(b, pipes[below(m, 3)], (enum cross_mode)below(m, CROSS_MODES), 1);
        break;
    case 4:
        wait_cross(b, below(m, 2));
        break;
    case 5:
        poll_dev(b, m->s, 1);
        break;
    case 6:
        set_atomic(b, below(m, 2));
        break;
    }
}

/* Of some seeds the cores are lanes: those of a cluster, or of two, of one rank. */
static enum lane start_core(struct menu *m, uint64_t seed, int index)
{
    bool lanes = seed % 4 == 3;
    enum lane l = (enum lane)(LANE_AIC + index % 3);
    if (lanes)
        lane(m->b, 0, index / 3, l);
    else
        core(m->b, index % 2);
    return lanes ? l : LANE_NONE;
}

static const struct program *random_program(struct arena *a, uint64_t seed, int cores, int length,
                                            bool registers)
{
    struct builder b = {.arena = a};
    struct rng rng = rng_make(seed, 77);
    struct menu m = {.b = &b, .rng = &rng, .registers = registers};
    m.x = var(&b, "x", 2), m.y = var(&b, "y", 1), m.s = var(&b, "s", 1);
    for (int c = 0; c < cores; c++) {
        m.lane = start_core(&m, seed, c);
        m.reg = 0;
        m.t = tile(&b, 1);
        for (int i = 0; i < length; i++) {
            static void (*const add[])(struct menu * m) = {add_scalar, add_scalar, add_order,
                                                           add_pipe_op};
            if (m.lane != LANE_NONE && below(&m, 3) == 0)
                add_cross(&m);
            else
                add[below(&m, 4)](&m);
        }
    }
    return built(&b);
}

void open_random_keys(struct rig *r, uint64_t seed, int cores, int length, const char *model,
                      const struct key *keys)
{
    *r = (struct rig){0};
    rig_open_program(r, random_program(&r->arena, seed, cores, length, false), model, keys, false);
}

void open_random_registers(struct rig *r, uint64_t seed, int cores, int length, const char *model,
                           const struct key *keys)
{
    *r = (struct rig){0};
    rig_open_program(r, random_program(&r->arena, seed, cores, length, true), model, keys, false);
}

void open_random(struct rig *r, uint64_t seed, int cores, int length, const char *model)
{
    open_random_keys(r, seed, cores, length, model, NULL);
}

void open_random_judged(struct rig *r, uint64_t seed, int cores, int length, const char *model)
{
    *r = (struct rig){0};
    rig_open_program(r, random_program(&r->arena, seed, cores, length, seed % 2), model, NULL,
                     true);
}
