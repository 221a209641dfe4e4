/* SPDX-License-Identifier: MIT */
/* fencebench explore: every reachable state of a small kernel, with the oracle's verdicts. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands.h"
#include "bench/output.h"
#include "bench/report.h"
#include "bench/trace.h"
#include "sim/explore.h"
#include "sim/witness.h"

enum {
    KEY_WITNESS = 0x200,
    KEY_DOT,
    KEY_TRACE,
    KEY_STATES,
    KEY_MEMORY,
    KEY_REMOVE,
    KEY_FULL,
    DEFAULT_STATES = 20 * 1000 * 1000,
    WITNESS_STATES = 2 * 1000 * 1000
};

struct found {
    struct finding finding;
    uint64_t states; /* in which it was met */
};

struct explorer {
    struct options o;
    bool witness, full;
    const char *dot, *trace;
    uint64_t max_states, max_memory;
    int remove; /* site, or -1 */
    struct kase *kase;
    const struct program *program;
    VEC(struct found) found;
    struct progress progress;
};

static const struct argp_option explore_options[] = {
    {"witness", KEY_WITNESS, NULL, 0, "Print a shortest run to the first finding, as a timeline",
     3},
    {"dot", KEY_DOT, "FILE", 0, "Write that run as a DOT graph", 3},
    {"trace", KEY_TRACE, "FILE", 0,
     "Write that run as a Chrome/Perfetto trace, or as text for FILE.txt", 3},
    {"max-states", KEY_STATES, "N", 0, "Give up beyond N states (default 20000000)", 3},
    {"max-memory", KEY_MEMORY, "BYTES", 0, "Give up beyond that much memory (default: no limit)",
     3},
    {"remove", KEY_REMOVE, "SITE", 0,
     "Without the instructions of a site, numbered as sweep and compile --emit=asm do", 3},
    {"no-reduction", KEY_FULL, NULL, 0,
     "Explore every order of steps, without partial-order reduction", 3},
    {0},
};

