/* SPDX-License-Identifier: MIT */
#include "bench/campaign/repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "bench/campaign/expense.h"
#include "bench/campaign/greedy.h"
#include "bench/campaign/retrace.h"
#include "sim/explore/explore.h"

/* Rounds, findings of a round that are asked for remedies, and calls at the most. */
enum { ROUNDS = 24, ASKED = 6, MAX_CALLS = 200 };
/* States with one rank more at the most: beyond them, runs decide. */
enum { MORE_RANKS_STATES = 20 * 1000 };
/* Of a draft, in the same way. */
enum { DRAFT_STATES = 20 * 1000 };

struct search {
    struct arena *arena;
    const kases *cases; /* of the file as it is */
    const struct clean_plan *plan;
};

/* ---- the file with calls ---- */

/* The first n cases with these calls in the file, for so many ranks. False when that is no program. */
static bool draft_for(const struct search *s, const remedy_calls *calls, size_t n, int nranks,
                      struct repair *r)
{
    struct arena *a = s->arena;
    const struct kase *k = s->cases->items;
    struct compilation c = case_compilation(k);
    struct diag d = {.arena = a};
    const struct source *written = calls_written(a, k->kernel->source, calls);
    const struct kernel *kernel = kernel_of_source(a, k->kernel, written, &d);
    *r = (struct repair){.calls = *calls};
    const struct program *p = kernel ? kernel_compile(a, kernel, &c.options, nranks, &d) : NULL;
    if (!p)
        return false;
    const struct golden *g = golden_run(a, p, c.sc, k->of->runner.max_transitions);
    for (size_t i = 0; i < n; i++)
        vec_push(a, &r->cases, kase_make(k->of, kernel, nranks, p, g, s->cases->items[i].contract));
    r->answers = arena_array(a, struct clean_answer, n);
    return true;
}

static bool draft(const struct search *s, const remedy_calls *calls, struct repair *r)
{
    return draft_for(s, calls, s->cases->len, s->cases->items->nranks, r);
}

static void look(const struct search *s, struct repair *r)
{
    r->unclean = kases_clean(&r->cases, s->plan, r->answers);
    r->stopped = stop_wanted();
}

/* ---- remedies of what is left ---- */

/* The line of the file that is `line` with the calls; of a call, the one in front of it. */
static int line_before(const remedy_calls *calls, int line)
{
    int old = 1;
    while (calls_moved_line(calls, old + 1) <= line)
        old++;
    return old;
}

/* Calls beside lines of a file that has calls: nearer to the statement than those. */
static remedy_calls joined(const struct search *s, const remedy_calls *old, const remedy_calls *new)
{
    remedy_calls all = {0};
    for (int before = 0; before < 2; before++) {
        vec_foreach (const struct remedy_call, c, new) {
            struct remedy_call moved = *c;
            moved.line = line_before(old, c->line);
            if (c->after == !before)
                vec_push(s->arena, &all, moved);
        }
        if (!before)
            vec_foreach (const struct remedy_call, c, old)
                vec_push(s->arena, &all, *c);
    }
    return all;
}

static void take(const struct search *s, const struct remedy_call *c, remedy_calls *out)
{
    vec_foreach (const struct remedy_call, have, out)
        if (have->line == c->line && have->after == c->after && !strcmp(have->call, c->call))
            return;
    vec_push(s->arena, out, *c);
}

/* Every marker in front of a place, or behind it. */
static void take_all(const struct search *s, const struct kase *k, struct place at, bool behind,
                     remedy_calls *out)
{
    const struct remedy_language *of = remedy_language_of(k->kernel);
    const char *const every[] = {of->drain, of->invalidate, of->fence};
    struct remedy_call c;
    if (!remedy_beside(k->kernel, k->program, at, behind, &c))
        return;
    for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
        c.call = every[i];
        take(s, &c, out);
    }
}

