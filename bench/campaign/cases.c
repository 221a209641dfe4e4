/* SPDX-License-Identifier: MIT */
#include "bench/campaign/cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/stop.h"
#include "base/strbuf.h"
#include "bench/campaign/compiled.h"
#include "bench/campaign/mutants.h"
#include "bench/campaign/remedy_written.h"
#include "build_id.h"

const char *build_id(void)
{
    return BUILD_ID;
}

size_t experiment_ranks(const struct experiment *x, const struct kernel_file *f, const int **ranks)
{
    static const int two = 2;
    *ranks = x->ranks.len              ? x->ranks.items
             : f->directives.ranks.len ? f->directives.ranks.items
                                       : &two;
    return x->ranks.len ? x->ranks.len : f->directives.ranks.len ? f->directives.ranks.len : 1;
}

bool experiment_units(const struct experiment *x, const struct kernel_file *f, ir_units *out)
{
    vec_foreach (const char *, name, &x->programs)
        if (!ir_file_choose(x->arena, f->text, *name, out, x->diag))
            return false;
    if (x->programs.len)
        return !x->one_program || out->len == 1 ||
               diag_error(x->diag, f->source, (struct span){0},
                          "this command takes one program, and --program names %zu", out->len);
    if (x->one_program && !ir_file_only(x->arena, f->text, x->diag))
        return false;
    kernel_file_note(f);
    *out = f->text->units;
    return true;
}

static bool any_knows(const struct kernel *const *k, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (kernel_knows(k[i], name))
            return true;
    return false;
}

/* Each of a kernel's file is for one of its programs. Where some are chosen it may be for another; those of
 * a compiled kernel were looked at when it was read. */
static bool directives_known(const struct experiment *x, const struct kernel *const *all, size_t n,
                             const struct kernel *k)
{
    vec_foreach (const struct binding, b, &k->directives.args)
        if (!k->front && !x->programs.len && !any_knows(all, n, b->name))
            return diag_error(x->diag, b->source, b->at,
                              "no program has a parameter or constant '%s'", b->name);
    return true;
}

bool experiment_args_known(const struct experiment *x, const struct kernel *const *k, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!directives_known(x, k, n, k[i]))
            return false;
    for (size_t i = 0; i < x->kernel.nargs; i++) {
        const struct binding *b = &x->kernel.args[i];
        if (n && !any_knows(k, n, b->name))
            return diag_error(x->diag, b->source, b->at,
                              "no program has a parameter or constant '%s'", b->name);
    }
    return true;
}

const char *experiment_model_word(const struct experiment *x, const struct contract *k)
{
    for (size_t i = 0; i < x->models.len && i < x->model_names.len; i++)
        if (x->models.items[i] == k)
            return shell_word(x->arena, x->model_names.items[i]);
    return k->name;
}

const char *shell_word(struct arena *a, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@%";
    if (*text && !text[strspn(text, plain)])
        return text;
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, "'");
    for (; *text; text++)
        if (*text == '\'')
            strbuf_add(&b, "'\\''");
        else
            strbuf_addn(&b, text, 1);
    strbuf_add(&b, "'");
    return b.text;
}

bool kase_fits(const struct kernel *k, int nranks, const struct program *p,
               const struct contract *c, struct diag *d)
{
    return machine_fits(p, c) ||
           diag_error(d, k->source, (struct span){0},
                      "is too large for the model '%s', which keeps only messages to one line in "
                      "order: %" PRIu64 " bytes on each of %d ranks",
                      c->name, p->gm_bytes, nranks);
}

struct kase kase_make(const struct experiment *x, const struct kernel *k, int nranks,
                      const struct program *p, const struct golden *g, const struct contract *c)
{
    struct kase kase = {.of = x,
                        .kernel = k,
                        .nranks = nranks,
                        .program = p,
                        .golden = g,
                        .contract = c,
                        .options = x->runner};
    kase.options.named = machine_load_lines(x->arena, p, c, true);
    return kase;
}

