/* SPDX-License-Identifier: MIT */
/* fencebench check: do the markers of these kernels eliminate every stale read? */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "bench/cli/against.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/cli/reporting.h"
#include "bench/report/expected.h"
#include "bench/report/output.h"
#include "bench/report/report.h"

struct check {
    struct options o;
    kases cases;
    expected_list *expected; /* of each case */
    uint64_t findings;
    const char *against; /* or NULL */
    struct against other;
    bool some;        /* --findings was given */
    diag_list errors; /* of programs that cannot be run */
    bool table;
    const char *csv;
    enum { EXPLORE_AUTO, EXPLORE_NEVER, EXPLORE_ALWAYS, EXPLORE_COUNT } explore;
    bool more_runs; /* none were asked for: short ones may be more than usual */
};

/* Without --runs: 100, and 300 of a clean case whose runs are short and whose states are not all
 * visited: then less than 1 % of runs fail (95 %). */
enum { USUAL_RUNS = 100, MORE_RUNS = 200, SHORT_RUN = 2000 /* transitions */ };

enum { KEY_FINDINGS = 0x200, KEY_TABLE, KEY_CSV, KEY_EXPLORE, KEY_AGAINST, DEFAULT_FINDINGS = 5 };

static const struct argp_option check_options[] = {
    {"findings", KEY_FINDINGS, "N", 0, "Findings to print per case (default 5)", 3},
    {"table", KEY_TABLE, NULL, 0, "Print one row a kernel, one column a model", 3},
    {"csv", KEY_CSV, "FILE", 0, "Also write one line a case", 3},
    {"against", KEY_AGAINST, "OTHER", 0,
     "Also with another toolchain, model or batch mode, or by the JSON that an earlier run or "
     "another "
     "build wrote, and print which verdicts differ",
     3},
    {"explore", KEY_EXPLORE, "WHEN", 0,
     "Where no run failed, visit every state too, so that clean is proved: 'auto' (default: where "
     "they are 1000 at the most, and no --table is asked for), 'never', 'always' (up to 500000)",
     3},
    {0},
};

