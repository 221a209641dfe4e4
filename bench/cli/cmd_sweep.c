/* SPDX-License-Identifier: MIT */
/*
 * fencebench sweep: remove each marker in turn and see whether anything notices.
 *
 * Removals are single instructions (a flag pair counts as one) and, where a marker statement
 * becomes several, the whole statement. What the unchanged program already shows does not count
 * against a removal.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/table.h"
#include "bench/cli/commands.h"
#include "bench/cli/options.h"
#include "bench/report/output.h"
#include "bench/report/report.h"
#include "bench/campaign/store.h"
#include "models/ini_table.h"

enum {
    KEY_DB = 0x200,
    KEY_RESUME,
    KEY_SHARD,
    KEY_CSV,
    KEY_ORIGINS,
    KEY_MERGE,
    DEFAULT_SWEEP_RUNS = 200
};

/* What goes: one instruction, a marker statement of several
 * instructions, all markers of one rule. */
enum level { LEVEL_INSTRUCTION, LEVEL_MARKER, LEVEL_RULE, LEVEL_COUNT };

static const char *const level_names[] = {
    [LEVEL_INSTRUCTION] = "instruction", [LEVEL_MARKER] = "marker", [LEVEL_RULE] = "rule"};
ROW_EACH(level_names, LEVEL_COUNT);

struct removal {
    struct sweep_row row; /* first: rows_of */
    const struct kase *kase;
    bool *removed; /* by site */
    int first;     /* first site */
    enum level level;
};

struct sweep {
    struct options o;
    const char *db, *csv, *merge;
    bool resume;
    int shard, shards;
    unsigned origins; /* bit per enum origin_kind */
    kases cases;
    VEC(struct removal) removals;
    struct store *store;
    struct progress progress;
    struct job *jobs;
    struct removal **of_job;
};

static const struct argp_option sweep_options[] = {
    {"db", KEY_DB, "FILE", 0, "Keep results in an SQLite file, one transaction per removal", 3},
    {"resume", KEY_RESUME, NULL, 0, "With --db: do not run again what the file holds", 3},
    {"merge", KEY_MERGE, "FILE", 0, "With --db: first take over the results of another file", 3},
    {"shard", KEY_SHARD, "I/N", 0, "Run the I-th of N parts of the removals (1 to N)", 3},
    {"csv", KEY_CSV, "FILE", 0, "Also write the table as CSV", 3},
    {"origins", KEY_ORIGINS, "LIST", 0,
     "Only sites of these origins: W1,W2,W3,R1,by-hand,codegen,macro,auto-sync,entry,tail (default "
     "all)",
     3},
    {0},
};

static void add_origin(struct options *o, const char *item, struct argp_state *s)
{
    struct sweep *w = (struct sweep *)o;
    for (int k = 0; k < ORIGIN_COUNT; k++) {
        char *name = arena_strdup(&o->arena, origin_name((enum origin_kind)k));
        for (char *p = name; *p; p++)
            *p = *p == ' ' ? '-' : *p;
        if (k != ORIGIN_USER && !strcmp(item, name)) {
            w->origins |= 1u << k;
            return;
        }
    }
    argp_error(s, "--origins=%s: no such origin", item);
}

static void parse_shard(struct sweep *w, const char *arg, struct argp_state *s)
{
    int used = 0;
    if (sscanf(arg, "%d/%d%n", &w->shard, &w->shards, &used) != 2 || arg[used] || w->shard < 1 ||
        w->shards < w->shard)
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
        w->resume = true;
        return 0;
    case KEY_MERGE:
        w->merge = arg;
        return 0;
    case KEY_SHARD:
        parse_shard(w, arg, s);
        return 0;
    case KEY_CSV:
        w->csv = arg;
        return 0;
    case KEY_ORIGINS:
        w->origins = 0;
        option_list(&w->o, arg, add_origin, s);
        return 0;
    case ARGP_KEY_SUCCESS:
        if ((w->resume || w->merge) && !w->db)
            argp_error(s, "--resume and --merge need --db");
        return 0;
    default:
        return options_key(&w->o, kernel_children, key, arg, s, 1, SIZE_MAX) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    sweep_options,
    parse,
    "FILE...",
    "Remove every marker and synchronising instruction in turn and report which removal is "
    "noticed, how often, and as what.",
    kernel_children,
    NULL,
    NULL};

/* ---- the removals of a case ---- */

struct reach {
    uint64_t *executed; /* per site */
};

