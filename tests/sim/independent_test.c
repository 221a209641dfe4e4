/* SPDX-License-Identifier: MIT */
/*
 * What exploration leaves out rests on steps that commute. On random walks: steps that are called
 * independent, and a step that is to be taken alone with any other, leave each other enabled, and
 * both orders lead to the same state. By hand: steps that must not be called independent.
 */
#include "sim/explore/independent.h"
#include "base/rng.h"
#include "sim/explore/pack.h"
#include "sim/explore/persistent.h"
#include "tests/sim/random.h"

enum { PROGRAMS = 700, LENGTH = 7, STEPS = 40, MAX_ENABLED = 256, PAIRS_AT_LEAST = 300 };

struct walk {
    struct machine *m;
    struct packer *packer;
    struct pack_buffer state, ab, ba;
    const char *name;
    uint64_t pairs[T_KIND_COUNT][T_KIND_COUNT];
};

/* An eviction is one of a line: which slot the line sits in is no part of a state. */
struct step_of {
    struct transition t;
    uint64_t line;
};

static struct transition now(const struct walk *w, struct step_of s)
{
    if (s.t.kind == T_EVICT)
        s.t.index = cache_find(w->m, s.t.core, s.line);
    return s.t;
}

static bool possible(const struct walk *w, struct step_of s)
{
    struct transition t = now(w, s);
    return t.index != NO_SLOT && transition_enabled(w->m, t);
}

static void fire(struct walk *w, struct transition t)
{
    machine_fire(w->m, t);
    pack_step(w->packer, w->m, t);
}

/* Both steps from the walk's state; false when the second is not enabled then. */
static bool in_order(struct walk *w, struct step_of a, struct step_of b, struct pack_buffer *out)
{
    pack_load(w->packer, w->m, w->state.data);
    fire(w, now(w, a));
    bool both = possible(w, b);
    if (both)
        fire(w, now(w, b));
    keep_state(pack_store(w->packer, w->m), out);
    return both;
}

static void expect_commute(struct walk *w, struct step_of a, struct step_of b)
{
    int x = a.t.kind, y = b.t.kind;
    bool both = in_order(w, a, b, &w->ab) && in_order(w, b, a, &w->ba);
    cr_expect(both, "%s: a step of kind %d disables one of kind %d, or the other way", w->name, x,
              y);
    cr_expect(!both || (w->ab.len == w->ba.len && !memcmp(w->ab.data, w->ba.data, w->ab.len)),
              "%s: the order of steps of kinds %d and %d matters", w->name, x, y);
    w->pairs[x][y]++;
}

static bool same_agent(struct transition x, struct transition y)
{
    return x.kind == y.kind && x.pipe == y.pipe && x.core == y.core && x.index == y.index;
}

/* Of those that exploration takes. */
static void check_pairs(struct walk *w, struct transition *t, int n)
{
    int taken = 0;
    for (int i = 0; i < n; i++)
        if (!pack_idle(w->packer, w->m, t[i]))
            t[taken++] = t[i];
    n = taken;
    struct step_of steps[MAX_ENABLED], alone = {0};
    struct footprint f[MAX_ENABLED];
    bool reduced = persistent_step(w->m, &alone.t), known = footprints_known(w->m);
    for (int i = 0; i < n; i++) {
        footprint_of(w->m, t[i], &f[i]);
        steps[i] = (struct step_of){.t = t[i]};
        if (t[i].kind == T_EVICT)
            steps[i].line = w->m->cores[t[i].core].cache.lines[t[i].index].tag;
    }
    for (int i = 0; i < n; i++) {
        if (reduced && !same_agent(t[i], alone.t))
            expect_commute(w, alone, steps[i]);
        for (int j = 0; j < i && known; j++)
            if (independent(&f[i], &f[j])) {
                cr_expect(independent(&f[j], &f[i]), "%s: not symmetric", w->name);
                expect_commute(w, steps[i], steps[j]);
            }
    }
    pack_load(w->packer, w->m, w->state.data);
}

static void walk(struct walk *w, struct rng *rng)
{
    struct transition steps[MAX_ENABLED];
    int n;
    for (int step = 0; step < STEPS; step++) {
        keep_state(pack_store(w->packer, w->m), &w->state);
        pack_load(w->packer, w->m, w->state.data); /* without lines that do not matter */
        if ((n = machine_enabled(w->m, steps, MAX_ENABLED)) == 0)
            break;
        check_pairs(w, steps, n);
        n = machine_enabled(w->m, steps, MAX_ENABLED); /* lines may sit in other slots */
        fire(w, steps[rng_below(rng, (uint64_t)n)]);
    }
}

Test(independent, both_orders_lead_to_the_same_state)
{
    struct rng rng = rng_make(2, 0);
    uint64_t pairs[T_KIND_COUNT][T_KIND_COUNT] = {0};
    for (uint64_t program = 0; program < (uint64_t)soaked(PROGRAMS); program++) {
        struct rig r;
        const char *model = random_models[program % RANDOM_MODELS];
        (program % 3 ? open_random_keys : open_random_registers)(
            &r, 20000 + program, 2 + (int)(program % 2), LENGTH, model, NULL);
        struct walk w = {.m = r.machine,
                         .packer = packer_new(r.machine),
                         .name = arena_printf(&r.arena, "program %d on %s", (int)program, model)};
        walk(&w, &rng);
        for (int i = 0; i < T_KIND_COUNT * T_KIND_COUNT; i++)
            pairs[i / T_KIND_COUNT][i % T_KIND_COUNT] +=
                w.pairs[i / T_KIND_COUNT][i % T_KIND_COUNT];
        packer_free(w.packer);
        pack_buffer_free(&w.state);
        pack_buffer_free(&w.ab);
        pack_buffer_free(&w.ba);
        rig_close(&r);
    }
    for (int a = 0; a < T_KIND_COUNT; a++)
        for (int b = 0; b <= a; b++)
            cr_expect(pairs[a][b] + pairs[b][a] >= PAIRS_AT_LEAST,
                      "only %d pairs of kinds %d and %d were tried",
                      (int)(pairs[a][b] + pairs[b][a]), a, b);
}

