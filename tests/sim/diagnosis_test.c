/* SPDX-License-Identifier: MIT */
/*
 * The markers that are proposed for a finding, by the order that was not kept and by where the
 * fresh value was. The programs are never run here: tests/sim/edge_test.c and oracle_test.c say
 * what a finding is, the remedy suites of tests/bench which of the proposals repair it.
 */
#include <string.h>

#include "base/strbuf.h"
#include "sim/diagnosis.h"
#include "tests/sim/rig.h"

/* ---- programs ---- */

/* What is stored: by scalar or by DMA, with markers behind it or not. */
static void store(struct builder *b)
{
    st(b, var(b, "x", 1), 1);
}

static void dma_store(struct builder *b)
{
    put(b, var(b, "x", 1), 1);
}

static void drained_store(struct builder *b)
{
    dma_store(b);
    barrier(b, PIPE_ALL);
}

static void undrained_store(struct builder *b)
{
    dma_store(b);
    dsb(b);
}

static void fenced_store(struct builder *b)
{
    drained_store(b);
    dsb(b);
}

static void cleaned_store(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    st(b, x, 1);
    dcci(b, x);
}

static struct loc x_of(const struct builder *b)
{
    return (struct loc){b->regions.items[0].offset, OWN, 0};
}

/* One core that accesses what it stored. */
static void one_core(struct builder *b, void (*stores)(struct builder *b), enum insn_op reads)
{
    core(b, 0);
    stores(b);
    if (reads == I_MTE2)
        mte2(b, tile(b, 1), x_of(b));
    else
        ld(b, 0, x_of(b));
}

static void dma_then_dma(struct builder *b)
{
    one_core(b, dma_store, I_MTE2);
}

static void scalar_then_dma(struct builder *b)
{
    one_core(b, store, I_MTE2);
}

static void dma_then_scalar(struct builder *b)
{
    one_core(b, dma_store, I_LD);
}

static void invalidated_too_early(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    put(b, x, 1);
    dcci(b, x);
    barrier(b, PIPE_ALL);
    dsb(b);
    ld(b, 0, x);
}

/* Two tasks: of one core, or of two. */
static void two_tasks(struct builder *b, void (*stores)(struct builder *b), bool apart)
{
    core(b, 0);
    task(b, "produce");
    stores(b);
    if (apart)
        core(b, 1);
    task(b, "consume");
    ld(b, 0, x_of(b));
}

static void next_task_dma(struct builder *b)
{
    two_tasks(b, dma_store, false);
}

static void next_task_drained(struct builder *b)
{
    two_tasks(b, drained_store, false);
}

static void other_core_scalar(struct builder *b)
{
    two_tasks(b, store, true);
}

static void other_core_cleaned(struct builder *b)
{
    two_tasks(b, cleaned_store, true);
}

