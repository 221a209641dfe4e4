/* SPDX-License-Identifier: MIT */
/*
 * fencebench flushes: what the consume-side invalidates cost, with and without batching
 * (pypto-facts 5.5). A flush is an executed whole-cache dcci of rule R1; kernel entries, tails and
 * opaque calls do not count.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/campaign/compiled.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/report/columns.h"
#include "bench/report/output.h"
#include "bench/report/report.h"
#include "bench/report/trace.h"

enum { KEY_PAYLOAD = 0x200, KEY_BATCHES, KEY_CSV, DEFAULT_SEEDS = 5 };

struct flushes {
    struct options o;
    /* bytes per rank (per row in [NR, ...] windows); empty: the kernel's own */
    VEC(uint64_t) payloads;
    VEC(enum pass_batch) batches;
    VEC(const struct toolchain *) toolchains;
    const char *csv;
};

/* The collectives with closed forms. */
static const char *const default_files[] = {"mesh_allreduce", "ring_allreduce", "reduce_scatter",
                                            "allgather_put", "broadcast_get"};
static const int default_ranks[] = {1, 2, 4, 8, 16};

static const struct argp_option flush_options[] = {
    {"payload", KEY_PAYLOAD, "BYTES,..", 0,
     "Bytes per rank: scales the constant that the kernel's 'payload' directive names", 3},
    {"compare", KEY_BATCHES, "MODE,..", 0, "Batch modes to compare (default none,loops)", 3},
    {"csv", KEY_CSV, "FILE", 0, "Also write the table as CSV", 3},
    {0},
};

static void add_payload(struct options *o, const char *item, struct argp_state *s)
{
    struct flushes *f = (struct flushes *)o;
    vec_push(&o->arena, &f->payloads, option_number(item, "--payload", 1, 1 << 28, s));
}

static void add_batch(struct options *o, const char *item, struct argp_state *s)
{
    struct flushes *f = (struct flushes *)o;
    int b = option_choice(item, "--compare", pass_batch_names, PASS_BATCH_COUNT, s);
    vec_push(&o->arena, &f->batches, (enum pass_batch)b);
}

/* Of the list that --toolchain is here. */
static void add_toolchain(struct options *o, const char *name, struct argp_state *s)
{
    struct flushes *f = (struct flushes *)o;
    (void)s;
    const struct toolchain *t =
        o->diag.failed ? NULL
                       : toolchain_load(&o->arena, bench_models_dir(&o->arena), name, &o->diag);
    if (t)
        vec_push(&o->arena, &f->toolchains, t);
}

