/* SPDX-License-Identifier: MIT */
#include "bench/campaign/sweep.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <xxhash.h>

#include "base/pool.h"
#include "base/stop.h"
#include "bench/campaign/redundancy.h"
#include "bench/report/output.h"
#include "models/ini_table.h"
#include "bench/report/report.h"

/* What a mutant shows that has no finding, and ends otherwise. */
#define OTHER_MEMORY "other final memory"

/* What a thread does: prepares a case, or judges one mutant or pair of it. */
struct task {
    struct pool_job job;
    struct case_work *of;
    struct sweep_item *item; /* NULL: prepares the case */
    struct judgement judgement;
    bool stopped; /* a stop was wanted (base/stop.h): the judgement is none */
    struct arena arena;
};

enum stage { STAGE_NONE, STAGE_PREPARE, STAGE_MUTANTS, STAGE_PAIRS, STAGE_ENDED };

/* One case: its mutants are judged when it is prepared, and then the pairs. */
struct case_work {
    size_t subject;           /* index */
    struct sweep_item *items; /* in sweeping.items */
    size_t n;
    sweep_items pairs;
    enum stage stage;
    size_t open; /* tasks of the stage that are not done */
};

/* What threads share. The lock is held for whatever is written here, in the rows, in the file and in the
 * arena of the experiment. */
struct sweeping {
    const struct sweep_plan *plan;
    struct sweep_results *out;
    pthread_mutex_t lock;
    struct pool pool;
    sweep_items items; /* of all cases */
    VEC(struct case_work) cases;
    size_t begun, reported; /* cases */
    struct progress progress;
    bool failed;
};

/* ---- keys ---- */

/* Everything that decides a case's runs besides its name and seeds: code, arguments, memory,
 * contract. */
static uint64_t case_hash(const struct sweep_plan *plan, const struct kase *k)
{
    struct arena *a = plan->x->arena;
    const struct program *p = k->program;
    const char *text = program_print(p, a);
    uint64_t hash = XXH3_64bits(text, strlen(text));
    for (int c = 0; c < p->ncores; c++)
        hash = XXH3_64bits_withSeed(p->cores[c].args,
                                    sizeof *p->cores[c].args * (size_t)p->cores[c].nargs, hash);
    for (int r = 0; r < p->nranks; r++)
        hash = XXH3_64bits_withSeed(p->gm_init[r], p->gm_bytes, hash);
    hash = XXH3_64bits_withSeed(&plan->x->runner.max_transitions,
                                sizeof plan->x->runner.max_transitions, hash);
    hash = XXH3_64bits_withSeed(&plan->max_states, sizeof plan->max_states, hash);
    const struct ini_row *rows;
    size_t n = contract_describe(a, k->contract, &rows);
    for (size_t i = 0; i < n; i++)
        hash = XXH3_64bits_withSeed(rows[i].value, strlen(rows[i].value), hash);
    return hash;
}

static const char *row_key(const struct sweep_plan *plan, const struct kase *k,
                           const struct sweep_row *r, uint64_t program_hash)
{
    const struct experiment *x = plan->x;
    return arena_printf(
        x->arena, "%s|%d|%s|%s|%s|%d|%d|%" PRIu64 "|%" PRIu64 "|%s|%d|%s|%d|%s|%016" PRIx64,
        k->kernel->name, k->nranks, k->contract->name, x->toolchain_name,
        drivers[x->runner.driver].name, x->runner.adversary, x->runner.pct_depth, x->seed, x->runs,
        build_id(), x->kernel.window_align, r->level, r->site, r->what, program_hash);
}

/* ---- rows ---- */

