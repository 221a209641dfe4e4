/* SPDX-License-Identifier: MIT */
#include "bench/campaign/remedy.h"

#include <inttypes.h>
#include <string.h>

#include "base/stop.h"
#include "base/table.h"
#include "isa/build.h"
#include "bench/campaign/campaign.h"
#include "sim/explore/explore.h"

/*
 * How often a finding would show in the runs that a trial begins with, and in those that are
 * enough, were it as frequent as before. What is left of it may be rarer: where the judge allows
 * it, that is not less than USUAL_RUNS. SIMPLEST candidates are tried unseen.
 */
enum { FIRST_HITS = 2, SURE_HITS = 5, USUAL_RUNS = 200, SIMPLEST = 2 };

const char *remedy_kind_name(enum remedy_kind k)
{
    static const char *const names[] = {REMEDIES(NAME_ROW)};
    return names[k];
}

/* ---- looking at a program ---- */

void evidence_add(struct arena *a, const struct program *p, struct evidence *e,
                  const struct finding *f)
{
    e->verdicts[f->verdict] = true;
    vec_foreach (const struct finding, have, &e->findings)
        if (have->verdict == f->verdict && place_same(p, have->reader, f->reader) &&
            place_same(p, have->producer, f->producer))
            return;
    vec_push(a, &e->findings, *f);
}

static void sample(struct arena *a, const struct remedy_judge *j, const struct program *p,
                   uint64_t runs, struct evidence *e)
{
    uint64_t more = runs > e->runs ? runs - e->runs : 0;
    int n = (int)job_pieces(more);
    struct campaign c = {
        .jobs = arena_array(a, struct job, (size_t)n + 1), .njobs = n, .threads = j->threads};
    struct job all = {.program = p,
                      .contract = j->contract,
                      .golden = j->golden,
                      .options = j->options,
                      .first_seed = j->seed + e->runs,
                      .runs = more};
    for (int i = 0; i < n; i++)
        c.jobs[i] = job_piece(&all, i);
    campaign_run(&c);
    for (int i = 0; i < n; i++)
        vec_foreach (const struct tally_finding, f, &c.jobs[i].tally.findings) {
            struct finding kept = f->first;
            kept.note = NULL; /* it goes with the job */
            evidence_add(a, p, e, &kept);
        }
    campaign_free(&c);
    e->runs += more;
}

struct exploring {
    struct arena *arena;
    const struct remedy_judge *judge;
    struct evidence *e;
};

static void on_finding(void *ctx, const struct machine *m)
{
    struct exploring *x = ctx;
    int n;
    const struct finding *f = oracle_findings(m->oracle, &n);
    for (int i = 0; i < n; i++) {
        struct finding kept = f[i];
        kept.note = NULL;
        evidence_add(x->arena, m->program, x->e, &kept);
    }
}

static void on_final(void *ctx, const struct machine *m, bool deadlock)
{
    const struct exploring *x = ctx;
    if (golden_judge(x->judge->golden, m, deadlock))
        on_finding(ctx, m);
}

static void look(struct arena *a, const struct remedy_judge *j, const struct program *p,
                 uint64_t runs, struct evidence *e)
{
    if (!j->explore) {
        sample(a, j, p, runs, e);
        return;
    }
    if (e->states)
        return;
    struct exploring x = {a, j, e};
    struct explore_options o = {.threads = j->threads,
                                .reduction = true,
                                .races = j->races,
                                .max_states = j->max_states,
                                .oracle = true,
                                .on_finding = on_finding,
                                .on_final = on_final,
                                .ctx = &x};
    struct explore_result r;
    explore(p, j->contract, &o, &r);
    e->states = r.states;
    e->complete = r.complete;
}

/* ---- trials ---- */

typedef VEC(struct insertion) additions;

/* The program with additions, and what it showed so far. */
struct trial {
    additions list;
    const struct program *program;
    struct evidence seen;
};

struct remedy_search {
    struct arena *arena;
    const struct program *program;
    const struct remedy_judge *judge;
    const struct evidence *base;
    VEC(struct trial *) trials;
    additions repairs; /* of the findings so far */
    struct trial *strongest;
};

static bool same_addition(const struct insertion *x, const struct insertion *y)
{
    const struct insn *i = &x->insn, *k = &y->insn;
    return x->code == y->code && x->at == y->at && x->behind == y->behind && i->op == k->op &&
           i->pa == k->pa && i->pb == k->pb && i->ra == k->ra && i->imm == k->imm;
}

