/* SPDX-License-Identifier: MIT */
#include "bench/campaign/sweep.h"

#include <inttypes.h>
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

/* One answer that is being made, by a thread; its rows are filled in by the caller's. */
struct work {
    struct sweep_item *item;
    struct judgement judgement;
    bool stopped; /* a stop was wanted (base/stop.h): the judgement is none */
    struct arena arena;
};

struct sweeping {
    const struct sweep_plan *plan;
    struct sweep_results *out;
    struct work *work;
    struct progress progress;
    bool failed;
};

/* The mutants of one case. */
struct case_items {
    const struct subject *subject;
    struct sweep_item *items;
    size_t n;
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

/* ---- running ---- */

static void judge_work(void *ctx, size_t i)
{
    const struct sweeping *w = ctx;
    struct work *k = &w->work[i];
    const struct sweep_item *item = k->item;
    const struct experiment *x = w->plan->x;
    if (__atomic_load_n(&w->failed, __ATOMIC_RELAXED))
        return; /* what cannot be kept is not worth its time */
    if (item->one)
        subject_judge_pair(&k->arena, item->subject, item->one->row.site, item->two->row.site,
                           &k->judgement);
    else
        subject_judge(&k->arena, item->subject, item->mutant, x->seed, x->runs, &k->judgement);
    k->stopped = stop_wanted();
}

static void judge_done(void *ctx, size_t i)
{
    struct sweeping *w = ctx;
    struct work *k = &w->work[i];
    if (w->failed || k->stopped) {
        arena_free(&k->arena);
        return;
    }
    fill_row(w->plan->x->arena, k->item, &k->judgement);
    arena_free(&k->arena);
    if (w->plan->store && !store_put(w->plan->store, &k->item->row, w->plan->x->diag))
        __atomic_store_n(&w->failed, true, __ATOMIC_RELAXED);
    progress_show(&w->progress, 1, k->judgement.tally.failed);
}

/* Answers those of nitems that the store has not. */
static bool run_items(struct sweeping *w, struct sweep_item *items, size_t nitems)
{
    struct arena *a = w->plan->x->arena;
    size_t n = 0;
    w->work = arena_array(a, struct work, nitems + 1);
    for (size_t i = 0; i < nitems; i++)
        if (!w->plan->resume || !store_get(w->plan->store, items[i].row.key, &items[i].row, a))
            w->work[n++].item = &items[i];
        else
            w->progress.total--;
    pool_each(&(struct pool_items){.n = n,
                                   .threads = w->plan->x->threads,
                                   .stoppable = true,
                                   .work = judge_work,
                                   .done = judge_done,
                                   .ctx = w});
    return !w->failed;
}

static void list_items(struct sweeping *w)
{
    const struct sweep_plan *plan = w->plan;
    size_t n = 0, shards = (size_t)plan->shards;
    vec_foreach (const struct subject, s, &w->out->subjects) {
        uint64_t hash = case_hash(plan, s->kase);
        for (size_t i = 0; i < s->list.len; i++, n++) {
            if (shards && n % shards != (size_t)plan->shard - 1)
                continue;
            struct sweep_item item = {
                .row = row_of(plan, s, &s->list.items[i], hash), .subject = s, .mutant = i};
            vec_push(plan->x->arena, &w->out->items, item);
        }
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
static void list_pairs(struct sweeping *w, const struct case_items *c, sweep_items *pairs)
{
    VEC(struct sweep_item *) sites = {0};
    const struct subject *s = c->subject;
    for (size_t i = 0; i < c->n; i++)
        if (is_redundant(&c->items[i]))
            vec_push(w->plan->x->arena, &sites, &c->items[i]);
    if (sites.len < 2)
        return;
    uint64_t hash = case_hash(w->plan, s->kase), left = PAIR_STATES / (s->base.states + 1);
    w->out->pairs_all += sites.len * (sites.len - 1) / 2;
    for (size_t distance = 1; distance < sites.len; distance++)
        for (size_t i = 0; i + distance < sites.len && left > 0; i++, left--)
            add_pair(w, sites.items[i], sites.items[i + distance], hash, pairs);
}

static void need(struct arena *a, struct sweep_item *item, const struct sweep_item *other)
{
    item->row.class = fate_name(FATE_GIVEN);
    item->row.why = "";
    item->row.others = *item->row.others
                           ? arena_printf(a, "%s, %d", item->row.others, other->row.site)
                           : arena_printf(a, "%d", other->row.site);
}

static bool run_pairs(struct sweeping *w, const struct case_items *c)
{
    struct arena *a = w->plan->x->arena;
    sweep_items pairs = {0};
    list_pairs(w, c, &pairs);
    w->out->pairs_tried += pairs.len;
    w->progress.total += pairs.len;
    if (!run_items(w, pairs.items, pairs.len))
        return false;
    vec_foreach (struct sweep_item, pair, &pairs) {
        if (strcmp(pair->row.class, fate_name(FATE_KILLED)) != 0)
            continue;
        need(a, pair->one, pair->two);
        need(a, pair->two, pair->one);
        vec_push(a, &w->out->pairs, *pair);
    }
    return true;
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

/* A stop has left the others without an answer. */
static void keep_answered(sweep_items *items)
{
    size_t n = 0;
    vec_foreach (const struct sweep_item, item, items)
        if (*item->row.class)
            items->items[n++] = *item;
    items->len = n;
}

/* ---- cases ---- */

/* Those of a subject, which are not all answered when a stop is wanted. */
static bool run_case(struct sweeping *w, struct case_items *c)
{
    struct sweep_results *out = w->out;
    struct arena *a = w->plan->x->arena;
    size_t i = (size_t)(c->subject - out->subjects.items), first = out->pairs.len;
    subject_prepare(&out->arenas[i], &out->subjects.items[i], w->plan->max_states);
    if (!run_items(w, c->items, c->n))
        return false;
    bool pairs = w->plan->pairs && !w->plan->shards && !stop_wanted();
    if (pairs && !run_pairs(w, c))
        return false;
    if (stop_wanted()) {
        keep_answered(&out->items);
        size_t before = (size_t)(c->items - out->items.items);
        c->n = out->items.len - before;
    }
    finish_rows(a, &out->items, c->items, c->n);
    finish_rows(a, &out->pairs, out->pairs.items + first, out->pairs.len - first);
    progress_end(&w->progress);
    if (w->plan->done && c->n)
        w->plan->done(w->plan->ctx,
                      &(struct sweep_case){c->subject, c->items, c->n, out->pairs.items + first,
                                           out->pairs.len - first});
    return true;
}

static bool run_cases(struct sweeping *w)
{
    const sweep_items *all = &w->out->items;
    size_t at = 0;
    vec_foreach (const struct subject, s, &w->out->subjects) {
        struct case_items c = {s, all->items + at, 0};
        while (at + c.n < all->len && c.items[c.n].subject == s)
            c.n++;
        at += c.n;
        if (stop_wanted())
            break;
        if (!run_case(w, &c))
            return false;
    }
    return true;
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
    struct sweeping w = {.plan = plan, .out = out};
    *out = (struct sweep_results){0};
    vec_foreach (const struct kase, k, cases)
        vec_push(a, &out->subjects, subject_make(k, plan->origins));
    out->arenas = arena_array(a, struct arena, out->subjects.len + 1);
    list_items(&w);
    w.progress = progress_start(out->items.len, "mutants");
    bool ok = run_cases(&w);
    progress_end(&w.progress);
    if (!ok)
        return false;
    keep_answered(&out->items);
    finish_witnesses(a, &out->items);
    finish_witnesses(a, &out->pairs);
    return true;
}

void sweep_free(struct sweep_results *r)
{
    for (size_t i = 0; r->arenas && i < r->subjects.len; i++)
        arena_free(&r->arenas[i]);
}