static void count_site(void *ctx, const struct machine *m, const struct step *s)
{
    struct reach *r = ctx;
    if ((s->t.kind != T_SCALAR) || s->insn < 0)
        return;
    int site = m->cores[s->t.core].code->insns[s->insn].site;
    if (site >= 0)
        r->executed[site]++;
}

static uint64_t *reached_sites(struct sweep *w, const struct kase *k)
{
    struct reach r = {arena_array(&w->o.arena, uint64_t, (size_t)k->program->nsites + 1)};
    struct runner *runner = runner_new(k->program, k->contract, k->golden, k->options);
    struct tally ignored = {0};
    runner_on_step(runner, count_site, &r);
    runner_run(runner, w->o.x.seed, &ignored, &w->o.arena);
    runner_free(runner);
    return r.executed;
}

static const char *row_key(struct sweep *w, const struct kase *k, const struct removal *r,
                           uint64_t program_hash)
{
    const struct options *o = &w->o;
    return arena_printf(&w->o.arena,
                        "%s|%d|%s|%s|%s|%d|%d|%" PRIu64 "|%" PRIu64 "|%s|%d|%s%d|%016" PRIx64,
                        k->kernel->name, k->nranks, k->contract->name, o->x.toolchain_name,
                        drivers[o->x.runner.driver].name, o->x.runner.adversary,
                        o->x.runner.pct_depth, o->x.seed, o->x.runs, build_id(),
                        o->x.kernel.window_align, level_names[r->level], r->first, program_hash);
}

static bool goes_too(const struct program *p, int site, int first, enum level level)
{
    switch (level) {
    case LEVEL_MARKER:
        return p->sites[site].marker == first;
    case LEVEL_RULE:
        return p->sites[site].origin == p->sites[first].origin;
    default:
        return site == first;
    }
}

static const char *removal_name(struct arena *a, const struct site *s, enum level level)
{
    const char *colon = strchr(s->what, ':');
    if (level == LEVEL_MARKER && colon)
        return arena_printf(a, "%.*s (all of it)", (int)(colon - s->what), s->what);
    return level == LEVEL_RULE ? arena_printf(a, "every marker of %s", origin_name(s->origin))
                               : s->what;
}

static void add_removal(struct sweep *w, const struct kase *k, int first, enum level level,
                        const uint64_t *executed, uint64_t program_hash)
{
    const struct site *s = &k->program->sites[first];
    struct removal r = {.kase = k, .first = first, .level = level};
    r.removed = arena_array(&w->o.arena, bool, (size_t)k->program->nsites);
    for (int i = 0; i < k->program->nsites; i++)
        r.removed[i] = goes_too(k->program, i, first, level);
    const char *what = removal_name(&w->o.arena, s, level);
    struct source_line line = source_place(k->kernel->source, s->span.line);
    r.row = (struct sweep_row){.kernel = k->kernel->name,
                               .model = k->contract->name,
                               .toolchain = w->o.x.toolchain_name,
                               .ranks = k->nranks,
                               .site = first,
                               .level = level_names[level],
                               .origin = origin_name(s->origin),
                               .what = what,
                               .anchor = s->anchor ? s->anchor : "-",
                               .line = line.line,
                               .file = line.file,
                               .executed = executed[first],
                               .finding = "",
                               .where = "",
                               .runs = w->o.x.runs};
    r.row.key = row_key(w, k, &r, program_hash);
    vec_push(&w->o.arena, &w->removals, r);
}

static bool has_several(const struct program *p, int marker)
{
    int n = 0;
    for (int i = 0; i < p->nsites; i++)
        n += p->sites[i].marker == marker;
    return n > 1;
}

static int first_of_rule(const struct program *p, int rule)
{
    for (int i = 0; i < p->nsites; i++)
        if ((int)p->sites[i].origin == rule)
            return i;
    return -1;
}

/* Everything that decides a case's runs besides its name and seeds: code, arguments, memory,
 * contract. */
static uint64_t case_hash(struct sweep *w, const struct kase *k)
{
    const struct program *p = k->program;
    const char *text = program_print(p, &w->o.arena);
    uint64_t hash = XXH3_64bits(text, strlen(text));
    for (int c = 0; c < p->ncores; c++)
        hash = XXH3_64bits_withSeed(p->cores[c].args,
                                    sizeof *p->cores[c].args * (size_t)p->cores[c].nargs, hash);
    for (int r = 0; r < p->nranks; r++)
        hash = XXH3_64bits_withSeed(p->gm_init[r], p->gm_bytes, hash);
    hash = XXH3_64bits_withSeed(&w->o.x.runner.max_transitions,
                                sizeof w->o.x.runner.max_transitions, hash);
    const struct ini_row *rows;
    size_t n = contract_describe(&w->o.arena, k->contract, &rows);
    for (size_t i = 0; i < n; i++)
        hash = XXH3_64bits_withSeed(rows[i].value, strlen(rows[i].value), hash);
    return hash;
}

