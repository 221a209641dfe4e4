/* SPDX-License-Identifier: MIT */
/*
 * Untimed schedule search: uniform random, and probabilistic concurrency testing (Burckhardt and
 * others, ASPLOS 2010): among n agents and k steps a run shows a bug of depth d with a probability
 * of at least 1 / (n k^(d-1)).
 */
#include <stdlib.h>

#include "sim/driver.h"
#include "base/stop.h"
#include "sim/internal.h"

/* The transitions to choose from; the list grows with the most that were ever enabled. */
struct menu {
    struct transition *items;
    int room;
};

/* No run that is over hits it. Or a stop is wanted. */
static bool limit_hit(const struct machine *m, const struct drive_options *o,
                      struct drive_result *result)
{
    result->timed_out =
        o->max_transitions && m->transitions >= o->max_transitions && !machine_at_end(m);
    result->stopped = stop_wanted();
    return result->timed_out || result->stopped;
}

static void report(const struct machine *m, const struct drive_options *o, struct transition t)
{
    if (!o->on_step)
        return;
    struct step s = step_make(m, t, m->transitions, m->transitions + 1);
    o->on_step(o->ctx, m, &s);
}

static int list_enabled(const struct machine *m, struct menu *menu)
{
    for (;;) {
        int n = machine_enabled(m, menu->items, menu->room);
        if (n < menu->room)
            return n;
        menu->room = menu->room ? 2 * menu->room : 256;
        menu->items = realloc(menu->items, sizeof *menu->items * (size_t)menu->room);
        if (!menu->items)
            abort();
    }
}

/* Those enabled; where only lines can move, those that write back, which may let others go on.
 * None: the run is over. */
static int choices(const struct machine *m, struct menu *menu)
{
    int n = list_enabled(m, menu), kept = 0;
    struct transition *t = menu->items;
    for (int i = 0; i < n; i++)
        if (!transition_spontaneous(t[i]))
            return n;
    for (int i = 0; i < n; i++)
        if (transition_writes_back(m, t[i]))
            t[kept++] = t[i];
    return kept;
}

void drive_random(struct machine *m, const struct drive_options *o, struct drive_result *result)
{
    struct menu menu = {0};
    struct rng rng = rng_make(o->seed, 2);
    for (;;) {
        int n = choices(m, &menu);
        /* After its end, one more choice: memory is looked at now. */
        int of = n + machine_at_end(m), chosen = n ? (int)rng_below(&rng, (uint64_t)of) : n;
        if (chosen == n || limit_hit(m, o, result))
            break;
        report(m, o, menu.items[chosen]);
        machine_fire(m, menu.items[chosen]);
    }
    result->transitions = m->transitions;
    free(menu.items);
}

/* ---- pct ---- */

/* An agent is a scalar unit, a pipe, a core's evictions, its prefetches, a channel of the fabric,
 * or the observer. */
enum { AGENT_EVICT = 1 + PIPE_COUNT, AGENT_PREFETCH, AGENTS };

static int agent_of(const struct machine *m, struct transition t)
{
    static const int kinds[T_KIND_COUNT] = {[T_EVICT] = AGENT_EVICT, [T_PREFETCH] = AGENT_PREFETCH};
    if (t.kind == T_DELIVER)
        return m->program->ncores * AGENTS + t.index;
    int agent = t.kind == T_SCALAR ? 0 : t.kind == T_PIPE ? 1 + t.pipe : kinds[t.kind];
    return t.core * AGENTS + agent;
}

/* Who looks at memory after the run's end, where lines still leave then; no transition is its. */
static int observer(const struct machine *m)
{
    return m->program->ncores * AGENTS + m->nchannels;
}

struct pct {
    int n, depth, lowest;
    int *priority;     /* per agent: the highest runs */
    uint64_t *changes; /* steps at which the running agent falls behind all others */
};

static struct pct pct_new(int agents, const struct drive_options *o, struct rng *rng)
{
    struct pct p = {.n = agents, .depth = o->pct_depth > 0 ? o->pct_depth : 1};
    p.priority = malloc(sizeof *p.priority * (size_t)agents);
    p.changes = malloc(sizeof *p.changes * (size_t)p.depth);
    if (!p.priority || !p.changes)
        abort();
    for (int i = 0; i < agents; i++) { /* a random permutation of depth .. depth + n - 1 */
        int j = (int)rng_below(rng, (uint64_t)i + 1);
        p.priority[i] = p.priority[j];
        p.priority[j] = p.depth + i;
    }
    for (int i = 0; i < p.depth - 1; i++)
        p.changes[i] = rng_below(rng, o->pct_steps ? o->pct_steps : 1);
    return p;
}

/* Of the lines that the chosen agent could move, any. */
static int some_line(const struct machine *m, const struct transition *t, int n, int chosen,
                     struct rng *rng)
{
    int seen = 0, agent = agent_of(m, t[chosen]);
    for (int i = 0; i < n && transition_spontaneous(t[chosen]); i++)
        if (agent_of(m, t[i]) == agent && rng_below(rng, (uint64_t)++seen) == 0)
            chosen = i;
    return chosen;
}

static int pct_choose(const struct machine *m, const struct pct *p, const struct transition *t,
                      int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (p->priority[agent_of(m, t[i])] > p->priority[agent_of(m, t[best])])
            best = i;
    return best;
}

int pct_agents(const struct machine *m)
{
    return observer(m) + (m->contract->eviction == EVICTION_SPONTANEOUS);
}

/* Evictions and prefetches could follow each other for ever: the agent of one that has happened
 * falls behind all others. */
void drive_pct(struct machine *m, const struct drive_options *o, struct drive_result *result)
{
    struct menu menu = {0};
    struct rng rng = rng_make(o->seed, 3);
    struct pct p = pct_new(pct_agents(m), o, &rng);
    for (;;) {
        int n = choices(m, &menu);
        if (n == 0 || limit_hit(m, o, result))
            break;
        const struct transition *t = menu.items;
        int i = pct_choose(m, &p, t, n);
        for (int c = 0; c < p.depth - 1; c++)
            if (p.changes[c] == m->transitions) {
                p.priority[agent_of(m, t[i])] = c;
                i = pct_choose(m, &p, t, n);
            }
        bool at_end = machine_at_end(m);
        if (at_end && p.priority[observer(m)] > p.priority[agent_of(m, t[i])])
            break;
        i = some_line(m, t, n, i, &rng);
        report(m, o, t[i]);
        machine_fire(m, t[i]);
        if (transition_spontaneous(t[i]) && !at_end)
            p.priority[agent_of(m, t[i])] = --p.lowest;
    }
    result->transitions = m->transitions;
    free(p.priority);
    free(p.changes);
    free(menu.items);
}
