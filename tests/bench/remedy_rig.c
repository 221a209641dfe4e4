/* SPDX-License-Identifier: MIT */
#include "tests/bench/remedy_rig.h"

#include "bench/campaign/retrace.h"
#include "sim/explore/explore.h"
#include "tests/support.h"

enum {
    MAX_DEPTH = 8,
    MAX_STATES = 200 * 1000,
    OTHER_SEEDS = 100000,
    MAX_TRANSITIONS = 1000 * 1000
};

struct seen {
    struct arena *arena;
    const struct program *program;
    struct evidence e;
};

static void on_finding(void *ctx, const struct machine *m)
{
    struct seen *s = ctx;
    int n;
    const struct finding *f = oracle_findings(m->oracle, &n);
    for (int i = 0; i < n; i++) {
        struct finding kept = f[i];
        kept.note = NULL;
        kept.edge = EDGE_UNKNOWN;
        evidence_add(s->arena, s->program, &s->e, &kept);
    }
}

static bool explored(struct seen *s, const struct contract *k, bool races)
{
    struct explore_options o = {.threads = 1,
                                .reduction = true,
                                .races = races,
                                .max_states = MAX_STATES,
                                .oracle = true,
                                .on_finding = on_finding,
                                .ctx = s};
    struct explore_result r;
    explore(s->program, k, &o, &r);
    s->e.states = r.states;
    return r.complete;
}

static const struct runner_options timed = {.driver = DRIVER_TIMED,
                                            .adversary = true,
                                            .max_transitions = MAX_TRANSITIONS,
                                            .dispatch_skew = SKEW_OF_CONTRACT};

static void sampled(struct tally *t, struct arena *a, const struct program *p,
                    const struct remedy_judge *j, uint64_t seed, uint64_t runs)
{
    struct runner *r = runner_new(p, j->contract, j->golden, j->options);
    for (uint64_t i = 0; i < runs; i++)
        runner_run(r, seed + i, t, a);
    runner_free(r);
}

/* ---- programs with answers ---- */

static const struct program *with(struct arena *a, const struct program *p,
                                  const struct remedy_query *q, size_t n)
{
    struct insertion *list = arena_array(a, struct insertion, n * REMEDY_PARTS * REMEDY_INSNS + 1);
    size_t len = 0;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < q[i].found->nremedies; k++)
            len += remedy_insertions(p, &q[i].found->remedies[k], list + len);
    return program_insert(p, list, len, a);
}

static struct place original(const struct program *patched, struct place at)
{
    return at.core < 0 ? at : PLACE(at.core, program_original(patched, at.core, at.insn));
}

static bool has(const struct program *p, const struct program *patched, const struct finding *g,
                const struct finding *f)
{
    return g->verdict == f->verdict && place_same(p, original(patched, g->reader), f->reader) &&
           place_same(p, original(patched, g->producer), f->producer);
}

static const char *name_of(struct arena *a, const struct program *p, const char *what,
                           const struct finding *f)
{
    struct place at = f->reader.core >= 0 ? f->reader : f->producer;
    const struct insn *i = at.core >= 0 ? &p->cores[at.core].code->insns[at.insn] : NULL;
    return arena_printf(a, "%s: %s (%s) at %s, line %d %s", what, verdict_name(f->verdict),
                        where_name(f->where), program_where(p, f->addr, a), i ? i->span.line : 0,
                        i ? i->what : "");
}

/* The program that an answer says is without the finding: with its remedy alone, or (together, or
 * it has none of its own) with those of all the others. */
static const struct program *claimed(struct arena *a, const struct program *p,
                                     const struct remedy_query *q, size_t n, size_t i)
{
    bool all = q[i].found->kind == REMEDY_FOLLOWS || q[i].found->together;
    return all ? with(a, p, q, n) : with(a, p, &q[i], 1);
}

/* Faults that end a run say nothing of order: they may go without an answer. */
static bool needs_answer(enum verdict v)
{
    return v <= V_RACE || v == V_WRONG_RESULT;
}