static error_t parse(int key, char *arg, struct argp_state *s)
{
    struct flushes *f = s->input;
    switch (key) {
    case KEY_PAYLOAD:
        option_list(&f->o, arg, add_payload, s);
        return 0;
    case KEY_BATCHES:
        option_list(&f->o, arg, add_batch, s);
        return 0;
    case KEY_CSV:
        f->csv = arg;
        return 0;
    case ARGP_KEY_SUCCESS:
        /* The experiment is that of the first one until cases are made of each. */
        option_list(&f->o, f->o.x.toolchain_name, add_toolchain, s);
        f->o.x.toolchain_name =
            arena_strndup(&f->o.arena, f->o.x.toolchain_name, strcspn(f->o.x.toolchain_name, ","));
        return 0;
    default:
        return options_key(&f->o, kernel_children, key, arg, s, 0, SIZE_MAX) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    flush_options,
    parse,
    "[FILE...]",
    "Count executed whole-cache flushes per call and rank, and cycles, with one invalidate "
    "after each wait (none) and batched (loops); of a compiled kernel as its file places them "
    "(file). Typical timing, unless --timing says "
    "otherwise. --toolchain takes a list here. Without FILE: the collectives with closed forms.",
    kernel_children,
    NULL,
    NULL};

/* ---- one row ---- */

struct flush_row {
    const char *kernel;
    int ranks;
    uint64_t payload_bytes; /* 0: not known */
    const char *payload;    /* the same in words */
    const char *batch, *model, *toolchain;
    uint64_t first_seed, runs;
    double flushes_per_rank, cycles_mean, time_us;
    uint64_t cycles_min, cycles_max;
    double cycles_low, cycles_high; /* 95 % interval of the mean, over seeds */
    /* percent of the time under the first of the batch modes, of the same seeds; with its interval */
    double saved, saved_low, saved_high;
    /* per run and rank */
    double line_flushes, lines_dropped, lines_written, misses, refills, fences, barriers, polls;
    /* where the cycles of the core that ended last went: they add up to cycles_mean */
    double start, scalar, miss, dcci, dsb, barrier, poll, flag, task, drain;
};
typedef VEC(struct flush_row) flush_rows; /* one for each case, in their order */

#define FIGURE(field) COLUMN(flush_row, field, IN_CSV | IN_JSON, .csv = "%.2f")

static const struct column columns[] = {
    COLUMN(flush_row, kernel, IN_CSV | IN_JSON, .width = -18),
    COLUMN(flush_row, ranks, IN_CSV | IN_JSON, .width = 5),
    COLUMN(flush_row, payload, 0, .width = 9),
    COLUMN(flush_row, payload_bytes, IN_CSV | IN_JSON),
    COLUMN(flush_row, batch, IN_CSV | IN_JSON, .width = -6),
    COLUMN(flush_row, model, IN_CSV | IN_JSON, .width = -14),
    COLUMN(flush_row, toolchain, IN_CSV),
    COLUMN(flush_row, first_seed, IN_JSON),
    COLUMN(flush_row, runs, IN_CSV | IN_JSON),
    COLUMN(flush_row, flushes_per_rank, IN_CSV | IN_JSON, .width = 16, .title = "flushes per rank"),
    COLUMN(flush_row, cycles_mean, IN_CSV | IN_JSON, .csv = "%.1f", .width = 14,
           .title = "cycles (mean)", .text = "%.0f"),
    COLUMN(flush_row, cycles_min, IN_CSV),
    COLUMN(flush_row, cycles_max, IN_CSV),
    COLUMN(flush_row, time_us, IN_CSV, .csv = "%.3f", .width = 10, .title = "time (us)",
           .text = "%.2f"),
    FIGURE(cycles_low),
    FIGURE(cycles_high),
    FIGURE(saved),
    FIGURE(saved_low),
    FIGURE(saved_high),
    FIGURE(line_flushes),
    FIGURE(lines_dropped),
    FIGURE(lines_written),
    FIGURE(misses),
    FIGURE(refills),
    FIGURE(fences),
    FIGURE(barriers),
    FIGURE(polls),
    FIGURE(start),
    FIGURE(scalar),
    FIGURE(miss),
    FIGURE(dcci),
    FIGURE(dsb),
    FIGURE(barrier),
    FIGURE(poll),
    FIGURE(flag),
    FIGURE(task),
    FIGURE(drain),
};
static const struct columns flush_columns = COLUMNS(columns);

/* The quantile 0.975 of Student's t: a table, then its expansion in 1/df, which has four digits from
 * there on. */
static double student_t95(uint64_t df)
{
    static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571,
                                   2.447,  2.365, 2.306, 2.262, 2.228};
    const double z = 1.959964;
    if (df <= sizeof table / sizeof *table)
        return table[df - 1];
    double n = (double)df;
    return z + (z * z * z + z) / (4 * n) + (5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * n * n);
}

/* Half of the 95 % interval of a mean of n, of so large a sum and sum of squares. 0: of one. */
static double half_interval(double n, double sum, double squares)
{
    double variance = n > 1 ? (squares - sum * sum / n) / (n - 1) : 0;
    return variance > 0 ? student_t95((uint64_t)n - 1) * sqrt(variance / n) : 0;
}