/* What one finding asks for. */
static void ask(const struct search *s, const struct kase *k, const struct finding *f,
                const struct remedy_found *found, struct repair *r, remedy_calls *out)
{
    const struct edge *e = &f->edge;
    for (int i = 0; i < found->ncalls; i++)
        take(s, &found->calls[i], out);
    r->why = r->why || found->ncalls ? r->why : found->text;
    if (found->ncalls || found->kind == REMEDY_NONE || found->kind == REMEDY_FOLLOWS)
        return;
    take_all(s, k, e->from, true, out);
    take_all(s, k, e->release, false, out);
    take_all(s, k, e->acquire, true, out);
    take_all(s, k, e->to, false, out);
}

/* Of what runs show. */
static remedy_calls of_runs(const struct search *s, struct kase *k, struct repair *r)
{
    remedy_calls out = {0};
    kases one = {.items = k, .len = 1};
    cases_run(&one, NULL, NULL);
    case_find_remedies(k, ASKED);
    for (size_t i = 0; i < k->tally.findings.len && i < ASKED; i++) {
        const struct tally_finding *f = &k->tally.findings.items[i];
        ask(s, k, &f->first, f->remedy, r, &out);
    }
    return out;
}

/* Of what only an exploration has met. */
static remedy_calls of_states(const struct search *s, const struct kase *k,
                              const struct clean_answer *x, struct repair *r)
{
    bool room;
    remedy_calls out = {0};
    struct finding f = x->finding;
    struct contract roomy = explore_contract(k->program, k->contract, &room);
    struct evidence base = {.states = x->states};
    struct remedy_judge j = {.contract = &roomy,
                             .threads = k->of->threads,
                             .explore = true,
                             .options = k->options,
                             .max_states = s->plan->max_states,
                             .golden = k->golden};
    struct remedy_query q = {.finding = &f, .hits = 1, .runs = 1};
    struct compilation c = case_compilation(k);
    retrace_edge(s->arena, k->program, &roomy, k->options, &f);
    evidence_add(s->arena, k->program, &base, &f);
    remedies_find(s->arena, k->program, &j, &base, &q, 1);
    remedies_say(s->arena, &c, k->program, &j, &base, &q, 1);
    ask(s, k, &f, q.found, r, &out);
    return out;
}

/* Adds what the first finding asks for. False when that is nothing. */
static bool improve(const struct search *s, struct repair *r)
{
    struct kase *k = &r->cases.items[r->unclean];
    const struct clean_answer *x = &r->answers[r->unclean];
    remedy_calls new = x->states ? of_states(s, k, x, r) : of_runs(s, k, r);
    remedy_calls all = joined(s, &r->calls, &new);
    struct repair better;
    if (!new.len || all.len > MAX_CALLS || !draft(s, &all, &better))
        return false;
    *r = better;
    look(s, r);
    return true;
}

/* ---- what can go again ---- */

struct deletion {
    const struct search *search;
    struct repair *best;
    remedy_calls all;
    struct expense *alone; /* what the file costs without each call */
};

static remedy_calls without(const struct deletion *d, const bool *deleted)
{
    remedy_calls left = {0};
    for (size_t i = 0; i < d->all.len; i++)
        if (!deleted[i])
            vec_push(d->search->arena, &left, d->all.items[i]);
    return left;
}

static bool enough(void *ctx, const bool *deleted, size_t member)
{
    struct deletion *d = ctx;
    struct repair less;
    remedy_calls left = without(d, deleted);
    (void)member;
    if (!draft(d->search, &left, &less))
        return false;
    look(d->search, &less);
    if (repair_clean(&less))
        *d->best = less;
    return repair_clean(&less);
}

/* The call goes first without which the file is cheapest. */
static int dearer(const void *x, const void *y, void *ctx)
{
    const struct deletion *d = ctx;
    size_t i = *(const size_t *)x, k = *(const size_t *)y;
    int order = expense_compare_dearer(&d->alone[k], &d->alone[i]);
    return order ? order : (i > k) - (i < k);
}