static const char *const explore_names[] = {"auto", "never", "always"};
static const struct argp_child children[] = {{&compile_argp, 0, "Compiling:", 1},
                                             {&sampling_argp, 0, "Running:", 2},
                                             {&mutant_argp, 0, NULL, 3},
                                             {&report_argp, 0, NULL, 4},
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct check *c = s->input;
    switch (key) {
    case KEY_FINDINGS:
        c->findings = option_number(arg, "--findings", 0, 10000, s);
        c->some = true;
        return 0;
    case KEY_TABLE:
        c->table = true;
        return 0;
    case KEY_CSV:
        c->csv = arg;
        return 0;
    case KEY_AGAINST:
        c->against = arg;
        return 0;
    case KEY_EXPLORE:
        c->explore = option_choice(arg, "--explore", explore_names, EXPLORE_COUNT, s);
        return 0;
    case ARGP_KEY_SUCCESS:
        if (c->some && (c->table || c->o.json))
            argp_error(s, "--findings is for text: %s prints %s of them",
                       c->table ? "--table" : "this format", c->table ? "none" : "all");
        if (c->against && (c->o.json || c->o.removed.len || c->o.how))
            argp_error(s,
                       "--against prints a table of whole kernels: it excludes --json, --format, "
                       "--remove and --mutate");
        if (c->table && c->o.json)
            argp_error(s, "--table excludes other formats than text");
        return 0;
    default:
        return options_key(&c->o, children, key, arg, s, 1, SIZE_MAX) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp check_argp = {
    check_options,
    parse,
    "FILE...",
    "Run kernels under adversarial timing and report every stale read, lost write, "
    "race, hang and wrong result with its cause. Without --runs a kernel that is clean in 100 "
    "short runs and has too many states for a proof gets 300.",
    children,
    NULL,
    NULL};

/* By runs, or by a look at the states. */
static bool found(const struct kase *k)
{
    return k->tally.failed > 0 || k->glance.found;
}

/* "97 % stale" or "clean": the share of failing runs and their most telling verdict. */
static const char *cell(struct arena *a, const struct kase *k)
{
    const struct tally *t = &k->tally;
    if (!t->failed)
        return k->glance.found      ? "explored"
               : k->glance.complete ? "proved"
               : case_partial(k)    ? "-"
                                    : "clean";
    const char *verdict = verdict_name(tally_verdict(t));
    double share = 100.0 * (double)t->failed / (double)t->runs;
    const char *number = share < 1 ? "<1" : arena_printf(a, "%.0f", share);
    return arena_printf(a, "%s %% %.*s", number, (int)strcspn(verdict, " "), verdict);
}

static void print_title(const struct check *c)
{
    printf("%-28s %3s", "kernel", "P");
    vec_foreach (const struct contract *, k, &c->o.x.models)
        printf("  %-14s", (*k)->name);
    printf("\n");
}

/* A cell of the table; a line ends with the last model. */
static void print_cell(struct check *c, const struct kase *k)
{
    size_t models = c->o.x.models.len, i = (size_t)(k - c->cases.items);
    if (i == 0)
        print_title(c);
    if (i % models == 0)
        printf("%-28s %3d", k->kernel->name, k->nranks);
    printf("  %-14s", cell(&c->o.arena, k));
    if (i % models == models - 1)
        printf("\n");
}

static bool any_clean(const kases *cases)
{
    vec_foreach (const struct kase, k, cases)
        if (!k->tally.failed)
            return true;
    return false;
}

static void end_table(struct check *c)
{
    if (stop_wanted())
        printf("\n");
    else if (any_clean(&c->cases))
        printf("%" PRIu64 " runs of each: %s\n", c->o.x.runs,
               report_clean(&c->o.arena, c->o.x.runs));
}

static void end_text(struct check *c)
{
    size_t failed = 0, partial = 0;
    vec_foreach (const struct kase, k, &c->cases) {
        failed += found(k);
        partial += !found(k) && case_partial(k);
    }
    if (c->cases.len <= 1)
        return;
    printf("%zu cases: %zu clean, %zu with findings", c->cases.len, c->cases.len - failed - partial,
           failed);
    if (partial)
        printf(", %zu unfinished", partial);
    printf("\n");
}

static bool write_csv(struct check *c)
{
    const kases *cases = &c->cases;
    struct case_row *rows = arena_array(&c->o.arena, struct case_row, cases->len);
    for (size_t i = 0; i < cases->len; i++)
        rows[i] = case_row_of(&cases->items[i]);
    return columns_csv(&case_columns, (struct column_rows){rows, cases->len, sizeof *rows}, c->csv,
                       &c->o.diag);
}

static const expected_list *expected_of(const struct check *c, const struct kase *k)
{
    return &c->expected[k - c->cases.items];
}

static json_t *report_of(const struct check *c)
{
    json_t *list = json_array(), *errors = json_array();
    vec_foreach (const struct diag, d, &c->errors)
        json_array_append_new(errors, error_json(d));
    vec_foreach (const struct kase, k, &c->cases)
        json_array_append_new(list, expected_json(report_case_json(k), k, expected_of(c, k)));
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "schema", JSON_SCHEMA, "command", "check",
                     "build", build_id(), "results", list, "errors", errors, "interrupted",
                     options_stopped_json("runs", cases_runs(&c->cases)));
}

/* Something was found that the file does not expect, or not what it does. */
static bool fails(const struct check *c, const struct kase *k)
{
    vec_foreach (const struct expected, e, expected_of(c, k))
        if (!e->holds)
            return true;
    return kase_found(k) && !expect_covers(k, expected_of(c, k));
}

static int exit_code(const struct check *c)
{
    int code = EXIT_CLEAN;
    vec_foreach (const struct kase, k, &c->cases) {
        if (fails(c, k))
            return EXIT_FINDINGS;
        if (k->tally.timed_out)
            code = EXIT_LIMIT;
    }
    return code;
}

static bool mutate(struct check *c)
{
    vec_foreach (struct kase, k, &c->cases)
        if (!options_mutant(&c->o, k))
            return false;
    return true;
}

static bool known_expectations(struct check *c)
{
    vec_foreach (const struct kase, k, &c->cases)
        if (!expect_known(k->kernel, bench_models_dir(&c->o.arena), &c->o.diag))
            return false;
    return true;
}

/* Of a case no run of which failed: its states, or more runs. */
static void look_further(const struct check *c, struct kase *k)
{
    if (c->explore == EXPLORE_ALWAYS)
        case_glance(k, GLANCE_MANY);
    else if (c->explore == EXPLORE_AUTO && !c->table)
        case_glance(k, GLANCE_FEW);
    bool known = k->tally.failed || k->glance.found || k->glance.complete;
    if (c->more_runs && !c->table && !known && !case_partial(k) &&
        k->tally.transitions <= SHORT_RUN * k->tally.runs)
        case_run_more(k, MORE_RUNS);
}

/* All that is known of a case stands here, in its order. */
static void case_done(void *ctx, struct kase *k)
{
    struct check *c = ctx;
    struct diag d = {.arena = &c->o.arena};
    if (!case_judged(k, k->tally.failed > 0, k->tally.checked, &d)) {
        vec_push(&c->o.arena, &c->errors, d);
        return;
    }
    look_further(c, k);
    if (!c->table)
        case_find_remedies(k, c->o.json ? SIZE_MAX : c->findings);
    expected_list *expected = &c->expected[k - c->cases.items];
    if (!expect_check(k, expected, &d))
        vec_push(&c->o.arena, &c->errors, d);
    if (c->o.json)
        return;
    if (c->table)
        print_cell(c, k);
    else {
        report_case(stdout, k, c->findings);
        report_expected(stdout, k, expected);
    }
    fflush(stdout);
}

static int check(struct check *c)
{
    if (!options_finish(&c->o) || !output_possible(c->csv, &c->o.diag) ||
        (c->against && !against_open(&c->o, c->against, &c->other)))
        return reporting_refused(&c->o, "check");
    if (!cases_make(&c->o.x, &c->cases, &c->errors) || !mutate(c) || !known_expectations(c)) {
        c->cases.len = 0; /* none was run */
        vec_push(&c->o.arena, &c->errors, c->o.diag);
        c->o.diag = (struct diag){.arena = &c->o.arena};
        return c->o.json ? reporting_end(&c->o, report_of(c), EXIT_USAGE) : EXIT_USAGE;
    }
    c->expected = arena_array(&c->o.arena, expected_list, c->cases.len);
    cases_run(&c->cases, case_done, c);
    if (!c->o.json)
        (c->table ? end_table : end_text)(c);
    options_say_stopped(
        arena_printf(&c->o.arena, "%s runs", count_text(&c->o.arena, cases_runs(&c->cases))));
    bool ok = !c->csv || write_csv(c);
    if (ok && c->against && !c->errors.len)
        ok = against_print(&c->o, &c->other, &c->cases);
    int code = !ok || c->errors.len ? EXIT_USAGE : exit_code(c);
    return reporting_wanted(&c->o) ? reporting_end(&c->o, report_of(c), code) : code;
}

int cmd_check(int argc, char **argv)
{
    struct check c = {.findings = DEFAULT_FINDINGS};
    options_init(&c.o);
    c.o.x.runs = 0;
    argp_parse(&check_argp, argc, argv, 0, NULL, &c);
    c.more_runs = !c.o.x.runs;
    c.o.x.runs = c.more_runs ? USUAL_RUNS : c.o.x.runs;
    int code = check(&c);
    against_close(&c.other);
    vec_foreach (const struct diag, d, &c.errors)
        diag_print(d, stderr);
    return options_end(&c.o, code);
}