/* Two ranks, a notify and a wait. */
static void two_ranks(struct builder *b, void (*stores)(struct builder *b), bool cached)
{
    core(b, 0);
    stores(b);
    struct loc s = var(b, "s", 1);
    st_atomic(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    if (cached)
        ld(b, 0, on(x_of(b), 0));
    else
        ld_dev(b, 0, on(x_of(b), 0));
}

static void scalar_notify(struct builder *b)
{
    two_ranks(b, store, true);
}

static void dma_notify(struct builder *b)
{
    two_ranks(b, dma_store, false);
}

static void undrained_notify(struct builder *b)
{
    two_ranks(b, undrained_store, false);
}

static void fenced_notify(struct builder *b)
{
    two_ranks(b, fenced_store, true);
}

/* A read, and the notify that lets its buffer go. */
static void credit(struct builder *b, bool queued)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    if (queued)
        mte2(b, tile(b, 1), x);
    else
        ld(b, 0, x);
    st_atomic(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    st_dev(b, on(x, 0), 1);
}

static void queued_credit(struct builder *b)
{
    credit(b, true);
}

static void scalar_credit(struct builder *b)
{
    credit(b, false);
}

static void read_then_store(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    mte2(b, tile(b, 1), x);
    mte3(b, x, tile(b, 1));
}

static void tile_to_pipe(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    mte3(b, on(x, 1), t);
}

static void tile_to_scalar(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    tile_ld(b, 0, t, 0);
}

static void without_free_flags(struct builder *b)
{
    tile_to_pipe(b);
    for (int id = 0; id < MAX_FLAG_IDS; id++) {
        set_flag(b, PIPE_MTE2, PIPE_MTE3, id);
        wait_flag(b, PIPE_MTE2, PIPE_MTE3, id);
    }
}

/* A line with two owners. */
static void two_owners(struct builder *b)
{
    struct loc x = var(b, "x", 2), g = var(b, "g", 1);
    core(b, 0);
    st(b, word(x, 1), 9);
    st_atomic(b, on(g, 1), 1);
    core(b, 1);
    wait_ge(b, g, 1);
    st_dev(b, on(x, 0), 1);
}

/* ---- the table ---- */

/*
 * A candidate is its steps, one after the other: a letter for the marker (F flag pair, C clean, D
 * drain, S dsb, I invalidate; * of the whole cache), < in front of or > behind a place: f and t are
 * the two accesses, r the notify, a the wait or the start of a task, e the end of f's task.
 */
struct diagnosis_row {
    const char *name;
    void (*build)(struct builder *b);
    enum edge_kind kind;
    const char *way[4]; /* f, r, a, t, as rig_place spells them; NULL: none */
    enum where where;
    bool late, tile;
    const char *proved, *sampled; /* candidates, in order; "" : none */
    const char *text;             /* the first of the sampled ones in words */
};

enum way { FROM, RELEASE, ACQUIRE, TO };

static struct place named(const struct rig *r, const char *text, struct arena *a)
{
    for (int c = 0; text && c < r->program->ncores; c++)
        for (int i = 0; i < r->program->cores[c].code->count; i++)
            if (!strcmp(rig_place(r, PLACE(c, i), a), text))
                return PLACE(c, i);
    cr_assert(!text, "no '%s'", text);
    return NOWHERE;
}

static struct finding finding_of(const struct rig *r, const struct diagnosis_row *row,
                                 struct arena *a)
{
    return (struct finding){.verdict = V_STALE_READ,
                            .where = row->where,
                            .late = row->late,
                            .tile = -1,
                            .edge = {.kind = row->kind,
                                     .tile = row->tile,
                                     .from = named(r, row->way[FROM], a),
                                     .to = named(r, row->way[TO], a),
                                     .release = named(r, row->way[RELEASE], a),
                                     .acquire = named(r, row->way[ACQUIRE], a)}};
}

static bool same(struct place x, struct place y)
{
    return x.core == y.core && x.insn == y.insn;
}

static char letter_of(const struct edge *e, struct place at)
{
    return same(at, e->from)      ? 'f'
           : same(at, e->to)      ? 't'
           : same(at, e->release) ? 'r'
           : same(at, e->acquire) ? 'a'
                                  : 'e';
}

static void add_candidate(struct strbuf *b, const struct edge *e, const struct remedy *x)
{
    strbuf_add(b, b->len ? ", " : "");
    for (int i = 0; i < x->nsteps; i++) {
        const struct remedy_step *s = &x->steps[i];
        strbuf_addf(b, "%s%c%s%c%c", i ? " " : "", "FCDSI"[s->marker], s -> all ? "*" : "",
                    s->behind ? '>' : '<', letter_of(e, s->at));
    }
}

static const char *candidates(const struct rig *r, const struct finding *f, bool proved,
                              struct remedy *list, size_t *n, struct arena *a)
{
    struct strbuf b = strbuf_make(a);
    *n = diagnose(r->program, &r->contract, f, proved, list);
    for (size_t i = 0; i < *n; i++)
        add_candidate(&b, &f->edge, &list[i]);
    return b.text ? b.text : "";
}

#define X_DMA   "P0 mte3 x"
#define X_ST    "P0 st x"
#define X_LD    "P0 ld x"
#define X_MTE2  "P0 mte2 x"
#define NOTIFY  "P0 st.atomic s"
#define WAIT    "P1 poll s"
#define PEER_LD "P1 ld x"

/* A flag between cores as the signal: set in another pipe than that which stores. */
static void by_flag(struct builder *b, void (*stores)(struct builder *b), bool cached)
{
    lane(b, 0, 0, LANE_AIC);
    stores(b);
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, 0);
    lane(b, 0, 0, LANE_AIV0);
    wait_cross(b, 0);
    if (cached)
        ld(b, 0, x_of(b));
    else
        ld_dev(b, 0, x_of(b));
}

