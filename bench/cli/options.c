/* SPDX-License-Identifier: MIT */
#include "bench/campaign/build_dir.h"
#include "bench/cli/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"
#include "base/strbuf.h"
#include "bench/campaign/mutants.h"
#include "bench/cli/commands.h"
#include "bench/report/baseline.h"

enum { DEFAULT_RUNS = 100, DEFAULT_THREADS = 2, DEFAULT_PCT_DEPTH = 3 };
#define MAX_SKEW 1000000000000u /* cycles: nine minutes */

enum key {
    KEY_PASSES = 0x100,
    KEY_BATCH,
    KEY_RULES,
    KEY_MARKERS,
    KEY_TOOLCHAIN,
    KEY_ARG,
    KEY_PROGRAM,
    KEY_ALIGN,
    KEY_BUILD,
    KEY_MODEL,
    KEY_RUNS,
    KEY_SEED,
    KEY_DRIVER,
    KEY_DEPTH,
    KEY_TIMING,
    KEY_LIMIT,
    KEY_SKEW,
    KEY_SECONDS,
    KEY_JSON,
    KEY_REMOVE,
    KEY_MUTATE,
    KEY_FORMAT,
    KEY_BASELINE,
    KEY_UPDATE
};

/* A file is compiled for each number of ranks and each model: a note is printed once. */
static void print_note(void *ctx, const struct source *src, struct span at, const char *text)
{
    struct options *o = ctx;
    const char *note = diag_note(src, at, text, &o->arena);
    vec_foreach (const char *, said, &o->notes)
        if (strcmp(*said, note) == 0)
            return;
    vec_push(&o->arena, &o->notes, note);
    fputs(note, stderr);
}

void options_init(struct options *o)
{
    *o = (struct options){.x = {.arena = &o->arena,
                                .diag = &o->diag,
                                .toolchain_name = "ptoas-0.57",
                                .runs = DEFAULT_RUNS,
                                .seed = 1,
                                .threads = DEFAULT_THREADS}};
    o->diag.arena = &o->arena;
    o->x.kernel.pass = PASS_OPTIONS_DEFAULT;
    o->x.kernel.pass.note = print_note;
    o->x.kernel.pass.note_ctx = o;
    o->x.runner = (struct runner_options){.driver = DRIVER_TIMED,
                                          .max_transitions = DEFAULT_MAX_TRANSITIONS,
                                          .pct_depth = DEFAULT_PCT_DEPTH,
                                          .adversary = true,
                                          .dispatch_skew = SKEW_OF_CONTRACT};
}

const char *count_text(struct arena *a, uint64_t n)
{
    const char *text = arena_printf(a, "%" PRIu64, n % 1000);
    if (n < 1000)
        return text;
    return arena_printf(a, "%s,%03" PRIu64, count_text(a, n / 1000), n % 1000);
}

static const char *const causes[] = {[STOPPED_INTERRUPT] = "interrupted",
                                     [STOPPED_TERMINATE] = "terminated",
                                     [STOPPED_TIME] = "the limit of time was hit"};

json_t *options_stopped_json(const char *unit, uint64_t done)
{
    enum stop_cause c = stop_cause();
    return c == STOPPED_NOT ? json_null()
                            : json_pack("{s:s, s:I}", "cause", causes[c], unit, (json_int_t)done);
}

void options_say_stopped(const char *done)
{
    enum stop_cause c = stop_cause();
    fflush(stdout);
    if (c != STOPPED_NOT)
        fprintf(stderr, "fencebench: %s after %s\n", causes[c], done);
}

int options_end(struct options *o, int code)
{
    diag_print(&o->diag, stderr);
    arena_free(&o->arena);
    enum stop_cause cause = stop_cause();
    if (code == EXIT_USAGE || cause == STOPPED_NOT)
        return code;
    return stop_exit_code(cause, code == EXIT_FINDINGS ? EXIT_FINDINGS : EXIT_LIMIT);
}

/* ---- values ---- */

