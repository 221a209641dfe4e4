/* SPDX-License-Identifier: MIT */
#include "bench/campaign/retrace.h"

#include "sim/explore/witness.h"

enum { SEEDS = 64, RANDOM_STEPS = 20000, STATES = 100 * 1000 };

static bool alike(const struct program *p, const struct finding *x, const struct finding *y)
{
    return !finding_compare(x, y) && place_same(p, x->reader, y->reader) &&
           place_same(p, x->producer, y->producer);
}

/* The finding of a tally that is like f. */
static bool among(const struct program *p, const struct tally *t, const struct finding *f,
                  struct finding *out)
{
    vec_foreach (const struct tally_finding, g, &t->findings)
        if (alike(p, &g->first, f)) {
            *out = g->first;
            return true;
        }
    return false;
}

static bool sampled(struct arena *a, const struct program *p, const struct contract *k,
                    struct runner_options o, const struct finding *f, struct finding *out)
{
    struct runner *r = runner_new(p, k, NULL, o);
    bool met = false;
    for (uint64_t seed = 1; seed <= SEEDS && !met; seed++) {
        struct tally t = {0};
        runner_run(r, seed, &t, a);
        met = among(p, &t, f, out);
    }
    runner_free(r);
    return met;
}

/* ---- a run that is searched for ---- */

struct retrace_target {
    const struct finding *f;
    struct finding met;
};

/* Only a whole run shows that an old line was filled after the wait, when
 * the write had not landed. */
static bool filled_early(const struct machine *m, const struct finding *f, struct finding *out)
{
    int n;
    const struct finding *g = oracle_findings(m->oracle, &n);
    for (int i = 0; i < n && f->where == W_OLD_LINE; i++) {
        struct finding old = g[i];
        old.where = W_OLD_LINE;
        old.late = f->late;
        if (g[i].where == W_IN_FLIGHT && alike(m->program, &old, f)) {
            *out = g[i];
            return true;
        }
    }
    return false;
}

static bool oracle_has(const struct machine *m, const struct finding *f, struct finding *out)
{
    int n;
    const struct finding *g = oracle_findings(m->oracle, &n);
    for (int i = 0; i < n; i++)
        if (alike(m->program, &g[i], f)) {
            *out = g[i];
            return true;
        }
    return false;
}

static bool is_target(void *ctx, struct machine *m, bool final, bool deadlock)
{
    struct retrace_target *t = ctx;
    (void) final, (void)deadlock;
    return oracle_has(m, t->f, &t->met);
}

static bool searched(struct arena *a, const struct program *p, const struct contract *k,
                     const struct finding *f, struct finding *out)
{
    struct retrace_target target = {.f = f};
    struct witness_options o = {.reduction = true,
                                .oracle = true,
                                .max_states = STATES,
                                .wanted = is_target,
                                .ctx = &target};
    struct transition *run;
    int steps = witness_search(p, k, &o, a, &run);
    if (steps < 0)
        return false;
    struct oracle *oracle = oracle_new(p);
    struct machine *m =
        machine_new(p, k, (struct machine_options){.oracle = oracle, .kernel = true});
    machine_reset(m);
    for (int i = 0; i < steps; i++)
        machine_fire(m, run[i]);
    bool met = oracle_has(m, f, out) || filled_early(m, f, out);
    if (!met) {
        oracle_finish(oracle, m);
        met = oracle_has(m, f, out);
    }
    out->note = met && out->note ? arena_strdup(a, out->note) : NULL;
    machine_free(m);
    oracle_free(oracle);
    return met;
}

bool retrace(struct arena *a, const struct program *p, const struct contract *k,
             struct runner_options o, const struct finding *f, struct finding *out)
{
    o.driver = DRIVER_TIMED;
    o.adversary = true;
    if (sampled(a, p, k, o, f, out))
        return true;
    o.driver = DRIVER_RANDOM;
    o.max_transitions = RANDOM_STEPS;
    return sampled(a, p, k, o, f, out) || searched(a, p, k, f, out);
}

/* What a stale read missed was neither erased nor in the core's own tile. */
static bool on_its_way(enum where w)
{
    return w != W_OVERWRITTEN && w != W_LATE_STORE && w != W_RACED && w != W_TILE;
}

void retrace_edge(struct arena *a, const struct program *p, const struct contract *k,
                  struct runner_options o, struct finding *f)
{
    struct finding met;
    bool stale = f->verdict == V_STALE_READ && on_its_way(f->where),
         overrun = f->verdict == V_OVERRUN_READ;
    if (retrace(a, p, k, o, f, &met)) {
        f->wait = met.wait;
        f->edge = met.edge;
    } else if ((stale || overrun) && f->producer.core >= 0) {
        f->edge.from = stale ? f->producer : f->reader;
        f->edge.to = stale ? f->reader : f->producer;
    }
}