static const char *site_list(const struct kase *k, const bool *removed)
{
    struct strbuf names = strbuf_make(k->of->arena);
    for (int i = 0; i < k->program->nsites; i++)
        if (removed[i])
            strbuf_addf(&names, "%s%d", *names.text ? "," : "", i);
    return *names.text ? names.text : NULL;
}

struct kase kase_without(const struct kase *k, const bool *removed)
{
    struct kase out = *k;
    out.tally = (struct tally){0};
    out.program = program_without(k->program, removed, k->of->arena);
    out.removed = site_list(k, removed);
    return out;
}

struct kase kase_named_mutant(const struct kase *k, const struct mutant *m)
{
    struct kase out = *k;
    out.tally = (struct tally){0};
    if (m->how)
        out.mutated = arena_printf(k->of->arena, "%d:%s", m->first, m->how);
    else
        out.removed = site_list(k, m->removed);
    return out;
}

struct kase kase_mutant(const struct kase *k, const struct mutant *m)
{
    struct kase out = kase_named_mutant(k, m);
    out.program = mutant_program(k->of->arena, k->program, m);
    return out;
}

/* The cases of one kernel and number of ranks. Contracts with as many cores per rank share the
 * program. */
static bool cases_of(const struct experiment *x, const struct kernel *k, int nranks, kases *out,
                     struct diag *d)
{
    const struct program *p = NULL;
    const struct golden *g = NULL;
    struct kernel_options options = x->kernel;
    vec_foreach (const struct contract *, c, &x->models) {
        if (!p || options.cores_per_rank != (*c)->cores_per_rank) {
            options.cores_per_rank = (*c)->cores_per_rank;
            p = kernel_compile(x->arena, k, &options, nranks, d);
            if (!p)
                return false;
            g = NULL;
        }
        if (!kase_fits(k, nranks, p, *c, d))
            return false;
        if (!g)
            g = golden_run(x->arena, p, x->sc, x->runner.max_transitions);
        vec_push(x->arena, out, kase_make(x, k, nranks, p, g, *c));
    }
    return true;
}

typedef VEC(const struct kernel *) kernel_list;

static bool cases_of_kernel(const struct experiment *x, const struct kernel *k, kases *out,
                            kernel_list *loaded, struct diag *d)
{
    const int *ranks = NULL;
    size_t n = experiment_ranks(x, k->file, &ranks), before = out->len;
    vec_push(x->arena, loaded, k);
    for (size_t i = 0; i < n; i++)
        if (!cases_of(x, k, ranks[i], out, d)) {
            out->len = before;
            return false;
        }
    return true;
}

/* The cases of one program, which is loaded for its first number of ranks. */
static bool cases_of_unit(const struct experiment *x, const struct kernel_file *f,
                          const struct ir_unit *u, kases *out, kernel_list *loaded, struct diag *d)
{
    const int *ranks = NULL;
    experiment_ranks(x, f, &ranks);
    const struct kernel *k = kernel_of(x->arena, f, u, &x->kernel, ranks[0], d);
    return k && cases_of_kernel(x, k, out, loaded, d);
}

static bool cases_of_compiled(const struct experiment *x, const char *path, kases *out,
                              kernel_list *loaded)
{
    const struct kernel *k = compiled_load(x->arena, path, &x->kernel, x->diag);
    return k && cases_of_kernel(x, k, out, loaded, x->diag);
}

static bool cases_of_file(const struct experiment *x, const char *path, kases *out,
                          kernel_list *loaded, diag_list *errors)
{
    ir_units units = {0};
    if (compiled_is(path))
        return cases_of_compiled(x, path, out, loaded);
    const struct kernel_file *f = kernel_file_read(x->arena, path, x->diag);
    if (!f || !experiment_units(x, f, &units))
        return false;
    vec_foreach (const struct ir_unit, u, &units) {
        struct diag d = {.arena = x->arena};
        if (cases_of_unit(x, f, u, out, loaded, errors ? &d : x->diag))
            continue;
        if (!errors)
            return false;
        vec_push(x->arena, errors, d);
    }
    return true;
}

