/* SPDX-License-Identifier: MIT */
#include "bench/campaign/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"

struct runner {
    struct machine *machine;
    struct oracle *oracle;
    const struct golden *golden;
    struct runner_options opt;
    struct drive_options drive;
    struct drive_result result;
};

const struct driver_row drivers[] = {[DRIVER_TIMED] = {"timed", drive_timed},
                                     [DRIVER_RANDOM] = {"random", drive_random},
                                     [DRIVER_PCT] = {"pct", drive_pct}};
ROW_EACH(drivers, DRIVER_COUNT);

uint64_t usual_transitions(struct machine *m, uint64_t max_transitions)
{
    struct drive_options o = {.seed = 1, .max_transitions = max_transitions};
    struct drive_result r = {0};
    machine_reset(m);
    drive_random(m, &o, &r);
    return r.transitions;
}

/* ---- the golden run ---- */

/* The outputs of a rank's memory, where they lie there: the rest is never written, nor asked for. */
static uint8_t *outputs_of(struct arena *a, const struct program *p, const uint8_t *memory)
{
    uint8_t *out = arena_alloc(a, p->gm_bytes);
    for (int i = 0; i < p->nregions; i++)
        if (p->regions[i].output)
            memcpy(out + p->regions[i].offset, memory + p->regions[i].offset, p->regions[i].size);
    return out;
}

struct golden *golden_run(struct arena *a, const struct program *p, const struct contract *sc,
                          uint64_t max_transitions)
{
    struct golden *g = arena_new(a, struct golden);
    g->memory = arena_array(a, uint8_t *, (size_t)p->nranks);
    struct machine *m =
        machine_new(p, sc, (struct machine_options){.kernel = true, .sampled = true});
    struct drive_options drive = {.seed = 1, .max_transitions = max_transitions};
    struct drive_result result = {0};
    machine_reset(m);
    drive_timed(m, &drive, &result);
    g->ended = machine_at_end(m);
    g->checked = m->accessed;
    for (int r = 0; r < p->nranks; r++)
        g->memory[r] = outputs_of(a, p, m->gm[r]);
    machine_free(m);
    return g;
}

/* ---- one run ---- */

struct runner *runner_new(const struct program *p, const struct contract *k, const struct golden *g,
                          struct runner_options o)
{
    struct runner *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    r->golden = g;
    r->opt = o;
    r->oracle = oracle_new(p);
    oracle_keep_loops(r->oracle);
    r->machine =
        machine_new(p, k,
                    (struct machine_options){
                        .oracle = r->oracle, .kernel = true, .sampled = true, .named = o.named});
    r->drive = (struct drive_options){.max_transitions = o.max_transitions,
                                      .pct_depth = o.pct_depth,
                                      .adversary = o.adversary,
                                      .dispatch_skew = o.dispatch_skew};
    if (o.driver == DRIVER_PCT)
        r->drive.pct_steps = usual_transitions(r->machine, o.max_transitions);
    r->result.time = calloc((size_t)p->ncores, sizeof *r->result.time);
    return r;
}

void runner_free(struct runner *r)
{
    if (!r)
        return;
    machine_free(r->machine);
    oracle_free(r->oracle);
    free(r->result.time);
    free(r);
}

struct machine *runner_machine(struct runner *r)
{
    return r->machine;
}

const struct drive_result *runner_result(const struct runner *r)
{
    return &r->result;
}

void runner_on_step(struct runner *r,
                    void (*fn)(void *ctx, const struct machine *m, const struct step *s), void *ctx)
{
    r->drive.on_step = fn;
    r->drive.ctx = ctx;
}

/* Equal, or both floats that differ by rounding only where sums may arrive in any order. */
static bool same_element(const struct program *p, const struct region *g, const uint8_t *x,
                         const uint8_t *y)
{
    static const double tolerance[ELEM_COUNT] = {
        [ELEM_F16] = 0x1p-8, [ELEM_BF16] = 0x1p-5, [ELEM_F32] = 0x1p-18};
    size_t size = (size_t)elem_size(g->elem);
    if (!memcmp(x, y, size))
        return true;
    if (!p->float_adds || tolerance[g->elem] == 0)
        return false;
    double a = elem_value(x, g->elem), b = elem_value(y, g->elem);
    return fabs(a - b) <= tolerance[g->elem] * (fabs(a) + fabs(b));
}

/* A run of m, which has an oracle, has ended and nothing was found: adds a finding for each output
 * that differs from that of the sc run, for what the oracle's rules do not catch. golden: or NULL. */