/* Of the mean, by Student's t over the runs; of one run it is that run. */
static void fill_interval(struct flush_row *r, const struct tally *t)
{
    double half = half_interval((double)t->runs, (double)t->cycles_sum, t->cycles_squares);
    r->cycles_low = r->cycles_mean - half;
    r->cycles_high = r->cycles_mean + half;
}

static void fill_counts(struct flush_row *r, const struct tally *t)
{
    const struct core_stats *s = &t->stats;
    double calls = (double)(t->runs * (uint64_t)r->ranks);
    r->line_flushes = (double)s->dcci_line / calls;
    r->lines_dropped = (double)s->lines_dropped / calls;
    r->lines_written = (double)s->lines_written / calls;
    r->misses = (double)(s->ld_miss + s->st_miss) / calls;
    r->refills = (double)s->refills / calls;
    r->fences = (double)s->dsb / calls;
    r->barriers = (double)s->barrier / calls;
    r->polls = (double)s->polls / calls;
}

/* Each part is counted by itself; that a core's scalar unit is always in one of them from its start
 * to its end is what a test checks. The run ends when what it has posted has arrived. */
static void fill_spent(struct flush_row *r, const struct tally *t)
{
    double *const to[SPENT_COUNT] = {
        [SPENT_SCALAR] = &r->scalar, [SPENT_MISS] = &r->miss,       [SPENT_DCCI] = &r->dcci,
        [SPENT_DSB] = &r->dsb,       [SPENT_BARRIER] = &r->barrier, [SPENT_POLL] = &r->poll,
        [SPENT_FLAG] = &r->flag,     [SPENT_TASK] = &r->task};
    double runs = (double)t->runs;
    for (int s = 0; s < SPENT_COUNT; s++)
        *to[s] = (double)t->slowest.cycles[s] / runs;
    r->start = (double)t->slowest.start / runs;
    r->drain = r->cycles_mean - (double)t->slowest.end / runs;
}

/* A run under both modes starts its ranks at the same times: shares are compared seed by seed. */
static void fill_saved(struct flush_row *r, const struct kase *k, const struct kase *first)
{
    uint64_t n = k->tally.runs < RUNNER_KEPT ? k->tally.runs : RUNNER_KEPT;
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < n; i++) {
        double before = (double)first->options.kept[i], after = (double)k->options.kept[i];
        double share = before > 0 ? 100 * (before - after) / before : 0;
        sum += share;
        squares += share * share;
    }
    double half = half_interval((double)n, sum, squares);
    r->saved = sum / (double)n;
    r->saved_low = r->saved - half;
    r->saved_high = r->saved + half;
}

static void fill_row(struct flush_row *r, struct options *o, const struct kase *k)
{
    const struct tally *t = &k->tally;
    r->kernel = k->kernel->name;
    r->ranks = k->nranks;
    r->model = k->contract->name;
    r->payload =
        r->payload_bytes ? arena_printf(&o->arena, "%" PRIu64 " B", r->payload_bytes) : "-";
    r->first_seed = o->x.seed;
    r->runs = t->runs;
    r->flushes_per_rank = (double)t->rank_flushes / (double)(t->runs * (uint64_t)k->nranks);
    r->cycles_mean = (double)t->cycles_sum / (double)t->runs;
    r->cycles_min = t->cycles_min;
    r->cycles_max = t->cycles_max;
    r->time_us = r->cycles_mean / CYCLES_PER_US;
    fill_interval(r, t);
    fill_counts(r, t);
    fill_spent(r, t);
}

/* Bits of one element of the kernel's first input. */
static uint64_t payload_bits(const struct kernel *k)
{
    vec_foreach (struct ir_func *, f, &k->program->funcs)
        if (ir_func_is_incore(*f))
            vec_foreach (struct ir_param, p, &(*f)->params)
                if (ir_type_is_tensor_like(p->var->type))
                    return (uint64_t)ir_dtype_bits(p->var->type->dtype);
    return 32;
}

