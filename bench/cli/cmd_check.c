/* SPDX-License-Identifier: MIT */
/* fencebench check: do the markers of these kernels eliminate every stale read? */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/report/output.h"
#include "bench/report/report.h"

struct check {
    struct options o;
    uint64_t findings;
    diag_list errors; /* of programs that cannot be run */
    bool table;
    const char *csv;
};

enum { KEY_FINDINGS = 0x200, KEY_TABLE, KEY_CSV, DEFAULT_FINDINGS = 5 };

static const struct argp_option check_options[] = {
    {"findings", KEY_FINDINGS, "N", 0, "Findings to print per case (default 5)", 3},
    {"table", KEY_TABLE, NULL, 0, "Print one row a kernel, one column a model", 3},
    {"csv", KEY_CSV, "FILE", 0, "Also write one line a case", 3},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct check *c = s->input;
    switch (key) {
    case KEY_FINDINGS:
        c->findings = option_number(arg, "--findings", 0, 10000, s);
        return 0;
    case KEY_TABLE:
        c->table = true;
        return 0;
    case KEY_CSV:
        c->csv = arg;
        return 0;
    default:
        return options_key(&c->o, mutant_children, key, arg, s, 1, SIZE_MAX) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp check_argp = {
    check_options,
    parse,
    "FILE...",
    "Run kernels under adversarial timing and report every stale read, lost write, "
    "race, hang and wrong result with its cause.",
    mutant_children,
    NULL,
    NULL};

/* By runs, or by a look at the states. */
static bool found(const struct kase *k)
{
    return k->tally.failed > 0 || k->glance.found;
}

static void print_text(struct check *c, const kases *cases)
{
    uint64_t failed = 0;
    vec_foreach (const struct kase, k, cases) {
        report_case(stdout, k, c->findings);
        failed += found(k);
    }
    if (cases->len > 1)
        printf("%zu cases: %zu clean, %llu with findings\n", cases->len,
               cases->len - (size_t)failed, (unsigned long long)failed);
}

/* "97 % stale" or "clean": the share of failing runs and their most telling verdict. */
static const char *cell(struct arena *a, const struct tally *t)
{
    if (!t->failed)
        return "clean";
    const char *verdict = verdict_name(tally_verdict(t));
    double share = 100.0 * (double)t->failed / (double)t->runs;
    const char *number = share < 1 ? "<1" : arena_printf(a, "%.0f", share);
    return arena_printf(a, "%s %% %.*s", number, (int)strcspn(verdict, " "), verdict);
}

static bool any_clean(const kases *cases)
{
    vec_foreach (const struct kase, k, cases)
        if (!k->tally.failed)
            return true;
    return false;
}

static void print_table(struct check *c, const kases *cases)
{
    size_t models = c->o.x.models.len;
    printf("%-28s %3s", "kernel", "P");
    vec_foreach (const struct contract *, k, &c->o.x.models)
        printf("  %-14s", (*k)->name);
    printf("\n");
    for (size_t i = 0; i < cases->len; i++) {
        const struct kase *k = &cases->items[i];
        if (i % models == 0)
            printf("%-28s %3d", k->kernel->name, k->nranks);
        printf("  %-14s", cell(&c->o.arena, &k->tally));
        if (i % models == models - 1)
            printf("\n");
    }
    if (any_clean(cases))
        printf("%" PRIu64 " runs of each: %s\n", c->o.x.runs,
               report_clean(&c->o.arena, c->o.x.runs));
}

static bool write_csv(struct check *c, const kases *cases)
{
    struct case_row *rows = arena_array(&c->o.arena, struct case_row, cases->len);
    for (size_t i = 0; i < cases->len; i++)
        rows[i] = case_row_of(&cases->items[i]);
    return columns_csv(&case_columns, (struct column_rows){rows, cases->len, sizeof *rows}, c->csv,
                       &c->o.diag);
}

static void print_json(const struct check *c, const kases *cases)
{
    json_t *list = json_array(), *errors = json_array();
    vec_foreach (const struct diag, d, &c->errors)
        json_array_append_new(errors,
                              json_pack("{s:s?, s:i, s:i, s:s}", "file", d->file, "line",
                                        d->span.line, "column", d->span.col, "error", d->message));
    vec_foreach (const struct kase, k, cases)
        json_array_append_new(list, report_case_json(k));
    json_t *top = json_pack("{s:i, s:s, s:s, s:o, s:o}", "schema", JSON_SCHEMA, "command", "check",
                            "build", build_id(), "results", list, "errors", errors);
    output_json(top);
}

static int exit_code(const kases *cases)
{
    int code = EXIT_CLEAN;
    vec_foreach (const struct kase, k, cases) {
        if (tally_found(&k->tally) || k->glance.found)
            return EXIT_FINDINGS;
        if (k->tally.timed_out)
            code = EXIT_LIMIT;
    }
    return code;
}

static bool mutate(struct check *c, kases *cases)
{
    vec_foreach (struct kase, k, cases)
        if (!options_mutant(&c->o, k))
            return false;
    return true;
}

int cmd_check(int argc, char **argv)
{
    struct check c = {.findings = DEFAULT_FINDINGS};
    kases cases = {0};
    options_init(&c.o);
    argp_parse(&check_argp, argc, argv, 0, NULL, &c);
    int code = EXIT_USAGE;
    if (options_finish(&c.o) && cases_make(&c.o.x, &cases, &c.errors) && mutate(&c, &cases)) {
        cases_run(&cases);
        if (!c.table)
            cases_glance(&cases);
        if (cases_judged(&cases) && (!c.csv || write_csv(&c, &cases))) {
            if (!c.table)
                cases_find_remedies(&cases, c.o.json ? SIZE_MAX : c.findings);
            if (c.o.json)
                print_json(&c, &cases);
            else
                (c.table ? print_table : print_text)(&c, &cases);
            code = c.errors.len ? EXIT_USAGE : exit_code(&cases);
        }
    }
    vec_foreach (const struct diag, d, &c.errors)
        diag_print(d, stderr);
    return options_end(&c.o, code);
}