void option_list(struct options *o, const char *text,
                 void (*add)(struct options *o, const char *item, struct argp_state *s),
                 struct argp_state *s)
{
    for (const char *p = text;; p++) {
        size_t n = strcspn(p, ",");
        if (n == 0)
            argp_error(s, "'%s': an entry of the list is empty", text);
        add(o, arena_strndup(&o->arena, p, n), s);
        p += n;
        if (!*p)
            return;
    }
}

const char *option_spelling(struct arena *a, const char *name)
{
    char *text = arena_strdup(a, name);
    for (char *p = text; *p; p++)
        *p = *p == ' ' ? '-' : *p;
    return text;
}

static void add_origin(struct options *o, const char *item, struct argp_state *s)
{
    for (int k = 0; k < ORIGIN_COUNT; k++)
        if (k != ORIGIN_USER &&
            !strcmp(item, option_spelling(&o->arena, origin_name((enum origin_kind)k)))) {
            o->origins |= 1u << k;
            return;
        }
    const char *names[ORIGIN_COUNT];
    size_t n = 0;
    for (int k = 0; k < ORIGIN_COUNT; k++)
        if (k != ORIGIN_USER)
            names[n++] = option_spelling(&o->arena, origin_name((enum origin_kind)k));
    option_no_value(item, "--origins", names, n, s);
}

unsigned option_origins(struct options *o, const char *list, struct argp_state *s)
{
    o->origins = 0;
    option_list(o, list, add_origin, s);
    return o->origins;
}

uint64_t option_bytes(const char *text, const char *option, struct argp_state *s)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (end == text || *text == '-' || (*end && (!unit || end[1])) || errno || v == 0 ||
        v > UINT64_MAX >> (shift + 1))
        argp_error(s, "%s=%s: expected a number of bytes, such as 4G", option, text);
    return v << shift;
}

uint64_t option_number(const char *text, const char *option, uint64_t low, uint64_t high,
                       struct argp_state *s)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (end == text || *end || *text == '-' || errno || v < low || v > high)
        argp_error(s, "%s=%s: expected an integer from %llu to %llu", option, text,
                   (unsigned long long)low, (unsigned long long)high);
    return v;
}

void option_no_value(const char *text, const char *option, const char *const *names, size_t n,
                     struct argp_state *s)
{
    struct arena a = {0};
    struct strbuf all = strbuf_make(&a);
    for (size_t i = 0; i < n; i++)
        strbuf_addf(&all, "%s%s", i ? ", " : "", names[i]);
    argp_error(s, "%s=%s: no such value (%s)%s", option, text, all.text,
               diag_hint(&a, text, names, n));
}

int option_choice(const char *text, const char *option, const char *const *names, int n,
                  struct argp_state *s)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(text, names[i]))
            return i;
    option_no_value(text, option, names, (size_t)n, s);
    return 0;
}

#define CHOICE(text, option, s, ...)                                                               \
    option_choice(text, option, (const char *const[]){__VA_ARGS__},                                \
                  (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)), s)

static enum driver read_driver(const char *text, struct argp_state *s)
{
    const char *names[DRIVER_COUNT];
    for (int d = 0; d < DRIVER_COUNT; d++)
        names[d] = drivers[d].name;
    return (enum driver)option_choice(text, "--driver", names, DRIVER_COUNT, s);
}

static void add_rank(struct options *o, const char *item, struct argp_state *s)
{
    int n = (int)option_number(item, "-P", 1, MAX_RANKS, s);
    vec_foreach (int, ranks, &o->x.ranks)
        if (*ranks == n)
            return;
    vec_push(&o->arena, &o->x.ranks, n);
}

/* Each once. */
static void add_model_name(struct options *o, const char *name)
{
    vec_foreach (const char *, have, &o->x.model_names)
        if (!strcmp(*have, name))
            return;
    vec_push(&o->arena, &o->x.model_names, name);
}

void options_all_models(struct options *o)
{
    const char *const *names;
    size_t n = contract_list(&o->arena, bench_models_dir(&o->arena), &names);
    for (size_t i = 0; i < n; i++)
        add_model_name(o, names[i]);
}

