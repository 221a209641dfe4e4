/* SPDX-License-Identifier: MIT */
#include "bench/campaign/cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/strbuf.h"
#include "bench/campaign/remedy_written.h"
#include "build_id.h"

const char *build_id(void)
{
    return BUILD_ID;
}

struct kase kase_make(struct options *o, const struct kernel *k, int nranks,
                      const struct program *p, const struct golden *g, const struct contract *c)
{
    struct kase kase = {.kernel = k,
                        .nranks = nranks,
                        .program = p,
                        .golden = g,
                        .contract = c,
                        .options = o->runner};
    kase.options.named = machine_load_lines(&o->arena, p, c, true);
    return kase;
}

/* The cases of one kernel and number of ranks. Contracts with as many cores per rank share the
 * program. */
static bool cases_of(struct options *o, const struct kernel *k, int nranks, kases *out)
{
    const struct program *p = NULL;
    const struct golden *g = NULL;
    vec_foreach (const struct contract *, c, &o->models) {
        if (!p || o->kernel.cores_per_rank != (*c)->cores_per_rank) {
            o->kernel.cores_per_rank = (*c)->cores_per_rank;
            p = kernel_compile(&o->arena, k, &o->kernel, nranks, &o->diag);
            if (!p)
                return false;
            g = golden_run(&o->arena, p, o->sc, o->runner.max_transitions);
        }
        vec_push(&o->arena, out, kase_make(o, k, nranks, p, g, *c));
    }
    return true;
}

bool cases_make(struct options *o, kases *out)
{
    vec_foreach (const char *, file, &o->files) {
        const struct kernel *k = kernel_load(&o->arena, *file, &o->diag);
        const int *ranks = NULL;
        size_t n = k ? options_ranks(o, k, &ranks) : 0;
        for (size_t i = 0; i < n; i++)
            if (!cases_of(o, k, ranks[i], out))
                return false;
        if (!k)
            return false;
    }
    return true;
}

bool cases_make_one(struct options *o, const char *command, kases *out)
{
    return cases_make(o, out) &&
           ((o->models.len == 1 && o->ranks.len <= 1) ||
            diag_error(&o->diag, out->items[0].kernel->source, (struct span){0},
                       "%s takes one model and one number of ranks; these are %zu cases", command,
                       out->len));
}

static void on_done(void *ctx, struct job *job)
{
    progress_show(ctx, job->tally.failed);
}

void cases_run(struct options *o, kases *cases)
{
    int pieces = job_pieces(o->runs), n = pieces * (int)cases->len;
    struct progress progress = progress_start(n);
    struct campaign c = {.jobs = arena_array(&o->arena, struct job, (size_t)n),
                         .njobs = n,
                         .threads = o->threads,
                         .done = on_done,
                         .ctx = &progress};
    for (int i = 0; i < n; i++) {
        const struct kase *k = &cases->items[i / pieces];
        struct job all = {.program = k->program,
                          .contract = k->contract,
                          .golden = k->golden,
                          .options = k->options,
                          .first_seed = o->seed,
                          .runs = o->runs};
        c.jobs[i] = job_piece(&all, i % pieces);
    }
    campaign_run(&c);
    progress_end(&progress);
    for (int i = 0; i < n; i++)
        tally_merge(&cases->items[i / pieces].tally, &c.jobs[i].tally, &o->arena);
    campaign_free(&c);
}

static void glance_work(void *ctx, size_t item)
{
    struct kase *k = &((kases *)ctx)->items[item];
    if (!k->tally.failed)
        k->glance = glance_at(k->program, k->contract, k->golden);
}

void cases_glance(struct options *o, kases *cases)
{
    pool_each(&(struct pool_items){
        .n = cases->len, .threads = o->threads, .work = glance_work, .ctx = cases});
}

struct compilation case_compilation(const struct options *o, const struct kase *k)
{
    struct compilation c = {k->kernel, o->kernel, k->nranks, o->sc};
    c.options.cores_per_rank = k->contract->cores_per_rank;
    c.options.hooks = (struct pass_hooks){0}; /* silent when it is done again */
    c.options.pass.note = NULL;
    return c;
}

/* Runs of one finding's check at the most, and what is enough where one run was asked for. */
enum { REMEDY_RUNS = 1000, REMEDY_RUNS_OF_ONE = 64 };

