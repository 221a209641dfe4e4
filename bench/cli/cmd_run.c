/* SPDX-License-Identifier: MIT */
/* fencebench run: one run, in detail. */
#include <inttypes.h>

#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/cli/reporting.h"
#include "bench/campaign/late_starts.h"
#include "bench/report/output.h"
#include "bench/report/report.h"
#include "bench/report/trace.h"

enum { KEY_TRACE = 0x200, KEY_STATS, ALL_FINDINGS = 10000 };

struct run_command {
    struct options o;
    const char *trace;
    bool stats;
    struct trace tracer;
    struct late_starts late;
};

static const struct argp_option run_only[] = {
    {"trace", KEY_TRACE, "FILE", 0,
     "Write every step: Chrome/Perfetto JSON, or a text timeline for FILE.txt", 3},
    {"stats", KEY_STATS, NULL, 0, "Print counters and where the cycles went", 3},
    {0},
};

static const struct argp_child children[] = {{&compile_argp, 0, "Compiling:", 1},
                                             {&single_argp, 0, "Running:", 2},
                                             {&mutant_argp, 0, NULL, 3},
                                             {&report_argp, 0, NULL, 4},
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct run_command *r = s->input;
    switch (key) {
    case KEY_TRACE:
        r->trace = arg;
        return 0;
    case KEY_STATS:
        r->stats = true;
        return 0;
    default:
        return options_key(&r->o, children, key, arg, s, 1, 1) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    run_only,
    parse,
    "FILE",
    "Run a kernel once (one seed, one model, one number of ranks) and report it in detail.",
    children,
    NULL,
    NULL};

/* Counters of struct core_stats that are shown, in order. */
static const struct {
    const char *name, *doc;
    size_t offset;
} counters[] = {
#define COUNTER(field, doc)                                                                        \
    {                                                                                              \
#field, doc, offsetof(struct core_stats, field)                                            \
    }
    COUNTER(insns, "local instructions"),
    COUNTER(scalar_steps, "instructions that others can notice"),
    COUNTER(pipe_steps, "pipe operations"),
    COUNTER(messages, "posted messages"),
    COUNTER(ld_hit, "cached loads that hit"),
    COUNTER(ld_miss, "cached loads that missed"),
    COUNTER(st_hit, "cached stores that hit"),
    COUNTER(st_miss, "cached stores that missed"),
    COUNTER(refills, "misses on lines that an invalidate behind a wait dropped"),
    COUNTER(dcci_line, "dcci of one line"),
    COUNTER(lines_dropped, "lines invalidated"),
    COUNTER(lines_written, "lines written back"),
    COUNTER(dsb, "dsb"),
    COUNTER(barrier, "pipe barriers"),
    COUNTER(polls, "successful waits"),
    COUNTER(notifies, "notifies"),
    COUNTER(evictions, "evictions"),
    COUNTER(prefetches, "prefetches"),
#undef COUNTER
};

static void print_rank_row(const char *name, const uint64_t *value, int n, const char *doc)
{
    printf("  %-16s", name);
    for (int c = 0; c < n; c++)
        printf(" %10" PRIu64, value[c]);
    printf("  # %s\n", doc);
}

static void print_counters(const struct machine *m)
{
    int n = m->program->ncores;
    uint64_t value[n];
    printf("counters by core:\n");
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        for (int c = 0; c < n; c++)
            value[c] =
                *(const uint64_t *)(const void *)((const char *)&m->stats[c] + counters[i].offset);
        print_rank_row(counters[i].name, value, n, counters[i].doc);
    }
    for (int k = 0; k < ORIGIN_COUNT; k++) {
        uint64_t any = 0;
        for (int c = 0; c < n; c++)
            any += value[c] = m->stats[c].dcci_all[k];
        if (any)
            print_rank_row("dcci_all", value, n, origin_name((enum origin_kind)k));
    }
}

static void print_cycles(const struct machine *m, const struct drive_result *r)
{
    int n = m->program->ncores;
    uint64_t value[n];
    printf("cycles by core (1.85 GHz), in what the scalar unit spent or waited them:\n");
    for (int s = 0; s < SPENT_COUNT; s++) {
        for (int c = 0; c < n; c++)
            value[c] = r->time[c].cycles[s];
        print_rank_row(spent_name((enum spent)s), value, n, "cycles");
    }
    for (int p = 0; p < PIPE_COUNT; p++) {
        uint64_t any = 0;
        for (int c = 0; c < n; c++)
            any += value[c] = r->time[c].pipe_busy[p];
        if (any)
            print_rank_row(pipe_name((enum pipe)p), value, n, "cycles, pipe busy");
    }
    for (int c = 0; c < n; c++)
        value[c] = r->time[c].end;
    print_rank_row("end", value, n, "cycle in which the core ended");
}

