/* SPDX-License-Identifier: MIT */
#include "tests/sim/random.h"

const char *const random_models[RANDOM_MODELS] = {
    "sc", "benign", "a2a3", "a2a3-blocking", "a2a3-fifo", "a2a3-evict", "weakest"};

struct menu {
    struct builder *b;
    struct rng *rng;
    struct loc x, y, s; /* x: two words of a line */
    int reg, t;
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

static void add_scalar(struct menu *m)
{
    struct builder *b = m->b;
    switch (below(m, 6)) {
    case 0:
        ld(b, m->reg++ % TEST_REGS, some_word(m));
        break;
    case 1:
        ld_dev(b, m->reg++ % TEST_REGS, some_word(m));
        break;
    case 2:
        st(b, some_word(m), 1 + below(m, 9));
        break;
    case 3:
        st_dev(b, some_word(m), 1 + below(m, 9));
        break;
    case 4:
        st_atomic(b, some_word(m), 1 + below(m, 9));
        break;
    case 5:
        dcci(b, some_word(m));
        break;
    }
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

static const struct program *random_program(struct arena *a, uint64_t seed, int cores, int length)
{
    struct builder b = {.arena = a};
    struct rng rng = rng_make(seed, 77);
    struct menu m = {.b = &b, .rng = &rng};
    m.x = var(&b, "x", 2), m.y = var(&b, "y", 1), m.s = var(&b, "s", 1);
    for (int c = 0; c < cores; c++) {
        core(&b, c % 2);
        m.reg = 0;
        m.t = tile(&b, 1);
        for (int i = 0; i < length; i++) {
            static void (*const add[])(struct menu * m) = {add_scalar, add_scalar, add_order,
                                                           add_pipe_op};
            add[below(&m, 4)](&m);
        }
    }
    return built(&b);
}

void open_random_keys(struct rig *r, uint64_t seed, int cores, int length, const char *model,
                      const struct key *keys)
{
    *r = (struct rig){0};
    rig_open_program(r, random_program(&r->arena, seed, cores, length), model, keys, false);
}

void open_random(struct rig *r, uint64_t seed, int cores, int length, const char *model)
{
    open_random_keys(r, seed, cores, length, model, NULL);
}

void open_random_judged(struct rig *r, uint64_t seed, int cores, int length, const char *model)
{
    *r = (struct rig){0};
    rig_open_program(r, random_program(&r->arena, seed, cores, length), model, NULL, true);
}