/* A time between submissions is for programs that a host submits. */
static bool skew_known(const struct experiment *x, const kases *cases)
{
    bool known = x->runner.dispatch_skew == SKEW_OF_CONTRACT || !cases->len;
    vec_foreach (const struct kase, k, cases)
        known |= k->program->nsteps > 0;
    return known || diag_error(x->diag, cases->items[0].kernel->source, (struct span){0},
                               "no program here has a host, so --dispatch-skew is without effect");
}

bool cases_make(const struct experiment *x, kases *out, diag_list *errors)
{
    kernel_list loaded = {0};
    vec_foreach (const char *, file, &x->files)
        if (!cases_of_file(x, *file, out, &loaded, errors))
            return false;
    return (errors && errors->len) ||
           (experiment_args_known(x, loaded.items, loaded.len) && skew_known(x, out));
}

bool cases_make_one(const struct experiment *x, const char *command, kases *out)
{
    struct experiment *one = arena_dup(x->arena, x, sizeof *one);
    one->one_program = true;
    return cases_make(one, out, NULL) &&
           ((x->models.len == 1 && x->ranks.len <= 1) ||
            diag_error(x->diag, out->items[0].kernel->source, (struct span){0},
                       "%s takes one model and one number of ranks; these are %zu cases", command,
                       out->len));
}

/* Jobs are numbered case by case, and merged in that order. */
struct cases_running {
    kases *cases;
    uint64_t pieces;  /* of a case */
    struct job *jobs; /* those that are begun, by number modulo POOL_WINDOW */
    struct progress progress;
    void (*done)(void *ctx, struct kase *k);
    void *ctx;
};

/* All runs of a case. */
static struct job case_job(const struct kase *k)
{
    return (struct job){.program = k->program,
                        .contract = k->contract,
                        .golden = k->golden,
                        .options = k->options,
                        .first_seed = k->of->seed,
                        .runs = k->of->runs};
}

static void run_piece(void *ctx, size_t i)
{
    struct cases_running *r = ctx;
    const struct kase *k = &r->cases->items[i / r->pieces];
    struct job all = case_job(k);
    struct job *own = &r->jobs[i % POOL_WINDOW];
    *own = job_piece(&all, i % r->pieces);
    job_run(own);
}

static void case_done(struct cases_running *r, struct kase *k)
{
    if (!r->done)
        return;
    progress_end(&r->progress);
    r->done(r->ctx, k);
}

static void piece_done(void *ctx, size_t i)
{
    struct cases_running *r = ctx;
    struct kase *k = &r->cases->items[i / r->pieces];
    struct job *own = &r->jobs[i % POOL_WINDOW];
    tally_merge(&k->tally, &own->tally, k->of->arena);
    progress_show(&r->progress, own->tally.runs, own->tally.failed);
    arena_free(&own->arena);
    if (k->tally.runs == k->of->runs)
        case_done(r, k);
}

void cases_run(kases *cases, void (*done)(void *ctx, struct kase *k), void *ctx)
{
    if (!cases->len)
        return;
    const struct experiment *x = cases->items->of;
    struct cases_running r = {.cases = cases,
                              .pieces = job_pieces(x->runs),
                              .progress = progress_start(cases->len * x->runs, "runs"),
                              .done = done,
                              .ctx = ctx};
    size_t n = r.pieces * cases->len;
    r.jobs = arena_array(x->arena, struct job, n < POOL_WINDOW ? n : POOL_WINDOW);
    pool_each(&(struct pool_items){.n = n,
                                   .threads = x->threads,
                                   .in_order = true,
                                   .stoppable = true,
                                   .work = run_piece,
                                   .done = piece_done,
                                   .ctx = &r});
    progress_end(&r.progress);
    vec_foreach (struct kase, k, cases)
        if (case_partial(k) && k->tally.runs)
            case_done(&r, k);
}

