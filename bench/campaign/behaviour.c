/* SPDX-License-Identifier: MIT */
#include "bench/campaign/behaviour.h"

#include <xxhash.h>

#include "sim/explore/explore.h"

struct look {
    struct arena *arena;
    const struct behaviour_query *q;
    struct behaviour *out;
};

static bool has_finding(const struct behaviour *b, enum verdict v, uint64_t addr)
{
    vec_foreach (const struct behaviour_finding, f, &b->findings)
        if (f->verdict == v && f->addr == addr)
            return true;
    return false;
}

static bool has_final(const struct behaviour *b, uint64_t hash)
{
    vec_foreach (const uint64_t, f, &b->finals)
        if (*f == hash)
            return true;
    return false;
}

static void on_finding(void *ctx, const struct machine *m)
{
    struct look *l = ctx;
    struct behaviour *out = l->out;
    int n;
    const struct finding *f = oracle_findings(m->oracle, &n);
    for (int i = 0; i < n; i++) {
        if (has_finding(out, f[i].verdict, f[i].addr))
            continue;
        vec_push(l->arena, &out->findings, (struct behaviour_finding){f[i].verdict, f[i].addr});
        if (!l->q->known || out->found || has_finding(l->q->known, f[i].verdict, f[i].addr))
            continue;
        out->differs = out->found = true;
        out->first = f[i];
        out->first.note = NULL;
    }
}

static uint64_t hash_of(const struct machine *m, bool deadlock)
{
    uint64_t hash = deadlock;
    for (int r = 0; r < m->program->nranks; r++)
        hash = XXH3_64bits_withSeed(m->gm[r], m->program->gm_bytes, hash);
    return hash;
}

static void on_final(void *ctx, const struct machine *m, bool deadlock)
{
    struct look *l = ctx;
    if (l->q->golden && golden_judge(l->q->golden, m, deadlock))
        on_finding(ctx, m);
    uint64_t hash = hash_of(m, deadlock);
    if (has_final(l->out, hash))
        return;
    vec_push(l->arena, &l->out->finals, hash);
    l->out->differs |= l->q->known && !has_final(l->q->known, hash);
}

static void on_restart(void *ctx)
{
    struct look *l = ctx;
    *l->out = (struct behaviour){.reached = l->out->reached};
}

static bool has_race(const struct behaviour *b)
{
    vec_foreach (const struct behaviour_finding, f, &b->findings)
        if (f->verdict == V_RACE)
            return true;
    return false;
}

static void explore_once(struct arena *a, const struct behaviour_query *q, bool races,
                         struct behaviour *out)
{
    struct look look = {a, q, out};
    *out = (struct behaviour){.reached = arena_array(a, bool, (size_t)q->program->nsites + 1)};
    struct explore_options x = {.threads = 1,
                                .reduction = true,
                                .max_states = q->max_states,
                                .oracle = true,
                                .brief = true,
                                .races = races,
                                .reached = out->reached,
                                .enough = &out->differs,
                                .on_finding = on_finding,
                                .on_final = on_final,
                                .on_restart = on_restart,
                                .ctx = &look};
    struct explore_result r;
    explore(q->program, q->contract, &x, &r);
    out->states = r.states;
    out->complete = r.complete;
}

/* Where accesses race, what each of their orders finds takes all of them (sim/explore/explore.h). */
void behaviour_explore(struct arena *a, const struct behaviour_query *q, struct behaviour *out)
{
    explore_once(a, q, false, out);
    if (out->complete && has_race(out))
        explore_once(a, q, true, out);
}

bool behaviour_within(const struct behaviour *x, const struct behaviour *y)
{
    vec_foreach (const struct behaviour_finding, f, &x->findings)
        if (!has_finding(y, f->verdict, f->addr))
            return false;
    vec_foreach (const uint64_t, f, &x->finals)
        if (!has_final(y, *f))
            return false;
    return true;
}