static void list_removals(struct sweep *w)
{
    vec_foreach (const struct kase, k, &w->cases) {
        const uint64_t *executed = reached_sites(w, k);
        uint64_t hash = case_hash(w, k);
        for (int i = 0; i < k->program->nsites; i++) {
            const struct site *s = &k->program->sites[i];
            if (!(w->origins >> s->origin & 1))
                continue;
            if (s->marker == i && has_several(k->program, i))
                add_removal(w, k, i, LEVEL_MARKER, executed, hash);
            add_removal(w, k, i, LEVEL_INSTRUCTION, executed, hash);
        }
        for (int rule = 0; rule < ORIGIN_COUNT; rule++)
            if (origin_is_rule((enum origin_kind)rule) && w->origins >> rule & 1 &&
                first_of_rule(k->program, rule) >= 0)
                add_removal(w, k, first_of_rule(k->program, rule), LEVEL_RULE, executed, hash);
    }
}

/* ---- running ---- */

static struct source_line insn_line(const struct program *p, struct place at)
{
    const struct insn *i =
        at.core < 0 || at.insn < 0 ? NULL : &p->cores[at.core].code->insns[at.insn];
    return i && i->span.line ? source_place(p->source, i->span.line) : (struct source_line){0};
}

static void fill_row(struct sweep_row *row, const struct program *p, const struct tally *t)
{
    row->killed = t->failed;
    if (!t->failed)
        return;
    const struct tally_finding *f = tally_find(t, tally_verdict(t));
    row->first_seed = t->first_failed_seed;
    row->finding = verdict_name(f->first.verdict);
    row->where = f->first.where == W_NONE ? "" : where_name(f->first.where);
    struct source_line reader = insn_line(p, f->first.reader);
    row->reader_line = reader.line;
    row->reader_file = reader.file;
    row->producer_line = insn_line(p, f->first.producer).line;
}

static void on_done(void *ctx, struct job *job)
{
    struct sweep *w = ctx;
    struct removal *r = w->of_job[job - w->jobs];
    fill_row(&r->row, job->program, &job->tally);
    if (w->store)
        store_put(w->store, &r->row, &w->o.diag);
    progress_show(&w->progress, job->tally.failed);
}

static bool in_shard(const struct sweep *w, size_t i)
{
    return !w->shards || i % (size_t)w->shards == (size_t)w->shard - 1;
}

static void run_removals(struct sweep *w)
{
    struct arena *a = &w->o.arena;
    size_t n = w->removals.len;
    w->jobs = arena_array(a, struct job, n + 1);
    w->of_job = arena_array(a, struct removal *, n + 1);
    struct campaign c = {.jobs = w->jobs, .threads = w->o.x.threads, .done = on_done, .ctx = w};
    for (size_t i = 0; i < n; i++) {
        struct removal *r = &w->removals.items[i];
        if (w->resume && store_get(w->store, r->row.key, &r->row, a))
            continue;
        struct job *j = &w->jobs[c.njobs];
        w->of_job[c.njobs++] = r;
        *j = (struct job){.program = program_without(r->kase->program, r->removed, a),
                          .contract = r->kase->contract,
                          .golden = r->kase->golden,
                          .options = r->kase->options,
                          .first_seed = w->o.x.seed,
                          .runs = w->o.x.runs};
        j->options.known = &r->kase->tally;
    }
    w->progress = progress_start(c.njobs);
    campaign_run(&c);
    progress_end(&w->progress);
    campaign_free(&c);
}

static void keep_shard(struct sweep *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->removals.len; i++)
        if (in_shard(w, i))
            w->removals.items[kept++] = w->removals.items[i];
    w->removals.len = kept;
}

/* ---- output ---- */

/* What follows from a row's numbers. */
static void judge_row(struct sweep_row *r)
{
    r->verdict = r->killed ? "killed" : r->executed ? "survived" : "not reached";
    r->rate = (double)r->killed / (double)r->runs;
    wilson(r->killed, r->runs, &r->rate_low, &r->rate_high);
}