bool case_partial(const struct kase *k)
{
    return k->tally.runs < k->of->runs;
}

bool kase_found(const struct kase *k)
{
    return tally_found(&k->tally) || k->glance.found;
}

void case_run_more(struct kase *k, uint64_t runs)
{
    struct job all = case_job(k);
    all.first_seed += k->tally.runs;
    all.runs = runs;
    uint64_t n = job_pieces(runs);
    struct job *jobs = arena_array(k->of->arena, struct job, n);
    for (uint64_t i = 0; i < n; i++)
        jobs[i] = job_piece(&all, i);
    struct campaign c = {.jobs = jobs, .njobs = (int)n, .threads = k->of->threads};
    campaign_run(&c);
    for (uint64_t i = 0; i < n; i++)
        tally_merge(&k->tally, &jobs[i].tally, k->of->arena);
    campaign_free(&c);
}

void case_glance(struct kase *k, struct glance_limit most)
{
    if (!k->tally.failed && !stop_wanted())
        k->glance = glance_at(k->program, k->contract, k->golden, most);
}

struct compilation case_compilation(const struct kase *k)
{
    struct compilation c = {k->kernel, k->of->kernel, k->nranks, k->of->sc};
    c.options.cores_per_rank = k->contract->cores_per_rank;
    c.options.hooks = (struct pass_hooks){0}; /* silent when it is done again */
    c.options.pass.note = NULL;
    return c;
}

/* Runs of one finding's check at the most, and what is enough where one run was asked for. */
enum { REMEDY_RUNS = 1000, REMEDY_RUNS_OF_ONE = 64 };

void case_find_remedies(struct kase *k, size_t max)
{
    const struct experiment *x = k->of;
    struct tally *t = &k->tally;
    uint64_t most = t->runs > 1 ? t->runs : REMEDY_RUNS_OF_ONE;
    size_t n = t->findings.len < max ? t->findings.len : max;
    struct remedy_judge j = {.contract = k->contract,
                             .threads = x->threads,
                             .golden = k->golden,
                             .options = k->options,
                             .seed = x->seed,
                             .max_runs = most < REMEDY_RUNS ? most : REMEDY_RUNS};
    struct remedy_query *q = arena_array(x->arena, struct remedy_query, n + 1);
    struct evidence base = {0};
    vec_foreach (const struct tally_finding, f, &t->findings)
        evidence_add(x->arena, k->program, &base, &f->first);
    for (size_t i = 0; i < n; i++) {
        const struct tally_finding *f = &t->findings.items[i];
        q[i] = (struct remedy_query){.finding = &f->first, .hits = f->runs, .runs = t->runs};
    }
    remedies_find(x->arena, k->program, &j, &base, q, n);
    struct compilation c = case_compilation(k);
    if (!k->removed && !k->mutated) /* else no file is this program's */
        remedies_say(x->arena, &c, k->program, &j, &base, q, n);
    for (size_t i = 0; i < n; i++)
        t->findings.items[i].remedy = q[i].found;
}

bool case_judged(const struct kase *k, bool found, uint64_t checked, struct diag *d)
{
    return found || checked || stop_wanted() ||
           diag_error(d, k->kernel->source, (struct span){0},
                      "with P=%d no memory access was checked: the kernel does nothing here",
                      k->nranks);
}

uint64_t cases_runs(const kases *cases)
{
    uint64_t n = 0;
    vec_foreach (const struct kase, k, cases)
        n += k->tally.runs;
    return n;
}

bool cases_judged(const kases *cases)
{
    vec_foreach (const struct kase, k, cases)
        if (!case_judged(k, k->tally.failed > 0, k->tally.checked, k->of->diag))
            return false;
    return true;
}

