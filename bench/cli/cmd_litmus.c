/* SPDX-License-Identifier: MIT */
/* fencebench litmus: final states of small tests, and whether they are the expected ones. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pool.h"
#include "base/stop.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/report/litmus_emit.h"
#include "bench/campaign/litmus_files.h"
#include "bench/report/litmus_promote.h"
#include "bench/report/litmus_witness.h"
#include "bench/report/output.h"
#include "bench/report/report.h"

struct litmus {
    struct options o;
    struct litmus_settings settings;
    bool kinds, promote, table;
    struct litmus_log log;
    const char *log_option; /* one that only a log heeds, as written; or NULL */
    const char *exploring;  /* one that only --explore heeds, as written; or NULL */
    bool emit;              /* write models for another tool instead of running */
    const char *folder;     /* to emit into; NULL: standard output */
    const char *remove;     /* only the variants without that label */
    struct witness_output show;
    uint64_t state; /* to show a run to; 0: one that decides the condition */
    struct progress progress;
    VEC(struct litmus_job) jobs; /* those of one test stand together */
};

/* ---- options ---- */

enum {
    KEY_TOOLCHAIN = 0x200,
    KEY_EXPLORE,
    KEY_MAX_STATES,
    KEY_MAX_MEMORY,
    KEY_PROGRESS,
    KEY_REMOVE,
    KEY_KINDS,
    KEY_PROMOTE,
    KEY_STATE,
    KEY_EMIT,
    KEY_LOG,
    KEY_SHOW,
    KEY_TABLE
};

static const struct argp_option litmus_options[] = {
    {"toolchain", KEY_TOOLCHAIN, "NAME", 0,
     "Toolchain profile: decides what 'fence' becomes (default ptoas-0.57)", 1},
    {"explore", KEY_EXPLORE, NULL, 0,
     "Visit every reachable state instead of sampling: verdicts are proofs", 3},
    {"max-states", KEY_MAX_STATES, "N", 0,
     "Explore: give up, with verdict unknown, beyond N machine states (default: no limit)", 3},
    {"max-memory", KEY_MAX_MEMORY, "BYTES", 0,
     "Explore: give up beyond this much memory; K, M or G may follow (default 4G)", 3},
    {"progress", KEY_PROGRESS, NULL, 0,
     "Explore: show progress even when standard error is no terminal", 3},
    {"state", KEY_STATE, "N", 0,
     "Show a run to the N-th final state of the log (default: one that satisfies an exists, or "
     "violates a ~exists or forall condition)",
     5},
    {"remove", KEY_REMOVE, "LABEL", 0,
     "Run only the variant without the instruction of that label, expected or not", 1},
    {"kinds", KEY_KINDS, NULL, 0,
     "Print only 'NAME Verdict' lines ('NAME MODEL Verdict' with several models)", 4},
    {"table", KEY_TABLE, NULL, 0,
     "Print a table of verdicts, tests by models; '!' marks one that is not as expected", 4},
    {"log", KEY_LOG, "native|herd", 0,
     "Names in the log: as the test writes them (default), or as herd's tools read them", 4},
    {"show", KEY_SHOW, "all|prop|neg", 0,
     "Final states in the log: all (default), or those with or without the proposition", 4},
    {"promote", KEY_PROMOTE, NULL, 0,
     "Rewrite the expect lines of the files as the verdicts show, and print what changed", 4},
    {"emit", KEY_EMIT, "LANGUAGE", 0,
     "Run nothing: print the test under the model in another language ('promela', for spin)", 6},
    {"output", 'o', "DIR", 0,
     "Emit: into DIR/NAME.MODEL.pml, all tests, models and variants with an expectation", 6},
    {0},
};

