/* SPDX-License-Identifier: MIT */
#include "bench/campaign/glance.h"

#include "sim/explore/explore.h"

struct look {
    const struct golden *golden;
    bool found;
    struct finding first;
};

static void on_finding(void *ctx, const struct machine *m)
{
    struct look *l = ctx;
    int n;
    const struct finding *f = oracle_findings(m->oracle, &n);
    if (l->found || !n)
        return;
    l->found = true;
    l->first = *f;
    /* What was waited for on the way is no part of a state, and texts live as long as the machine. */
    l->first.wait = NOWHERE;
    l->first.edge = EDGE_UNKNOWN;
    l->first.note = NULL;
}

static void on_final(void *ctx, const struct machine *m, bool deadlock)
{
    const struct look *l = ctx;
    if (golden_judge(l->golden, m, deadlock))
        on_finding(ctx, m);
}

struct glance glance_at(const struct program *p, const struct contract *k, const struct golden *g,
                        struct glance_limit most)
{
    bool room;
    if (!explore_fits(p) || k->slow_agents == 0)
        return (struct glance){0};
    struct contract roomy = explore_contract(p, k, &room);
    if (!room)
        return (struct glance){0};
    struct look look = {.golden = g};
    struct explore_options x = {.threads = 1,
                                .reduction = true,
                                .max_states = most.states,
                                .max_transitions = most.transitions,
                                .oracle = true,
                                .brief = true,
                                .on_finding = on_finding,
                                .on_final = on_final,
                                .ctx = &look};
    struct explore_result r;
    explore(p, &roomy, &x, &r);
    return (struct glance){
        .complete = r.complete, .states = r.states, .found = look.found, .first = look.first};
}