static bool same_list(const additions *x, const additions *y)
{
    bool same = x->len == y->len;
    for (size_t i = 0; same && i < x->len; i++)
        same = same_addition(&x->items[i], &y->items[i]);
    return same;
}

/* Adds what is not there yet. */
static void unite(struct arena *a, additions *to, const additions *from)
{
    vec_foreach (const struct insertion, i, from) {
        bool have = false;
        vec_foreach (const struct insertion, k, to)
            have |= same_addition(i, k);
        if (!have)
            vec_push(a, to, *i);
    }
}

static struct trial *trial_of(struct remedy_search *s, const additions *list)
{
    vec_foreach (struct trial *, t, &s->trials)
        if (same_list(&(*t)->list, list))
            return *t;
    struct trial *t = arena_new(s->arena, struct trial);
    unite(s->arena, &t->list, list);
    t->program = program_insert(s->program, t->list.items, t->list.len, s->arena);
    vec_push(s->arena, &s->trials, t);
    return t;
}

static struct place original_place(const struct trial *t, struct place at)
{
    return PLACE(at.core, program_original(t->program, at.core, at.insn));
}

/* The places are one in the text; x is one of the trial's program. */
static bool is_place(const struct remedy_search *s, const struct trial *t, struct place x,
                     struct place y)
{
    return place_same(s->program, x.core < 0 ? x : original_place(t, x), y);
}

/* The trial's finding g is the program's f, wherever the fresh value was. */
static bool is_same(const struct remedy_search *s, const struct trial *t, const struct finding *g,
                    const struct finding *f)
{
    return g->verdict == f->verdict && is_place(s, t, g->reader, f->reader) &&
           is_place(s, t, g->producer, f->producer);
}

static bool halts(const struct evidence *base, const struct evidence *seen)
{
    static const enum verdict all[] = {V_DEADLOCK, V_HANG, V_OUT_OF_BOUNDS, V_MISALIGNED,
                                       V_TIMEOUT};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (seen->verdicts[all[i]] && !base->verdicts[all[i]])
            return true;
    return false;
}

bool remedy_gone(struct arena *a, const struct remedy_judge *j, const struct program *p,
                 const struct evidence *base, const struct remedy_query *q,
                 bool (*remains)(const void *ctx, const struct evidence *seen), const void *ctx,
                 struct evidence *seen)
{
    uint64_t first = q->hits ? FIRST_HITS * q->runs / q->hits : q->runs,
             runs = q->hits ? SURE_HITS * q->runs / q->hits : q->runs;
    runs = runs < USUAL_RUNS ? USUAL_RUNS : runs;
    runs = runs > j->max_runs ? j->max_runs : runs;
    look(a, j, p, first < runs ? first : runs, seen);
    if (halts(base, seen) || remains(ctx, seen))
        return false;
    look(a, j, p, runs, seen);
    return !halts(base, seen) && !remains(ctx, seen);
}

/* A finding that is looked for in a trial. */
struct sought {
    const struct remedy_search *search;
    const struct trial *trial;
    const struct finding *finding;
};

static bool remains(const void *ctx, const struct evidence *seen)
{
    const struct sought *x = ctx;
    vec_foreach (const struct finding, g, &seen->findings)
        if (is_same(x->search, x->trial, g, x->finding))
            return true;
    return false;
}

static bool gone(struct remedy_search *s, struct trial *t, const struct remedy_query *q)
{
    struct sought x = {s, t, q->finding};
    return remedy_gone(s->arena, s->judge, t->program, s->base, q, remains, &x, &t->seen);
}

/* ---- every marker around every access ---- */

/* Drains, cleans and invalidates everything and waits for it, on one side of an instruction. */
static void surround(struct arena *a, additions *list, const struct code *c, int at, bool behind)
{
    struct insn like = INSN_BLANK;
    like.origin = ORIGIN_HAND;
    like.span = c->insns[at].span;
    const struct insn all[] = {insn_barrier(like, PIPE_ALL), insn_make(like, I_DCCI_ALL),
                               insn_make(like, I_DSB)};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct insertion in = {.code = c, .at = at, .behind = behind, .insn = all[k]};
        vec_push(a, list, in);
    }
}