static void golden_compare(const struct golden *golden, const struct machine *m)
{
    const struct program *p = m->program;
    int found;
    oracle_findings(m->oracle, &found);
    if (found || !golden || !golden->ended)
        return;
    for (int i = 0; i < p->nregions; i++) {
        const struct region *g = &p->regions[i];
        for (int rank = 0; g->output && rank < p->nranks; rank++) {
            const uint8_t *got = m->gm[rank] + g->offset, *want = golden->memory[rank] + g->offset;
            uint64_t at = 0, step = (uint64_t)elem_size(g->elem);
            if (!memcmp(got, want, g->size))
                continue;
            while (at < g->size && same_element(p, g, got + at, want + at))
                at += step;
            if (at < g->size)
                oracle_fault(m->oracle, m, V_WRONG_RESULT, -1, -1, gm_addr(rank, g->offset + at),
                             "differs from the sc run");
        }
    }
}

bool golden_judge(const struct golden *g, const struct machine *m, bool deadlock)
{
    int before, n;
    oracle_findings(m->oracle, &before);
    if (deadlock || before)
        return false;
    golden_compare(g, m);
    oracle_findings(m->oracle, &n);
    return n > 0;
}

int finding_compare(const struct finding *x, const struct finding *y)
{
    const int a[] = {x->verdict,     x->where,         x->late,
                     x->reader.insn, x->producer.insn, x->culprit.insn};
    const int b[] = {y->verdict,     y->where,         y->late,
                     y->reader.insn, y->producer.insn, y->culprit.insn};
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* The iterations of its accesses outlive the run. */
static void keep_loops(struct finding *f, struct arena *a)
{
    struct edge *e = &f->edge;
    struct place *places[] = {&f->reader, &f->producer, &f->wait,    &f->culprit, &f->got,
                              &e->from,   &e->to,       &e->release, &e->acquire};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const int64_t *loops = places[i]->loops;
        if (loops)
            places[i]->loops = arena_dup(a, loops, sizeof *loops * (size_t)(1 + loops[0]));
    }
}

static struct tally_finding *tally_same(const struct tally *t, const struct finding *f)
{
    vec_foreach (struct tally_finding, have, &t->findings)
        if (!finding_compare(&have->first, f))
            return have;
    return NULL;
}

static void tally_add_finding(struct tally *t, const struct finding *f, const char *note,
                              uint64_t seed, uint64_t runs, uint64_t units, struct arena *a)
{
    struct tally_finding *have = tally_same(t, f);
    if (have) {
        have->runs += runs && have->first_seed != seed;
        have->units += units;
        return;
    }
    struct tally_finding fresh = {.first = *f,
                                  .note = note ? arena_strdup(a, note) : NULL,
                                  .first_seed = seed,
                                  .runs = runs,
                                  .units = units};
    fresh.first.note = fresh.note;
    keep_loops(&fresh.first, a);
    vec_push(a, &t->findings, fresh);
}

static void add_stats(struct core_stats *x, const struct core_stats *y)
{
    /* All fields are counters of one type. */
    uint64_t *to = (uint64_t *)(void *)x;
    const uint64_t *from = (const uint64_t *)(const void *)y;
    for (size_t i = 0; i < sizeof *x / sizeof *to; i++)
        to[i] += from[i];
}

static void add_time(struct core_time *x, const struct core_time *y)
{
    for (int s = 0; s < SPENT_COUNT; s++)
        x->cycles[s] += y->cycles[s];
    for (int p = 0; p < PIPE_COUNT; p++)
        x->pipe_busy[p] += y->pipe_busy[p];
    x->start += y->start;
    x->end += y->end;
}

static bool is_known(const struct tally *known, const struct finding *f)
{
    bool stuck = f->verdict == V_HANG || f->verdict == V_DEADLOCK;
    if (known)
        vec_foreach (const struct tally_finding, k, &known->findings)
            /* Where a stale value was, or who would have ended a wait, differs from run to run: it
             * is the same finding. */
            if (k->first.verdict == f->verdict && k->first.reader.insn == f->reader.insn &&
                (stuck || k->first.producer.insn == f->producer.insn))
                return true;
    return false;
}

/* The cores of a rank stand one behind the other. */
static uint64_t rank_flushes(const struct machine *m)
{
    uint64_t sum = 0, most = 0;
    for (int c = 0; c < m->program->ncores; c++) {
        bool first = c == 0 || m->program->cores[c].rank != m->program->cores[c - 1].rank;
        uint64_t own = m->stats[c].dcci_all[ORIGIN_R1];
        sum += first ? most : 0;
        most = first || own > most ? own : most;
    }
    return sum + most;
}