/* Options that contradict each other. */
static void check_usage(const struct litmus *l, struct argp_state *s)
{
    bool shows = witness_output_wanted(&l->show);
    if (l->emit && (shows || l->settings.explore || l->o.json || l->kinds || l->promote ||
                    l->table || l->state || l->log_option))
        argp_error(s, "--emit runs nothing: it excludes --explore, --json, --kinds, --promote, "
                      "--table, --log, --show, --witness, --dot, --trace and --state");
    if (l->table && (l->o.json || l->kinds || l->promote))
        argp_error(s, "--table excludes --json, --kinds and --promote");
    if (l->log_option && (l->o.json || l->kinds || l->promote || l->table))
        argp_error(s, "%s is about the log: it excludes --json, --kinds, --promote and --table",
                   l->log_option);
    if (l->state && l->log.shown != SHOW_ALL)
        argp_error(s, "--state counts all final states: it excludes --show");
    if (l->settings.explore && l->o.sampling)
        argp_error(s, "--explore visits every state: it excludes %s", l->o.sampling);
    if (!l->settings.explore && l->exploring)
        argp_error(s, "%s is for --explore; this draws runs", l->exploring);
    if (l->folder && !l->emit)
        argp_error(s, "-o needs --emit");
    if (l->o.x.ranks.len)
        argp_error(s, "-P: a litmus test fixes its ranks itself");
    if (l->remove && l->promote)
        argp_error(s, "--remove and --promote exclude each other");
    if (shows && !l->settings.explore)
        argp_error(s, "--witness, --dot and --trace need --explore");
    if (l->state && !shows)
        argp_error(s, "--state needs --witness, --dot or --trace");
    if (l->show.timeline && (l->o.json || l->kinds || l->promote || l->table))
        argp_error(s, "--witness prints behind the log: it excludes --json, --kinds, --promote and "
                      "--table");
}

static enum litmus_spelling read_spelling(const char *arg, struct argp_state *s)
{
    const char *names[SPELLING_COUNT];
    for (int i = 0; i < SPELLING_COUNT; i++)
        names[i] = litmus_spelling_name((enum litmus_spelling)i);
    return (enum litmus_spelling)option_choice(arg, "--log", names, SPELLING_COUNT, s);
}

static enum litmus_shown read_shown(const char *arg, struct argp_state *s)
{
    const char *names[SHOW_COUNT];
    for (int i = 0; i < SHOW_COUNT; i++)
        names[i] = litmus_shown_name((enum litmus_shown)i);
    return (enum litmus_shown)option_choice(arg, "--show", names, SHOW_COUNT, s);
}

