/* SPDX-License-Identifier: MIT */
/*
 * The drivers choose among the transitions that exploration follows all of: whatever a driver
 * samples, exploration has. For every test of the catalogue, as written and with each of its labels
 * removed, under every contract.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include "bench/campaign/litmus_run.h"
#include "tests/support.h"

enum { SHARDS = 4, SEEDS = 40, MAX_TRANSITIONS = 100000, MIN_TESTS = 90, MIN_MODELS = 7 };

/* ---- the comparison ---- */

/* The first sampled state that was not explored, or NULL. */
static const char *foreign_state(const struct litmus_outcome *explored,
                                 const struct litmus_outcome *sampled)
{
    vec_foreach (const struct litmus_final, s, &sampled->states) {
        bool known = false;
        vec_foreach (const struct litmus_final, e, &explored->states)
            known |= !strcmp(e->text, s->text);
        if (!known)
            return s->text;
    }
    return NULL;
}

static struct litmus_outcome explored(const struct litmus_test *t, const struct contract *k)
{
    struct litmus_settings s = {.explore = true, .threads = 1};
    struct litmus_outcome o = {0};
    litmus_collect(t, k, &s, &o);
    return o;
}

static struct litmus_outcome sampled(const struct litmus_test *t, const struct contract *k,
                                     enum driver driver)
{
    struct litmus_settings s = {.runs = SEEDS,
                                .seed = 1,
                                .runner = {.driver = driver,
                                           .max_transitions = MAX_TRANSITIONS,
                                           .pct_depth = 3,
                                           .adversary = true}};
    struct litmus_outcome o = {0};
    litmus_collect(t, k, &s, &o);
    return o;
}

static void compare(const struct litmus_test *t, const struct contract *k)
{
    struct litmus_outcome all = explored(t, k);
    cr_expect(all.complete, "%s under %s: a limit was hit", t->name, k->name);
    cr_expect(all.states.len, "%s under %s: no final state", t->name, k->name);
    for (int d = 0; d < DRIVER_COUNT; d++) {
        struct litmus_outcome some = sampled(t, k, (enum driver)d);
        const char *foreign = foreign_state(&all, &some);
        cr_expect(!foreign, "%s under %s: the %s driver ends in %s, which was not explored",
                  t->name, k->name, drivers[d].name, foreign ? foreign : "");
        cr_expect(some.states.len && !some.timed_out, "%s under %s: the %s driver does not end",
                  t->name, k->name, drivers[d].name);
        arena_free(&some.arena);
    }
    arena_free(&all.arena);
}

/* ---- what is compared ---- */

struct catalogue {
    struct arena arena;
    struct diag diag;
    const struct toolchain *toolchain;
    VEC(const struct litmus_test *) tests; /* with their variants behind them */
    VEC(const struct contract *) models;
};

static void add_test(struct catalogue *c, const struct source *src)
{
    const struct litmus_test *t = src ? litmus_parse(&c->arena, src, c->toolchain, &c->diag) : NULL;
    cr_assert(t, "%s", diag_text(&c->diag, &c->arena));
    vec_push(&c->arena, &c->tests, t);
    vec_foreach (const struct litmus_label, l, &t->labels)
        vec_push(&c->arena, &c->tests, litmus_without(&c->arena, t, l->name));
}

static void load_models(struct catalogue *c)
{
    const char *const *names;
    size_t n = contract_list(&c->arena, "models", &names);
    c->diag.arena = &c->arena;
    c->toolchain = toolchain_load(&c->arena, "models", "ptoas-0.57", &c->diag);
    for (size_t i = 0; i < n; i++)
        vec_push(&c->arena, &c->models, contract_load(&c->arena, "models", names[i], &c->diag));
    cr_assert(!c->diag.failed, "%s", diag_text(&c->diag, &c->arena));
}

static void load(struct catalogue *c)
{
    char *const roots[] = {"litmus/catalogue", NULL};
    load_models(c);
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    cr_assert(walk);
    for (FTSENT *at; (at = fts_read(walk));)
        if (at->fts_info == FTS_F && strstr(at->fts_name, ".litmus"))
            add_test(c, source_read(&c->arena, arena_strdup(&c->arena, at->fts_path), &c->diag));
    fts_close(walk);
}

/* ---- tests ---- */

ParameterizedTestParameters(sampled, is_explored)
{
    static int shards[SHARDS] = {0, 1, 2, 3};
    return cr_make_param_array(int, shards, SHARDS);
}

ParameterizedTest(int *shard, sampled, is_explored, .timeout = 300)
{
    struct catalogue c = {0};
    load(&c);
    cr_assert(c.tests.len >= MIN_TESTS && c.models.len >= MIN_MODELS, "%zu tests, %zu models",
              c.tests.len, c.models.len);
    for (size_t i = (size_t)*shard; i < c.tests.len; i += SHARDS)
        vec_foreach (const struct contract *, k, &c.models)
            compare(c.tests.items[i], *k);
    arena_free(&c.arena);
}

/* Without the invalidate, the consumer reads its old line or not (hw-facts H1): each driver shows
 * both, so that an explorer that lost either would be caught. */
Test(sampled, a_lost_state_is_noticed)
{
    struct catalogue c = {0};
    load_models(&c);
    add_test(&c, source_from_string(&c.arena, "t.litmus",
                                    "GM t { x; s } P0 | P1 ; mte3 x@1, 1 | ld r9, x ;"
                                    "barrier all | wait s >= 1 ; dsb | ld r0, x ;"
                                    "notify.add s@1, 1 | ; exists (1:r0=0)"));
    const struct contract *k = contract_load(&c.arena, "models", "a2a3", &c.diag);
    for (int d = 0; d < DRIVER_COUNT; d++) {
        struct litmus_outcome all = explored(c.tests.items[0], k),
                              some = sampled(c.tests.items[0], k, (enum driver)d);
        cr_assert_eq(all.states.len, 2);
        cr_expect(!foreign_state(&all, &some));
        for (size_t lost = 0; lost < 2; lost++) {
            struct litmus_outcome fewer = all;
            fewer.states.items = &all.states.items[1 - lost];
            fewer.states.len = 1;
            expect_text(drivers[d].name, foreign_state(&fewer, &some), all.states.items[lost].text);
        }
        arena_free(&some.arena);
        arena_free(&all.arena);
    }
    arena_free(&c.arena);
}
