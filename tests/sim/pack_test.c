/* SPDX-License-Identifier: MIT */
/*
 * Packed states on random walks: what is stored after one step by handling only what the step
 * touched is what storing everything gives, and going back by one step restores the state.
 */
#include "base/rng.h"
#include "sim/pack.h"
#include "tests/sim/random.h"

enum { PROGRAMS = 140, LENGTH = 6, STEPS = 40, MAX_ENABLED = 256 };

struct walk {
    struct machine *m;
    struct packer *packer;
    struct pack_buffer state, whole, after; /* state: where the walk stands */
    struct transition steps[MAX_ENABLED];
    int n;
    const char *name;
};

static bool same(const struct pack_buffer *x, const struct pack_buffer *y)
{
    return x->len == y->len && !memcmp(x->data, y->data, x->len);
}

static bool same_step(struct transition x, struct transition y)
{
    return x.kind == y.kind && x.pipe == y.pipe && x.core == y.core && x.index == y.index;
}

static void stand(struct walk *w)
{
    pack_store(w->packer, w->m, &w->state);
    pack_load(w->packer, w->m, w->state.data);
    w->n = machine_enabled(w->m, w->steps, MAX_ENABLED);
}

/* There and back again. */
static void check_step(struct walk *w, struct transition t)
{
    struct transition again[MAX_ENABLED];
    machine_fire(w->m, t);
    pack_store(w->packer, w->m, &w->whole);
    pack_store_after(w->packer, w->m, w->state.data, t, &w->after);
    cr_expect(same(&w->whole, &w->after), "%s: another state after a step of kind %d", w->name,
              (int)t.kind);
    pack_reload(w->packer, w->m, w->state.data, t);
    pack_store(w->packer, w->m, &w->whole);
    cr_expect(same(&w->whole, &w->state), "%s: not restored after a step of kind %d", w->name,
              (int)t.kind);
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
        machine_fire(w->m, w->steps[rng_below(rng, (uint64_t)w->n)]);
        stand(w);
    }
    return kinds;
}

Test(pack, a_step_there_and_back)
{
    struct rng rng = rng_make(1, 0);
    uint64_t kinds = 0;
    for (uint64_t program = 0; program < PROGRAMS; program++) {
        struct rig r;
        const char *model = random_models[program % RANDOM_MODELS];
        open_random(&r, 9000 + program, LENGTH, model);
        struct walk w = {.m = r.machine,
                         .packer = packer_new(r.machine),
                         .name = arena_printf(&r.arena, "program %d on %s", (int)program, model)};
        kinds |= walk(&w, &rng);
        packer_free(w.packer);
        pack_buffer_free(&w.state);
        pack_buffer_free(&w.whole);
        pack_buffer_free(&w.after);
        rig_close(&r);
    }
    cr_expect_eq(kinds, ((uint64_t)1 << T_KIND_COUNT) - 1, "not every kind of step was tried");
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