/* The forms of the output. */
static error_t parse_output(struct litmus *l, int key, const char *arg, struct argp_state *s)
{
    switch (key) {
    case KEY_KINDS:
        l->kinds = true;
        return 0;
    case KEY_PROMOTE:
        l->promote = true;
        return 0;
    case KEY_TABLE:
        l->table = true;
        return 0;
    case KEY_LOG:
        l->log_option = "--log";
        l->log.spelling = read_spelling(arg, s);
        return 0;
    case KEY_SHOW:
        l->log_option = "--show";
        l->log.shown = read_shown(arg, s);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct litmus *l = s->input;
    switch (key) {
    case ARGP_KEY_INIT:
        s->child_inputs[0] = &l->o;
        s->child_inputs[1] = &l->show;
        return 0;
    case KEY_TOOLCHAIN:
        l->o.x.toolchain_name = arg;
        return 0;
    case KEY_EXPLORE:
        l->settings.explore = true;
        return 0;
    case KEY_MAX_STATES:
        l->exploring = "--max-states";
        l->settings.max_states = option_number(arg, "--max-states", 1, UINT64_MAX / 2, s);
        return 0;
    case KEY_MAX_MEMORY:
        l->exploring = "--max-memory";
        l->settings.max_memory = option_bytes(arg, "--max-memory", s);
        return 0;
    case KEY_PROGRESS:
        l->exploring = "--progress";
        l->progress.lines = true;
        return 0;
    case KEY_REMOVE:
        l->remove = arg;
        return 0;
    case KEY_STATE:
        l->state = option_number(arg, "--state", 1, UINT64_MAX / 2, s);
        return 0;
    case KEY_EMIT:
        if (strcmp(arg, "promela"))
            argp_error(s, "--emit: unknown language '%s'; there is promela", arg);
        l->emit = true;
        return 0;
    case 'o':
        l->folder = arg;
        return 0;
    case ARGP_KEY_ARG:
        vec_push(&l->o.arena, &l->o.x.files, arg);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(s, "expected at least one litmus file or folder");
        return 0;
    case ARGP_KEY_END:
        check_usage(l, s);
        return 0;
    default:
        return parse_output(l, key, arg, s);
    }
}

static const struct argp_child children[] = {
    {&litmus_run_argp, 0, "Running:", 2}, {&witness_argp, 0, "Showing a run:", 5}, {0}};
static const struct argp litmus_argp = {
    litmus_options,
    parse,
    "FILE|DIR|@LIST...\ncompare A.log B.log",
    "Run litmus tests and print their final states as a log. Folders are searched for *.litmus, "
    "@LIST is a file with one of these a line. 'compare' runs nothing: it says in what two logs "
    "differ.\v"
    "Verdicts are about the condition's proposition: Never, Sometimes or Always true in the final "
    "states. An 'expect MODEL [-LABEL] VERDICT ;' line of a test is compared with what was seen "
    "under "
    "that model; with a label, the instruction so labelled is removed and the variant is called "
    "NAME-LABEL. Sampling cannot refute 'Sometimes': it reports 'not seen', which is no failure. A "
    "test without an expectation for a model fails there when a ~exists or forall condition is not "
    "met; an exists condition asks a question and never fails.\n\n"
    "Exit code: 0 all as expected, 1 a verdict is contradicted or a condition not met, 2 bad usage "
    "or "
    "input, 3 a limit was hit before an answer.",
    children,
    NULL,
    NULL};

/* ---- jobs ---- */

/* A misspelt model would never be run: its expectation could not fail. */
static bool check_models(struct options *o, const struct litmus_test *t)
{
    const char *const *names;
    size_t n = contract_list(&o->arena, bench_models_dir(&o->arena), &names);
    vec_foreach (const struct litmus_expect, x, &t->expects) {
        bool known = false;
        for (size_t i = 0; i < n; i++)
            known |= !strcmp(names[i], x->model);
        vec_foreach (const struct contract *, k, &o->x.models)
            known |= !strcmp((*k)->name, x->model);
        if (known)
            continue;
        return diag_error(&o->diag, t->source, x->model_at, "no machine contract '%s'%s", x->model,
                          diag_hint(&o->arena, x->model, names, n));
    }
    return true;
}

/* The job of t, or of its variant without a label. */
static void add_job(struct litmus *l, const struct litmus_test *t, const struct contract *k,
                    const char *label)
{
    struct litmus_job j = {.test = label ? litmus_without(&l->o.arena, t, label) : t,
                           .base = t,
                           .removed = label,
                           .contract = k};
    vec_foreach (const struct litmus_expect, x, &t->expects)
        if (!strcmp(x->model, k->name) &&
            (label ? x->label && !strcmp(x->label, label) : !x->label))
            j.expect = x;
    vec_push(&l->o.arena, &l->jobs, j);
}

/* The test and its variants with an expectation; one variant alone; or, to show a run
 * or to print a model, the test alone. */
static void add_jobs(struct litmus *l, const struct litmus_test *t, const struct contract *k)
{
    add_job(l, t, k, l->remove);
    if (l->remove || witness_output_wanted(&l->show) || (l->emit && !l->folder))
        return;
    vec_foreach (const struct litmus_expect, x, &t->expects)
        if (x->label && !strcmp(x->model, k->name))
            add_job(l, t, k, x->label);
}

/* A misspelt label would remove nothing. */
static bool check_label(struct litmus *l, const struct litmus_test *t)
{
    const char **names = arena_array(&l->o.arena, const char *, t->labels.len + 1);
    bool known = !l->remove;
    for (size_t i = 0; i < t->labels.len; i++) {
        names[i] = t->labels.items[i].name;
        known |= l->remove && !strcmp(names[i], l->remove);
    }
    if (known)
        return true;
    return diag_error(&l->o.diag, t->source, (struct span){0},
                      "no instruction has the label '%s' to remove%s", l->remove,
                      diag_hint(&l->o.arena, l->remove, names, t->labels.len));
}

static bool add_file(struct litmus *l, const char *path)
{
    struct options *o = &l->o;
    const struct source *src = source_read(&o->arena, path, &o->diag);
    const struct litmus_test *t =
        src ? litmus_parse(&o->arena, src, o->x.kernel.toolchain, &o->diag) : NULL;
    if (!t || !check_models(o, t) || !check_label(l, t))
        return false;
    vec_foreach (const struct contract *, k, &o->x.models)
        add_jobs(l, t, *k);
    return true;
}

static bool add_argument(struct litmus *l, const char *path)
{
    const char *const *files;
    size_t n;
    if (!litmus_files(path, &files, &n, &l->o.diag))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!add_file(l, files[i]))
            return false;
    return true;
}