/* As the kernel says, or the command line in its place. */
static uint64_t own_payload(struct flushes *f, const struct kernel *k, int nranks)
{
    int64_t n;
    const char *name = k->directives.payload.name;
    vec_foreach (const struct binding, b, &f->o.args)
        if (name && !strcmp(b->name, name) &&
            binding_eval(&f->o.arena, b, 0, nranks, &n, &f->o.diag))
            return (uint64_t)n * payload_bits(k) / 8;
    const struct ir_expr *value = name ? ir_find_constant(k->program, name) : NULL;
    return value && ir_const_int(value, &n) ? (uint64_t)n * payload_bits(k) / 8 : 0;
}

static bool bind_payload(struct flushes *f, const struct kernel *k, uint64_t bytes,
                         struct binding *out)
{
    uint64_t bits = payload_bits(k);
    const struct source *src = k->source;
    const struct directive_name *to = &k->directives.payload;
    if (!to->name)
        return diag_error(&f->o.diag, src, (struct span){0},
                          "has no '# fencebench: payload NAME' line, so --payload cannot scale it");
    if (bytes * 8 % bits)
        return diag_error(&f->o.diag, src, (struct span){0},
                          "--payload=%" PRIu64 " is no multiple of its element, %" PRIu64 " bytes",
                          bytes, bits / 8);
    *out = (struct binding){.name = to->name,
                            .at = to->span,
                            .source = src,
                            .line = to->span.line,
                            .col = to->span.col,
                            .expr = arena_printf(&f->o.arena, "%" PRIu64, bytes * 8 / bits)};
    return true;
}

static bool add_row(struct flushes *f, const struct kernel *k, int nranks, uint64_t payload,
                    enum pass_batch batch, kases *cases, flush_rows *out)
{
    struct options *o = &f->o;
    struct kernel_options ko = o->x.kernel;
    struct binding *args = arena_array(&o->arena, struct binding, o->args.len + 1);
    for (size_t i = 0; i < o->args.len; i++)
        args[i] = o->args.items[i];
    ko.pass.batch = batch;
    ko.args = args;
    if (payload) {
        if (!bind_payload(f, k, payload, &args[ko.nargs]))
            return false;
        ko.nargs++;
    }
    const struct program *p = kernel_compile(&o->arena, k, &ko, nranks, &o->diag);
    if (!p)
        return false;
    vec_foreach (const struct contract *, c, &o->x.models)
        if (!kase_fits(k, nranks, p, *c, &o->diag))
            return false;
    const struct golden *g = golden_run(&o->arena, p, o->x.sc, o->x.runner.max_transitions);
    vec_foreach (const struct contract *, c, &o->x.models) {
        struct kase kase = kase_make(&o->x, k, nranks, p, g, *c);
        uint64_t kept = o->x.runs < RUNNER_KEPT ? o->x.runs : RUNNER_KEPT;
        kase.options.kept = arena_array(&o->arena, uint64_t, kept);
        kase.options.kept_from = o->x.seed;
        vec_push(&o->arena, cases, kase);
        vec_push(&o->arena, out,
                 (struct flush_row){.payload_bytes = payload ? payload : own_payload(f, k, nranks),
                                    .batch = k->front ? "file" : pass_batch_names[batch],
                                    .toolchain = o->x.kernel.toolchain->name});
    }
    return true;
}

static bool add_program(struct flushes *f, const struct kernel_file *file, const struct ir_unit *u,
                        kases *cases, flush_rows *out)
{
    static const uint64_t own = 0;
    const uint64_t *payloads = f->payloads.len ? f->payloads.items : &own;
    size_t npayloads = f->payloads.len ? f->payloads.len : 1;
    const int *ranks = f->o.x.ranks.len ? f->o.x.ranks.items : default_ranks;
    size_t nranks =
        f->o.x.ranks.len ? f->o.x.ranks.len : sizeof default_ranks / sizeof *default_ranks;
    const struct kernel *k = kernel_of(&f->o.arena, file, u, &f->o.x.kernel, ranks[0], &f->o.diag);
    if (!k)
        return false;
    for (size_t p = 0; p < npayloads; p++)
        for (size_t r = 0; r < nranks; r++)
            vec_foreach (enum pass_batch, b, &f->batches)
                if (!add_row(f, k, ranks[r], payloads[p], *b, cases, out))
                    return false;
    return true;
}