static struct column_rows rows_of(const struct sweep *w)
{
    return (struct column_rows){w->removals.items, w->removals.len, sizeof *w->removals.items};
}

/* " of parts.py" where a line is not one of the kernel's own file. */
static void print_file(const struct removal *r, const char *file)
{
    if (file && strcmp(file, r->kase->kernel->path))
        printf(" of %s", file);
}

static void print_row(const struct removal *removal)
{
    const struct sweep_row *r = &removal->row;
    columns_text_row(&sweep_columns, r);
    print_file(removal, r->file);
    if (!r->killed) {
        printf(" %s\n", r->verdict);
        return;
    }
    printf(" killed %5.1f %% [%.1f, %.1f], first seed %" PRIu64 ": %s%s%s",
           100.0 * (double)r->killed / (double)r->runs, 100 * r->rate_low, 100 * r->rate_high,
           r->first_seed, r->finding, *r->where ? ", " : "", r->where);
    if (r->reader_line)
        printf(", read at line %d", r->reader_line);
    print_file(removal, r->reader_file);
    printf("\n");
}

static void print_case_head(const struct sweep *w, const struct kase *k)
{
    printf("%s P=%d %s %s, %" PRIu64 " runs a removal; kill rates with their 95 %% interval\n",
           k->kernel->name, k->nranks, k->contract->name, w->o.x.toolchain_name, w->o.x.runs);
    if (k->tally.failed)
        printf("  the unchanged kernel already has findings in %" PRIu64 " of %" PRIu64
               " runs (%s); only new ones count below\n",
               k->tally.failed, k->tally.runs, verdict_name(tally_verdict(&k->tally)));
}

static void print_text(const struct sweep *w)
{
    const struct kase *k = NULL;
    size_t killed = 0, survived = 0, unreached = 0;
    vec_foreach (const struct removal, r, &w->removals) {
        if (r->kase != k) {
            k = r->kase;
            print_case_head(w, k);
        }
        print_row(r);
        *(r->row.killed ? &killed : r->row.executed ? &survived : &unreached) += 1;
    }
    printf("%zu removals: %zu killed, %zu survived, %zu not reached\n", w->removals.len, killed,
           survived, unreached);
    printf("survived: nothing new in %" PRIu64
           " runs, so the rate is below %.2f %% (95 %%); two that survive alone may "
           "still be needed together\n",
           w->o.x.runs, 100 * clean_bound(w->o.x.runs));
}

static void print_json(const struct sweep *w)
{
    json_t *top = json_pack("{s:i, s:s, s:s, s:s, s:o}", "schema", JSON_SCHEMA, "command", "sweep",
                            "build", build_id(), "toolchain", w->o.x.toolchain_name, "results",
                            columns_json(&sweep_columns, rows_of(w)));
    output_json(top);
}

static bool open_store(struct sweep *w)
{
    if (!w->db)
        return true;
    w->store = store_open(w->db, &w->o.arena, &w->o.diag);
    return w->store && (!w->merge || store_merge(w->store, w->merge, &w->o.diag));
}

static int sweep(struct sweep *w)
{
    if (!options_finish(&w->o) || !open_store(w) || !cases_make(&w->o.x, &w->cases, NULL))
        return EXIT_USAGE;
    cases_run(&w->cases);
    if (!cases_judged(&w->cases))
        return EXIT_USAGE;
    list_removals(w);
    keep_shard(w);
    run_removals(w);
    vec_foreach (struct removal, r, &w->removals)
        judge_row(&r->row);
    if (w->o.diag.failed ||
        (w->csv && !columns_csv(&sweep_columns, rows_of(w), w->csv, &w->o.diag)))
        return EXIT_USAGE;
    if (w->o.json)
        print_json(w);
    else
        print_text(w);
    vec_foreach (const struct removal, r, &w->removals)
        if (r->row.killed)
            return EXIT_FINDINGS;
    vec_foreach (const struct kase, k, &w->cases)
        if (k->tally.timed_out) /* what a removal changes behind the limit was not seen */
            return EXIT_LIMIT;
    return EXIT_CLEAN;
}

int cmd_sweep(int argc, char **argv)
{
    struct sweep w = {.origins = ~0u};
    options_init(&w.o);
    w.o.x.runs = DEFAULT_SWEEP_RUNS;
    argp_parse(&argp, argc, argv, 0, NULL, &w);
    int code = sweep(&w);
    store_close(w.store);
    return options_end(&w.o, code);
}