static const struct argp_child children[] = {
    {&compile_argp, 0, "Compiling:", 1},
    {&run_argp, 0, "Running (-P, --model and -j apply):", 2},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct explorer *e = s->input;
    switch (key) {
    case KEY_WITNESS:
        e->witness = true;
        return 0;
    case KEY_DOT:
        e->dot = arg;
        return 0;
    case KEY_TRACE:
        e->trace = arg;
        return 0;
    case KEY_STATES:
        e->max_states = option_number(arg, "--max-states", 1, UINT32_MAX, s);
        return 0;
    case KEY_MEMORY:
        e->max_memory = option_number(arg, "--max-memory", 1, UINT64_MAX / 2, s);
        return 0;
    case KEY_REMOVE:
        e->remove = (int)option_number(arg, "--remove", 0, 1000000, s);
        return 0;
    case KEY_FULL:
        e->full = true;
        return 0;
    default:
        return options_key(&e->o, children, key, arg, s, 1, 1) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    explore_options,
    parse,
    "FILE",
    "Visit every reachable state of a small kernel once and report the oracle's verdicts: a "
    "proof up to the kernel's own sizes. A path ends at its first finding.",
    children,
    NULL,
    NULL};

/* ---- collecting ---- */

/* What tells two findings apart in the report: place in the text, not the rank. */
static int compare_kind(const struct finding *x, const struct finding *y)
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

/* Of equal kind, the first by address and ranks stands for all: threads meet them in any order. */
static bool comes_first(const struct finding *x, const struct finding *y)
{
    if (x->addr != y->addr)
        return x->addr < y->addr;
    if (x->reader.core != y->reader.core)
        return x->reader.core < y->reader.core;
    return x->producer.core < y->producer.core;
}

static int by_kind(const void *x, const void *y)
{
    return compare_kind(&((const struct found *)x)->finding, &((const struct found *)y)->finding);
}

static void add_found(struct explorer *e, const struct finding *f)
{
    struct found *have = NULL;
    vec_foreach (struct found, g, &e->found)
        if (compare_kind(&g->finding, f) == 0)
            have = g;
    if (!have) {
        vec_push(&e->o.arena, &e->found, (struct found){.finding = *f});
        have = &e->found.items[e->found.len - 1];
    }
    if (!have->states++ || comes_first(f, &have->finding)) {
        have->finding = *f;
        have->finding.note = f->note ? arena_strdup(&e->o.arena, f->note) : NULL;
    }
}

static void on_finding(void *ctx, const struct machine *m)
{
    int n;
    const struct finding *f = oracle_findings(m->oracle, &n);
    for (int i = 0; i < n; i++)
        add_found(ctx, &f[i]);
}

/* Replacement by age is no part of a state: every line that the kernel can touch must fit its set.
 */
static bool fits_cache(struct explorer *e)
{
    const struct contract *k = e->kase->contract;
    uint64_t lines = (e->program->gm_bytes + (uint64_t)k->line - 1) / (uint64_t)k->line;
    uint64_t sets = (uint64_t)(k->cache_bytes / k->line / k->ways);
    if (lines <= sets && e->program->nranks <= k->ways)
        return true;
    return diag_error(&e->o.diag, e->kase->kernel->source, (struct span){0},
                      "is too large to explore: %" PRIu64
                      " lines on each of %d ranks; the cache holds %" PRIu64
                      " lines of %d ranks without replacing any",
                      lines, e->program->nranks, sets, k->ways);
}

static bool choose_program(struct explorer *e)
{
    const struct program *p = e->kase->program;
    e->program = p;
    if (e->remove < 0)
        return true;
    if (e->remove >= p->nsites)
        return diag_error(&e->o.diag, e->kase->kernel->source, (struct span){0},
                          "has %d sites, numbered from 0; there is no site %d to remove", p->nsites,
                          e->remove);
    bool *removed = arena_array(&e->o.arena, bool, (size_t)p->nsites);
    removed[e->remove] = true;
    e->program = program_without(p, removed, &e->o.arena);
    return true;
}

/* ---- the witness ---- */

static bool has_finding(void *ctx, struct machine *m, bool final, bool deadlock)
{
    (void)ctx, (void) final, (void)deadlock;
    int n;
    oracle_findings(m->oracle, &n);
    return n > 0;
}

/* Without reduction first: only then is the run the shortest of all. */
static int find_witness(struct explorer *e, struct transition **run, bool *shortest)
{
    struct witness_options w = {
        .oracle = true, .max_states = WITNESS_STATES, .wanted = has_finding};
    *shortest = true;
    int n = witness_search(e->program, e->kase->contract, &w, &e->o.arena, run);
    if (n != WITNESS_UNKNOWN)
        return n;
    w.reduction = true;
    *shortest = false;
    return witness_search(e->program, e->kase->contract, &w, &e->o.arena, run);
}

/* Runs the witness again and shows every step to fn. */
static void replay(struct explorer *e, const struct transition *run, int n,
                   void (*fn)(void *, const struct machine *, const struct step *), void *ctx)
{
    struct oracle *o = oracle_new(e->program);
    struct machine *m = machine_new(e->program, e->kase->contract,
                                    (struct machine_options){.oracle = o, .kernel = true});
    machine_reset(m);
    machine_name_lines(m);
    for (int i = 0; i < n; i++) {
        struct step s = step_make(m, run[i], (uint64_t)i, (uint64_t)i + 1);
        fn(ctx, m, &s);
        machine_fire(m, run[i]);
    }
    machine_free(m);
    oracle_free(o);
}

struct dot {
    FILE *out;
    int *last; /* per core and unit: its last node */
    int nodes;
};

enum { DOT_UNITS = PIPE_COUNT + 2 };

static void dot_step(void *ctx, const struct machine *m, const struct step *s)
{
    struct dot *d = ctx;
    struct arena a = {0};
    int unit = s->t.kind == T_SCALAR ? 0 : s->t.kind == T_PIPE ? 1 + s->t.pipe : PIPE_COUNT + 1;
    int *last = &d->last[s->t.core * DOT_UNITS + unit];
    fprintf(d->out, "  n%d [label=\"%d: rank %d %s\"];\n", d->nodes, d->nodes,
            m->cores[s->t.core].rank, trace_describe(&a, m, s));
    if (*last >= 0)
        fprintf(d->out, "  n%d -> n%d;\n", *last, d->nodes);
    *last = d->nodes++;
    arena_free(&a);
}

static bool write_dot(struct explorer *e, const struct transition *run, int n)
{
    struct output out;
    if (!output_open(&out, e->dot, &e->o.diag))
        return false;
    int units = e->program->ncores * DOT_UNITS;
    struct dot d = {.out = out.file, .last = arena_array(&e->o.arena, int, (size_t)units)};
    for (int i = 0; i < units; i++)
        d.last[i] = -1;
    fprintf(out.file, "digraph witness {\n  node [shape=box, fontname=\"sans-serif\"];\n");
    replay(e, run, n, dot_step, &d);
    fprintf(out.file, "}\n");
    return output_close(&out, true, &e->o.diag);
}

static bool write_trace(struct explorer *e, const char *path, const struct transition *run, int n)
{
    struct output out;
    if (!output_open(&out, path, &e->o.diag))
        return false;
    struct trace t = {.out = out.file, .format = path ? trace_format_of(path) : TRACE_TEXT};
    trace_begin(&t, e->program);
    replay(e, run, n, trace_step, &t);
    trace_end(&t);
    return output_close(&out, true, &e->o.diag);
}

static bool show_witness(struct explorer *e)
{
    struct transition *run;
    bool shortest;
    int n = find_witness(e, &run, &shortest);
    if (n < 0) {
        printf("    no witness within %d states\n", WITNESS_STATES);
        return true;
    }
    if (e->witness) {
        printf("    %s run to a finding, %d steps (times count steps):\n",
               shortest ? "a shortest" : "a short", n);
        if (!write_trace(e, NULL, run, n))
            return false;
    }
    return (!e->dot || write_dot(e, run, n)) && (!e->trace || write_trace(e, e->trace, run, n));
}

/* ---- the command ---- */

static void print_result(struct explorer *e, const struct explore_result *r)
{
    printf("%s P=%d %s %s: %" PRIu64 " states, %" PRIu64 " transitions, %" PRIu64 " final states; ",
           e->kase->kernel->name, e->kase->nranks, e->kase->contract->name, e->o.toolchain_name,
           r->states, r->transitions, r->finals);
    if (!r->complete)
        printf("a limit was hit, so this is no proof; ");
    printf("%s\n", e->found.len ? "findings:" : r->complete ? "clean" : "nothing found so far");
    vec_foreach (const struct found, f, &e->found) {
        printf("    %s at %s, in %" PRIu64 " states\n", verdict_name(f->finding.verdict),
               program_where(e->program, f->finding.addr, &e->o.arena), f->states);
        report_places(stdout, &e->o.arena, e->program, &f->finding);
    }
}

static void on_progress(void *ctx, uint64_t states, uint64_t stack, double seconds)
{
    struct explorer *e = ctx;
    if (e->progress.tty)
        fprintf(stderr, "\r%" PRIu64 " states, %.0f/s, %" PRIu64 " waiting \033[K", states,
                seconds > 0 ? (double)states / seconds : 0, stack);
}

static int run_explorer(struct explorer *e)
{
    kases cases = {0};
    if (!options_finish(&e->o) || !cases_make(&e->o, &cases))
        return EXIT_USAGE;
    e->kase = &cases.items[0];
    if (!choose_program(e) || !fits_cache(e))
        return EXIT_USAGE;
    e->progress = progress_start();
    struct explore_options x = {.threads = e->o.threads,
                                .reduction = !e->full,
                                .max_states = e->max_states,
                                .max_memory = e->max_memory,
                                .oracle = true,
                                .on_finding = on_finding,
                                .on_progress = on_progress,
                                .ctx = e};
    struct explore_result r;
    explore(e->program, e->kase->contract, &x, &r);
    progress_end(&e->progress);
    if (e->found.len)
        qsort(e->found.items, e->found.len, sizeof *e->found.items, by_kind);
    print_result(e, &r);
    bool wants_run = e->witness || e->dot || e->trace;
    if (e->found.len && wants_run && !show_witness(e))
        return EXIT_USAGE;
    return e->found.len ? EXIT_FINDINGS : r.complete ? EXIT_CLEAN : EXIT_LIMIT;
}

int cmd_explore(int argc, char **argv)
{
    struct explorer e = {.max_states = DEFAULT_STATES, .remove = -1};
    options_init(&e.o);
    argp_parse(&argp, argc, argv, 0, NULL, &e);
    int code = run_explorer(&e);
    diag_print(&e.o.diag, stderr);
    options_free(&e.o);
    return code;
}