static void count_site(void *ctx, const struct machine *m, const struct step *s)
{
    uint64_t *executed = ctx;
    if (s->t.kind != T_SCALAR || s->insn < 0)
        return;
    int site = m->cores[s->t.core].code->insns[s->insn].site;
    if (site >= 0)
        executed[site]++;
}

uint64_t *case_executed(const struct kase *k, struct arena *a)
{
    uint64_t *executed = arena_array(a, uint64_t, (size_t)k->program->nsites + 1);
    struct runner *runner = runner_new(k->program, k->contract, k->golden, k->options);
    struct tally ignored = {0};
    runner_on_step(runner, count_site, executed);
    runner_run(runner, k->of->seed, &ignored, a);
    runner_free(runner);
    return executed;
}

static void add_if(struct strbuf *b, bool differs, const char *fmt, const char *value)
{
    if (differs)
        strbuf_addf(b, fmt, value);
}

static const char *pass_list(const struct experiment *x)
{
    const char *list = x->kernel.passes[0];
    for (size_t i = 1; i < x->kernel.npasses; i++)
        list = arena_printf(x->arena, "%s,%s", list, x->kernel.passes[i]);
    return list;
}

/* The program and the machine: file, ranks, model and how it is compiled. */
static struct strbuf command_of(const char *command, const struct kase *k)
{
    const struct experiment *x = k->of;
    struct strbuf text = strbuf_make(x->arena), *b = &text;
    const char *path = k->kernel->path;
    path = strcmp(path, SOURCE_STDIN) ? shell_word(x->arena, path) : "-";
    strbuf_addf(b, "fencebench %s %s -P %d --model=%s --toolchain=%s", command, path, k->nranks,
                experiment_model_word(x, k->contract), shell_word(x->arena, x->toolchain_name));
    if (k->kernel->file->text->units.len > 1)
        strbuf_addf(b, " --program=%s", shell_word(x->arena, k->kernel->unit->path));
    add_if(b, !x->kernel.pass.markers, " --markers=%s", "off");
    add_if(b, x->kernel.pass.batch != PASS_BATCH_LOOPS, " --batch=%s",
           pass_batch_names[x->kernel.pass.batch]);
    add_if(b, x->kernel.pass.rules == PASS_RULES_PROPOSED, " --rules=%s", "proposed");
    if (x->kernel.passes)
        strbuf_addf(b, " --passes=%s", x->kernel.npasses ? pass_list(x) : "none");
    if (x->kernel.window_align)
        strbuf_addf(b, " --window-align=%d", x->kernel.window_align);
    add_if(b, k->removed != NULL, " --remove=%s", k->removed);
    add_if(b, k->mutated != NULL, " --mutate=%s", k->mutated);
    for (size_t i = 0; i < x->kernel.nargs; i++)
        strbuf_addf(b, " --arg '%s=%s'", x->kernel.args[i].name, x->kernel.args[i].expr);
    return text;
}

const char *case_explore(const struct kase *k)
{
    return command_of("explore", k).text;
}

const char *case_replay(const struct kase *k, uint64_t seed)
{
    const struct experiment *x = k->of;
    struct strbuf b = command_of("run", k);
    add_if(&b, x->runner.driver != DRIVER_TIMED, " --driver=%s", drivers[x->runner.driver].name);
    add_if(&b, x->runner.driver == DRIVER_TIMED && !x->runner.adversary, " --timing=%s", "typical");
    if (x->runner.driver == DRIVER_PCT)
        strbuf_addf(&b, " --pct-depth=%d", x->runner.pct_depth);
    if (x->runner.max_transitions != DEFAULT_MAX_TRANSITIONS)
        strbuf_addf(&b, " --max-transitions=%" PRIu64, x->runner.max_transitions);
    if (x->runner.dispatch_skew != SKEW_OF_CONTRACT)
        strbuf_addf(&b, " --dispatch-skew=%" PRId64, x->runner.dispatch_skew);
    strbuf_addf(&b, " --seed=%" PRIu64, seed);
    return b.text;
}
