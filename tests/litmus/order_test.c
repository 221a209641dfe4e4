/* SPDX-License-Identifier: MIT */
/*
 * The order of the contracts (docs/machine.md, Contracts): what a stronger one can show, a weaker
 * one can. Every final state of the stronger, with all registers, tiles and memory, is one of the
 * weaker. For the catalogue, generated tests and random ones, of which SOAK=N takes N times as
 * many.
 */
#include <fts.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/strbuf.h"
#include "litmus/generate/generate.h"
#include "sim/explore/explore.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/litmus/random_litmus.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { MAX_STATES = 40000, RANDOM_TESTS = 400, GENERATED_TESTS = 250 };

/* In topological order. sc cleans nothing: what it shows needs lines that leave on their own. */
enum model { SC, BENIGN, BLOCKING, FIFO, A2A3, EVICT, WEAKEST, REGISTER, POSTED, MODELS };
static const char *const models[MODELS] = {
    "sc",         "benign",  "a2a3-blocking",     "a2a3-fifo",        "a2a3",
    "a2a3-evict", "weakest", "st_dev = register", "ffts_set = posted"};

static const struct {
    enum model stronger, weaker;
    enum excuse excuse;
} pairs[] = {
    {BENIGN, A2A3, NO_EXCUSE},          {A2A3, BENIGN, NO_EXCUSE}, {FIFO, A2A3, NO_EXCUSE},
    {BLOCKING, A2A3, WAITS_AT_BARRIER}, {A2A3, EVICT, DIRTY_LINE}, {SC, EVICT, WAITS_AT_FLAG},
    {A2A3, REGISTER, NO_EXCUSE},        {A2A3, POSTED, NO_EXCUSE}, {EVICT, WEAKEST, NO_EXCUSE},
};

/* ---- final states ---- */

struct final {
    uint64_t hash;
    unsigned excuses; /* bits of enum excuse */
};

struct finals {
    const struct litmus_test *test;
    VEC(struct final) all;
    struct arena *arena;
    uint64_t wanted; /* hash of a state whose text is asked for, or 0 */
    const char *text;
};

static uint64_t hash_of(const struct machine *m, bool stuck)
{
    XXH3_state_t *h = XXH3_createState();
    XXH3_64bits_reset(h);
    XXH3_64bits_update(h, &stuck, sizeof stuck);
    for (int c = 0; c < m->program->ncores; c++) {
        const struct core *k = &m->cores[c];
        XXH3_64bits_update(h, k->regs, sizeof *k->regs * (size_t)k->code->nregs);
        XXH3_64bits_update(h, k->tiles, (size_t)k->code->tile_bytes);
    }
    for (int r = 0; r < m->program->nranks; r++)
        XXH3_64bits_update(h, m->gm[r], m->program->gm_bytes);
    uint64_t hash = XXH3_64bits_digest(h);
    XXH3_freeState(h);
    return hash;
}

static void on_final(void *ctx, const struct machine *m, bool stuck)
{
    struct finals *f = ctx;
    struct final x = {hash_of(m, stuck), stuck ? rig_excuses(m) : 0};
    vec_push(f->arena, &f->all, x);
    if (x.hash == f->wanted && !f->text)
        f->text = litmus_state(f->test, m, stuck, f->arena);
}

static int by_hash(const void *x, const void *y)
{
    uint64_t a = ((const struct final *)x)->hash, b = ((const struct final *)y)->hash;
    return (a > b) - (a < b);
}

/* False when a limit was hit. */
static bool explore_under(struct finals *f, const struct contract *k)
{
    struct explore_options o = {
        .threads = 1, .reduction = true, .max_states = MAX_STATES, .on_final = on_final, .ctx = f};
    struct explore_result r;
    f->all.len = 0;
    explore(f->test->program, litmus_contract(f->arena, k, f->test), &o, &r);
    if (f->all.len)
        qsort(f->all.items, f->all.len, sizeof *f->all.items, by_hash);
    return r.complete;
}

/* ---- comparing ---- */

struct order {
    struct arena arena;
    const struct contract *contracts[MODELS];
    int compared, skipped, failed;
};

/* a2a3 with a path of their own for st.dev, or with flags between cores that overtake stores. */
static const struct contract *changed(struct arena *a, enum model m)
{
    struct contract *k = arena_dup(a, rig_contract(a, "a2a3"), sizeof *k);
    if (m == REGISTER)
        k->st_dev = ST_DEV_REGISTER;
    else
        k->ffts_set = FFTS_SET_POSTED;
    return k;
}