/* Whether what is to be shown is one run. */
static bool shows_one_run(struct litmus *l)
{
    return !witness_output_wanted(&l->show) || l->jobs.len == 1 ||
           diag_file(&l->o.diag, l->o.x.files.items[0],
                     "--witness, --dot and --trace show one run: name one test and one model; "
                     "these are %zu",
                     l->jobs.len);
}

/* ---- running ---- */

struct litmus_batch {
    struct litmus *l;
    void (*report)(struct litmus *l, const struct litmus_job *j); /* may be NULL */
    size_t reported; /* the first so many jobs: all, unless a stop was wanted */
};

static void work(void *ctx, size_t i)
{
    struct litmus *l = ((struct litmus_batch *)ctx)->l;
    struct litmus_job *j = &l->jobs.items[i];
    litmus_collect(j->test, j->contract, &l->settings, &j->outcome);
}

static void done(void *ctx, size_t i)
{
    struct litmus_batch *r = ctx;
    const struct litmus_job *j = &r->l->jobs.items[i];
    progress_end(&r->l->progress);
    r->reported++;
    if (r->report)
        r->report(r->l, j);
    fflush(stdout);
    progress_show(&r->l->progress, 1, litmus_job_failed(j));
}

static void on_progress(void *ctx, const struct litmus_test *t, const struct explore_progress *p)
{
    const struct litmus *l = ctx;
    progress_states(&l->progress, t->name, p);
}

/* A line that is rewritten would run into the log on a terminal, but for one job, whose log comes
 * when it has ended. */
static void start_progress(struct litmus *l)
{
    bool lines = l->progress.lines;
    l->progress = progress_start(l->jobs.len, "tests");
    l->progress.tty &= l->jobs.len == 1 || !isatty(STDOUT_FILENO);
    l->progress.lines = lines && !l->progress.tty;
    l->settings.on_progress = on_progress;
    l->settings.ctx = l;
}

/* Reports the jobs in their order as they end, whatever order they end in. */
static void run_jobs(struct litmus *l, void (*report)(struct litmus *l, const struct litmus_job *j))
{
    int n = l->o.x.threads < (int)l->jobs.len ? l->o.x.threads : (int)l->jobs.len;
    /* A single test is explored by all threads, many tests by one thread each. */
    l->settings.threads = l->o.x.threads / n;
    struct litmus_batch r = {.l = l, .report = report};
    start_progress(l);
    pool_each(&(struct pool_items){.n = l->jobs.len,
                                   .threads = n,
                                   .in_order = true,
                                   .stoppable = true,
                                   .work = work,
                                   .done = done,
                                   .ctx = &r});
    progress_end(&l->progress);
    l->jobs.len = r.reported;
}

/* ---- reporting ---- */

static void report_log(struct litmus *l, const struct litmus_job *j)
{
    litmus_report_log(stdout, &l->o.x, &l->settings, &l->log, j);
}

static void report_kind(struct litmus *l, const struct litmus_job *j)
{
    bool several = l->o.x.models.len > 1;
    printf("%s%s%s %s\n", j->test->name, several ? " " : "", several ? j->contract->name : "",
           litmus_verdict_name(j->outcome.verdict));
}