static void find_remedies(struct options *o, struct kase *k, size_t max)
{
    struct tally *t = &k->tally;
    uint64_t most = t->runs > 1 ? t->runs : REMEDY_RUNS_OF_ONE;
    size_t n = t->findings.len < max ? t->findings.len : max;
    struct remedy_judge j = {.contract = k->contract,
                             .threads = o->threads,
                             .golden = k->golden,
                             .options = k->options,
                             .seed = o->seed,
                             .max_runs = most < REMEDY_RUNS ? most : REMEDY_RUNS};
    struct remedy_query *q = arena_array(&o->arena, struct remedy_query, n + 1);
    struct evidence base = {0};
    vec_foreach (const struct tally_finding, f, &t->findings)
        evidence_add(&o->arena, k->program, &base, &f->first);
    for (size_t i = 0; i < n; i++) {
        const struct tally_finding *f = &t->findings.items[i];
        q[i] = (struct remedy_query){.finding = &f->first, .hits = f->runs, .runs = t->runs};
    }
    remedies_find(&o->arena, k->program, &j, &base, q, n);
    struct compilation c = case_compilation(o, k);
    remedies_say(&o->arena, &c, k->program, &j, &base, q, n);
    for (size_t i = 0; i < n; i++)
        t->findings.items[i].remedy = q[i].found;
}

void cases_find_remedies(struct options *o, kases *cases, size_t max)
{
    vec_foreach (struct kase, k, cases)
        find_remedies(o, k, max);
}

bool case_judged(struct options *o, const struct kase *k, bool found, uint64_t checked)
{
    return found || checked ||
           diag_error(&o->diag, k->kernel->source, (struct span){0},
                      "with P=%d no memory access was checked: the kernel does nothing here",
                      k->nranks);
}

bool cases_judged(struct options *o, const kases *cases)
{
    vec_foreach (const struct kase, k, cases)
        if (!case_judged(o, k, k->tally.failed > 0, k->tally.checked))
            return false;
    return true;
}

static void add_if(struct strbuf *b, bool differs, const char *fmt, const char *value)
{
    if (differs)
        strbuf_addf(b, fmt, value);
}

static const char *pass_list(struct arena *a, const struct options *o)
{
    const char *list = o->kernel.passes[0];
    for (size_t i = 1; i < o->kernel.npasses; i++)
        list = arena_printf(a, "%s,%s", list, o->kernel.passes[i]);
    return list;
}

/* The program and the machine: file, ranks, model and how it is compiled. */
static void add_case(struct strbuf *b, const char *command, const struct options *o,
                     const struct kase *k)
{
    struct arena *a = b->arena;
    strbuf_addf(b, "fencebench %s %s -P %d --model=%s --toolchain=%s", command,
                option_word(a, k->kernel->path), k->nranks,
                option_word(a, options_model_argument(o, k->contract)),
                option_word(a, o->toolchain_name));
    add_if(b, !o->kernel.pass.markers, " --markers=%s", "off");
    add_if(b, o->kernel.pass.batch == PASS_BATCH_NONE, " --batch=%s", "none");
    add_if(b, o->kernel.pass.rules == PASS_RULES_PROPOSED, " --rules=%s", "proposed");
    if (o->kernel.passes)
        strbuf_addf(b, " --passes=%s", o->kernel.npasses ? pass_list(a, o) : "none");
    if (o->kernel.window_align)
        strbuf_addf(b, " --window-align=%d", o->kernel.window_align);
    vec_foreach (const struct binding, x, &o->args)
        strbuf_addf(b, " --arg '%s=%s'", x->name, x->expr);
}

const char *case_explore(struct arena *a, const struct options *o, const struct kase *k)
{
    struct strbuf b = strbuf_make(a);
    add_case(&b, "explore", o, k);
    return b.text;
}

const char *case_replay(struct arena *a, const struct options *o, const struct kase *k,
                        uint64_t seed)
{
    struct strbuf b = strbuf_make(a);
    add_case(&b, "run", o, k);
    add_if(&b, o->runner.driver != DRIVER_TIMED, " --driver=%s", driver_name(o->runner.driver));
    add_if(&b, o->runner.driver == DRIVER_TIMED && !o->runner.adversary, " --timing=%s", "typical");
    if (o->runner.driver == DRIVER_PCT)
        strbuf_addf(&b, " --pct-depth=%d", o->runner.pct_depth);
    if (o->runner.max_transitions != DEFAULT_MAX_TRANSITIONS)
        strbuf_addf(&b, " --max-transitions=%" PRIu64, o->runner.max_transitions);
    if (o->runner.dispatch_skew != SKEW_OF_CONTRACT)
        strbuf_addf(&b, " --dispatch-skew=%" PRId64, o->runner.dispatch_skew);
    strbuf_addf(&b, " --seed=%" PRIu64, seed);
    return b.text;
}