static void add_model(struct options *o, const char *item, struct argp_state *s)
{
    (void)s;
    if (!strcmp(item, "all"))
        options_all_models(o);
    else
        add_model_name(o, item);
}

static void add_pass(struct options *o, const char *item, struct argp_state *s)
{
    (void)s;
    vec_push(&o->arena, &o->passes, item);
}

static void add_program(struct options *o, const char *item, struct argp_state *s)
{
    (void)s;
    vec_push(&o->arena, &o->x.programs, item);
}

static void add_binding(struct options *o, const char *text, struct argp_state *s)
{
    struct binding b;
    if (!binding_parse(&o->arena, text, &b, &o->diag)) {
        diag_print(&o->diag, stderr);
        exit(EXIT_USAGE);
    }
    (void)s;
    vec_foreach (struct binding, have, &o->args)
        if (!strcmp(have->name, b.name)) {
            *have = b;
            return;
        }
    vec_push(&o->arena, &o->args, b);
}

/* ---- argp ---- */

static const struct argp_option compile_options[] = {
    {"passes", KEY_PASSES, "LIST", 0, "Passes to run: names, 'all' (default) or 'none'", 1},
    {"batch", KEY_BATCH, "MODE", 0,
     "Consume-side markers: 'loops' (default) or 'none', one after each wait; further than the "
     "compiler go 'lines', of what may be read, and 'use', in front of the first read",
     1},
    {"rules", KEY_RULES, "SET", 0,
     "Rules of InsertCommFence: 'compiler' (default) or 'proposed', which closes their holes", 1},
    {"markers", KEY_MARKERS, "on|off", 0, "Run InsertCommFence (default on)", 1},
    {"toolchain", KEY_TOOLCHAIN, "NAME", 0, "Toolchain profile (default ptoas-0.57)", 1},
    {"arg", KEY_ARG, "NAME=EXPR", 0,
     "Value of a parameter or module constant, over rank and nranks; the last one of a name counts",
     1},
    {"program", KEY_PROGRAM, "NAME,..", 0,
     "Programs of the file, by name or with those of the functions around it, as in "
     "build_ring.Ring "
     "(default: all, where a command takes several)",
     1},
    {"window-align", KEY_ALIGN, "BYTES", 0,
     "Alignment of windows (default 64; in host programs what the toolchain says)", 1},
    {"build", KEY_BUILD, "DIR", 0,
     "The program that was built in that directory, as it was recorded or as it submits its tasks",
     1},
    {0},
};