static void dma_flag(struct builder *b)
{
    by_flag(b, dma_store, false);
}

static void fenced_flag(struct builder *b)
{
    by_flag(b, fenced_store, true);
}

static const struct diagnosis_row rows[] = {
    /* One core: what was read is not in its cache, so that nothing is to be invalidated. */
    {"two pipes of a core",
     dma_then_dma,
     EDGE_CORE,
     {X_DMA, NULL, NULL, X_MTE2},
     W_QUEUED,
     false,
     false,
     "F<t, D<t, D>f, D<t S<t, D>f S>f, S<t, S>f",
     "D<t S<t, D>f S>f, F<t, D<t, D>f, S<t, S>f",
     "missing drain (barrier all) and fence (dsb) between the write (line 2) and the read (line 3) "
     "of the same core"},
    {"a store in the cache has no pipe to drain",
     scalar_then_dma,
     EDGE_CORE,
     {X_ST, NULL, NULL, X_MTE2},
     W_DIRTY,
     false,
     false,
     "C>f, C>f S>f, S<t, S>f",
     "C>f S>f, C>f, S<t, S>f",
     "missing clean (cacheinvalid of the written line) and fence (dsb) between the write (line 1) "
     "and the read (line 2) of the same core"},
    {"a DMA store is in no cache: nothing to clean",
     dma_then_scalar,
     EDGE_CORE,
     {X_DMA, NULL, NULL, X_LD},
     W_OLD_LINE,
     false,
     false,
     "I<t, S<t I<t, S>f I<t, D<t I<t, D>f I<t, D<t S<t I<t, D>f S>f I<t, "
     "D<t, D>f, S<t, S>f, D<t S<t, D>f S>f",
     "D<t S<t I<t, D>f S>f I<t, D<t S<t, D>f S>f, I<t, S<t I<t, S>f I<t, D<t I<t, D>f I<t, "
     "D<t, D>f, S<t, S>f",
     "missing drain (barrier all), fence (dsb) and invalidate (cacheinvalid) between the write "
     "(line 2) and the read (line 3) of the same core"},
    {"a prefetch behind the invalidate: only another one",
     invalidated_too_early,
     EDGE_CORE,
     {X_DMA, NULL, NULL, X_LD},
     W_OLD_LINE,
     false,
     false,
     "I<t, S<t I<t, S>f I<t, D<t I<t, D>f I<t, D<t S<t I<t, D>f S>f I<t, "
     "D<t, D>f, S<t, S>f, D<t S<t, D>f S>f",
     "I<t, S<t I<t, S>f I<t, D<t I<t, D>f I<t, D<t S<t I<t, D>f S>f I<t, "
     "D<t, D>f, S<t, S>f, D<t S<t, D>f S>f",
     "missing invalidate (cacheinvalid) between the write (line 2) and the read (line 6) of the "
     "same core"},
    {"a queued read and the store behind it: no fence",
     read_then_store,
     EDGE_CORE,
     {X_MTE2, NULL, NULL, X_DMA},
     W_NONE,
     false,
     false,
     "F<t, D<t, D>f",
     "F<t, D<t, D>f",
     "missing flag pair (mte2 to mte3) between the read (line 1) and the write (line 2) of the "
     "same core"},
    /* Tiles have no address: nothing of them is in flight, or in a cache. */
    {"a tile between two pipes",
     tile_to_pipe,
     EDGE_CORE,
     {X_MTE2, NULL, NULL, X_DMA},
     W_TILE,
     false,
     true,
     "F<t, D<t, D>f",
     "F<t, D<t, D>f",
     "missing flag pair (mte2 to mte3) between mte2 x (line 1) and mte3 x (line 2) of the same "
     "core"},
    {"a tile that a pipe reads and the next one writes",
     tile_to_pipe,
     EDGE_CORE,
     {X_DMA, NULL, NULL, X_MTE2},
     W_TILE,
     false,
     true,
     "F<t, D<t, D>f",
     "F<t, D<t, D>f",
     "missing flag pair (mte3 to mte2) between mte3 x (line 2) and mte2 x (line 1) of the same "
     "core"},
    {"a tile and the scalar unit",
     tile_to_scalar,
     EDGE_CORE,
     {X_MTE2, NULL, NULL, "P0 tile.ld"},
     W_TILE,
     false,
     true,
     "F<t, D<t, D>f",
     "F<t, D<t, D>f",
     "missing flag pair (mte2 to s) between mte2 x (line 1) and tile.ld (line 2) of the same core"},
    {"no flag where all are taken",
     without_free_flags,
     EDGE_CORE,
     {X_MTE2, NULL, NULL, X_DMA},
     W_TILE,
     false,
     true,
     "D<t, D>f",
     "D<t, D>f",
     "missing drain (barrier all) between mte2 x (line 1) and mte3 x (line 2) of the same core"},
    /* Tasks: the end of the first one, no notify. */
    {"the next task of the core",
     next_task_dma,
     EDGE_TASK,
     {X_DMA, NULL, NULL, X_LD},
     W_IN_FLIGHT,
     true,
     false,
     "D<e, D>f, D<e S<e, D>f S>f, D<e I<t, D>f I<t, D<e S<e I<t, D>f S>f I<t, "
     "S<e, S>f, I<t, S<e I<t, S>f I<t",
     "D<e S<e, D>f S>f, D<e S<e I<t, D>f S>f I<t, D<e, D>f, D<e I<t, D>f I<t, "
     "S<e, S>f, I<t, S<e I<t, S>f I<t",
     "missing drain (barrier all) and fence (dsb) between the write (line 3) and the end of its "
     "task 'produce'"},
    {"a task that drains lacks no drain",
     next_task_drained,
     EDGE_TASK,
     {X_DMA, NULL, NULL, X_LD},
     W_IN_FLIGHT,
     false,
     false,
     "S<e, S>f, D<e S<e, D>f S>f, S<e I<t, S>f I<t, D<e S<e I<t, D>f S>f I<t, "
     "D<e, D>f, I<t, D<e I<t, D>f I<t",
     "S<e, D<e S<e, D>f S>f, S<e I<t, D<e S<e I<t, D>f S>f I<t, S>f, S>f I<t, "
     "D<e, D>f, I<t, D<e I<t, D>f I<t",
     "missing fence (dsb) between the write (line 3) and the end of its task 'produce'"},
    {"a task of another core",
     other_core_scalar,
     EDGE_TASK,
     {X_ST, NULL, "P1 task", PEER_LD},
     W_DIRTY,
     false,
     false,
     "C*<e, C>f, C*<e S<e, C>f S>f, C*<e I<t, C>f I<t, C*<e S<e I<t, C>f S>f I<t, "
     "S<e, S>f, I<t, S<e I<t, S>f I<t",
     "C*<e S<e, C>f S>f, C*<e S<e I<t, C>f S>f I<t, C*<e, C>f, C*<e I<t, C>f I<t, "
     "S<e, S>f, I<t, S<e I<t, S>f I<t",
     "missing clean (cacheinvalid) and fence (dsb) between the write (line 2) and the end of its "
     "task 'produce'"},
    {"a task that cleans and does not wait lacks no clean",
     other_core_cleaned,
     EDGE_TASK,
     {X_ST, NULL, "P1 task", PEER_LD},
     W_IN_FLIGHT,
     false,
     false,
     "S<e, S>f, C*<e S<e, C>f S>f, S<e I<t, S>f I<t, C*<e S<e I<t, C>f S>f I<t, "
     "C*<e, C>f, I<t, C*<e I<t, C>f I<t",
     "S<e, C*<e S<e, C>f S>f, S<e I<t, C*<e S<e I<t, C>f S>f I<t, S>f, S>f I<t, "
     "C*<e, C>f, I<t, C*<e I<t, C>f I<t",
     "missing fence (dsb) between the write (line 2) and the end of its task 'produce'"},
    /* Ranks: up to the notify, and behind the wait. */
    {"a scalar store, and a load that keeps lines",
     scalar_notify,
     EDGE_SIGNAL,
     {X_ST, NOTIFY, WAIT, PEER_LD},
     W_DIRTY,
     false,
     false,
     "C>f, C>f S>f, C>f I*>a, C>f I<t, C>f S>f I*>a, C>f S>f I<t, "
     "S<r, S>f, I*>a, I<t, S<r I*>a, S>f I<t",
     "C>f S>f, C>f S>f I*>a, C>f S>f I<t, C>f, C>f I*>a, C>f I<t, "
     "S<r, S>f, I*>a, I<t, S<r I*>a, S>f I<t",
     "missing clean (cacheinvalid of the written line) and fence (dsb) between the write (line 1) "
     "and the notify (line 2)"},
    {"a DMA store, and a load past the cache",
     dma_notify,
     EDGE_SIGNAL,
     {X_DMA, NOTIFY, WAIT, "P1 ld.dev x"},
     W_IN_FLIGHT,
     false,
     false,
     "S<r, S>f, D<r S<r, D>f S>f, D<r, D>f",
     "D<r S<r, D>f S>f, S<r, S>f, D<r, D>f",
     "missing drain (barrier all) and fence (dsb) between the write (line 2) and the notify (line "
     "3)"},
    {"a flag between cores, set by another pipe",
     dma_flag,
     EDGE_SIGNAL,
     {X_DMA, "P0 set_cross", "P0.1 wait_cross", "P0.1 ld.dev x"},
     W_QUEUED,
     false,
     false,
     "D<r, D>f, D<r S<r, D>f S>f, S<r, S>f",
     "D<r S<r, D>f S>f, D<r, D>f, S<r, S>f",
     "missing drain (barrier all) and fence (dsb) between the write (line 2) and the set of the "
     "flag "
     "(line 3)"},
    {"an old line behind a flag between cores",
     fenced_flag,
     EDGE_SIGNAL,
     {X_DMA, "P0 set_cross", "P0.1 wait_cross", "P0.1 ld x"},
     W_OLD_LINE,
     false,
     false,
     "I*>a, I<t, S<r I*>a, S>f I<t, D<r I*>a, D>f I<t, D<r S<r I*>a, D>f S>f I<t, "
     "D<r, D>f, S<r, S>f, D<r S<r, D>f S>f",
     "I*>a, I<t, S<r I*>a, S>f I<t, D<r I*>a, D>f I<t, D<r S<r I*>a, D>f S>f I<t, "
     "D<r, D>f, S<r, S>f, D<r S<r, D>f S>f",
     "missing invalidate (cacheinvalid) between the wait (line 1) and the read (line 2)"},
    {"posted only after the notify: the drain first",
     dma_notify,
     EDGE_SIGNAL,
     {X_DMA, NOTIFY, WAIT, "P1 ld.dev x"},
     W_IN_FLIGHT,
     true,
     false,
     "D<r, D>f, D<r S<r, D>f S>f, S<r, S>f",
     "D<r S<r, D>f S>f, D<r, D>f, S<r, S>f",
     "missing drain (barrier all) and fence (dsb) between the write (line 2) and the notify (line "
     "3)"},
    {"a drain in front of the fence that is there",
     undrained_notify,
     EDGE_SIGNAL,
     {X_DMA, NOTIFY, WAIT, "P1 ld.dev x"},
     W_IN_FLIGHT,
     true,
     false,
     "D<r, D>f, D<r S<r, D>f S>f, S<r, S>f",
     "D>f, D<r S<r, D>f S>f, D<r, S<r, S>f",
     "missing drain (barrier all) between the write (line 2) and the notify (line 4)"},
    {"an old line behind a fence",
     fenced_notify,
     EDGE_SIGNAL,
     {X_DMA, NOTIFY, WAIT, PEER_LD},
     W_OLD_LINE,
     false,
     false,
     "I*>a, I<t, S<r I*>a, S>f I<t, D<r I*>a, D>f I<t, D<r S<r I*>a, D>f S>f I<t, "
     "D<r, D>f, S<r, S>f, D<r S<r, D>f S>f",
     "I*>a, I<t, S<r I*>a, S>f I<t, D<r I*>a, D>f I<t, D<r S<r I*>a, D>f S>f I<t, "
     "D<r, D>f, S<r, S>f, D<r S<r, D>f S>f",
     "missing invalidate (cacheinvalid) between the wait (line 1) and the read (line 2)"},
    {"a queued read and its credit: only a drain",
     queued_credit,
     EDGE_SIGNAL,
     {X_MTE2, NOTIFY, WAIT, "P1 st.dev x"},
     W_NONE,
     false,
     false,
     "D<r, D>f",
     "D<r, D>f",
     "missing drain (barrier all) between the read (line 1) and the notify that lets the buffer "
     "go (line 2)"},
    {"a scalar read has ended when its credit goes",
     scalar_credit,
     EDGE_SIGNAL,
     {X_LD, NOTIFY, WAIT, "P1 st.dev x"},
     W_NONE,
     false,
     false,
     "",
     "",
     NULL},
    /* The end of the run; two owners of a line; no order at all. */
    {"what nobody cleans",
     scalar_then_dma,
     EDGE_END,
     {X_ST, NULL, NULL, NULL},
     W_DIRTY,
     false,
     false,
     "C>f, C>f S>f, S>f",
     "C>f, C>f S>f, S>f",
     "missing clean (cacheinvalid of the written line) behind the write (line 1)"},
    {"a line written back over its neighbour: of the later owner too",
     two_owners,
     EDGE_SIGNAL,
     {"P0 st x[1]", "P0 st.atomic g", "P1 poll g", "P1 st.dev x"},
     W_OVERWRITTEN,
     false,
     false,
     "C>f, S<r, S>f, C>f S>f, S>t",
     "C>f S>f, C>f, S<r, S>f, S>t",
     "missing clean (cacheinvalid of the written line) and fence (dsb) between the write (line 1) "
     "and the notify (line 2)"},
    {"a race has no order to keep",
     scalar_credit,
     EDGE_NONE,
     {NULL},
     W_NONE,
     false,
     false,
     "",
     "",
     NULL},
};