/* Its invalidates are placed already: there is one way, for the numbers of ranks of the file. */
static bool add_compiled(struct flushes *f, const char *path, kases *cases, flush_rows *out)
{
    static const uint64_t own = 0;
    const uint64_t *payloads = f->payloads.len ? f->payloads.items : &own;
    size_t npayloads = f->payloads.len ? f->payloads.len : 1;
    const int *ranks = NULL;
    const struct kernel *k = compiled_load(&f->o.arena, path, &f->o.x.kernel, &f->o.diag);
    size_t nranks = k ? experiment_ranks(&f->o.x, k->file, &ranks) : 0;
    for (size_t p = 0; p < npayloads; p++)
        for (size_t r = 0; r < nranks; r++)
            if (!add_row(f, k, ranks[r], payloads[p], PASS_BATCH_NONE, cases, out))
                return false;
    return k != NULL;
}

static bool add_kernel(struct flushes *f, const char *path, kases *cases, flush_rows *out)
{
    ir_units units = {0};
    if (compiled_is(path))
        return add_compiled(f, path, cases, out);
    const struct kernel_file *file = kernel_file_read(&f->o.arena, path, &f->o.diag);
    if (!file || !experiment_units(&f->o.x, file, &units))
        return false;
    vec_foreach (const struct ir_unit, u, &units)
        if (!add_program(f, file, u, cases, out))
            return false;
    return true;
}

/* ---- output ---- */

static struct column_rows rows_of(const flush_rows *list)
{
    return (struct column_rows){list->items, list->len, sizeof *list->items};
}

/* Rows stand by toolchain: a table for each, under its name when there are several. */
static void print_rows(const struct flushes *f, const flush_rows *list)
{
    if (!list->len) /* stopped before the first row was whole */
        columns_text(&flush_columns, rows_of(list));
    for (size_t from = 0, to; from < list->len; from = to) {
        for (to = from; to < list->len && list->items[to].toolchain == list->items[from].toolchain;)
            to++;
        if (f->toolchains.len > 1)
            printf("%stoolchain %s\n", from ? "\n" : "", list->items[from].toolchain);
        columns_text(&flush_columns,
                     (struct column_rows){list->items + from, to - from, sizeof *list->items});
    }
    printf("payload: bytes per rank, or per row of a window with a row for each rank; flushes: "
           "executed whole-cache "
           "dcci of rule R1 per call; %" PRIu64 " seeds each\n",
           list->len ? list->items[0].runs : 0);
}

static void print_json(const struct flushes *f, const flush_rows *list, uint64_t runs)
{
    output_json(json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "schema", JSON_SCHEMA, "command",
                          "flushes", "build", build_id(), "toolchain", f->o.x.toolchain_name,
                          "results", columns_json(&flush_columns, rows_of(list)), "interrupted",
                          options_stopped_json("runs", runs)));
}

/* A row whose runs ended in a limit or a hang has no flush count worth printing. */
static int judge(const struct flushes *f, const kases *cases, const flush_rows *list)
{
    int code = EXIT_CLEAN;
    for (size_t i = 0; i < cases->len; i++) {
        const struct kase *k = &cases->items[i];
        const struct tally *t = &k->tally;
        bool several = f->toolchains.len > 1;
        if (t->timed_out)
            code = EXIT_LIMIT;
        if (!t->failed)
            continue;
        fprintf(stderr,
                "note: %s P=%d %s%s%s: %" PRIu64 " of %" PRIu64
                " runs had findings; `fencebench check` shows them\n",
                k->kernel->name, k->nranks, k->contract->name, several ? " " : "",
                several ? list->items[i].toolchain : "", t->failed, t->runs);
        code = code == EXIT_LIMIT ? code : EXIT_FINDINGS;
    }
    return code;
}