static void count_answer(struct arena *a, const struct program *p, const char *what,
                         const struct remedy_query *q, struct answers *count)
{
    const struct remedy_found *x = q->found;
    const char *name = name_of(a, p, what, q->finding);
    count->findings++;
    count->of_kind[x->kind]++;
    cr_expect(x->kind != REMEDY_UNKNOWN || !needs_answer(q->finding->verdict),
              "%s: no answer: %s (%s)", name, x->text, x->checked);
    cr_expect((x->kind == REMEDY_REPAIRS) == (x->nremedies > 0), "%s", name);
    cr_expect(x->text || !needs_answer(q->finding->verdict), "%s: no text", name);
}

/* ---- in words ---- */

/* The two places are one statement and operation of the file, whose lines have moved. */
static bool is_moved(const struct program *p, struct place x, const struct program *q,
                     struct place y, const remedy_calls *calls)
{
    if (x.core < 0 || x.insn < 0 || y.core < 0 || y.insn < 0)
        return (x.core < 0) == (y.core < 0) && x.insn == y.insn;
    const struct insn *i = &p->cores[x.core].code->insns[x.insn],
                      *k = &q->cores[y.core].code->insns[y.insn];
    return k->span.line == calls_moved_line(calls, i->span.line) && k->span.col == i->span.col &&
           k->op == i->op;
}

static const struct program *recompiled(struct arena *a, const struct compiled *c,
                                        const struct source *text)
{
    struct diag d = {.arena = a};
    const struct compilation *f = &c->from;
    const struct kernel *k = kernel_of_source(a, f->kernel, text, &d);
    const struct program *p = k ? kernel_compile(a, k, &f->options, f->nranks, &d) : NULL;
    cr_assert(p, "%s: with its remedy: %s\n%s", c->what, diag_text(&d, a), text->text);
    return p;
}

/* What a recompiled program shows: in its states, or in runs with other seeds. */
static void look_again(struct seen *s, const struct compiled *c, const struct remedy_judge *j)
{
    struct remedy_judge fresh = *j;
    struct tally t = {0};
    if (j->explore) {
        cr_expect(explored(s, c->contract, j->races), "%s: too many states with its remedy",
                  c->what);
        return;
    }
    fresh.golden = golden_run(s->arena, s->program, c->from.sc, MAX_TRANSITIONS);
    fresh.options.named = machine_load_lines(s->arena, s->program, c->contract, true);
    sampled(&t, s->arena, s->program, &fresh, OTHER_SEEDS, j->max_runs);
    vec_foreach (const struct tally_finding, f, &t.findings)
        evidence_add(s->arena, s->program, &s->e, &f->first);
}

/* What the bench proposes in words it also says, and with that in the file the finding is gone. */
static void check_words(struct arena *a, const struct compiled *c, const struct remedy_judge *j,
                        const struct remedy_query *q, struct answers *count)
{
    const struct finding *f = q->finding;
    struct remedy_found proposed = *q->found;
    remedy_calls calls = {.items = q->found->calls, .len = (size_t)q->found->ncalls};
    remedy_add_calls(a, c->from.kernel, c->from.options.toolchain, c->program, &proposed);
    cr_expect(proposed.ncalls == q->found->ncalls, "%s: not repaired by: %s",
              name_of(a, c->program, c->what, f),
              remedy_calls_text(a, c->program->source, &proposed));
    if (!calls.len || q->found->together)
        return;
    const struct program *p = recompiled(a, c, calls_written(a, c->from.kernel->source, &calls));
    struct seen after = {a, p, {0}};
    look_again(&after, c, j);
    count->in_words++;
    vec_foreach (const struct finding, g, &after.e.findings)
        cr_expect(!(g->verdict == f->verdict &&
                    is_moved(c->program, f->reader, p, g->reader, &calls) &&
                    is_moved(c->program, f->producer, p, g->producer, &calls)),
                  "%s: not repaired by: %s", name_of(a, c->program, c->what, f),
                  remedy_calls_text(a, c->program->source, q->found));
}

/* ---- the two ways ---- */