static error_t parse_compile(int key, char *arg, struct argp_state *s)
{
    struct options *o = s->input;
    switch (key) {
    case KEY_PASSES:
        o->passes.len = 0;
        o->x.kernel.passes =
            o->x.kernel.passes ? o->x.kernel.passes : arena_array(&o->arena, const char *, 1);
        if (!strcmp(arg, "all"))
            o->x.kernel.passes = NULL;
        else if (strcmp(arg, "none"))
            option_list(o, arg, add_pass, s);
        return 0;
    case KEY_BATCH:
        o->marking = "--batch";
        o->x.kernel.pass.batch =
            (enum pass_batch)option_choice(arg, "--batch", pass_batch_names, PASS_BATCH_COUNT, s);
        return 0;
    case KEY_RULES:
        o->marking = "--rules";
        o->x.kernel.pass.rules = CHOICE(arg, "--rules", s, "compiler", "proposed")
                                     ? PASS_RULES_PROPOSED
                                     : PASS_RULES_COMPILER;
        return 0;
    case KEY_MARKERS:
        o->x.kernel.pass.markers = CHOICE(arg, "--markers", s, "off", "on") == 1;
        return 0;
    case KEY_TOOLCHAIN:
        o->x.toolchain_name = arg;
        return 0;
    case KEY_BUILD:
        if (!build_dir_is(arg))
            argp_error(s, "--build=%s: no build directory: it has no folder next_levels", arg);
        vec_push(&o->arena, &o->x.files, arg);
        return 0;
    case KEY_ARG:
        add_binding(o, arg, s);
        return 0;
    case KEY_PROGRAM:
        o->x.programs.len = 0;
        option_list(o, arg, add_program, s);
        return 0;
    case KEY_ALIGN:
        o->x.kernel.window_align = (int)option_number(arg, "--window-align", 4, 4096, s);
        if (o->x.kernel.window_align & (o->x.kernel.window_align - 1))
            argp_error(s, "--window-align=%s: expected a power of two", arg);
        return 0;
    case ARGP_KEY_END:
        if (o->marking && !o->x.kernel.pass.markers)
            argp_error(s, "%s says how markers are placed: it excludes --markers=off", o->marking);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp compile_argp = {compile_options, parse_compile, NULL, NULL, NULL, NULL, NULL};

/* Each command takes those that have an effect on it. */
#define OPTION_RANKS                                                                               \
    {                                                                                              \
        "ranks", 'P', "N,..", 0, "Numbers of ranks (default: the kernel's own, or 2)", 2           \
    }
#define OPTION_RANK                                                                                \
    {                                                                                              \
        "ranks", 'P', "N", 0, "Number of ranks (default: the kernel's own, or 2)", 2               \
    }
#define OPTION_MODELS                                                                              \
    {                                                                                              \
        "model", KEY_MODEL, "M,..|all", 0, "Machine contracts (default a2a3)", 2                   \
    }
#define OPTION_MODEL                                                                               \
    {                                                                                              \
        "model", KEY_MODEL, "M", 0, "Machine contract (default a2a3)", 2                           \
    }
#define OPTION_RUNS(what)                                                                          \
    {                                                                                              \
        "runs", KEY_RUNS, "N", 0, "Seeds per " what, 2                                             \
    }
#define OPTIONS_SEEDED                                                                             \
    {"seed", KEY_SEED, "S", 0, "First seed (default 1)", 2},                                       \
        {"driver", KEY_DRIVER, "D", 0, "'timed' (default), 'random' or 'pct'", 2},                 \
        {"pct-depth", KEY_DEPTH, "D", 0, "Bug depth of the pct driver (default 3)", 2},            \
    {                                                                                              \
        "timing", KEY_TIMING, "T", 0,                                                              \
            "Timed driver: 'adversary' (default: some agents are slow) or 'typical'", 2            \
    }
#define OPTION_SKEW                                                                                \
    {                                                                                              \
        "dispatch-skew", KEY_SKEW, "CYCLES", 0,                                                    \
            "Host programs: cycles between two submissions (default: as the model says)", 2        \
    }
#define OPTION_LIMIT(what)                                                                         \
    {                                                                                              \
        "max-transitions", KEY_LIMIT, "N", 0, "Limit of one " what, 2                              \
    }
#define OPTION_SECONDS                                                                             \
    {                                                                                              \
        "seconds", KEY_SECONDS, "N", 0,                                                            \
            "End after N seconds with what is known then (exit code 3)", 2                         \
    }
#define OPTION_JOBS                                                                                \
    {                                                                                              \
        "jobs", 'j', "N", 0, "Worker threads (default 2); results do not depend on it", 2          \
    }
#define OPTION_JSON                                                                                \
    {                                                                                              \
        "json", KEY_JSON, NULL, 0, "Print JSON instead of text", 2                                 \
    }
#define OF_A_RUN "run (default 50000000)"

static const struct argp_option sampling_options[] = {
    OPTION_RANKS,
    OPTION_MODELS,
    OPTION_RUNS("kernel, number of ranks and model (default 100; flushes 5, sweep, minimize and "
                "repair 200)"),
    OPTIONS_SEEDED,
    OPTION_SKEW,
    OPTION_LIMIT(OF_A_RUN),
    OPTION_SECONDS,
    OPTION_JOBS,
    OPTION_JSON,
    {0},
};
static const struct argp_option single_options[] = {
    OPTION_RANK, OPTION_MODEL,   OPTIONS_SEEDED, OPTION_SKEW, OPTION_LIMIT(OF_A_RUN),
    OPTION_JOBS, OPTION_SECONDS, OPTION_JSON,    {0},
};
static const struct argp_option exploring_options[] = {
    OPTION_RANK,
    OPTION_MODEL,
    OPTION_LIMIT("exploration (default: none)"),
    OPTION_SECONDS,
    OPTION_JOBS,
    OPTION_JSON,
    {0},
};
static const struct argp_option litmus_options[] = {
    OPTION_MODELS,  OPTION_RUNS("test and model (default 100)"),
    OPTIONS_SEEDED, OPTION_LIMIT("run (default 50000000), or of an exploration (default: none)"),
    OPTION_SECONDS, OPTION_JOBS,
    OPTION_JSON,    {0},
};
static const struct argp_option comparing_options[] = {
    OPTION_MODELS,  OPTION_LIMIT("exploration (default: none)"),
    OPTION_SECONDS, OPTION_JOBS,
    OPTION_JSON,    {0},
};

/* An option that would be without effect is a mistake of whoever gives it. */
static void check_driver(const struct options *o, struct argp_state *s)
{
    enum driver d = o->x.runner.driver;
    if (o->depth && d != DRIVER_PCT)
        argp_error(s, "--pct-depth is for --driver=pct; this is --driver=%s", drivers[d].name);
    if ((o->timing || o->skew) && d != DRIVER_TIMED)
        argp_error(s, "%s is for --driver=timed; this is --driver=%s",
                   o->timing ? "--timing" : "--dispatch-skew", drivers[d].name);
}

static void set_format(struct options *o, enum format f, struct argp_state *s)
{
    if (o->json && o->format != f)
        argp_error(s, "--format=%s: the format was given as %s already", formats[f].name,
                   formats[o->format].name);
    o->format = f;
    o->json = f != FORMAT_TEXT;
}

static error_t parse_run(int key, char *arg, struct argp_state *s)
{
    struct options *o = s->input;
    switch (key) {
    case 'P':
        o->x.ranks.len = 0;
        option_list(o, arg, add_rank, s);
        return 0;
    case KEY_MODEL:
        o->x.model_names.len = 0;
        option_list(o, arg, add_model, s);
        return 0;
    case KEY_RUNS:
        o->sampling = "--runs";
        o->x.runs = option_number(arg, "--runs", 1, 1000000000, s);
        return 0;
    case KEY_SEED:
        o->sampling = "--seed";
        o->x.seed = option_number(arg, "--seed", 0, UINT64_MAX / 2, s);
        return 0;
    case KEY_DRIVER:
        o->sampling = "--driver";
        o->x.runner.driver = read_driver(arg, s);
        return 0;
    case KEY_DEPTH:
        o->depth = true;
        o->x.runner.pct_depth = (int)option_number(arg, "--pct-depth", 1, 64, s);
        return 0;
    case KEY_TIMING:
        o->timing = true;
        o->x.runner.adversary = CHOICE(arg, "--timing", s, "typical", "adversary") == 1;
        return 0;
    case KEY_SKEW:
        o->skew = true;
        o->x.runner.dispatch_skew = (int64_t)option_number(arg, "--dispatch-skew", 0, MAX_SKEW, s);
        return 0;
    case KEY_SECONDS:
        stop_after((unsigned)option_number(arg, "--seconds", 1, INT32_MAX, s));
        return 0;
    case ARGP_KEY_INIT:
        stop_on_signals();
        return 0;
    case ARGP_KEY_END:
        check_driver(o, s);
        return 0;
    case KEY_LIMIT:
        o->max_transitions = option_number(arg, "--max-transitions", 1, UINT64_MAX / 2, s);
        o->x.runner.max_transitions = o->max_transitions;
        return 0;
    case 'j':
        o->x.threads = (int)option_number(arg, "-j", 1, 256, s);
        return 0;
    case KEY_JSON:
        set_format(o, FORMAT_JSON, s);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

#define RUNNING(list)                                                                              \
    {                                                                                              \
        list, parse_run, NULL, NULL, NULL, NULL, NULL                                              \
    }
const struct argp sampling_argp = RUNNING(sampling_options), single_argp = RUNNING(single_options),
                  exploring_argp = RUNNING(exploring_options),
                  litmus_run_argp = RUNNING(litmus_options),
                  comparing_argp = RUNNING(comparing_options);

static const struct argp_option look_options[] = {
    {"ranks", 'P', "N,..", 0, "Numbers of ranks (default: the kernel's own, or 2)", 2},
    {"model", KEY_MODEL, "M,..|all", 0, "Machine contracts (default a2a3)", 2},
    {"json", KEY_JSON, NULL, 0, "Print JSON instead of text", 2},
    {0},
};

static const struct argp_option report_options[] = {
    {"format", KEY_FORMAT, "F", 0,
     "Print 'text' (default), 'json', 'sarif', 'junit' or 'github' annotations", 4},
    {"baseline", KEY_BASELINE, "FILE", 0,
     "Findings that are known (by verdict, tensor and the text of their lines) do not count", 4},
    {"update-baseline", KEY_UPDATE, NULL, 0, "Write this run's findings to the baseline", 4},
    {0},
};

static error_t parse_report(int key, char *arg, struct argp_state *s)
{
    const char *names[FORMAT_COUNT];
    for (int f = 0; f < FORMAT_COUNT; f++)
        names[f] = formats[f].name;
    struct options *o = s->input;
    switch (key) {
    case KEY_FORMAT:
        set_format(o, (enum format)option_choice(arg, "--format", names, FORMAT_COUNT, s), s);
        return 0;
    case KEY_BASELINE:
        o->baseline = arg;
        return 0;
    case KEY_UPDATE:
        o->update_baseline = true;
        return 0;
    case ARGP_KEY_END:
        if (o->update_baseline && !o->baseline)
            argp_error(s, "--update-baseline needs --baseline=FILE");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp report_argp = {report_options, parse_report, NULL, NULL, NULL, NULL, NULL};

const struct argp look_argp = {look_options, parse_run, NULL, NULL, NULL, NULL, NULL};

const struct argp_child kernel_children[] = {
    {&compile_argp, 0, "Compiling:", 1}, {&sampling_argp, 0, "Running:", 2}, {0}};

bool options_key(struct options *o, const struct argp_child *children, int key, char *arg,
                 struct argp_state *s, size_t min, size_t max)
{
    switch (key) {
    case ARGP_KEY_INIT:
        for (int c = 0; children[c].argp; c++)
            s->child_inputs[c] = o;
        return true;
    case ARGP_KEY_ARG:
        vec_push(&o->arena, &o->x.files, arg);
        return true;
    case ARGP_KEY_END:
        if (o->x.files.len < min || o->x.files.len > max)
            argp_error(s, min == max ? "expected one kernel file"
                                     : "expected at least one kernel file");
        return true;
    default:
        return false;
    }
}

/* ---- after parsing ---- */

static const struct argp_option mutant_options[] = {
    {"remove", KEY_REMOVE, "SITE,..", 0,
     "Without the instructions of these sites, numbered as sweep and compile --emit=asm do", 3},
    {"mutate", KEY_MUTATE, "SITE:HOW", 0,
     "With a site as sweep mutates it: narrowed to 'line' or 'first-line', weakened to a pipe "
     "('v', "
     "'mte1', 'mte2', 'mte3', 'm', 'fix'), moved 'before-wait', 'behind-notify' or 'behind-fence', "
     "or made that of the 'own-line'",
     3},
    {0},
};

static void add_removed(struct options *o, const char *item, struct argp_state *s)
{
    vec_push(&o->arena, &o->removed, (int)option_number(item, "--remove", 0, 1000000, s));
}

static void set_mutation(struct options *o, const char *arg, struct argp_state *s)
{
    const char *colon = strchr(arg, ':');
    if (!colon || !colon[1])
        argp_error(s, "--mutate=%s: expected SITE:HOW, such as 7:before-wait", arg);
    const char *site = arena_strndup(&o->arena, arg, (size_t)(colon - arg));
    o->mutated = (int)option_number(site, "--mutate", 0, 1000000, s);
    o->how = colon + 1;
}

static error_t parse_mutant(int key, char *arg, struct argp_state *s)
{
    struct options *o = s->input;
    switch (key) {
    case KEY_REMOVE:
        option_list(o, arg, add_removed, s);
        return 0;
    case KEY_MUTATE:
        set_mutation(o, arg, s);
        return 0;
    case ARGP_KEY_SUCCESS:
        if (o->how && o->removed.len)
            argp_error(s, "--mutate excludes --remove: a mutant is one or the other");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp mutant_argp = {mutant_options, parse_mutant, NULL, NULL, NULL, NULL, NULL};

static bool has_site(struct options *o, const struct kase *k, int site, const char *verb)
{
    return site < k->program->nsites ||
           diag_error(&o->diag, k->kernel->source, (struct span){0},
                      "has %d sites, numbered from 0; there is no site %d to %s",
                      k->program->nsites, site, verb);
}

static bool without_removed(struct options *o, struct kase *k)
{
    bool *removed = arena_array(&o->arena, bool, (size_t)k->program->nsites + 1);
    vec_foreach (int, site, &o->removed) {
        if (!has_site(o, k, *site, "remove"))
            return false;
        removed[*site] = true;
    }
    *k = kase_without(k, removed);
    return true;
}

static bool with_mutation(struct options *o, struct kase *k)
{
    struct mutant m;
    if (!has_site(o, k, o->mutated, "mutate"))
        return false;
    if (mutant_named(&o->arena, k->program, o->mutated, o->how, &m)) {
        *k = kase_mutant(k, &m);
        return true;
    }
    const char *names = mutant_names(&o->arena, k->program, o->mutated);
    return diag_error(&o->diag, k->kernel->source, k->program->sites[o->mutated].span,
                      "site %d (%s) has no mutation '%s'%s%s", o->mutated,
                      k->program->sites[o->mutated].what, o->how,
                      *names ? ", but " : ", and no other", names);
}

bool options_mutant(struct options *o, struct kase *k)
{
    return (!o->removed.len || without_removed(o, k)) && (!o->how || with_mutation(o, k));
}

static bool is_models_dir(const char *dir)
{
    struct arena a = {0};
    bool found = access(arena_printf(&a, "%s/machines/a2a3.model", dir), R_OK) == 0;
    arena_free(&a);
    return found;
}

const char *bench_models_dir(struct arena *a)
{
    const char *named = getenv("FENCEBENCH_MODELS");
    if (named)
        return named;
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    static const char *const beside[] = {"models", "../models", "../share/fencebench/models"};
    for (size_t i = 0; n > 0 && i < sizeof beside / sizeof *beside; i++) {
        exe[n] = '\0';
        const char *dir =
            arena_printf(a, "%.*s/%s", (int)(strrchr(exe, '/') - exe), exe, beside[i]);
        if (is_models_dir(dir))
            return dir;
    }
    return "models";
}

bool options_finish(struct options *o)
{
    const char *dir = bench_models_dir(&o->arena);
    o->x.kernel.toolchain = toolchain_load(&o->arena, dir, o->x.toolchain_name, &o->diag);
    o->x.kernel.args = o->args.items;
    o->x.kernel.nargs = o->args.len;
    if (o->x.kernel.passes) {
        o->x.kernel.passes = o->passes.len ? o->passes.items : o->x.kernel.passes;
        o->x.kernel.npasses = o->passes.len;
    }
    if (!o->x.model_names.len)
        vec_push(&o->arena, &o->x.model_names, "a2a3");
    vec_foreach (const char *, name, &o->x.model_names) {
        const struct contract *k =
            o->diag.failed ? NULL : contract_load(&o->arena, dir, *name, &o->diag);
        if (k)
            vec_push(&o->arena, &o->x.models, k);
    }
    if (!o->diag.failed)
        o->x.sc = contract_load(&o->arena, dir, "sc", &o->diag);
    if (!o->diag.failed && o->baseline)
        baseline_possible(&o->arena, o->baseline, o->update_baseline, &o->diag);
    return !o->diag.failed;
}