static struct sweep_row row_of(const struct sweep_plan *plan, const struct subject *s,
                               const struct mutant *m, uint64_t hash)
{
    const struct site *site = &s->kase->program->sites[m->first];
    struct source_line line = source_place(s->kase->kernel->source, site->span.line);
    struct sweep_row r = {.kernel = s->kase->kernel->name,
                          .model = s->kase->contract->name,
                          .toolchain = plan->x->toolchain_name,
                          .ranks = s->kase->nranks,
                          .site = m->first,
                          .level = mutation_name(m->kind),
                          .origin = origin_name(site->origin),
                          .what = m->what,
                          .anchor = site->anchor ? site->anchor : "-",
                          .line = line.line,
                          .file = line.file,
                          .executed = s->executed[m->first],
                          .finding = "",
                          .where = "",
                          .class = "",
                          .why = "",
                          .others = "",
                          .witness = "",
                          .certificate = "",
                          .extents = ""};
    r.key = row_key(plan, s->kase, &r, hash);
    return r;
}

static struct source_line insn_line(const struct program *p, struct place at)
{
    const struct insn *i =
        at.core < 0 || at.insn < 0 ? NULL : &p->cores[at.core].code->insns[at.insn];
    return i && i->span.line ? source_place(p->source, i->span.line) : (struct source_line){0};
}

static void fill_finding(struct sweep_row *row, const struct program *p, const struct finding *f)
{
    struct source_line reader = insn_line(p, f->reader);
    row->finding = verdict_name(f->verdict);
    row->where = f->where == W_NONE ? "" : where_name(f->where);
    row->reader_line = reader.line;
    row->reader_file = reader.file;
    row->producer_line = insn_line(p, f->producer).line;
}

/* What is redundant about it is the site, not the place or the size that it was given. */
static bool goes(const struct sweep_item *item)
{
    if (item->one)
        return false;
    enum mutation kind = item->subject->list.items[item->mutant].kind;
    return kind != MUTATE_NARROW && kind != MUTATE_MISPLACE && kind != MUTATE_RETARGET;
}

static void fill_row(struct arena *a, struct sweep_item *item, const struct judgement *j)
{
    struct sweep_row *row = &item->row;
    row->runs = j->tally.runs;
    row->killed = j->tally.failed;
    row->class = fate_name(j->fate);
    row->states = j->states;
    row->extents = j->states ? item->subject->extents : "";
    if (j->tally.failed) {
        row->first_seed = j->tally.first_failed_seed;
        fill_finding(row, j->program, &tally_find(&j->tally, tally_verdict(&j->tally))->first);
    } else if (j->fate == FATE_KILLED && j->found) {
        fill_finding(row, j->program, &j->finding);
    } else if (j->fate == FATE_KILLED) {
        row->finding = OTHER_MEMORY;
    }
    if (j->fate == FATE_REDUNDANT && goes(item))
        row->why = redundancy_why(a, item->subject->program, row->site);
}

/* What follows from a row's numbers. */
static void judge_row(struct sweep_row *r)
{
    r->verdict = r->killed ? "killed" : r->executed ? "survived" : "not reached";
    if (!r->runs)
        return;
    r->rate = (double)r->killed / (double)r->runs;
    wilson(r->killed, r->runs, &r->rate_low, &r->rate_high);
}

/* ---- tasks ---- */

/* What cannot be kept is not worth its time. */
static bool goes_on(const struct sweeping *w)
{
    return !stop_wanted() && !__atomic_load_n(&w->failed, __ATOMIC_RELAXED);
}

static void judge(const struct sweeping *w, struct task *t)
{
    const struct sweep_item *item = t->item;
    const struct experiment *x = w->plan->x;
    if (item->one)
        subject_judge_pair(&t->arena, item->subject, item->one->row.site, item->two->row.site,
                           &t->judgement);
    else
        subject_judge(&t->arena, item->subject, item->mutant, x->seed, x->runs, &t->judgement);
}

static void keep(struct sweeping *w, struct task *t)
{
    if (w->failed || t->stopped)
        return;
    fill_row(w->plan->x->arena, t->item, &t->judgement);
    if (w->plan->store && !store_put(w->plan->store, &t->item->row, w->plan->x->diag))
        __atomic_store_n(&w->failed, true, __ATOMIC_RELAXED);
    progress_show(&w->progress, 1, t->judgement.tally.failed);
}