static bool make_rows(struct flushes *f, kases *cases, flush_rows *list)
{
    struct arena *a = &f->o.arena;
    const char *kernels = arena_printf(a, "%s/../kernels", bench_models_dir(a));
    for (size_t i = 0; !f->o.x.files.len && i < sizeof default_files / sizeof *default_files; i++)
        if (!add_kernel(f, arena_printf(a, "%s/%s.py", kernels, default_files[i]), cases, list))
            return false;
    vec_foreach (const char *, file, &f->o.x.files)
        if (!add_kernel(f, *file, cases, list))
            return false;
    return true;
}

static bool make(struct flushes *f, kases *cases, flush_rows *list)
{
    struct arena *a = &f->o.arena;
    if (!f->batches.len) {
        vec_push(a, &f->batches, PASS_BATCH_NONE);
        vec_push(a, &f->batches, PASS_BATCH_LOOPS);
    }
    vec_foreach (const struct toolchain *, t, &f->toolchains) {
        f->o.x.kernel.toolchain = *t;
        if (!make_rows(f, cases, list))
            return false;
    }
    return true;
}

/* A stop has left the others without some of their runs: they have no mean. */
static void keep_whole(kases *cases, flush_rows *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->len; i++)
        if (!case_partial(&cases->items[i])) {
            list->items[n] = list->items[i];
            cases->items[n++] = cases->items[i];
        }
    list->len = cases->len = n;
}

/* The case of the same program, ranks, payload and contract under the first of the modes; it stands before. */
static size_t first_of(const kases *cases, const flush_rows *list, size_t i)
{
    const struct flush_row *r = &list->items[i];
    for (size_t j = 0; j < i; j++) {
        const struct flush_row *s = &list->items[j];
        if (cases->items[j].kernel == cases->items[i].kernel && s->ranks == r->ranks &&
            s->payload_bytes == r->payload_bytes && s->toolchain == r->toolchain &&
            cases->items[j].contract == cases->items[i].contract)
            return j;
    }
    return i;
}

static void fill_all_saved(const kases *cases, flush_rows *list)
{
    for (size_t i = 0; i < list->len; i++)
        fill_saved(&list->items[i], &cases->items[i], &cases->items[first_of(cases, list, i)]);
}

int cmd_flushes(int argc, char **argv)
{
    struct flushes f = {0};
    kases cases = {0};
    flush_rows list = {0};
    options_init(&f.o);
    f.o.x.runner.dispatch_skew = 0; /* the time of kernels, not of the host */
    f.o.x.runs = DEFAULT_SEEDS;
    f.o.x.runner.adversary = false;
    argp_parse(&argp, argc, argv, 0, NULL, &f);
    int code = EXIT_USAGE;
    if (!f.o.diag.failed && options_finish(&f.o) && make(&f, &cases, &list)) {
        cases_run(&cases, NULL, NULL);
        keep_whole(&cases, &list);
        for (size_t i = 0; i < list.len; i++)
            fill_row(&list.items[i], &f.o, &cases.items[i]);
        fill_all_saved(&cases, &list);
        if (cases_judged(&cases) &&
            (!f.csv || columns_csv(&flush_columns, rows_of(&list), f.csv, &f.o.diag))) {
            if (f.o.json)
                print_json(&f, &list, cases_runs(&cases));
            else
                print_rows(&f, &list);
            options_say_stopped(
                arena_printf(&f.o.arena, "%s runs", count_text(&f.o.arena, cases_runs(&cases))));
            code = judge(&f, &cases, &list);
        }
    }
    return options_end(&f.o, code);
}
