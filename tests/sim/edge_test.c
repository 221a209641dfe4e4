/* SPDX-License-Identifier: MIT */
/*
 * The order that a finding says was not kept: the two accesses, and the notify, the wait or the end
 * of a task through which the program puts the one before the other.
 */
#include "base/strbuf.h"
#include "tests/sim/rig.h"

static const char *edge_text(const struct rig *r, const struct finding *f, struct arena *a)
{
    static const char *const kinds[] = {[EDGE_NONE] = "none",
                                        [EDGE_CORE] = "core",
                                        [EDGE_TASK] = "task",
                                        [EDGE_SIGNAL] = "signal",
                                        [EDGE_END] = "end"};
    const struct edge *e = &f->edge;
    const struct place way[] = {e->from, e->release, e->acquire, e->to};
    struct strbuf b = strbuf_make(a);
    strbuf_addf(&b, "%s, %s:", verdict_name(f->verdict), kinds[e->kind]);
    for (int i = 0; i < 4; i++)
        strbuf_addf(&b, "%s %s", i ? " >" : "", rig_place(r, way[i], a));
    return b.text;
}

struct edge_row {
    const char *name;
    void (*build)(struct builder *b);
    const char *script;
    const char *expected; /* the edges of the findings, sorted, one a line */
    struct key keys[ROW_KEYS];
};

static void expect_edges(struct rig *r, const struct edge_row *row)
{
    struct text_set seen = {.arena = &r->arena};
    int n;
    if (!rig_script(r, row->name, row->script))
        return;
    oracle_finish(r->oracle, r->machine);
    const struct finding *f = oracle_findings(r->oracle, &n);
    for (int i = 0; i < n; i++)
        text_set_add(&seen, edge_text(r, &f[i], &r->arena));
    struct strbuf b = strbuf_make(&r->arena);
    for (size_t i = 0; i < seen.items.len; i++)
        strbuf_addf(&b, "%s\n", seen.items.items[i]);
    expect_text(row->name, b.text ? b.text : "", row->expected);
}

/* ---- through signals ---- */

/* Two notifies follow the store; the reader waits for both, one after the other. */
static void two_notifies(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1), g = var(b, "g", 1);
    core(b, 0);
    st(b, on(x, 1), 1);
    post_add(b, on(g, 1), 1);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    wait_ge(b, g, 1);
    ld_dev(b, 0, x);
}

/* Through a third core: its notify is not the writer's, its wait not the reader's. */
static void relayed(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1), g = var(b, "g", 1);
    b->nranks = 3;
    core(b, 0);
    st(b, on(x, 2), 1);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    post_add(b, on(g, 2), 1);
    core(b, 2);
    wait_ge(b, g, 1);
    ld_dev(b, 0, x);
}

/* The read is overtaken by the write that its own notify lets go. */
static void overrun(struct builder *b)
{
    struct loc x = var(b, "x", 1), g = var(b, "g", 1);
    core(b, 0);
    wait_ge(b, g, 1);
    st_dev(b, on(x, 1), 2);
    core(b, 1);
    mte2(b, tile(b, 1), x);
    post_add(b, on(g, 0), 1);
}

/* An older store of another core lands behind the newer one. */
static void late_store(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    put(b, on(x, 1), 1);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    st_dev(b, x, 2);
}

/* A line that was made dirty before the peer may write its neighbour goes back after that. */
static void dirtied_before(struct builder *b)
{
    struct loc x = var(b, "x", 2), g = var(b, "g", 1);
    core(b, 0);
    wait_ge(b, g, 1);
    st_dev(b, on(x, 1), 1);
    core(b, 1);
    st(b, word(x, 1), 9);
    post_add(b, on(g, 0), 1);
    dcci_all(b);
}

/* A line that was read before the peer wrote its neighbour is made dirty after that. */
static void dirtied_after(struct builder *b)
{
    struct loc x = var(b, "x", 2), s = var(b, "s", 1);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    ld(b, 0, word(x, 1));
    wait_ge(b, s, 1);
    st(b, word(x, 1), 9);
    dcci_all(b);
}