static void add_task(struct sweeping *w, struct case_work *c, struct sweep_item *item)
{
    struct task *t = arena_new(w->plan->x->arena, struct task);
    t->of = c;
    t->item = item;
    c->open++;
    pool_add(&w->pool, &t->job);
}

/* Those of the items that the store has not. */
static void add_items(struct sweeping *w, struct case_work *c, struct sweep_item *items, size_t n)
{
    struct arena *a = w->plan->x->arena;
    for (size_t i = 0; i < n; i++)
        if (!w->plan->resume || !store_get(w->plan->store, items[i].row.key, &items[i].row, a))
            add_task(w, c, &items[i]);
        else
            w->progress.total--;
}

static void list_items(struct sweeping *w)
{
    const struct sweep_plan *plan = w->plan;
    struct arena *a = plan->x->arena;
    size_t n = 0, shards = (size_t)plan->shards;
    vec_foreach (const struct subject, s, &w->out->subjects) {
        uint64_t hash = case_hash(plan, s->kase);
        struct case_work c = {.subject = (size_t)(s - w->out->subjects.items)};
        for (size_t i = 0; i < s->list.len; i++, n++) {
            if (shards && n % shards != (size_t)plan->shard - 1)
                continue;
            struct sweep_item item = {
                .row = row_of(plan, s, &s->list.items[i], hash), .subject = s, .mutant = i};
            vec_push(a, &w->items, item);
            c.n++;
        }
        vec_push(a, &w->cases, c);
    }
    size_t first = 0;
    vec_foreach (struct case_work, c, &w->cases) {
        c->items = w->items.items + first;
        first += c->n;
    }
}

static bool is_redundant(const struct sweep_item *item)
{
    return !strcmp(item->row.class, fate_name(FATE_REDUNDANT)) &&
           !strcmp(item->row.level, mutation_name(MUTATE_INSTRUCTION));
}

/* ---- pairs ---- */

/* States of all pairs of a case together, about. */
enum { PAIR_STATES = 1000 * 1000 };

static void add_pair(struct sweeping *w, struct sweep_item *one, struct sweep_item *two,
                     uint64_t hash, sweep_items *pairs)
{
    struct arena *a = w->plan->x->arena;
    const struct subject *s = one->subject;
    struct mutant m = mutant_pair(a, s->program, one->row.site, two->row.site);
    struct sweep_item pair = {
        .row = row_of(w->plan, s, &m, hash), .subject = s, .one = one, .two = two};
    vec_push(a, pairs, pair);
}

/* The nearest first, as many as there are states for. */
static void list_pairs(struct sweeping *w, struct case_work *c)
{
    VEC(struct sweep_item *) sites = {0};
    const struct subject *s = &w->out->subjects.items[c->subject];
    for (size_t i = 0; i < c->n; i++)
        if (is_redundant(&c->items[i]))
            vec_push(w->plan->x->arena, &sites, &c->items[i]);
    if (sites.len < 2)
        return;
    uint64_t hash = case_hash(w->plan, s->kase), left = PAIR_STATES / (s->base.states + 1);
    w->out->pairs_all += sites.len * (sites.len - 1) / 2;
    for (size_t distance = 1; distance < sites.len; distance++)
        for (size_t i = 0; i + distance < sites.len && left > 0; i++, left--)
            add_pair(w, sites.items[i], sites.items[i + distance], hash, &c->pairs);
    w->out->pairs_tried += c->pairs.len;
    w->progress.total += c->pairs.len;
}

static void need(struct arena *a, struct sweep_item *item, const struct sweep_item *other)
{
    item->row.class = fate_name(FATE_GIVEN);
    item->row.why = "";
    item->row.others = *item->row.others
                           ? arena_printf(a, "%s, %d", item->row.others, other->row.site)
                           : arena_printf(a, "%d", other->row.site);
}

