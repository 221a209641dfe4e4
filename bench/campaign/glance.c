/* SPDX-License-Identifier: MIT */
#include "bench/campaign/glance.h"

#include "sim/explore/explore.h"

struct look {
    const struct golden *golden;
    bool found;
};

static void on_finding(void *ctx, const struct machine *m)
{
    struct look *l = ctx;
    (void)m;
    l->found = true;
}

static void on_final(void *ctx, const struct machine *m, bool deadlock)
{
    struct look *l = ctx;
    l->found |= golden_judge(l->golden, m, deadlock);
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
    return (struct glance){.complete = r.complete, .states = r.states, .found = look.found};
}