/* from: the file that p is compiled from, or NULL. */
static void check_at(const struct program *p, const struct compiled *from, const struct contract *k,
                     const char *what, struct answers *count, int depth)
{
    struct arena a = {0};
    struct seen base = {&a, p, {0}};
    bool complete = explored(&base, k, false), races = base.e.verdicts[V_RACE];
    if (races)
        complete = explored(&base, k, true);
    size_t n = base.e.findings.len;
    struct remedy_query *q = arena_array(&a, struct remedy_query, n + 1);
    struct remedy_judge j = {.contract = k,
                             .threads = 1,
                             .explore = true,
                             .races = races,
                             .max_states = MAX_STATES,
                             .options = timed};
    cr_assert(complete, "%s: too many states", what);
    for (size_t i = 0; i < n; i++) {
        struct finding *f = &base.e.findings.items[i], met;
        bool traced = retrace(&a, p, k, timed, f, &met);
        cr_expect(traced, "%s: no run has it", name_of(&a, p, what, f));
        f->edge = traced ? met.edge : EDGE_UNKNOWN;
        f->where = traced ? met.where : f->where;
        f->late = traced && met.late;
        q[i] = (struct remedy_query){.finding = f, .hits = 1, .runs = 1};
    }
    remedies_find(&a, p, &j, &base.e, q, n);
    if (from)
        remedies_say(&a, &from->from, p, &j, &base.e, q, n);
    bool repaired = false;
    for (size_t i = 0; i < n; i++) {
        count_answer(&a, p, what, &q[i], count);
        if (from)
            check_words(&a, from, &j, &q[i], count);
        repaired |= q[i].found->kind == REMEDY_REPAIRS;
        if (q[i].found->kind != REMEDY_REPAIRS && q[i].found->kind != REMEDY_FOLLOWS)
            continue;
        const struct program *patched = claimed(&a, p, q, n, i);
        struct seen after = {&a, patched, {0}};
        cr_expect(explored(&after, k, races), "%s: too many states with its remedy", what);
        vec_foreach (const struct finding, g, &after.e.findings)
            cr_expect(!has(p, patched, g, q[i].finding), "%s: not repaired by: %s",
                      name_of(&a, p, what, q[i].finding), q[i].found->text);
    }
    /* Exploration ends a path at its first finding: what is left, and what comes to light, is
     * repaired in turn. */
    if (repaired) {
        cr_assert(depth < MAX_DEPTH, "%s: no end of remedies", what);
        check_at(with(&a, p, q, n), NULL, k, arena_printf(&a, "%s, repaired", what), count,
                 depth + 1);
    }
    arena_free(&a);
}

void check_explored(const struct program *p, const struct contract *k, const char *what,
                    struct answers *count)
{
    check_at(p, NULL, k, what, count, 0);
}

void check_explored_file(const struct compiled *c, struct answers *count)
{
    check_at(c->program, c, c->contract, c->what, count, 0);
}

void check_sampled(struct arena *a, const struct compiled *c, uint64_t runs, struct answers *count)
{
    const struct program *p = c->program;
    struct remedy_judge j = {.contract = c->contract,
                             .threads = 1,
                             .golden = golden_run(a, p, c->from.sc, MAX_TRANSITIONS),
                             .options = timed,
                             .seed = 1,
                             .max_runs = runs};
    j.options.named = machine_load_lines(a, p, c->contract, true);
    struct tally base = {0};
    sampled(&base, a, p, &j, 1, runs);
    size_t n = base.findings.len;
    struct remedy_query *q = arena_array(a, struct remedy_query, n + 1);
    struct evidence seen = {.runs = runs};
    for (size_t i = 0; i < n; i++) {
        const struct tally_finding *f = &base.findings.items[i];
        evidence_add(a, p, &seen, &f->first);
        q[i] = (struct remedy_query){.finding = &f->first, .hits = f->runs, .runs = runs};
    }
    remedies_find(a, p, &j, &seen, q, n);
    remedies_say(a, &c->from, p, &j, &seen, q, n);
    for (size_t i = 0; i < n; i++) {
        count_answer(a, p, c->what, &q[i], count);
        if (q[i].found->kind != REMEDY_REPAIRS && q[i].found->kind != REMEDY_FOLLOWS)
            continue;
        const struct program *patched = claimed(a, p, q, n, i);
        struct tally after = {0};
        sampled(&after, a, patched, &j, OTHER_SEEDS, runs);
        vec_foreach (const struct tally_finding, h, &after.findings)
            cr_expect(!has(p, patched, &h->first, q[i].finding), "%s: not repaired by: %s; seed %d",
                      name_of(a, p, c->what, q[i].finding), q[i].found->text, (int)h->first_seed);
        check_words(a, c, &j, &q[i], count);
    }
}