static struct trial *strongest(struct remedy_search *s)
{
    additions list = {0};
    const struct code *last = NULL;
    for (int c = 0; !s->strongest && c < s->program->ncores; c++) {
        const struct code *code = s->program->cores[c].code;
        for (int i = 0; code != last && i < code->count; i++)
            if (insn_any(&code->insns[i], CLASS_LOAD | CLASS_STORE | CLASS_TILE)) {
                surround(s->arena, &list, code, i, false);
                surround(s->arena, &list, code, i, true);
            }
        last = code;
    }
    if (!s->strongest) {
        s->strongest = arena_new(s->arena, struct trial);
        s->strongest->list = list;
        s->strongest->program = program_insert(s->program, list.items, list.len, s->arena);
    }
    return s->strongest;
}

/* ---- the search ---- */

static const char *checked_text(struct arena *a, const struct evidence *e, enum remedy_kind kind,
                                const char *what)
{
    if (kind == REMEDY_NONE)
        return what;
    if (e->runs)
        return arena_printf(a, "%s in %" PRIu64 " runs", what, e->runs);
    return arena_printf(a,
                        e->complete ? "%s in all %" PRIu64 " states"
                                    : "%s in the first %" PRIu64 " states, then a limit was hit",
                        what, e->states);
}

static struct remedy_found *answer(struct remedy_search *s, enum remedy_kind kind, const char *text,
                                   const struct trial *t, const char *what)
{
    struct remedy_found *f = arena_new(s->arena, struct remedy_found);
    *f = (struct remedy_found){.kind = kind, .text = text};
    if (t) {
        f->seen = t->seen;
        f->checked = checked_text(s->arena, &t->seen, kind, what);
    }
    return f;
}

/* The instructions of up to two remedies; together: and what repairs the other findings. */
static struct trial *trial_with(struct remedy_search *s, const struct remedy *x,
                                const struct remedy *y, bool together)
{
    additions all = {0};
    if (together)
        unite(s->arena, &all, &s->repairs);
    for (int k = 0; k < 2; k++) {
        const struct remedy *r = k ? y : x;
        struct insertion insns[REMEDY_INSNS];
        additions own = {.items = insns};
        own.len = r ? remedy_insertions(s->program, r, insns) : 0;
        unite(s->arena, &all, &own);
    }
    return trial_of(s, &all);
}

/* Candidates about one edge, simplest first. */
struct candidates {
    const struct remedy *list;
    size_t n;
};

/* Cuts the first ones that are about one edge off the list. */
static struct candidates next_edge(struct candidates *left)
{
    struct candidates c = *left;
    const struct edge *e = &c.list[0].edge;
    for (c.n = 0; c.n < left->n && c.list[c.n].edge.from.core == e->from.core &&
                  c.list[c.n].edge.from.insn == e->from.insn;)
        c.n++;
    left->list += c.n;
    left->n -= c.n;
    return c;
}

static struct candidates candidates_for(struct remedy_search *s, const struct finding *f)
{
    struct remedy *list = arena_array(s->arena, struct remedy, REMEDY_CANDIDATES);
    const struct remedy_judge *j = s->judge;
    return (struct candidates){list, diagnose(s->program, j->contract, f, j->explore, list)};
}

/* The candidate with the most markers: when it does not repair, no other of its edge does. */
static const struct remedy *fullest(const struct candidates *c)
{
    const struct remedy *best = c->list;
    for (size_t i = 0; i < c->n; i++)
        if (c->list[i].nsteps >= best->nsteps)
            best = &c->list[i];
    return best;
}

/* The first that repairs, with another remedy when that is not NULL. When the simplest do not, it
 * is worth to look at the others only if all markers do. */
static const struct remedy *first_that_repairs(struct remedy_search *s,
                                               const struct remedy_query *q,
                                               const struct candidates *c,
                                               const struct remedy *with, bool together)
{
    for (size_t i = 0; i < c->n; i++) {
        if (gone(s, trial_with(s, &c->list[i], with, together), q))
            return &c->list[i];
        if (i == SIMPLEST - 1 && !gone(s, trial_with(s, fullest(c), with, together), q))
            return NULL;
    }
    return NULL;
}

/* What is left of the finding in a trial, as one of the program itself: false when it is no longer
 * one about its text. */
static bool left_over(struct remedy_search *s, const struct trial *t, const struct finding *f,
                      struct finding *out)
{
    vec_foreach (const struct finding, g, &t->seen.findings) {
        struct edge *e = &out->edge;
        *out = *g;
        struct place *const places[] = {&e->from, &e->to, &e->release, &e->acquire};
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            *places[k] = original_place(t, *places[k]);
        if (is_same(s, t, g, f) && e->from.insn >= 0)
            return true;
    }
    return false;
}

