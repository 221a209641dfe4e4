/* SPDX-License-Identifier: MIT */
/*
 * fencebench sweep: mutate each marker in turn and see whether anything notices, or prove that
 * nothing can (bench/campaign/sweep.h). What the unchanged program already shows does not count
 * against a mutant.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/campaign/sweep.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/cli/reporting.h"
#include "bench/report/output.h"
#include "bench/report/report.h"
#include "bench/report/sweep_page.h"
#include "bench/report/sweep_report.h"

enum {
    KEY_DB = 0x200,
    KEY_RESUME,
    KEY_SHARD,
    KEY_CSV,
    KEY_ORIGINS,
    KEY_MERGE,
    KEY_STATES,
    KEY_NO_PAIRS,
    KEY_FAIL_ON,
    KEY_REPORT,
    DEFAULT_SWEEP_RUNS = 200,
    DEFAULT_SWEEP_STATES = 20 * 1000
};

struct sweep {
    struct options o;
    struct sweep_plan plan;
    const char *db, *csv;
    VEC(const char *) merge;
    const char *report; /* folder of the pages; NULL: none */
    bool pages;
    unsigned fail_on; /* bit per enum fate */
    kases cases;
    struct sweep_results results;
};

static const struct argp_option sweep_options[] = {
    {"db", KEY_DB, "FILE", 0, "Keep results in an SQLite file, one transaction per removal", 3},
    {"resume", KEY_RESUME, NULL, 0, "With --db: do not run again what the file holds", 3},
    {"merge", KEY_MERGE, "FILE", 0,
     "With --db: first take over the results of another file; repeatable", 3},
    {"shard", KEY_SHARD, "I/N", 0, "Run the I-th of N parts of the removals (1 to N)", 3},
    {"csv", KEY_CSV, "FILE", 0, "Also write the table as CSV", 3},
    {"report", KEY_REPORT, "DIR", OPTION_ARG_OPTIONAL,
     "Print one page a kernel instead of the table; also write DIR/KERNEL.md and DIR/KERNEL.png "
     "(needs gnuplot)",
     3},
    {"origins", KEY_ORIGINS, "LIST", 0,
     "Only sites of these origins: W1,W2,W3,R1,by-hand,codegen,macro,auto-sync,entry,tail (default "
     "all)",
     3},
    {"max-states", KEY_STATES, "N", 0,
     "Explore what no run notices, up to N states each (default 20000); 0: nothing", 3},
    {"no-pairs", KEY_NO_PAIRS, NULL, 0, "Do not remove two sites that are redundant alone", 3},
    {"fail-on", KEY_FAIL_ON, "LIST", 0,
     "End with status 1 when something is of these classes: killed, redundant, "
     "redundant-given-others, "
     "fewer-findings, not-reached, not-observed, unknown",
     3},
    {0},
};

static const struct argp_child children[] = {{&compile_argp, 0, "Compiling:", 1},
                                             {&sampling_argp, 0, "Running:", 2},
                                             {&report_argp, 0, NULL, 4},
                                             {0}};

static void add_fate(struct options *o, const char *item, struct argp_state *s)
{
    struct sweep *w = (struct sweep *)o;
    for (int k = 0; k < FATE_COUNT; k++)
        if (!strcmp(item, option_spelling(&o->arena, fate_name((enum fate)k)))) {
            w->fail_on |= 1u << k;
            return;
        }
    const char *names[FATE_COUNT];
    for (int k = 0; k < FATE_COUNT; k++)
        names[k] = option_spelling(&o->arena, fate_name((enum fate)k));
    option_no_value(item, "--fail-on", names, FATE_COUNT, s);
}

static void parse_shard(struct sweep *w, const char *arg, struct argp_state *s)
{
    int used = 0;
    struct sweep_plan *p = &w->plan;
    if (sscanf(arg, "%d/%d%n", &p->shard, &p->shards, &used) != 2 || arg[used] || p->shard < 1 ||
        p->shards < p->shard)
        argp_error(s, "--shard=%s: expected I/N with 1 <= I <= N", arg);
}

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct sweep *w = s->input;
    switch (key) {
    case KEY_DB:
        w->db = arg;
        return 0;
    case KEY_RESUME:
        w->plan.resume = true;
        return 0;
    case KEY_MERGE:
        vec_push(&w->o.arena, &w->merge, arg);
        return 0;
    case KEY_SHARD:
        parse_shard(w, arg, s);
        return 0;
    case KEY_CSV:
        w->csv = arg;
        return 0;
    case KEY_REPORT:
        w->report = arg;
        w->pages = true;
        return 0;
    case KEY_ORIGINS:
        w->plan.origins = option_origins(&w->o, arg, s);
        return 0;
    case KEY_STATES:
        w->plan.max_states = option_number(arg, "--max-states", 0, UINT32_MAX, s);
        return 0;
    case KEY_NO_PAIRS:
        w->plan.pairs = false;
        return 0;
    case KEY_FAIL_ON:
        option_list(&w->o, arg, add_fate, s);
        return 0;
    case ARGP_KEY_SUCCESS:
        if ((w->plan.resume || w->merge.len) && !w->db)
            argp_error(s, "--resume and --merge need --db");
        if (w->pages && w->o.json)
            argp_error(s, "--report prints pages: it excludes other formats");
        return 0;
    default:
        return options_key(&w->o, children, key, arg, s, 1, SIZE_MAX) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    sweep_options,
    parse,
    "FILE...",
    "Remove, weaken and misplace every marker and synchronising instruction in turn and report "
    "which "
    "mutant is noticed, how often, and as what, and which is proved to be redundant. The exit "
    "status is "
    "1 when the unchanged kernel has findings, 3 when a mutant has no proof.",
    children,
    NULL,
    NULL};