static void tally_run(struct runner *r, uint64_t seed, struct tally *t, struct arena *a)
{
    int n;
    const struct finding *f = oracle_findings(r->oracle, &n);
    struct tally one = {0};
    for (int i = 0; i < n; i++) {
        if (is_known(r->opt.known, &f[i]))
            continue;
        tally_add_finding(&one, &f[i], f[i].note, seed, 1, f[i].units, a);
        one.verdict_runs[f[i].verdict] = 1;
    }
    one.runs = 1;
    one.failed = one.findings.len > 0;
    one.first_failed_seed = one.failed ? seed : 0;
    one.timed_out = oracle_count(r->oracle, V_TIMEOUT) > 0;
    one.checked = oracle_checked(r->oracle);
    for (int v = 0; v < V_COUNT; v++)
        one.verdict_seed[v] = seed;
    one.cycles_squares = (double)r->result.cycles * (double)r->result.cycles;
    one.cycles_sum = one.cycles_min = one.cycles_max = r->result.cycles;
    one.transitions = r->result.transitions;
    one.pct_agents = r->opt.driver == DRIVER_PCT ? pct_agents(r->machine) : 0;
    one.pct_steps = r->drive.pct_steps;
    for (int c = 0; c < r->machine->program->ncores; c++) {
        add_stats(&one.stats, &r->machine->stats[c]);
        add_time(&one.time, &r->result.time[c]);
        if (r->result.time[c].end > one.slowest.end || c == 0)
            one.slowest = r->result.time[c];
    }
    one.rank_flushes = rank_flushes(r->machine);
    tally_merge(t, &one, a);
}

bool runner_run(struct runner *r, uint64_t seed, struct tally *t, struct arena *a)
{
    struct core_time *time = r->result.time;
    memset(time, 0, sizeof *time * (size_t)r->machine->program->ncores);
    r->result = (struct drive_result){.time = time};
    r->drive.seed = seed;
    machine_reset(r->machine);
    drivers[r->opt.driver].drive(r->machine, &r->drive, &r->result);
    if (r->result.stopped) {
        int n;
        oracle_findings(r->oracle, &n);
        if (r->opt.unended && n)
            tally_run(r, seed, t, a);
        return false;
    }
    if (r->result.timed_out)
        oracle_fault(r->oracle, r->machine, V_TIMEOUT, -1, -1, 0,
                     "the run reached its limit of transitions");
    else
        oracle_finish(r->oracle, r->machine);
    golden_compare(r->golden, r->machine);
    tally_run(r, seed, t, a);
    if (r->opt.kept && seed - r->opt.kept_from < RUNNER_KEPT)
        r->opt.kept[seed - r->opt.kept_from] = r->result.cycles;
    return true;
}

/* ---- tallies ---- */

void tally_merge(struct tally *x, const struct tally *y, struct arena *a)
{
    if (!y->runs)
        return;
    if (!x->failed)
        x->first_failed_seed = y->first_failed_seed;
    for (int v = 0; v < V_COUNT; v++) {
        if (!x->verdict_runs[v])
            x->verdict_seed[v] = y->verdict_seed[v];
        x->verdict_runs[v] += y->verdict_runs[v];
    }
    if (!x->runs || y->cycles_min < x->cycles_min)
        x->cycles_min = y->cycles_min;
    if (y->cycles_max > x->cycles_max)
        x->cycles_max = y->cycles_max;
    vec_foreach (const struct tally_finding, f, &y->findings) {
        struct tally_finding *have = tally_same(x, &f->first);
        if (have) {
            have->runs += f->runs;
            have->units += f->units;
        } else {
            tally_add_finding(x, &f->first, f->note, f->first_seed, f->runs, f->units, a);
        }
    }
    x->runs += y->runs;
    x->failed += y->failed;
    x->timed_out += y->timed_out;
    x->checked += y->checked;
    x->cycles_sum += y->cycles_sum;
    x->cycles_squares += y->cycles_squares;
    x->transitions += y->transitions;
    x->pct_agents = y->pct_agents;
    x->pct_steps = y->pct_steps;
    x->rank_flushes += y->rank_flushes;
    add_stats(&x->stats, &y->stats);
    add_time(&x->time, &y->time);
    add_time(&x->slowest, &y->slowest);
}

bool tally_found(const struct tally *t)
{
    for (int v = 0; v < V_COUNT; v++)
        if (v != V_TIMEOUT && t->verdict_runs[v])
            return true;
    return false;
}

enum verdict tally_verdict(const struct tally *t)
{
    for (int v = 0; v < V_COUNT; v++)
        if (t->verdict_runs[v])
            return (enum verdict)v;
    return V_COUNT;
}

const struct tally_finding *tally_find(const struct tally *t, enum verdict v)
{
    vec_foreach (struct tally_finding, f, &t->findings)
        if (f->first.verdict == v)
            return f;
    return NULL;
}