static void delete_calls(const struct search *s, struct repair *r)
{
    struct deletion d = {.search = s, .best = r, .all = r->calls};
    size_t n = d.all.len, *order = arena_array(s->arena, size_t, n + 1);
    bool *deleted = arena_array(s->arena, bool, n + 1);
    d.alone = arena_array(s->arena, struct expense, n + 1);
    for (size_t i = 0; i < n && !stop_wanted(); i++) {
        struct repair less;
        order[i] = i;
        deleted[i] = true;
        remedy_calls left = without(&d, deleted);
        if (draft(s, &left, &less))
            d.alone[i] = kase_expense(less.cases.items);
        deleted[i] = false;
    }
    qsort_r(order, n, sizeof *order, dearer, &d);
    struct greedy g = {n, n, order, enough, &d};
    greedy_delete(&g, deleted);
}

/* ---- out of loops ---- */

static remedy_calls with_at(const struct search *s, const remedy_calls *old, size_t i,
                            struct remedy_call c)
{
    remedy_calls all = {0};
    for (size_t k = 0; k < old->len; k++)
        vec_push(s->arena, &all, k == i ? c : old->items[k]);
    return all;
}

/* A loop that is run once for so many ranks is run more often for more: a call that is needed each
 * time is missed with one rank more. */
static bool clean_with_more_ranks(const struct search *s, const remedy_calls *calls)
{
    struct repair more;
    int nranks = s->cases->items->nranks + 1;
    if (nranks > MAX_RANKS || !draft_for(s, calls, 1, nranks, &more))
        return false;
    struct clean_plan plan = *s->plan;
    plan.max_states = plan.max_states < MORE_RANKS_STATES ? plan.max_states : MORE_RANKS_STATES;
    return kases_clean(&more.cases, &plan, more.answers) == 1 && !stop_wanted();
}

/* A call serves as well outside of a loop, where it is made once. */
static void move_outward(const struct search *s, struct repair *r)
{
    const struct kernel *k = s->cases->items->kernel;
    struct expense now = kase_expense(r->cases.items);
    for (size_t i = 0; i < r->calls.len; i++) {
        struct remedy_call c = r->calls.items[i];
        while (remedy_outward(k, &c, &c)) {
            struct repair moved;
            remedy_calls all = with_at(s, &r->calls, i, c);
            if (!draft(s, &all, &moved))
                break;
            struct expense then = kase_expense(moved.cases.items);
            if (then.flushes > now.flushes || then.fences > now.fences ||
                !clean_with_more_ranks(s, &all))
                break;
            look(s, &moved);
            if (!repair_clean(&moved))
                break;
            *r = moved;
            now = then;
        }
    }
}

/* ---- the two ways ---- */

void repair_none(const kases *cases, const struct clean_plan *plan, struct repair *r)
{
    struct search s = {cases->items->of->arena, cases, plan};
    *r = (struct repair){.cases = *cases};
    r->answers = arena_array(s.arena, struct clean_answer, cases->len);
    look(&s, r);
}

static void find(const struct search *s, struct repair *r)
{
    for (int i = 0; !repair_clean(r) && !r->stopped && i < ROUNDS && improve(s, r);)
        i++;
    if (!repair_clean(r) || !r->calls.len)
        return;
    delete_calls(s, r);
    move_outward(s, r);
}

/* Most drafts are told from each other by few states: only what comes of them is looked at as far as
 * the plan says, and where that finds something drafts are, too. */
void repair_find(const kases *cases, const struct clean_plan *plan, struct repair *r)
{
    struct clean_plan brief = *plan;
    brief.max_states = plan->max_states < DRAFT_STATES ? plan->max_states : DRAFT_STATES;
    struct search s = {cases->items->of->arena, cases, &brief};
    repair_none(cases, &brief, r);
    find(&s, r);
    s.plan = plan;
    look(&s, r);
    if (!repair_clean(r))
        find(&s, r);
}
