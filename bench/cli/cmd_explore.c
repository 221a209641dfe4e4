/* SPDX-License-Identifier: MIT */
/* fencebench explore: every reachable state of a small kernel, with the oracle's verdicts. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/cli/reporting.h"
#include "bench/report/report.h"
#include "bench/report/scope.h"
#include "bench/campaign/retrace.h"
#include "bench/report/witness_output.h"
#include "sim/explore/explore.h"

enum {
    KEY_STATES = 0x200,
    KEY_MEMORY,
    KEY_FULL,
    KEY_PROGRESS,
    KEY_CLOCKS,
    KEY_EVERY_CORE,
    DEFAULT_STATES = 200 * 1000 * 1000,
    MORE_STATES = 100, /* times as many, for the orders of accesses that race */
    MORE_AT_LEAST = 50000
};

struct found {
    struct finding finding;
    uint64_t states; /* in which it was met */
    const struct remedy_found *remedy;
};

typedef VEC(struct found) founds;

struct explorer {
    struct options o;
    struct witness_output show;
    bool full, clocks, every_core, lines; /* lines: progress even when stderr is no terminal */
    uint64_t max_states, max_memory;
    struct kase *kase;
    const struct program *program;
    struct contract contract; /* the case's, with room for all lines */
    bool room;                /* as it has itself */
    founds found;
    struct progress progress;
};

static const struct argp_option explore_options[] = {
    {"max-states", KEY_STATES, "N", 0, "Give up beyond N states (default 200000000)", 3},
    {"max-memory", KEY_MEMORY, "BYTES", 0,
     "Give up beyond that much memory; K, M or G may follow (default: three quarters of what the "
     "machine has to spare)",
     3},
    {"no-reduction", KEY_FULL, NULL, 0,
     "Explore every order of steps, without partial-order reduction", 3},
    {"clocks", KEY_CLOCKS, NULL, 0,
     "Keep the oracle's clocks in every state, even where each read has only one right answer", 3},
    {"every-core", KEY_EVERY_CORE, NULL, 0,
     "Take the steps of every core and line in each state, even where some cores can go first", 3},
    {"progress", KEY_PROGRESS, NULL, 0, "Show progress even when standard error is no terminal", 3},
    {0},
};

static const struct argp_child children[] = {
    {&compile_argp, 0, "Compiling:", 1},
    {&exploring_argp, 0, "Running:", 2},
    {&mutant_argp, 0, NULL, 3},
    {&witness_argp, 0, "Showing a run to the first finding:", 4},
    {&report_argp, 0, NULL, 5},
    {0}};
enum { WITNESS_CHILD = 3 };