/* ---- by hand ---- */

/* Rank 0 stores; rank 1 loads the word, its neighbour on the line, and another line. */
static void store_and_loads(struct builder *b)
{
    struct loc x = var(b, "x", 2), y = var(b, "y", 1);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    st_dev(b, on(y, 1), 1);
    core(b, 1);
    ld_dev(b, 0, word(x, 1));
    ld_dev(b, 1, x);
    ld(b, 2, word(x, 1));
    ld_dev(b, 3, word(x, 1));
}

/* Both ranks store to the word of rank 1, and add to another. */
static void two_writers(struct builder *b)
{
    struct loc x = var(b, "x", 2), n = var(b, "n", 1);
    for (int rank = 0; rank < 2; rank++) {
        core(b, rank);
        st_dev(b, on(word(x, 0), 1), 1 + rank);
        st_dev(b, on(word(x, rank), 0), 1);
        st_atomic(b, on(n, 1), 1);
        dcci(b, on(n, 1));
    }
}

/* A DMA store is queued while the scalar unit stands at something else. */
static void store_queued(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte3(b, on(x, 1), t);
    st_dev(b, on(y, 1), 1);
    mte3(b, on(y, 1), t);
    dsb(b);
    tile_st(b, t, 0, 1);
}

static void dirty_line(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    st(b, x, 1);
    ld_dev(b, 0, y);
    dsb(b);
    ld(b, 1, x);
    ld(b, 1, x);
    core(b, 1);
    ld(b, 0, y);
    dsb(b);
    st_dev(b, x, 1);
    ld(b, 1, x);
}

static const struct {
    const char *name;
    void (*build)(struct builder *b);
    const char *model, *before, *a, *b;
    bool independent;
} pairs[] = {
    {"a load of another word, past the cache", store_and_loads, "a2a3", "s0", "sc.0>1", "s1", true},
    {"a load of the word, past the cache", store_and_loads, "a2a3", "s0 s1", "sc.0>1", "s1", false},
    {"a fill of the line", store_and_loads, "a2a3", "s0 s1 s1", "sc.0>1", "s1", false},
    {"a hit", store_and_loads, "a2a3", "s1 s1 s1 s0", "sc.0>1", "s1", true},
    {"two writes of one word", two_writers, "a2a3", "s0 s1", "sc.0>1", "sc.1>1", false},
    {"two writes of two words", two_writers, "a2a3", "s0 s1 s0 s1 sc.0>1 sc.1>1", "sc.0>0",
     "sc.1>0", true},
    {"two adds to one word", two_writers, "a2a3", "s0 s1 s0 s1 sc.0>1 sc.1>1 s0 s1 s0 s1", "sc.0>1",
     "sc.1>1", true},
    {"a queued store and a store of the unit", store_queued, "a2a3", "s0", "mte3.0", "s0", true},
    {"the same in one channel", store_queued, "a2a3-fifo", "s0", "mte3.0", "s0", false},
    {"a queued store and an issue", store_queued, "a2a3", "s0 s0", "mte3.0", "s0", true},
    {"a queued store and dsb", store_queued, "a2a3", "s0 mte3.0 dma.0>1 s0 sc.0>1 s0", "mte3.0",
     "s0", false},
    {"a queued store and its tile", store_queued, "a2a3", "s0 mte3.0 dma.0>1 s0 sc.0>1 s0 s0",
     "mte3.0", "s0", false},
    {"a dirty line that leaves and a load of another word", dirty_line, "a2a3-evict", "s0",
     "evict.0:x[0]", "s0", true},
    {"a dirty line that leaves and dsb", dirty_line, "a2a3-evict", "s0 s0", "evict.0:x[0]", "s0",
     false},
    {"a line that leaves and a load of it", dirty_line, "a2a3-evict", "s0 s0 s0", "evict.0:x[0]",
     "s0", false},
    {"a clean line that leaves and dsb", dirty_line, "a2a3-evict", "s1", "evict.1:y[0]@1", "s1",
     true},
    {"a prefetch and a store past the cache to its line", dirty_line, "weakest", "s1 s1",
     "fill.1:x[0]@1", "s1", false},
    {"a prefetch and the last instruction", dirty_line, "weakest", "s1 s1 s1 sc.1>1",
     "fill.1:x[0]@1", "s1", false},
};

Test(independent, by_hand)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct rig r;
        struct footprint a, b;
        rig_open(&r, pairs[i].build, pairs[i].model, NULL, false);
        if (rig_script(&r, pairs[i].name, pairs[i].before)) {
            footprint_of(r.machine, rig_find(&r, pairs[i].name, pairs[i].a), &a);
            footprint_of(r.machine, rig_find(&r, pairs[i].name, pairs[i].b), &b);
            cr_expect(independent(&a, &b) == pairs[i].independent, "%s: %s", pairs[i].name,
                      pairs[i].independent ? "they commute" : "their order matters");
        }
        rig_close(&r);
    }
}