/* ---- output ---- */

static struct column_rows rows_of(const sweep_items *items)
{
    return (struct column_rows){items->items, items->len, sizeof *items->items};
}

/* " of parts.py" where a line is not one of the kernel's own file. */
static void print_file(const struct sweep_item *item, const char *file)
{
    if (file && strcmp(file, item->subject->kase->kernel->path))
        printf(" of %s", file);
}

static void print_killed(const struct sweep_item *item)
{
    const struct sweep_row *r = &item->row;
    if (r->killed)
        printf(" killed %5.1f %% [%.1f, %.1f], first seed %" PRIu64 ": ",
               100.0 * (double)r->killed / (double)r->runs, 100 * r->rate_low, 100 * r->rate_high,
               r->first_seed);
    else
        printf(" killed in %" PRIu64 " states: ", r->states);
    printf("%s%s%s", r->finding, *r->where ? ", " : "", r->where);
    if (r->reader_line)
        printf(", read at line %d", r->reader_line);
    print_file(item, r->reader_file);
    if (*r->witness && atoi(r->witness + strlen("P=")) < r->ranks)
        printf("; shortest: %s", r->witness);
}

/* "redundant: the tail cleans it", "redundant given 4, 7", "not observed, below 1.49 %". */
static void print_row(const struct sweep_item *item)
{
    const struct sweep_row *r = &item->row;
    columns_text_row(&sweep_columns, r);
    print_file(item, r->file);
    if (!strcmp(r->class, fate_name(FATE_KILLED)))
        print_killed(item);
    else if (*r->others)
        printf(" redundant given %s", r->others);
    else if (!strcmp(r->class, fate_name(FATE_NOT_OBSERVED)))
        printf(" not observed, below %.2f %%", 100 * clean_bound(r->runs));
    else
        printf(" %s%s%s", r->class, *r->why ? ": " : "", r->why);
    if (*r->extents)
        printf(" (with %s)", r->extents);
    printf("\n");
}

static void print_base(const struct subject *s)
{
    if (!s->max_states)
        return;
    if (!s->kase->tally.failed && s->base.findings.len)
        printf("  the unchanged kernel already has a %s in its states: %s%s\n",
               verdict_name(s->base.findings.items[0].verdict), case_explore(s->kase),
               s->arguments);
    if (!s->base.complete)
        printf(
            "  more than %" PRIu64
            " states, and no smaller extents with the same sites have fewer: nothing is proved\n",
            s->max_states);
    else
        printf("  proofs by exploration of %s%s%s%" PRIu64
               " states, as if the cache held all lines of all ranks\n",
               *s->extents ? "the same sites with " : "the whole program, ", s->extents,
               *s->extents ? ", " : "", s->base.states);
}

static void print_case_head(const struct sweep *w, const struct subject *s)
{
    const struct kase *k = s->kase;
    printf("%s P=%d %s %s, at most %" PRIu64
           " runs a mutant; kill rates with their 95 %% interval\n",
           k->kernel->name, k->nranks, k->contract->name, w->o.x.toolchain_name, w->o.x.runs);
    if (k->tally.failed)
        printf("  the unchanged kernel already has findings in %" PRIu64 " of %" PRIu64
               " runs (%s); only new ones count below\n",
               k->tally.failed, k->tally.runs, verdict_name(tally_verdict(&k->tally)));
    print_base(s);
}

static void print_totals(const struct sweep *w)
{
    struct sweep_score score = {0};
    vec_foreach (const struct sweep_item, item, &w->results.items)
        sweep_score_add(&score, &item->row);
    printf("%zu mutants:", score.all);
    const char *comma = "";
    for (int f = 0; f < FATE_COUNT; f++)
        if (score.by_fate[f] || f == FATE_KILLED) {
            printf("%s %zu %s", comma, score.by_fate[f], fate_name((enum fate)f));
            comma = ",";
        }
    printf("\n");
    if (w->plan.pairs && w->plan.shards)
        printf(
            "part %d of %d: pairs are tried by the sweep that merges all parts, without --shard\n",
            w->plan.shard, w->plan.shards);
    if (w->results.pairs_tried)
        printf("%zu of %zu pairs of sites that are redundant alone: %zu die without both\n",
               w->results.pairs_tried, w->results.pairs_all, w->results.pairs.len);
    if (score.needed)
        printf("score: %zu of %zu that are not proved redundant are killed, %.1f %%\n",
               score.by_fate[FATE_KILLED], score.needed,
               100.0 * (double)score.by_fate[FATE_KILLED] / (double)score.needed);
}

