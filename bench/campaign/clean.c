/* SPDX-License-Identifier: MIT */
#include "bench/campaign/clean.h"

#include <inttypes.h>

#include "base/table.h"
#include "sim/explore/explore.h"

const char *clean_kind_name(enum clean_kind k)
{
    static const char *const names[] = {CLEAN_KINDS(NAME_ROW)};
    return names[k];
}

/* ---- runs ---- */

static void refute(struct clean_answer *x, const struct finding *f)
{
    x->kind = CLEAN_NOT;
    x->finding = *f;
    x->finding.note = NULL; /* it goes with the machine */
}

/* Goes on from the runs that were made up to so many, or to the first that fails. */
static void sample(const struct kase *k, uint64_t runs, struct clean_answer *x)
{
    const struct experiment *e = k->of;
    struct runner *r = runner_new(k->program, k->contract, k->golden, k->options);
    while (x->runs < runs && x->kind != CLEAN_NOT) {
        struct tally t = {0};
        uint64_t seed = e->seed + x->runs;
        if (!runner_run(r, seed, &t, e->arena))
            break;
        x->runs++;
        if (!t.failed)
            continue;
        x->seed = seed;
        refute(x, &tally_find(&t, tally_verdict(&t))->first);
    }
    runner_free(r);
}

/* ---- states ---- */

struct look {
    const struct kase *kase;
    struct clean_answer *answer;
    bool refuted;
};

static void on_finding(void *ctx, const struct machine *m)
{
    struct look *l = ctx;
    int n;
    const struct finding *f = oracle_findings(m->oracle, &n);
    if (l->refuted || !n)
        return;
    struct finding met = f[0];
    met.wait = NOWHERE; /* what was waited for on the way is no part of a state */
    met.edge = EDGE_UNKNOWN;
    refute(l->answer, &met);
    l->refuted = true;
}

static void on_final(void *ctx, const struct machine *m, bool deadlock)
{
    const struct look *l = ctx;
    if (golden_judge(l->kase->golden, m, deadlock))
        on_finding(ctx, m);
}

static void on_restart(void *ctx)
{
    struct look *l = ctx;
    l->answer->kind = CLEAN_NOT_OBSERVED;
    l->refuted = false;
}

/* To the first finding, by one thread: of several any could come first. */
static void look_at_states(const struct kase *k, const struct clean_plan *plan,
                           struct clean_answer *x)
{
    bool room;
    const struct program *p = k->program;
    if (!explore_fits(p))
        return;
    struct contract roomy = explore_contract(p, k->contract, &room);
    struct look look = {.kase = k, .answer = x};
    struct explore_options o = {.threads = 1,
                                .reduction = true,
                                .max_states = plan->max_states,
                                .max_memory = plan->max_memory,
                                .oracle = true,
                                .brief = true,
                                .enough = &look.refuted,
                                .on_finding = on_finding,
                                .on_restart = on_restart,
                                .on_final = on_final,
                                .ctx = &look};
    struct explore_result r;
    explore(p, &roomy, &o, &r);
    x->states = r.states;
    if (r.complete && x->kind != CLEAN_NOT)
        x->kind = CLEAN_PROVED;
}

/* ---- both ---- */

/* The states, and where there are too many the rest of the runs. */
static void prove(const struct kase *k, const struct clean_plan *plan, struct clean_answer *x)
{
    look_at_states(k, plan, x);
    if (x->kind != CLEAN_NOT_OBSERVED)
        return;
    x->states = 0;
    sample(k, k->of->runs, x);
}

size_t kases_clean(const kases *k, const struct clean_plan *plan, struct clean_answer *answers)
{
    for (size_t i = 0; i < k->len; i++) {
        uint64_t most = k->items[i].of->runs;
        answers[i] = (struct clean_answer){.kind = CLEAN_NOT_OBSERVED};
        sample(&k->items[i], plan->quick < most ? plan->quick : most, &answers[i]);
        if (answers[i].kind == CLEAN_NOT)
            return i;
    }
    for (size_t i = 0; i < k->len; i++) {
        prove(&k->items[i], plan, &answers[i]);
        if (answers[i].kind == CLEAN_NOT)
            return i;
    }
    return k->len;
}

const char *clean_replay(const struct kase *k, const struct clean_answer *x)
{
    return x->states ? case_explore(k) : case_replay(k, x->seed);
}