/* Nothing orders the two owners of a line. */
static void two_owners(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    core(b, 1);
    st(b, word(x, 1), 9);
    dcci_all(b);
}

static void two_adds(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    mte3_add(b, on(x, 1), tile(b, 1));
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    st_dev(b, x, 2);
}

/* ---- on one core ---- */

static void own_store(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    put(b, x, 1);
    ld_dev(b, 0, x);
}

static void stays_dirty(struct builder *b)
{
    core(b, 0);
    st(b, var(b, "x", 1), 1);
}

/* In a later task of the same core. */
static void next_task(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    task(b, "store");
    put(b, x, 1);
    task(b, "load");
    ld_dev(b, 0, x);
}

static void tile_read_early(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    mte3(b, on(x, 1), t);
}

#define STALE_SIGNAL "stale read, signal: P0 st x > "

static const struct edge_row rows[] = {
    {"the notify that was waited for first",
     two_notifies,
     "s0 s0 s0 s0 s0 sc.0>1 sc.0>1 s1 s1 s1 s1 s1 run",
     "lost write, end: P0 st x > - > - > -\n" STALE_SIGNAL
     "P0 st.atomic s > P1 poll s > P1 ld.dev x\n",
     {{0}}},
    {"the writer's notify and the reader's wait",
     relayed,
     "run",
     "lost write, end: P0 st x > - > - > -\n" STALE_SIGNAL
     "P0 st.atomic s > P2 poll g > P2 ld.dev x\n",
     {{0}}},
    {"the reader's notify and the writer's wait",
     overrun,
     "s1 s1 s1 sc.1>0 s0 s0 s0 sc.0>1 mte2.1",
     "overrun read, signal: P1 mte2 x > P1 st.atomic g > P0 poll g > P0 st.dev x\n",
     {{0}}},
    {"the older store, to the newer one",
     late_store,
     "s0 s0 s0 s0 sc.0>1 s1 s1 s1 sc.1>1 mte3.0 dma.0>1",
     "lost write, signal: P0 mte3 x > P0 st.atomic s > P1 poll s > P1 st.dev x\n",
     {{0}}},
    {"the older add, to the store",
     two_adds,
     "s0 s0 s0 sc.0>1 s1 s1 s1 sc.1>1 mte3.0 dma.0>1",
     "lost write, signal: P0 mte3 x > P0 st.atomic s > P1 poll s > P1 st.dev x\n",
     {{0}}},
    {"what made the line dirty, to what it erased",
     dirtied_before,
     "s1 s1 s1 sc.1>0 s0 s0 s0 sc.0>1 s1 sc.1>1",
     "lost write, signal: P1 st x[1] > P1 st.atomic g > P0 poll g > P0 st.dev x\n",
     {{0}}},
    {"what it erased, to what made the line dirty",
     dirtied_after,
     "s1 s0 sc.0>1 s0 s0 sc.0>1 s1 s1 s1 s1 sc.1>1",
     "lost write, signal: P0 st.dev x > P0 st.atomic s > P1 poll s > P1 st x[1]\n",
     {{0}}},
    {"no order was broken where there was none",
     two_owners,
     "s1 s0 sc.0>1 s1 sc.1>1",
     "lost write, none: - > - > - > -\n",
     {{0}}},
    {"on one core",
     own_store,
     "s0 s0 s0 run",
     "stale read, core: P0 mte3 x > - > - > P0 ld.dev x\n",
     {{0}}},
    {"the end of the run", stays_dirty, "run end", "lost write, end: P0 st x > - > - > -\n", {{0}}},
    {"a task ended between them",
     next_task,
     "s0 s0 s0 s0 s0 run",
     "stale read, task: P0 mte3 x > - > - > P0 ld.dev x\n",
     {{0}}},
    {"two operations on a tile",
     tile_read_early,
     "s0 s0 mte3.0 run",
     "stale read, core: P0 mte2 x > - > - > P0 mte3 x\n",
     {{0}}},
};

Test(edge, of_each_kind)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig r;
        rig_open(&r, rows[i].build, "a2a3", rows[i].keys, true);
        expect_edges(&r, &rows[i]);
        rig_close(&r);
    }
}