Test(diagnosis, candidates)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct diagnosis_row *row = &rows[i];
        struct rig r;
        struct remedy list[REMEDY_CANDIDATES];
        size_t n;
        rig_open(&r, row->build, "a2a3", NULL, false);
        struct finding f = finding_of(&r, row, &r.arena);
        expect_text(row->name, candidates(&r, &f, true, list, &n, &r.arena), row->proved);
        expect_text(row->name, candidates(&r, &f, false, list, &n, &r.arena), row->sampled);
        cr_expect((n > 0) == (row->text != NULL), "%s", row->name);
        if (n && row->text)
            expect_text(row->name, remedy_text(r.program, &list[0], &r.arena), row->text);
        rig_close(&r);
    }
}

/* ---- what no marker repairs ---- */

static const struct {
    const char *name;
    enum verdict verdict;
    enum where where;
    const char *producer, *reader, *text;
} advice[] = {
    {"a write and a read that race", V_RACE, W_NONE, X_ST, X_MTE2,
     "the program's own order is missing: no marker helps, only synchronisation of the two"},
    {"two writes that race", V_RACE, W_NONE, X_ST, X_ST,
     "the program's own order is missing: no marker helps, only synchronisation of the two, or two "
     "atomic adds"},
    {"erased by a race", V_STALE_READ, W_RACED, X_ST, X_MTE2,
     "the program's own order is missing: no marker helps, only synchronisation of the two"},
    {"a shared line", V_STALE_READ, W_OVERWRITTEN, X_ST, X_MTE2,
     "line sharing: no marker helps, give the data lines of their own"},
    {"a signal lost on a shared line", V_HANG, W_OVERWRITTEN, X_ST, X_MTE2,
     "line sharing: no marker helps, give the data lines of their own"},
    {"a value that was passed", V_HANG, W_PASSED, NULL, X_MTE2,
     "no marker: a wait with == misses a value that goes on changing"},
    {"a wait in front of its own notify", V_HANG, W_BEHIND, X_ST, X_MTE2,
     "no marker: what it waits for must be set before it"},
    {"a victim", V_DEADLOCK, W_WAITING, X_ST, X_MTE2,
     "none of its own: what would set it waits itself"},
    {"nothing sets it", V_HANG, W_NEVER, NULL, X_MTE2,
     "none of its own: the program lacks what would set it, or another finding kept that from "
     "coming"},
    {"too far to follow", V_HANG, W_NONE, NULL, X_MTE2,
     "not known: what would end the wait could not be followed"},
    {"out of bounds", V_OUT_OF_BOUNDS, W_NONE, NULL, X_MTE2,
     "no marker: the program computes this index"},
    {"uninitialised", V_UNINITIALISED, W_NONE, NULL, X_MTE2,
     "no marker: nothing writes it before this read"},
    {"misaligned", V_MISALIGNED, W_NONE, NULL, X_MTE2,
     "no marker: the program computes this address"},
    {"flag overflow", V_FLAG_OVERFLOW, W_NONE, NULL, X_MTE2,
     "no marker: who sets the flag must wait for its being taken, as the ring of tpush does for "
     "credits"},
    {"a flag set twice", V_REDUNDANT_FLAG, W_NONE, X_ST, X_ST,
     "no marker: one of the two is too many, or they need ids of their own"},
    {"a flag left up", V_UNPAIRED_FLAG, W_NONE, NULL, X_ST,
     "no marker: a wait_flag for it is missing, or the set is one too many"},
    {"a flag between cores left up", V_UNPAIRED_CROSS, W_NONE, NULL, X_ST,
     "no marker: the lanes must set and wait equally often, whatever way they take"},
    {"a mode left on", V_MODE_LEFT, W_NONE, NULL, X_ST,
     "no marker: the mode must be set back before the task ends, on every way through it"},
    {"time-out", V_TIMEOUT, W_NONE, NULL, NULL,
     "no marker: a loop has no end, or --max-transitions=N must allow longer runs"},
    {"wrong result", V_WRONG_RESULT, W_NONE, NULL, NULL,
     "no marker: the result depends on an order that the program leaves open"},
};

Test(diagnosis, advice)
{
    struct rig r;
    rig_open(&r, scalar_then_dma, "a2a3", NULL, false);
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        struct finding f = {.verdict = advice[i].verdict,
                            .where = advice[i].where,
                            .producer = named(&r, advice[i].producer, &r.arena),
                            .reader = named(&r, advice[i].reader, &r.arena)};
        expect_text(advice[i].name, finding_advice(r.program, &f, &r.arena), advice[i].text);
    }
    rig_close(&r);
}

/* A flag between cores is what orders lanes. */
Test(diagnosis, a_race_of_lanes)
{
    struct rig r;
    rig_open(&r, dma_flag, "a2a3", NULL, false);
    struct finding f = {.verdict = V_RACE,
                        .producer = named(&r, X_DMA, &r.arena),
                        .reader = named(&r, "P0.1 ld.dev x", &r.arena)};
    const char *text = finding_advice(r.program, &f, &r.arena);
    cr_expect(strstr(text, "sync_set") && strstr(text, "sync_wait"), "%s", text);
    rig_close(&r);
}