static void print_json(struct litmus *l)
{
    json_t *list = json_array();
    vec_foreach (const struct litmus_job, j, &l->jobs)
        json_array_append_new(list, litmus_report_json(&l->o.x, &l->settings, j));
    json_t *top = json_pack("{s:s, s:s, s:s, s:o, s:o}", "schema", JSON_SCHEMA, "command", "litmus",
                            "build", build_id(), "results", list, "interrupted",
                            options_stopped_json("results", l->jobs.len));
    output_json(top);
}

static void print_summary(const struct litmus *l)
{
    uint64_t by[AGREE_NO + 1] = {0}, unmet = 0;
    vec_foreach (const struct litmus_job, j, &l->jobs) {
        by[litmus_job_agreement(j)]++;
        unmet += !j->expect && litmus_job_failed(j);
    }
    printf("Summary %zu results: %" PRIu64 " as expected, %" PRIu64 " contradicted, %" PRIu64
           " not seen, %" PRIu64 " unknown, %" PRIu64 " without an expectation (%" PRIu64
           " with a condition not met)\n",
           l->jobs.len, by[AGREE_YES], by[AGREE_NO], by[AGREE_NOT_SEEN], by[AGREE_UNKNOWN],
           by[AGREE_NONE], unmet);
}

static bool promote_all(struct litmus *l)
{
    for (size_t i = 0, n; i < l->jobs.len; i += n) {
        for (n = 1; i + n < l->jobs.len && l->jobs.items[i + n].base == l->jobs.items[i].base;)
            n++;
        if (!litmus_promote(stdout, &l->o.arena, &l->jobs.items[i], n, &l->o.diag))
            return false;
    }
    return true;
}

static int exit_code(const struct litmus *l)
{
    int code = EXIT_CLEAN;
    vec_foreach (const struct litmus_job, j, &l->jobs) {
        if (litmus_job_failed(j))
            return EXIT_FINDINGS;
        if (litmus_job_unknown(j))
            code = EXIT_LIMIT;
    }
    return code;
}

static int run(struct litmus *l)
{
    if (l->emit)
        return litmus_emit(l->jobs.items, l->jobs.len, l->folder, &l->o.diag) ? EXIT_CLEAN
                                                                              : EXIT_USAGE;
    l->settings.runs = l->o.x.runs;
    l->settings.seed = l->o.x.seed;
    l->settings.runner = l->o.x.runner;
    l->settings.max_transitions = l->o.max_transitions;
    bool log = !l->o.json && !l->kinds && !l->promote && !l->table;
    run_jobs(l, log ? report_log : l->kinds && !l->o.json ? report_kind : NULL);
    if (l->o.json)
        print_json(l);
    if (l->table)
        litmus_report_table(stdout, &l->o.arena, l->jobs.items, l->jobs.len);
    if ((log || l->table) && l->jobs.len > 1)
        print_summary(l);
    if (l->promote && !promote_all(l))
        return EXIT_USAGE;
    if (stop_wanted())
        options_say_stopped(arena_printf(&l->o.arena, "%zu results", l->jobs.len));
    if (witness_output_wanted(&l->show) && l->jobs.len &&
        !litmus_show_witness(&l->jobs.items[0], &l->show, l->state, &l->o.diag))
        return EXIT_USAGE;
    return exit_code(l);
}

int cmd_litmus(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "compare"))
        return cmd_litmus_compare(argc - 1, argv + 1);
    struct litmus l = {.settings = {.max_memory = (uint64_t)4096 << 20}};
    options_init(&l.o);
    argp_parse(&litmus_argp, argc, argv, 0, NULL, &l);
    bool ok = options_finish(&l.o);
    for (size_t i = 0; ok && i < l.o.x.files.len; i++)
        ok = add_argument(&l, l.o.x.files.items[i]);
    int code = ok && shows_one_run(&l) ? run(&l) : EXIT_USAGE;
    vec_foreach (struct litmus_job, j, &l.jobs)
        arena_free(&j->outcome.arena);
    return options_end(&l.o, code);
}