static struct remedy_found *accept(struct remedy_search *s, const struct remedy *x,
                                   const struct remedy *y, bool together)
{
    struct trial *t = trial_with(s, x, y, together), *own = trial_with(s, x, y, false);
    const char *text = remedy_text(s->program, x, s->arena);
    if (y)
        text = arena_printf(s->arena, "%s; and %s", text, remedy_text(s->program, y, s->arena));
    struct remedy_found *f = answer(s, REMEDY_REPAIRS, text, t,
                                    together ? "gone, with the remedies of the others," : "gone");
    unite(s->arena, &s->repairs, &own->list);
    f->remedies[f->nremedies++] = *x;
    if (y)
        f->remedies[f->nremedies++] = *y;
    f->together = together;
    return f;
}

/* A remedy for the finding's own edge, or that and one for what is then left of it: a read can miss
 * a write in more than one way. */
static struct remedy_found *own_remedy(struct remedy_search *s, const struct remedy_query *q,
                                       bool together)
{
    struct candidates all = candidates_for(s, q->finding);
    while (all.n) {
        struct candidates c = next_edge(&all), rest;
        const struct remedy *x = first_that_repairs(s, q, &c, NULL, together), *y;
        struct finding left;
        if (x)
            return accept(s, x, NULL, together);
        x = fullest(&c);
        if (!left_over(s, trial_with(s, x, NULL, together), q->finding, &left))
            continue;
        rest = candidates_for(s, &left);
        rest = rest.n ? next_edge(&rest) : rest;
        y = first_that_repairs(s, q, &rest, x, together);
        if (y)
            return accept(s, first_that_repairs(s, q, &c, y, together), y, together);
    }
    return NULL;
}

/* Verdicts that come of what an access saw or did; the others stop a run
 * for reasons of their own. */
static bool of_memory(enum verdict v)
{
    return v == V_STALE_READ || v == V_OVERRUN_READ || v == V_LOST_WRITE || v == V_RACE ||
           v == V_WRONG_RESULT;
}

/* The finding that the same access was erased, when there is one: it says more. */
static const struct finding *cause_of(const struct remedy_search *s, const struct finding *f)
{
    vec_foreach (const struct finding, g, &s->base->findings)
        if (g->where == W_OVERWRITTEN && g->producer.core >= 0 &&
            g->producer.insn == f->producer.insn)
            return g;
    return f;
}

static struct remedy_found *other_answer(struct remedy_search *s, const struct remedy_query *q)
{
    const struct finding *f = q->finding;
    struct trial *all = s->repairs.len ? trial_of(s, &s->repairs) : NULL;
    if (all && gone(s, all, q))
        return answer(s, REMEDY_FOLLOWS, "none of its own: it follows from other findings", all,
                      "gone with their remedies");
    struct remedy_found *own = all ? own_remedy(s, q, true) : NULL;
    if (own)
        return own;
    if (!of_memory(f->verdict))
        return answer(s, REMEDY_NONE, finding_advice(s->program, f, s->arena), NULL, NULL);
    struct trial *t = strongest(s);
    bool remains_there = !gone(s, t, q);
    /* Exploration ends where something else is found: then it says nothing of a race. */
    if (!remains_there && f->verdict == V_RACE && s->judge->explore && t->seen.findings.len)
        return answer(s, REMEDY_NONE, finding_advice(s->program, f, s->arena), NULL, NULL);
    if (!remains_there)
        return answer(s, REMEDY_UNKNOWN, "not found, but markers help", t,
                      "gone with every marker around every access");
    return answer(s, REMEDY_NONE, finding_advice(s->program, cause_of(s, f), s->arena), t,
                  "stays with every marker around every access");
}

/* An answer that a stop may have cut short is none. */
static struct remedy_found *unless_stopped(struct remedy_search *s, struct remedy_found *found)
{
    return stop_wanted() ? answer(s, REMEDY_UNKNOWN, "not looked for: interrupted", NULL, NULL)
                         : found;
}

void remedies_find(struct arena *a, const struct program *p, const struct remedy_judge *j,
                   const struct evidence *base, struct remedy_query *q, size_t n)
{
    struct remedy_search s = {.arena = a, .program = p, .judge = j, .base = base};
    for (size_t i = 0; i < n; i++)
        q[i].found = unless_stopped(&s, stop_wanted() ? NULL : own_remedy(&s, &q[i], false));
    for (size_t i = 0; i < n; i++)
        if (!q[i].found)
            q[i].found = unless_stopped(&s, other_answer(&s, &q[i]));
}