static void print_stats(struct runner *r, const struct kase *k)
{
    printf("%s: P=%d, model %s, %" PRIu64 " transitions, %" PRIu64 " cycles (%.2f us)\n",
           k->kernel->name, k->nranks, k->contract->name, runner_result(r)->transitions,
           runner_result(r)->cycles, (double)runner_result(r)->cycles / CYCLES_PER_US);
    print_counters(runner_machine(r));
    print_cycles(runner_machine(r), runner_result(r));
}

static void note_step(void *ctx, const struct machine *m, const struct step *s)
{
    struct run_command *r = ctx;
    late_starts_step(&r->late, m, s);
    if (r->trace)
        trace_step(&r->tracer, m, s);
}

static bool run_once(struct run_command *r, struct kase *k)
{
    struct output out = {0};
    if (r->trace && !output_open(&out, r->trace, &r->o.diag))
        return false;
    struct runner_options options = k->options;
    options.unended = true;
    struct runner *runner = runner_new(k->program, k->contract, k->golden, options);
    r->late = late_starts_make(&r->o.arena, k->program);
    runner_on_step(runner, note_step, r);
    if (r->trace) {
        r->tracer = (struct trace){.out = out.file, .format = trace_format_of(r->trace)};
        trace_begin(&r->tracer, k->program);
    }
    bool ended = runner_run(runner, r->o.x.seed, &k->tally, &r->o.arena);
    late_starts_end(&r->late, runner_result(runner)->time);
    bool ok = true;
    if (r->trace) {
        trace_end(&r->tracer, runner_machine(runner));
        ok = output_close(&out, true, &r->o.diag);
    }
    if (!ended)
        options_say_stopped("a part of the run");
    if (ok && ended && r->stats && !r->o.json)
        print_stats(runner, k);
    runner_free(runner);
    return ok;
}

/* Runs that search for bugs let tasks meet more closely than a host would. */
static const char *skew_note(const struct options *o)
{
    bool scaled = o->x.runner.adversary && o->x.runner.dispatch_skew == SKEW_OF_CONTRACT;
    return scaled ? " (skew scaled down; --timing=typical: all of it)" : "";
}

static void print_result(struct run_command *r, const struct kase *k)
{
    report_case(stdout, k, ALL_FINDINGS);
    if (k->program->nsteps && r->o.x.runner.driver == DRIVER_TIMED)
        late_starts_print(stdout, &r->late, skew_note(&r->o));
}

static json_t *report_of(struct run_command *r, const struct kase *k)
{
    json_t *result = report_case_json(k);
    if (k->program->nsteps)
        json_object_set_new(result, "task_starts", late_starts_json(&r->late));
    return json_pack("{s:s, s:s, s:s, s:[o], s:[], s:o}", "schema", JSON_SCHEMA, "command", "run",
                     "build", build_id(), "results", result, "errors", "interrupted",
                     options_stopped_json("runs", k->tally.runs));
}

static int run(struct run_command *r)
{
    kases cases = {0};
    if (!options_finish(&r->o) || !cases_make_one(&r->o.x, "run", &cases) ||
        !options_mutant(&r->o, &cases.items[0]))
        return reporting_refused(&r->o, "run");
    struct kase *k = &cases.items[0];
    if (!run_once(r, k))
        return EXIT_USAGE;
    kases one = {.items = k, .len = 1};
    if (!case_partial(k) && !cases_judged(&one))
        return reporting_refused(&r->o, "run");
    case_find_remedies(k, ALL_FINDINGS);
    if (!r->o.json)
        print_result(r, k);
    int code = tally_found(&k->tally)                  ? EXIT_FINDINGS
               : k->tally.timed_out || case_partial(k) ? EXIT_LIMIT
                                                       : EXIT_CLEAN;
    return reporting_wanted(&r->o) ? reporting_end(&r->o, report_of(r, k), code) : code;
}

int cmd_run(int argc, char **argv)
{
    struct run_command r = {0};
    options_init(&r.o);
    r.o.x.runs = 1;
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    int code = run(&r);
    return options_end(&r.o, code);
}