static void check_usage(const struct explorer *e, struct argp_state *s)
{
    if (e->o.json && e->show.timeline)
        argp_error(s, "--witness prints behind the report: it excludes --json");
}

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct explorer *e = s->input;
    switch (key) {
    case KEY_STATES:
        e->max_states = option_number(arg, "--max-states", 1, UINT32_MAX, s);
        return 0;
    case KEY_MEMORY:
        e->max_memory = option_bytes(arg, "--max-memory", s);
        return 0;
    case KEY_FULL:
        e->full = true;
        return 0;
    case KEY_CLOCKS:
        e->clocks = true;
        return 0;
    case KEY_EVERY_CORE:
        e->every_core = true;
        return 0;
    case KEY_PROGRESS:
        e->lines = true;
        return 0;
    case ARGP_KEY_INIT:
        options_key(&e->o, children, key, arg, s, 1, 1);
        s->child_inputs[WITNESS_CHILD] = &e->show;
        return 0;
    case ARGP_KEY_END:
        check_usage(e, s);
        return options_key(&e->o, children, key, arg, s, 1, 1) ? 0 : ARGP_ERR_UNKNOWN;
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

/* Of equal kind, the first by all else that is reported stands for all: threads meet them in any
 * order. */
static bool comes_first(const struct finding *x, const struct finding *y)
{
    if (x->addr != y->addr)
        return x->addr < y->addr;
    if (x->end != y->end)
        return x->end > y->end;
    const int a[] = {x->reader.core, x->producer.core, x->culprit.core, x->got.core, x->got.insn};
    const int b[] = {y->reader.core, y->producer.core, y->culprit.core, y->got.core, y->got.insn};
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        if (a[i] != b[i])
            return a[i] < b[i];
    return strcmp(x->note ? x->note : "", y->note ? y->note : "") < 0;
}

static int by_kind(const void *x, const void *y)
{
    return finding_compare(&((const struct found *)x)->finding,
                           &((const struct found *)y)->finding);
}

/* The one of that kind, or NULL. */
static struct found *find_found(const founds *list, const struct finding *f)
{
    vec_foreach (struct found, have, list)
        if (!finding_compare(&have->finding, f))
            return have;
    return NULL;
}

static void add_found(struct explorer *e, const struct finding *f)
{
    struct found *have = find_found(&e->found, f);
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
    for (int i = 0; i < n; i++) {
        /* What was waited for on the way is no part of a state. */
        struct finding met = f[i];
        met.wait = NOWHERE;
        met.edge = EDGE_UNKNOWN;
        add_found(ctx, &met);
    }
}

static void on_restart(void *ctx)
{
    struct explorer *e = ctx;
    e->found.len = 0;
}

static void on_final(void *ctx, const struct machine *m, bool deadlock)
{
    const struct explorer *e = ctx;
    if (golden_judge(e->kase->golden, m, deadlock))
        on_finding(ctx, m);
}

static bool choose_program(struct explorer *e)
{
    if (!options_mutant(&e->o, e->kase))
        return false;
    const struct program *p = e->kase->program;
    e->program = p;
    if (!explore_fits(p))
        return diag_error(&e->o.diag, e->kase->kernel->source, (struct span){0},
                          "is too large to explore: %" PRIu64 " bytes on each of %d ranks, and at "
                          "most %d on all",
                          p->gm_bytes, p->nranks, EXPLORE_BYTES);
    e->contract = explore_contract(p, e->kase->contract, &e->room);
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

static bool show_witness(struct explorer *e)
{
    struct witness w = {.program = e->program, .contract = &e->contract, .oracle = true};
    witness_find(&w, has_finding, NULL, &e->o.arena);
    if (e->show.timeline || w.steps < 0)
        fprintf(e->o.json ? stderr : stdout, "    %s\n",
                witness_title(&e->o.arena, &w, "a finding"));
    return w.steps < 0 || witness_write(&w, &e->show, &e->o.diag);
}

/* ---- remedies ---- */

static bool has_race(const struct explorer *e)
{
    vec_foreach (const struct found, f, &e->found)
        if (f->finding.verdict == V_RACE)
            return true;
    return false;
}

/* A program with a remedy has more states: how many times as many are looked at, and up to how many
 * of the program itself it is done at all. */
enum { REMEDY_GROWTH = 10, REMEDY_STATES = 200 * 1000 };

/* Findings that turned out to be one. */
static void merge_found(struct explorer *e)
{
    founds all = e->found;
    e->found.len = 0; /* in place: what is kept is never behind what is looked at */
    vec_foreach (const struct found, f, &all) {
        struct found *have = find_found(&e->found, &f->finding);
        if (have)
            have->states += f->states;
        else
            e->found.items[e->found.len++] = *f;
    }
}

static void leave_untried(struct explorer *e)
{
    struct remedy_found *none = arena_new(&e->o.arena, struct remedy_found);
    none->kind = REMEDY_UNKNOWN;
    none->text = arena_printf(
        &e->o.arena, "not looked for beyond %d states; check looks for it in runs", REMEDY_STATES);
    vec_foreach (struct found, f, &e->found)
        f->remedy = none;
}

static void find_remedies(struct explorer *e, const struct explore_result *r)
{
    vec_foreach (struct found, f, &e->found)
        retrace_edge(&e->o.arena, e->program, &e->contract, e->kase->options, &f->finding);
    merge_found(e);
    size_t n = e->found.len;
    struct remedy_query *q = arena_array(&e->o.arena, struct remedy_query, n + 1);
    struct evidence base = {.states = r->states, .complete = r->complete};
    struct remedy_judge j = {.contract = &e->contract,
                             .threads = e->o.x.threads,
                             .explore = true,
                             .options = e->kase->options,
                             .max_states = REMEDY_GROWTH * r->states,
                             .races = has_race(e),
                             .golden = e->kase->golden};
    for (size_t i = 0; i < n; i++) {
        const struct finding *f = &e->found.items[i].finding;
        q[i] = (struct remedy_query){.finding = f, .hits = 1, .runs = 1};
        evidence_add(&e->o.arena, e->program, &base, f);
    }
    if (r->states > REMEDY_STATES) {
        leave_untried(e);
        return;
    }
    remedies_find(&e->o.arena, e->program, &j, &base, q, n);
    struct compilation c = case_compilation(e->kase);
    if (!e->kase->removed && !e->kase->mutated) /* else no file is this program's */
        remedies_say(&e->o.arena, &c, e->program, &j, &base, q, n);
    for (size_t i = 0; i < n; i++)
        e->found.items[i].remedy = q[i].found;
}

/* ---- the command ---- */

static void print_result(struct explorer *e, const struct explore_result *r)
{
    printf("%s P=%d %s %s: %" PRIu64 " states, %" PRIu64 " transitions, %" PRIu64 " final states; ",
           e->kase->kernel->name, e->kase->nranks, e->kase->contract->name, e->o.x.toolchain_name,
           r->states, r->transitions, r->finals);
    if (!r->complete)
        printf("a limit was hit, so this is no proof; ");
    printf("%s\n", e->found.len ? "findings:" : r->complete ? "clean" : "nothing found so far");
    if (!e->room)
        printf("    as if the cache held all lines of all ranks\n");
    if (r->clocks && !e->clocks)
        printf("    with the oracle's clocks in each state: %s\n", r->clocks);
    vec_foreach (const struct found, f, &e->found) {
        printf("%s, in %" PRIu64 " states\n", report_headline(&e->o.arena, e->program, &f->finding),
               f->states);
        report_places(stdout, &e->o.arena, e->program, &f->finding);
        report_remedy(stdout, &e->o.arena, e->program, f->remedy);
    }
}

static json_t *report_of(struct explorer *e, const struct explore_result *r)
{
    json_t *list = json_array();
    vec_foreach (const struct found, f, &e->found) {
        json_t *j = report_places_json(&e->o.arena, e->program, &f->finding, f->finding.note);
        json_object_set_new(j, "states", json_integer((json_int_t)f->states));
        report_remedy_json(&e->o.arena, j, e->program, f->remedy);
        json_array_append_new(list, j);
    }
    const struct scope_looked looked = {
        .failed = e->found.len, .states = r->states, .complete = r->complete && !stop_wanted()};
    const char *answer = e->found.len ? "findings" : looked.complete ? "clean" : "unfinished";
    json_t *result = json_pack(
        "{s:s, s:s, s:i, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:b, s:o, s:o}", "kernel",
        e->kase->kernel->name, "file", e->kase->kernel->path, "ranks", e->kase->nranks, "model",
        e->kase->contract->name, "toolchain", e->o.x.toolchain_name, "answer", answer, "judge",
        r->clocks ? "clocks" : "course", "machine_states", (json_int_t)r->states, "transitions",
        (json_int_t)r->transitions, "final_states", (json_int_t)r->finals, "complete", r->complete,
        "scope", scope_json(e->kase, &looked), "findings", list);
    return json_pack("{s:s, s:s, s:s, s:[o], s:[], s:o}", "schema", JSON_SCHEMA, "command",
                     "explore", "build", build_id(), "results", result, "errors", "interrupted",
                     options_stopped_json("states", r->states));
}

static void on_progress(void *ctx, const struct explore_progress *p)
{
    struct explorer *e = ctx;
    progress_states(&e->progress, e->kase->kernel->name, p);
}

static bool choose_case(struct explorer *e, kases *cases)
{
    if (!options_finish(&e->o) || !cases_make_one(&e->o.x, "explore", cases))
        return false;
    e->kase = &cases->items[0];
    return true;
}

/* Once more with all that leads to a finding, or with all orders of accesses that race, which has
 * more states, at times many more: when there are too many, what was found first stands beside what was
 * found since. */
static void explore_again(struct explorer *e, const struct explore_options *x,
                          struct explore_result *r)
{
    struct explore_options more = *x;
    uint64_t times = MORE_STATES * r->states, most = times > MORE_AT_LEAST ? times : MORE_AT_LEAST;
    founds first = e->found;
    e->found = (founds){0};
    more.max_states = most < x->max_states ? most : x->max_states;
    explore(e->program, &e->contract, &more, r);
    vec_foreach (const struct found, f, &first)
        if (!r->complete && !find_found(&e->found, &f->finding))
            vec_push(&e->o.arena, &e->found, *f);
}

/* First whether there is anything to be found. */
static void explore_all(struct explorer *e, struct explore_options *x, struct explore_result *r)
{
    x->brief = true;
    explore(e->program, &e->contract, x, r);
    if (!r->complete || !e->found.len)
        return;
    x->brief = false;
    x->races = x->reduction && has_race(e);
    if (x->races || !r->clocks)
        explore_again(e, x, r);
}

static int run_explorer(struct explorer *e)
{
    kases cases = {0};
    if (!choose_case(e, &cases) || !choose_program(e))
        return reporting_refused(&e->o, "explore");
    e->progress = progress_start(0, "states");
    e->progress.lines = e->lines && !e->progress.tty;
    struct explore_options x = {.threads = e->o.x.threads,
                                .reduction = !e->full,
                                .max_states = e->max_states,
                                .max_memory = e->max_memory,
                                .max_transitions = e->o.max_transitions,
                                .oracle = true,
                                .clocks = e->clocks,
                                .every_core = e->every_core,
                                .on_restart = on_restart,
                                .on_finding = on_finding,
                                .on_final = on_final,
                                .on_progress = on_progress,
                                .ctx = e};
    struct explore_result r;
    explore_all(e, &x, &r);
    progress_end(&e->progress);
    const struct golden *g = e->kase->golden;
    bool known = r.complete && g->ended; /* all that the program does */
    if (!case_judged(e->kase, e->found.len > 0 || !known, g->checked, &e->o.diag))
        return reporting_refused(&e->o, "explore");
    if (e->found.len)
        qsort(e->found.items, e->found.len, sizeof *e->found.items, by_kind);
    find_remedies(e, &r);
    int code = e->found.len ? EXIT_FINDINGS : r.complete ? EXIT_CLEAN : EXIT_LIMIT;
    if (!e->o.json)
        print_result(e, &r);
    if (reporting_wanted(&e->o))
        code = reporting_end(&e->o, report_of(e, &r), code);
    options_say_stopped(arena_printf(&e->o.arena, "%s states", count_text(&e->o.arena, r.states)));
    fflush(stdout); /* a witness takes longer */
    if (witness_output_wanted(&e->show) && !e->found.len)
        fprintf(e->o.json ? stderr : stdout, "    nothing was found, so there is no run to show\n");
    else if (witness_output_wanted(&e->show) && !show_witness(e))
        return EXIT_USAGE;
    return code;
}

/* Bytes; 0: nobody knows. */
static uint64_t memory_to_spare(void)
{
    unsigned long long kib = 0;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "MemAvailable: %llu kB", &kib) != 1)
        ;
    if (f)
        fclose(f);
    return kib * 1024 / 4 * 3;
}

int cmd_explore(int argc, char **argv)
{
    struct explorer e = {.max_states = DEFAULT_STATES, .max_memory = memory_to_spare()};
    options_init(&e.o);
    argp_parse(&argp, argc, argv, 0, NULL, &e);
    int code = run_explorer(&e);
    return options_end(&e.o, code);
}