/* The sites of pairs that die, and those pairs alone. */
static void judge_pairs(struct sweeping *w, struct case_work *c)
{
    struct arena *a = w->plan->x->arena;
    sweep_items *dying = &w->out->pairs;
    vec_foreach (struct sweep_item, pair, &c->pairs) {
        if (strcmp(pair->row.class, fate_name(FATE_KILLED)) != 0)
            continue;
        need(a, pair->one, pair->two);
        need(a, pair->two, pair->one);
        vec_push(a, dying, *pair);
    }
}

/* ---- the shortest witness ---- */

static bool same_mutant(const struct sweep_row *x, const struct sweep_row *y)
{
    return x->site == y->site && !strcmp(x->kernel, y->kernel) && !strcmp(x->model, y->model) &&
           !strcmp(x->level, y->level) && !strcmp(x->what, y->what);
}

/* Of a kill: the fewest ranks that the sweep has it with, there the first seed, or the states. */
static void add_witness(struct arena *a, const sweep_items *items, struct sweep_row *row)
{
    const struct sweep_row *best = row;
    if (!*row->finding)
        return;
    vec_foreach (const struct sweep_item, item, items)
        if (*item->row.finding && item->row.ranks < best->ranks && same_mutant(&item->row, row))
            best = &item->row;
    row->witness = best->killed
                       ? arena_printf(a, "P=%d seed %" PRIu64, best->ranks, best->first_seed)
                       : arena_printf(a, "P=%d explored", best->ranks);
}

/* ---- certificates ---- */

enum fate sweep_fate(const struct sweep_row *r)
{
    int f = 0;
    while (f < FATE_UNKNOWN && strcmp(fate_name((enum fate)f), r->class) != 0)
        f++;
    return (enum fate)f;
}

/* A finding is shown by its run, or by exploring the mutant; a proof by exploring it. Of runs that found
 * nothing there is nothing to show, and what differs in its final memory alone only a sweep compares. */
static const char *certificate(struct arena *a, const struct sweep_item *item)
{
    const struct sweep_row *r = &item->row;
    const struct subject *s = item->subject;
    enum fate fate = sweep_fate(r);
    struct mutant m = item->one
                          ? mutant_pair(a, s->program, item->one->row.site, item->two->row.site)
                          : s->list.items[item->mutant];
    struct kase k = kase_named_mutant(s->kase, &m);
    if (r->killed)
        return case_replay(&k, r->first_seed);
    if (fate == FATE_NOT_OBSERVED || fate == FATE_UNKNOWN || !strcmp(r->finding, OTHER_MEMORY))
        return "";
    return arena_printf(a, "%s%s", case_explore(&k), s->arguments);
}

static void finish_rows(struct arena *a, const sweep_items *all, struct sweep_item *items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        judge_row(&items[i].row);
        items[i].row.certificate = certificate(a, &items[i]);
        add_witness(a, all, &items[i].row);
    }
}

/* ---- cases ---- */

/* A stop has left the others without an answer. */
static void take_answered(struct sweeping *w, const struct case_work *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (*c->items[i].row.class)
            vec_push(w->plan->x->arena, &w->out->items, c->items[i]);
}

/* The next in the order of the cases, whose rows are the next of the table: what they say of witnesses does
 * not depend on what has ended beyond it. */
static void tell_case(struct sweeping *w, struct case_work *c)
{
    struct sweep_results *out = w->out;
    struct arena *a = w->plan->x->arena;
    size_t item = out->items.len, pair = out->pairs.len;
    judge_pairs(w, c);
    take_answered(w, c);
    struct sweep_case k = {.subject = &out->subjects.items[c->subject],
                           .items = out->items.items + item,
                           .n = out->items.len - item,
                           .pairs = out->pairs.items + pair,
                           .npairs = out->pairs.len - pair};
    finish_rows(a, &out->items, out->items.items + item, k.n);
    finish_rows(a, &out->pairs, out->pairs.items + pair, k.npairs);
    progress_end(&w->progress);
    if (w->plan->done && k.n)
        w->plan->done(w->plan->ctx, &k);
    w->reported++;
}

