/* SPDX-License-Identifier: MIT */
/* Shortest runs: exploration's final states are those, and all of those, that a run leads to. */
#include "base/strbuf.h"
#include "sim/explore/witness.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- searching ---- */

struct wanted {
    const struct litmus_test *test;
    const char *state; /* NULL: any */
    struct arena *arena;
};

static bool is_wanted(void *ctx, struct machine *m, bool final, bool deadlock)
{
    struct wanted *w = ctx;
    return final && (!w->state || !strcmp(litmus_state(w->test, m, deadlock, w->arena), w->state));
}

static int search(struct arena *a, const struct litmus_test *t, const char *model,
                  const char *state, bool reduction, bool depth_first, struct transition **run)
{
    struct wanted w = {.test = t, .state = state, .arena = a};
    struct witness_options o = {.reduction = reduction,
                                .depth_first = depth_first,
                                .max_states = 100000,
                                .wanted = is_wanted,
                                .ctx = &w};
    return witness_search(t->program, litmus_contract(a, rig_contract(a, model), t), &o, a, run);
}

/* The final state that the run ends in. */
static const char *replayed(struct arena *a, const struct litmus_test *t, const char *model,
                            const struct transition *run, int steps)
{
    struct machine *m = machine_new(t->program, litmus_contract(a, rig_contract(a, model), t),
                                    (struct machine_options){0});
    machine_reset(m);
    for (int i = 0; i < steps; i++) {
        cr_assert(transition_enabled(m, run[i]), "%s: step %d is not enabled", t->name, i);
        machine_fire(m, run[i]);
    }
    const char *state = litmus_state(t, m, !machine_at_end(m), a);
    machine_free(m);
    return state;
}

/* ---- tests under test ---- */

static const char mp[] = "GM mp { x; s } P0 | P1 ; mte3 x@1, 1 | ld r9, x ; barrier all | "
                         "wait s >= 1 ; dsb | ld r0, x ; notify.add s@1, 1 | ; exists (1:r0=0)";
static const char sharing[] =
    "GM sharing { line a, b; ranks = 3 } P0 | P1 ; st a@2, 1 | st b@2, 2 ;"
    "dcci a@2 | dcci b@2 ; exists (a@2=0 \\/ b@2=0)";
/* The waiter's dirty line goes back over the credit, or leaves in time. */
static const char dirty_poll[] = "GM dirty-poll { line n, s } P0 | P1 ; st n, 7 | "
                                 "notify.add s@0, 1 ; wait s >= 1 | ; exists (n=7)";
static const char straight[] =
    "GM straight { x } P0 ; st.dev x, 1 ; ld.dev r0, x ; exists (0:r0=1)";
/* What P1 waits for is dirty in its own cache, where it is no use: only
 * an eviction brings it out. */
static const char own_dirty[] = "GM own-dirty { s; u } P0 | P1 ; wait s@1 >= 1 | st s, 1 ;"
                                "notify.add u@1, 1 | wait u >= 1 ; exists (u@1=1)";

/* Each explored state has a run that ends in it, and the reduced search and those in depth have one too, no shorter. */
Test(litmus_witness, every_final_state_has_a_run)
{
    static const char *const tests[] = {mp, sharing, dirty_poll, straight, own_dirty};
    static const char *const models[] = {"sc", "a2a3", "a2a3-blocking", "a2a3-evict", "weakest"};
    for (size_t i = 0; i < COUNT(tests) * COUNT(models); i++) {
        struct arena a = {0};
        const char *model = models[i % COUNT(models)];
        const struct litmus_test *t = rig_test(&a, tests[i / COUNT(models)]);
        for (const char *at = rig_final_states(&a, t, model); *at; at = strchr(at, '\n') + 1) {
            const char *state = arena_strndup(&a, at, strcspn(at, "\n"));
            struct transition *run;
            int n = search(&a, t, model, state, false, false, &run);
            cr_assert(n >= 0, "%s under %s: no run to %s", t->name, model, state);
            expect_text(model, replayed(&a, t, model, run, n), state);
            for (int way = 1; way < 4; way++) {
                int other = search(&a, t, model, state, way & 1, way & 2, &run);
                cr_assert(other >= n, "%s under %s: %d and %d steps", t->name, model, n, other);
                expect_text(model, replayed(&a, t, model, run, other), state);
            }
        }
        arena_free(&a);
    }
}

static const struct {
    const char *name, *test, *model, *state;
    int steps; /* or WITNESS_NONE */
} rows[] = {
    {"store, load, delivery", straight, "a2a3", "0:r0=0;", 3},
    {"store, delivery, load", straight, "a2a3", "0:r0=1;", 3},
    {"no store is on its way", straight, "sc", "0:r0=0;", WITNESS_NONE},
    {"store, load", straight, "sc", "0:r0=1;", 2},
    {"the line stays: both wait", own_dirty, "a2a3", "u@1=1;", WITNESS_NONE},
    /* A run is not over while a line can leave that a core waits for. */
    {"the line leaves", own_dirty, "a2a3-evict", "u@1=0; deadlock=1;", WITNESS_NONE},
};

Test(litmus_witness, lengths)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct transition *run;
        const struct litmus_test *t = rig_test(&a, rows[i].test);
        for (int reduction = 0; reduction < 2; reduction++) {
            int n = search(&a, t, rows[i].model, rows[i].state, reduction, false, &run);
            cr_expect(n == rows[i].steps, "%s: %d steps, expected %d", rows[i].name, n,
                      rows[i].steps);
        }
        arena_free(&a);
    }
}

Test(litmus_witness, limit)
{
    struct arena a = {0};
    struct transition *run;
    const struct litmus_test *t = rig_test(&a, mp);
    struct wanted w = {.test = t, .state = "nothing like this", .arena = &a};
    struct witness_options o = {.max_states = 10, .wanted = is_wanted, .ctx = &w};
    const struct contract *k = litmus_contract(&a, rig_contract(&a, "a2a3"), t);
    cr_expect_eq(witness_search(t->program, k, &o, &a, &run), WITNESS_UNKNOWN);
    o.max_states = 0;
    cr_expect_eq(witness_search(t->program, k, &o, &a, &run), WITNESS_NONE);
    arena_free(&a);
}
