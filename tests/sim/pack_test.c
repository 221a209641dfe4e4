/* SPDX-License-Identifier: MIT */
/*
 * Packed states on random walks: what is stored after one step by handling only what the step
 * touched is what storing everything gives, and going back restores the state.
 */
#include "base/rng.h"
#include "sim/explore/pack.h"
#include "tests/sim/random.h"

enum { PROGRAMS = 140, LENGTH = 6, STEPS = 40, MAX_ENABLED = 256 };

struct walk {
    struct machine *m;
    struct packer *packer;
    struct pack_buffer state; /* where the walk stands */
    struct transition steps[MAX_ENABLED];
    int n;
    const char *name;
};

/* What is stored is what a packer stores that knows of no step before. */
static void expect_state(struct walk *w, const struct pack_buffer *got, const char *what)
{
    struct packer *fresh = packer_new(w->m);
    const struct pack_buffer *whole = pack_store(fresh, w->m);
    cr_expect(whole->len == got->len && !memcmp(whole->data, got->data, got->len), "%s: %s",
              w->name, what);
    packer_free(fresh);
}

static bool same_step(struct transition x, struct transition y)
{
    return x.kind == y.kind && x.pipe == y.pipe && x.core == y.core && x.index == y.index;
}

static void stand(struct walk *w)
{
    keep_state(pack_store(w->packer, w->m), &w->state);
    pack_load(w->packer, w->m, w->state.data);
    w->n = machine_enabled(w->m, w->steps, MAX_ENABLED);
}

static void fire(struct walk *w, struct transition t)
{
    machine_fire(w->m, t);
    pack_step(w->packer, w->m, t);
}

/* There, one step further, and back again. */
static void check_step(struct walk *w, struct transition t)
{
    struct transition again[MAX_ENABLED];
    fire(w, t);
    expect_state(w, pack_store(w->packer, w->m), "another state after a step");
    int n = machine_enabled(w->m, again, MAX_ENABLED);
    if (n > 0)
        fire(w, again[n - 1]);
    if (n % 2)
        pack_back(w->packer, w->m);
    else
        pack_load(w->packer, w->m, w->state.data);
    expect_state(w, &w->state, "not restored after two steps");
    cr_assert_eq(machine_enabled(w->m, again, MAX_ENABLED), w->n);
    for (int i = 0; i < w->n; i++)
        cr_expect(same_step(again[i], w->steps[i]), "%s: other steps after going back", w->name);
}

static uint64_t walk(struct walk *w, struct rng *rng)
{
    uint64_t kinds = 0;
    stand(w);
    for (int step = 0; step < STEPS && w->n > 0; step++) {
        for (int i = 0; i < w->n; i++) {
            check_step(w, w->steps[i]);
            kinds |= (uint64_t)1 << w->steps[i].kind;
        }
        fire(w, w->steps[rng_below(rng, (uint64_t)w->n)]);
        stand(w);
    }
    return kinds;
}

static void walk_programs(void (*open)(struct rig *, uint64_t, int, int, const char *))
{
    struct rng rng = rng_make(1, 0);
    uint64_t kinds = 0;
    for (uint64_t program = 0; program < (uint64_t)soaked(PROGRAMS); program++) {
        struct rig r;
        const char *model = random_models[program % RANDOM_MODELS];
        open(&r, 9000 + program, 2, LENGTH, model);
        struct walk w = {.m = r.machine,
                         .packer = packer_new(r.machine),
                         .name = arena_printf(&r.arena, "program %d on %s", (int)program, model)};
        kinds |= walk(&w, &rng);
        packer_free(w.packer);
        pack_buffer_free(&w.state);
        rig_close(&r);
    }
    cr_expect_eq(kinds, ((uint64_t)1 << T_KIND_COUNT) - 1, "not every kind of step was tried");
}

Test(pack, a_step_there_and_back)
{
    walk_programs(open_random);
}

Test(pack, a_step_there_and_back_with_an_oracle)
{
    walk_programs(open_random_judged);
}

/* Integers of every length, beside each other. */
Test(pack, integers)
{
    static const int64_t values[] = {0,    1,     -1,   63,        64,        -64,       -65,
                                     8191, -8192, 8192, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    struct pack_buffer b = {0};
    for (int round = 0; round < 100; round++)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            pack_i64(&b, values[i]);
            pack_u64(&b, (uint64_t)values[i]);
        }
    const uint8_t *in = b.data;
    for (int round = 0; round < 100; round++)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            cr_expect_eq(unpack_i64(&in), values[i]);
            cr_expect_eq(unpack_u64(&in), (uint64_t)values[i]);
        }
    cr_expect_eq((size_t)(in - b.data), b.len);
    pack_buffer_free(&b);
}