static void begin_case(struct sweeping *w)
{
    if (w->begun == w->cases.len || !goes_on(w))
        return;
    struct case_work *c = &w->cases.items[w->begun++];
    c->stage = STAGE_PREPARE;
    add_task(w, c, NULL);
}

static void end_case(struct sweeping *w)
{
    while (w->reported < w->cases.len && goes_on(w) &&
           w->cases.items[w->reported].stage == STAGE_ENDED)
        tell_case(w, &w->cases.items[w->reported]);
    begin_case(w);
}

/* A task of the case is done; where it was the last of a stage, the next stage's are to be done. */
static void advance(struct sweeping *w, struct case_work *c)
{
    c->open--;
    while (!c->open && c->stage != STAGE_ENDED) {
        c->stage++;
        if (c->stage == STAGE_MUTANTS) {
            add_items(w, c, c->items, c->n);
        } else if (c->stage == STAGE_PAIRS && w->plan->pairs && !w->plan->shards && goes_on(w)) {
            list_pairs(w, c);
            add_items(w, c, c->pairs.items, c->pairs.len);
        }
    }
    if (c->stage == STAGE_ENDED)
        end_case(w);
}

static void do_task(void *ctx, int thread, struct pool_job *job)
{
    struct sweeping *w = ctx;
    struct task *t = caa_container_of(job, struct task, job);
    struct case_work *c = t->of;
    (void)thread;
    if (goes_on(w) && t->item)
        judge(w, t);
    else if (goes_on(w))
        subject_prepare(&w->out->arenas[c->subject], &w->out->subjects.items[c->subject],
                        w->plan->max_states, &w->lock);
    t->stopped = stop_wanted();
    pthread_mutex_lock(&w->lock);
    if (t->item)
        keep(w, t);
    advance(w, c);
    pthread_mutex_unlock(&w->lock);
    arena_free(&t->arena);
}

/* As many cases are begun as there are threads, each of which has a task at any time: so no thread is idle
 * before the last cases, and the first is reported soon. */
static bool run_cases(struct sweeping *w)
{
    w->pool = (struct pool){.work = do_task, .ctx = w, .threads = w->plan->x->threads};
    pool_init(&w->pool);
    for (int i = 0; i < w->pool.threads; i++)
        begin_case(w);
    pool_run(&w->pool);
    for (size_t i = w->reported; i < w->cases.len && !w->failed; i++)
        tell_case(w, &w->cases.items[i]);
    return !w->failed;
}

/* Of what has fewer ranks and came later. */
static void finish_witnesses(struct arena *a, sweep_items *items)
{
    vec_foreach (struct sweep_item, item, items)
        add_witness(a, items, &item->row);
}

bool sweep_run(const struct sweep_plan *plan, const kases *cases, struct sweep_results *out)
{
    struct arena *a = plan->x->arena;
    struct sweeping w = {.plan = plan, .out = out, .lock = PTHREAD_MUTEX_INITIALIZER};
    *out = (struct sweep_results){0};
    vec_foreach (const struct kase, k, cases)
        vec_push(a, &out->subjects, subject_make(k, plan->origins));
    out->arenas = arena_array(a, struct arena, out->subjects.len + 1);
    list_items(&w);
    w.progress = progress_start(w.items.len, "mutants");
    bool ok = run_cases(&w);
    progress_end(&w.progress);
    if (!ok)
        return false;
    finish_witnesses(a, &out->items);
    finish_witnesses(a, &out->pairs);
    return true;
}

void sweep_free(struct sweep_results *r)
{
    for (size_t i = 0; r->arenas && i < r->subjects.len; i++)
        arena_free(&r->arenas[i]);
}