static struct order order_new(void)
{
    struct order o = {0};
    for (int m = 0; m < MODELS; m++)
        o.contracts[m] =
            m >= REGISTER ? changed(&o.arena, (enum model)m) : rig_contract(&o.arena, models[m]);
    return o;
}

/* The first state of a that b lacks, or NULL. */
static const struct final *missing(const struct finals *a, const struct finals *b,
                                   enum excuse excuse)
{
    vec_foreach (const struct final, x, &a->all)
        if (!(excuse && x->excuses >> excuse & 1) &&
            (!b->all.len || !bsearch(x, b->all.items, b->all.len, sizeof *b->all.items, by_hash)))
            return x;
    return NULL;
}

static void report(struct order *o, const struct litmus_test *t, enum model stronger,
                   enum model weaker, uint64_t hash, struct arena *a)
{
    struct finals f = {.test = t, .arena = a, .wanted = hash};
    explore_under(&f, o->contracts[stronger]);
    o->failed++;
    cr_expect(false, "%s: '%s' under %s, not under %s:\n%s", t->name, f.text, models[stronger],
              models[weaker], litmus_print(a, t));
}

static void compare(struct order *o, const struct litmus_test *t)
{
    struct arena a = {0};
    struct finals f[MODELS];
    bool complete[MODELS];
    for (int m = 0; m < MODELS; m++) {
        f[m] = (struct finals){.test = t, .arena = &a};
        complete[m] = explore_under(&f[m], o->contracts[m]);
    }
    for (size_t p = 0; p < COUNT(pairs); p++) {
        const struct finals *stronger = &f[pairs[p].stronger], *weaker = &f[pairs[p].weaker];
        /* Without the weaker one's whole answer nothing can be missed. */
        if (!complete[pairs[p].weaker]) {
            o->skipped++;
            continue;
        }
        const struct final *x = missing(stronger, weaker, pairs[p].excuse);
        o->compared++;
        if (x)
            report(o, t, pairs[p].stronger, pairs[p].weaker, x->hash, &a);
    }
    arena_free(&a);
}

static void compare_text(struct order *o, const char *text)
{
    struct arena a = {0};
    compare(o, rig_test(&a, text));
    arena_free(&a);
}

/* Most answers are complete, or the comparison is worth little. */
static void done(struct order *o, const char *what)
{
    cr_expect(o->compared > 9 * o->skipped, "%s: %d pairs compared, %d not", what, o->compared,
              o->skipped);
    arena_free(&o->arena);
}

/* ---- what is compared ---- */

static void compare_file(struct order *o, const char *path)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct source *s = source_read(&a, path, &d);
    struct litmus_test *t = s ? litmus_parse(&a, s, rig_toolchain(&a, "ptoas-0.57"), &d) : NULL;
    cr_assert(t, "%s", diag_text(&d, &a));
    compare(o, t);
    vec_foreach (const struct litmus_label, l, &t->labels)
        compare(o, litmus_without(&a, t, l->name));
    arena_free(&a);
}

Test(order, catalogue, .timeout = 300)
{
    struct order o = order_new();
    char catalogue[] = "litmus/catalogue", *const folders[] = {catalogue, NULL};
    FTS *tree = fts_open(folders, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    cr_assert(tree);
    int files = 0;
    for (FTSENT *e; (e = fts_read(tree));)
        if (e->fts_info == FTS_F && strstr(e->fts_name, ".litmus")) {
            compare_file(&o, e->fts_path);
            files++;
        }
    fts_close(tree);
    cr_expect(files > 100, "%d files", files);
    done(&o, "catalogue");
}

Test(order, generated, .timeout = 3600)
{
    struct order o = order_new();
    struct arena a = {0};
    struct generated_tests g = litmus_generate(&a, GENERATE_MAX_EDGES, NULL);
    size_t n = (size_t)soaked(GENERATED_TESTS), of = g.tests.len;
    for (size_t i = 0; i < of; i++) /* as many, of all families */
        if (n >= of || i * n / of != (i + 1) * n / of)
            compare_text(&o, g.tests.items[i].text);
    arena_free(&a);
    done(&o, "generated tests");
}

Test(order, random, .timeout = 3600)
{
    struct order o = order_new();
    for (int seed = 1; seed <= soaked(RANDOM_TESTS) && !o.failed; seed++) {
        struct arena a = {0};
        compare_text(&o, random_litmus(&a, (uint64_t)seed));
        arena_free(&a);
    }
    done(&o, "random tests");
}