/* A case, as soon as it is known. */
static void print_case(void *ctx, const struct sweep_case *c)
{
    const struct sweep *w = ctx;
    print_case_head(w, c->subject);
    for (size_t i = 0; i < c->n; i++)
        print_row(&c->items[i]);
    for (size_t i = 0; i < c->npairs; i++)
        print_row(&c->pairs[i]);
    fflush(stdout);
}

/* Mutants, then the pairs that die. */
static sweep_items all_items(struct sweep *w)
{
    sweep_items all = {0};
    vec_foreach (const struct sweep_item, item, &w->results.items)
        vec_push(&w->o.arena, &all, *item);
    vec_foreach (const struct sweep_item, item, &w->results.pairs)
        vec_push(&w->o.arena, &all, *item);
    return all;
}

/* ---- the command ---- */

static bool open_store(struct sweep *w)
{
    if (!w->db)
        return true;
    w->plan.store = store_open(w->db, &w->o.arena, &w->o.diag);
    bool ok = w->plan.store != NULL;
    vec_foreach (const char *, path, &w->merge)
        ok = ok && store_merge(w->plan.store, *path, &w->o.diag);
    return ok;
}

/* Findings of the unmutated kernel or of a class that --fail-on names come before a missing proof. */
static int exit_code(const struct sweep *w)
{
    struct sweep_score score = {0};
    vec_foreach (const struct sweep_item, item, &w->results.items)
        sweep_score_add(&score, &item->row);
    const size_t *n = score.by_fate;
    bool fails = false, limit = n[FATE_UNKNOWN] || n[FATE_NOT_OBSERVED];
    vec_foreach (const struct kase, k, &w->cases) {
        fails |= tally_found(&k->tally);
        limit |= k->tally.timed_out > 0; /* what a mutant changes behind it was not seen */
    }
    vec_foreach (const struct subject, s, &w->results.subjects)
        fails |= s->base.findings.len > 0;
    for (int f = 0; f < FATE_COUNT; f++)
        fails |= n[f] && w->fail_on >> f & 1;
    return fails ? EXIT_FINDINGS : limit ? EXIT_LIMIT : EXIT_CLEAN;
}

/* For other programs, or for the baseline. */
static int end_report(struct sweep *w, int code)
{
    json_t *stopped = options_stopped_json("mutants", w->results.items.len);
    json_t *report = sweep_report(&w->plan, &w->results, w->fail_on, stopped);
    if (w->o.format != FORMAT_JSON)
        sweep_report_flatten(report);
    return reporting_end(&w->o, report, code);
}

static bool write_files(struct sweep *w)
{
    sweep_items all = all_items(w);
    return (!w->csv || columns_csv(&sweep_columns, rows_of(&all), w->csv, &w->o.diag)) &&
           (!w->pages || sweep_pages(&w->o.arena, &w->results, w->report, &w->o.diag));
}

static int sweep(struct sweep *w)
{
    bool text = !w->o.json && !w->pages;
    w->plan.x = &w->o.x;
    w->plan.done = text ? print_case : NULL;
    w->plan.ctx = w;
    if (!options_finish(&w->o) || !output_possible(w->csv, &w->o.diag) || !open_store(w) ||
        !cases_make(&w->o.x, &w->cases, NULL))
        return reporting_refused(&w->o, "sweep");
    cases_run(&w->cases, NULL, NULL);
    if (!cases_judged(&w->cases) || !sweep_run(&w->plan, &w->cases, &w->results))
        return reporting_refused(&w->o, "sweep");
    if (text)
        print_totals(w);
    int code = write_files(w) ? exit_code(w) : EXIT_USAGE;
    if (reporting_wanted(&w->o))
        code = end_report(w, code);
    options_say_stopped(arena_printf(&w->o.arena, "%zu mutants", w->results.items.len));
    return code;
}

int cmd_sweep(int argc, char **argv)
{
    struct sweep w = {.plan = {.origins = ~0u, .max_states = DEFAULT_SWEEP_STATES, .pairs = true}};
    options_init(&w.o);
    w.o.x.runs = DEFAULT_SWEEP_RUNS;
    argp_parse(&argp, argc, argv, 0, NULL, &w);
    int code = sweep(&w);
    sweep_free(&w.results);
    store_close(w.plan.store);
    return options_end(&w.o, code);
}
