/* SPDX-License-Identifier: MIT */
/*
 * Each verdict (docs/machine.md): a program that has it, and the nearly identical one that has not.
 * The verdicts of a program are those of all its schedules, or, where those are too many, of many
 * random ones.
 */
#include "tests/sim/rig.h"

enum { RANDOM_RUNS = 400, MAX_RUNS = 2000000 };

struct verdict_row {
    const char *name;
    void (*build)(struct builder *b);
    const char *expected; /* rig_verdicts of all runs, joined; "-": none */
    struct key keys[ROW_KEYS];
};
#define VERDICTS(name, build, expected, ...)                                                       \
    {                                                                                              \
        name, build, expected,                                                                     \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static void add_verdicts(struct rig *r, void *ctx)
{
    oracle_finish(r->oracle, r->machine);
    cr_expect(oracle_checked(r->oracle) > 0, "nothing was checked");
    rig_verdicts(r, ctx);
}

static void expect_over_all(const struct verdict_row *row)
{
    struct rig r;
    rig_open(&r, row->build, "a2a3", row->keys, true);
    struct text_set seen = {.arena = &r.arena};
    cr_expect(rig_explore(&r, false, MAX_RUNS, add_verdicts, &seen), "%s: too many runs",
              row->name);
    expect_text(row->name, text_set_join(&seen), row->expected);
    rig_close(&r);
}

static void expect_over_random(const struct verdict_row *row)
{
    struct rig r;
    rig_open(&r, row->build, "a2a3", row->keys, true);
    struct text_set seen = {.arena = &r.arena};
    for (uint64_t seed = 1; seed <= RANDOM_RUNS; seed++) {
        struct drive_options o = {.seed = seed};
        struct drive_result result = {0};
        machine_reset(r.machine);
        drive_random(r.machine, &o, &result);
        add_verdicts(&r, &seen);
    }
    expect_text(row->name, text_set_join(&seen), row->expected);
    rig_close(&r);
}

#define EXPECT(rows, how)                                                                          \
    for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++)                                     \
    how(&(rows)[i])

/* A directed schedule and the findings with their places, one a line. */
struct report_row {
    const char *name;
    void (*build)(struct builder *b);
    const char *script;
    const char *expected;
    struct key keys[ROW_KEYS];
};
#define REPORT(name, build, script, expected, ...)                                                 \
    {                                                                                              \
        name, build, script, expected,                                                             \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static void expect_reports(const struct report_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct rig r;
        rig_open(&r, rows[i].build, "a2a3", rows[i].keys, true);
        if (rig_script(&r, rows[i].name, rows[i].script)) {
            oracle_finish(r.oracle, r.machine);
            expect_text(rows[i].name, rig_findings(&r, &r.arena), rows[i].expected);
        }
        rig_close(&r);
    }
}

#define EXPECT_REPORTS(rows) expect_reports(rows, sizeof(rows) / sizeof *(rows))

/* ---- message passing: a DMA store, then a notify (hw-facts H5, H6) ---- */

static void dma_message(struct builder *b, bool drain, bool fence)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    put(b, on(x, 1), 1);
    if (drain)
        barrier(b, PIPE_ALL);
    if (fence)
        dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    ld(b, 0, x);
}

static void dma_marked(struct builder *b)
{
    dma_message(b, true, true);
}

static void dma_undrained(struct builder *b)
{
    dma_message(b, false, true);
}

static void dma_unfenced(struct builder *b)
{
    dma_message(b, true, false);
}

static void dma_fence3(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    put(b, on(x, 1), 1);
    barrier(b, PIPE_MTE3);
    dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    ld(b, 0, x);
}

static const struct verdict_row dma_rows[] = {
    VERDICTS("drained and fenced", dma_marked, "-"),
    VERDICTS("no drain: it may be queued, or in flight", dma_undrained,
             "stale read (in flight); stale read (queued in the pipe)"),
    VERDICTS("no drain, dsb waits for queues", dma_undrained, "-", KEY(dsb_waits, DSB_ALL_DMA)),
    VERDICTS("no fence: in flight", dma_unfenced, "stale read (in flight)"),
    VERDICTS("no fence, one order for both paths", dma_unfenced, "-", KEY(fabric, FABRIC_PER_PAIR)),
    VERDICTS("early acknowledgement", dma_marked, "stale read (in flight)", KEY(ack, ACK_EGRESS)),
    VERDICTS("dsb for the scalar path alone", dma_marked, "stale read (in flight)",
             KEY(dsb_waits, DSB_SCALAR)),
    VERDICTS("one pipe's barrier, queue_local", dma_fence3,
             "stale read (in flight); stale read (queued in the pipe)",
             KEY(pipe_barrier, BARRIER_QUEUE_LOCAL)),
    VERDICTS("one pipe's barrier, scalar_blocking", dma_fence3, "-",
             KEY(pipe_barrier, BARRIER_SCALAR_BLOCKING)),
    VERDICTS("no drain in the control", dma_undrained, "-", KEY(coherent, true)),
};

Test(oracle, dma_message)
{
    EXPECT(dma_rows, expect_over_all);
}

/* ---- a cached store, then a notify (hw-facts H2) ---- */

static void scalar_message(struct builder *b, bool clean, bool fence)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    st(b, on(x, 1), 1);
    if (clean)
        dcci(b, on(x, 1));
    if (fence)
        dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    ld(b, 0, x);
}

static void scalar_marked(struct builder *b)
{
    scalar_message(b, true, true);
}

static void scalar_uncleaned(struct builder *b)
{
    scalar_message(b, false, true);
}

static void scalar_unfenced(struct builder *b)
{
    scalar_message(b, true, false);
}

static void wrong_line_cleaned(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    st(b, on(x, 1), 1);
    dcci(b, x);
    dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    ld(b, 0, x);
}

static void two_lines_one_cleaned(struct builder *b)
{
    struct loc x = var(b, "x", 32), s = var(b, "s", 1);
    core(b, 0);
    st(b, word(on(x, 1), 16), 1);
    dcci(b, on(x, 1));
    dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    ld(b, 0, word(x, 16));
}

#define DIRTY                                                                                      \
    "lost write (dirty in the producer's cache); stale read (dirty in the producer's cache)"

static const struct verdict_row scalar_rows[] = {
    VERDICTS("cleaned and fenced", scalar_marked, "-"),
    VERDICTS("no clean: dirty, and lost at the end", scalar_uncleaned, DIRTY),
    VERDICTS("the local line cleaned instead of the peer's", wrong_line_cleaned, DIRTY),
    VERDICTS("the base line cleaned instead of the second", two_lines_one_cleaned, DIRTY),
    VERDICTS("no fence, but one path in order", scalar_unfenced, "-"),
    VERDICTS("no fence, lines in no order", scalar_unfenced, "stale read (in flight)",
             KEY(fabric, FABRIC_UNORDERED)),
    VERDICTS("fence, lines in no order", scalar_marked, "-", KEY(fabric, FABRIC_UNORDERED)),
};

Test(oracle, scalar_message)
{
    EXPECT(scalar_rows, expect_over_all);
}

/* ---- the reader's old line (hw-facts H1) ---- */

enum invalidate { INVALIDATE_NOT, INVALIDATE_BEFORE_WAIT, INVALIDATE_AFTER_WAIT };

/* The reader has x in its cache, says so, and waits for the new value. */
static void reread(struct builder *b, enum invalidate when)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1), g = var(b, "g", 1);
    core(b, 0);
    wait_ge(b, g, 1);
    st_dev(b, on(x, 1), 1);
    dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    ld(b, 1, x);
    post_add(b, on(g, 0), 1);
    if (when == INVALIDATE_BEFORE_WAIT)
        dcci(b, x);
    wait_ge(b, s, 1);
    if (when == INVALIDATE_AFTER_WAIT)
        dcci(b, x);
    ld(b, 0, x)->what = "ld x again";
}

static void reread_old(struct builder *b)
{
    reread(b, INVALIDATE_NOT);
}

static void reread_early(struct builder *b)
{
    reread(b, INVALIDATE_BEFORE_WAIT);
}

static void reread_fresh(struct builder *b)
{
    reread(b, INVALIDATE_AFTER_WAIT);
}

static void reread_by_dma(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1), g = var(b, "g", 1);
    core(b, 0);
    wait_ge(b, g, 1);
    st_dev(b, on(x, 1), 1);
    dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    ld(b, 1, x);
    post_add(b, on(g, 0), 1);
    wait_ge(b, s, 1);
    mte2(b, tile(b, 1), x);
}

/* Data on the signal's line: the poll leaves a snapshot of it (hw-facts 1.2). */
static void data_beside_signal(struct builder *b)
{
    struct loc s = var(b, "s", 2), g = var(b, "g", 1), h = var(b, "h", 1);
    core(b, 0);
    post_add(b, on(s, 1), 1);
    wait_ge(b, g, 1);
    st_dev(b, on(word(s, 1), 1), 7);
    dsb(b);
    post_add(b, on(h, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    post_add(b, on(g, 0), 1);
    wait_ge(b, h, 1);
    ld(b, 0, word(s, 1));
}

static const struct verdict_row reread_rows[] = {
    VERDICTS("no invalidate", reread_old, "stale read (old line at the reader)"),
    VERDICTS("invalidate before the wait is enough without prefetches", reread_early, "-"),
    VERDICTS("invalidate after the wait", reread_fresh, "-"),
    VERDICTS("DMA bypasses the old line", reread_by_dma, "-"),
    VERDICTS("the signal's own line is old too", data_beside_signal,
             "stale read (old line at the reader)"),
    VERDICTS("no invalidate, in the control", reread_old, "-", KEY(coherent, true)),
};

Test(oracle, old_line)
{
    EXPECT(reread_rows, expect_over_all);
}

static const struct verdict_row prefetch_rows[] = {
    VERDICTS("a prefetch refills the line before the wait", reread_early,
             "stale read (old line at the reader)", KEY(prefetch, PREFETCH_SPONTANEOUS)),
    VERDICTS("not after it", reread_fresh, "-", KEY(prefetch, PREFETCH_SPONTANEOUS)),
};

Test(oracle, old_line_by_prefetch)
{
    EXPECT(prefetch_rows, expect_over_random);
}

/* ---- line sharing (hw-facts H3, H21) ---- */

/* The reader has a dirty word; the peer's data goes to the same line, or to another. */
static void dirty_neighbour(struct builder *b, bool same_line)
{
    struct loc x = var(b, "x", 32), s = var(b, "s", 1);
    struct loc mine = word(x, same_line ? 1 : 16);
    core(b, 0);
    put(b, on(x, 1), 1);
    barrier(b, PIPE_ALL);
    dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    st(b, mine, 9);
    wait_ge(b, s, 1);
    dcci_all(b);
    ld(b, 0, x);
}

static void line_shared(struct builder *b)
{
    dirty_neighbour(b, true);
}

static void line_own(struct builder *b)
{
    dirty_neighbour(b, false);
}

#define OVERWRITTEN "lost write (overwritten by write-back); stale read (overwritten by write-back)"

static const struct verdict_row sharing_rows[] = {
    VERDICTS("a write-back erases the neighbour", line_shared, OVERWRITTEN),
    VERDICTS("on a line of its own it stays", line_own, "-"),
    VERDICTS("a masked write-back spares it", line_shared, "-", KEY(writeback, WRITEBACK_WORD)),
};

Test(oracle, line_sharing)
{
    EXPECT(sharing_rows, expect_over_all);
}

/* ---- lost writes ---- */

/* Both write x, one after the other. */
static void handed_over(struct builder *b, bool fenced)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    put(b, on(x, 1), 1);
    if (fenced) {
        barrier(b, PIPE_ALL);
        dsb(b);
    }
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    st_dev(b, x, 2);
}

static void late_dma(struct builder *b)
{
    handed_over(b, false);
}

static void timely_dma(struct builder *b)
{
    handed_over(b, true);
}

static void dirty_at_end(struct builder *b)
{
    core(b, 0);
    st(b, var(b, "x", 1), 1);
}

/* The line goes back whole, with the word that the peer has stored since it was filled. */
static void dirty_beside_store(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    st(b, word(x, 1), 2);
    core(b, 1);
    put(b, on(x, 0), 1);
}

static void clean_at_end(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st(b, x, 1);
    dcci(b, x);
}

static void delta_at_end(struct builder *b)
{
    core(b, 0);
    st_atomic(b, var(b, "x", 1), 1);
}

/* A set reads the line, changes a word and writes it back; a credit that lands between is lost
 * (hw-facts H3n). */
static void set_beside_credit(struct builder *b)
{
    struct loc s = var(b, "s", 2);
    core(b, 0);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    post_set(b, word(s, 1), 7);
}

static void add_beside_credit(struct builder *b)
{
    struct loc s = var(b, "s", 2);
    core(b, 0);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    post_add(b, word(s, 1), 7);
}

static void add_then_store_dirty(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    st(b, x, 1);
    dcci(b, x);
    dsb(b);
    st(b, x, 2);
    st(b, y, 3);
    dcci_all(b);
}

/* The first add never leaves its cache; the second is ordered after it. */
static void two_adds(struct builder *b, bool cleaned)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    st_atomic(b, on(x, 1), 1);
    if (cleaned)
        dcci(b, on(x, 1));
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    post_add(b, x, 1);
}

static void first_add_kept(struct builder *b)
{
    two_adds(b, false);
}

static void both_adds_sent(struct builder *b)
{
    two_adds(b, true);
}

static const struct verdict_row lost_rows[] = {
    VERDICTS("an older DMA store lands on a newer one", late_dma,
             "lost write (overwritten by a late store)"),
    VERDICTS("fenced, it lands first", timely_dma, "-"),
    VERDICTS("dirty at the end", dirty_at_end, "lost write (dirty in the producer's cache)"),
    VERDICTS("dirty at the end, where it may still leave", dirty_at_end,
             "lost write (dirty in the producer's cache)", KEY(eviction, EVICTION_SPONTANEOUS)),
    VERDICTS("dirty at the end, beside a newer word", dirty_beside_store,
             "lost write (dirty in the producer's cache)"),
    VERDICTS("dirty at the end, beside a newer word, where it may still leave", dirty_beside_store,
             "lost write (dirty in the producer's cache); lost write (overwritten by write-back)",
             KEY(eviction, EVICTION_SPONTANEOUS)),
    VERDICTS("a delta at the end", delta_at_end, "lost write (dirty in the producer's cache)"),
    VERDICTS("an add that never leaves, before another", first_add_kept,
             "lost write (dirty in the producer's cache)"),
    VERDICTS("both adds sent", both_adds_sent, "-"),
    VERDICTS("written back at the end", clean_at_end, "-"),
    VERDICTS("a packed set erases a credit", set_beside_credit,
             "lost write (overwritten by write-back)"),
    VERDICTS("a packed add does not", add_beside_credit, "-"),
    VERDICTS("a newer value of the own word is no loss", add_then_store_dirty, "-"),
};

Test(oracle, lost_writes)
{
    EXPECT(lost_rows, expect_over_all);
}

/* ---- overrun: the buffer is overwritten before it was read (hw-facts H17) ---- */

static void credit(struct builder *b, bool drained)
{
    struct loc x = var(b, "x", 1), g = var(b, "g", 1);
    core(b, 0);
    wait_ge(b, g, 1);
    st_dev(b, on(x, 1), 2);
    core(b, 1);
    mte2(b, tile(b, 1), x);
    if (drained)
        barrier(b, PIPE_ALL);
    post_add(b, on(g, 0), 1);
}

static void credit_early(struct builder *b)
{
    credit(b, false);
}

static void credit_drained(struct builder *b)
{
    credit(b, true);
}

/* The value that the load should see was there, and was overwritten. */
static void second_value_early(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1), g = var(b, "g", 1);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    dsb(b);
    post_add(b, on(s, 1), 1);
    wait_ge(b, g, 1);
    st_dev(b, on(x, 1), 2);
    core(b, 1);
    wait_ge(b, s, 1);
    mte2(b, tile(b, 1), x);
    post_add(b, on(g, 0), 1);
}

static const struct verdict_row overrun_rows[] = {
    VERDICTS("a credit before the queued load ran", credit_early, "overrun read"),
    VERDICTS("of a second value, not a stale read of the first", second_value_early,
             "overrun read"),
    VERDICTS("after it ran", credit_drained, "-"),
};

Test(oracle, overrun)
{
    EXPECT(overrun_rows, expect_over_all);
}

/* ---- races ---- */

static void write_read(struct builder *b, bool ordered)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    if (ordered)
        wait_ge(b, s, 1);
    ld_dev(b, 0, x);
}

static void read_race(struct builder *b)
{
    write_read(b, false);
}

static void read_ordered(struct builder *b)
{
    write_read(b, true);
}

static void read_read(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    ld_dev(b, 0, on(x, 1));
    core(b, 1);
    ld_dev(b, 0, x);
}

static void other_words(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    core(b, 1);
    ld_dev(b, 0, word(x, 1));
}

static void other_ranks(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, x, 1);
    core(b, 1);
    ld_dev(b, 0, x);
}

static void write_write(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    core(b, 1);
    st_dev(b, x, 1);
}

static void add_add(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    post_add(b, on(x, 1), 1);
    core(b, 1);
    int t = tile(b, 1);
    tile_st(b, t, 0, 2);
    mte3_add(b, x, t);
}

static void add_write(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    post_add(b, on(x, 1), 1);
    core(b, 1);
    st_dev(b, x, 2);
}

static void add_read(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    post_add(b, on(x, 1), 1);
    core(b, 1);
    ld_dev(b, 0, x);
}

static void read_then_write(struct builder *b, bool ordered)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    if (ordered)
        wait_ge(b, s, 1);
    st_dev(b, on(x, 1), 1);
    core(b, 1);
    ld_dev(b, 0, x);
    post_add(b, on(s, 0), 1);
}

static void write_after_read_race(struct builder *b)
{
    read_then_write(b, false);
}

static void write_after_read_ordered(struct builder *b)
{
    read_then_write(b, true);
}

static const struct verdict_row race_rows[] = {
    VERDICTS("a read beside a write", read_race, "race"),
    VERDICTS("a read after a wait for the write", read_ordered, "-"),
    VERDICTS("a write beside an earlier read", write_after_read_race, "race"),
    VERDICTS("a write after a wait for the read", write_after_read_ordered, "-"),
    VERDICTS("two reads", read_read, "-"),
    VERDICTS("two words of a line", other_words, "-"),
    VERDICTS("two ranks' copies", other_ranks, "-"),
    VERDICTS("two writes", write_write, "race"),
    VERDICTS("two atomic adds, whatever the path", add_add, "-"),
    VERDICTS("an add beside a write", add_write, "race"),
    VERDICTS("an add beside a read", add_read, "race"),
    VERDICTS("a read beside a write, in the control", read_race, "race", KEY(coherent, true)),
};

Test(oracle, races)
{
    EXPECT(race_rows, expect_over_all);
}

/* ---- happens-before over several ranks ---- */

static void producer(struct builder *b, int rank, struct loc x, struct loc s)
{
    core(b, rank);
    st_dev(b, on(x, 2), 1);
    dsb(b);
    post_add(b, on(s, 2), 1);
}

static void gather(struct builder *b, int threshold)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1), s = var(b, "s", 1);
    b->nranks = 3;
    producer(b, 0, x, s);
    producer(b, 1, y, s);
    core(b, 2);
    wait_ge(b, s, threshold);
    ld_dev(b, 0, x);
    ld_dev(b, 1, y);
}

static void gather_two(struct builder *b)
{
    gather(b, 2);
}

static void gather_one(struct builder *b)
{
    gather(b, 1);
}

static void relay(struct builder *b, bool fenced, bool waits)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    b->nranks = 3;
    core(b, 0);
    st_dev(b, on(x, 2), 1);
    if (fenced)
        dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    if (waits)
        wait_ge(b, s, 1);
    post_add(b, on(s, 2), 1);
    core(b, 2);
    wait_ge(b, s, 1);
    ld_dev(b, 0, x);
}

static void relay_fenced(struct builder *b)
{
    relay(b, true, true);
}

static void relay_unfenced(struct builder *b)
{
    relay(b, false, true);
}

static void relay_broken(struct builder *b)
{
    relay(b, true, false);
}

static const struct verdict_row gather_rows[] = {
    VERDICTS("a wait for both credits orders both producers", gather_two, "-"),
    VERDICTS("a wait for one orders one, and it is not known which", gather_one, "race"),
};

static const struct verdict_row relay_rows[] = {
    VERDICTS("a relay hands the order on", relay_fenced, "-"),
    VERDICTS("and finds the missing fence at its far end", relay_unfenced,
             "stale read (in flight)"),
    VERDICTS("a relay that does not wait hands on nothing", relay_broken, "race"),
};

Test(oracle, happens_before_over_ranks)
{
    EXPECT(gather_rows, expect_over_random);
    EXPECT(relay_rows, expect_over_all);
}

/* The value read holds the last set alone: what was added before it is not acquired. */
static void set_after_add(struct builder *b, bool set)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    b->nranks = 3;
    producer(b, 0, x, s);
    core(b, 1);
    if (set)
        post_set(b, on(s, 2), 2);
    else
        post_add(b, on(s, 2), 1);
    core(b, 2);
    wait_ge(b, s, 2);
    ld_dev(b, 0, x);
}

static void add_after_add(struct builder *b)
{
    set_after_add(b, false);
}

static void set_starts_afresh(struct builder *b)
{
    set_after_add(b, true);
}

#define BOTH_SIGNALS "s0 sc.0>2 s0 s0 s0 sc.0>2 s@2=1 s1 s1 sc.1>2 s@2=2 s2 s2 s2 0:r0=0 2:r0=1 end"

static const struct report_row set_rows[] = {
    REPORT("an add keeps what was added before", add_after_add, BOTH_SIGNALS, ""),
    REPORT("a set does not", set_starts_afresh, BOTH_SIGNALS,
           "race at s[0]@2, by 'P1 st s', of 'P0 st.atomic s'\n"
           "race at x[0]@2, by 'P0 st.dev x', of 'P2 ld.dev x'\n"),
};

Test(oracle, a_set_starts_afresh)
{
    EXPECT_REPORTS(set_rows);
}

/* ---- reports: who, whose, after which wait ---- */

static void two_waits(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1), u = var(b, "u", 1);
    core(b, 0);
    post_add(b, on(u, 1), 1);
    put(b, on(x, 1), 1);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, u, 1);
    wait_ge(b, s, 1);
    ld(b, 0, x);
}

#define STALE_X "stale read at x[0]@1, by 'P1 ld x', of 'P0 "

/* Two credits to s[0]; between them core 1 takes the line, and its set to s[1] carries the first
 * alone. */
static void set_beside_two_credits(struct builder *b)
{
    struct loc s = var(b, "s", 2);
    b->nranks = 3;
    core(b, 0);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    post_set(b, word(s, 1), 7);
    core(b, 2);
    post_add(b, on(s, 1), 1);
}

/* The write comes after one of two reads. */
static void two_readers(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    b->nranks = 3;
    core(b, 0);
    ld_dev(b, 0, on(x, 2));
    core(b, 1);
    ld_dev(b, 0, on(x, 2));
    post_add(b, on(s, 2), 1);
    core(b, 2);
    wait_ge(b, s, 1);
    st_dev(b, x, 1);
}

/* One of two adds comes after the read. */
static void two_adders(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    b->nranks = 3;
    core(b, 0);
    ld_dev(b, 0, x);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    post_add(b, on(x, 0), 1);
    core(b, 2);
    post_add(b, on(x, 0), 1);
}

/* A store of three of the four words that a load reads. */
static void words_race(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    core(b, 0);
    mte3(b, word(on(x, 1), 1), tile(b, 3));
    core(b, 1);
    mte2(b, tile(b, 4), x);
}

/* A store of two rows of one word, with a word between them. */
static void apart_race(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    core(b, 0);
    mte3(b, on(x, 1), tile_of(b, 2, 1, ELEM_I32));
    last_dma(b)->gm_stride = 8;
    core(b, 1);
    mte2(b, tile(b, 4), x);
}

static void two_reads_race(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    mte3(b, on(x, 1), tile(b, 2));
    core(b, 1);
    ld_dev(b, 0, x);
    ld_dev(b, 1, word(x, 1));
}

/* The reader waits for one of two writes; the other may land on it. */
static void racing_writes(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    put(b, on(x, 1), 1);
    barrier(b, PIPE_ALL);
    dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    st_dev(b, x, 2);
    wait_ge(b, s, 1);
    ld(b, 0, x);
}

static void prefetched_too_early(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    mte3(b, on(x, 1), tile(b, 1));
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    ld(b, 0, x);
}

/* The reader holds an old line, and memory what races with the fresh write. */
static void erased_by_race(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    b->nranks = 3;
    core(b, 0);
    put(b, on(x, 1), 1);
    barrier(b, PIPE_ALL);
    dsb(b);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    ld(b, 0, x);
    wait_ge(b, s, 1);
    ld(b, 1, x)->what = "ld x again";
    core(b, 2);
    st_dev(b, on(x, 1), 2);
}

static const struct report_row place_rows[] = {
    REPORT("queued, after the wait that connects", two_waits,
           "s0 s0 sc.0>1 s0 s0 s0 s0 sc.0>1 s1 s1 s1 s1 s1 run",
           STALE_X "mte3 x', after 'P1 poll s': queued in the pipe\n"),
    REPORT("in flight", two_waits, "s0 s0 sc.0>1 s0 s0 mte3.0 s0 s0 sc.0>1 s1 s1 s1 s1 s1 run",
           STALE_X "mte3 x', after 'P1 poll s': in flight\n"),
    REPORT("arrived in time", two_waits,
           "s0 s0 sc.0>1 s0 s0 mte3.0 dma.0>1 s0 s0 sc.0>1 s1 s1 s1 s1 s1 run", ""),
    REPORT("dirty; lost at the end", scalar_uncleaned, "s0 s0 s0 s0 sc.0>1 s1 s1 s1 run",
           "lost write at x[0]@1, of 'P0 st x': dirty in the producer's cache (final memory lacks "
           "it)\n" STALE_X "st x', after 'P1 poll s': dirty in the producer's cache\n"),
    REPORT(
        "an old line", reread_old, "s1 s1 s1 sc.1>0 s0 s0 s0 sc.0>1 s0 s0 s0 sc.0>1 s1 s1 s1 run",
        "stale read at x[0]@1, by 'P1 ld x again', of 'P0 st.dev x', after 'P1 poll s': old line "
        "at the reader\n"),
    REPORT("filled after the wait, before the store had landed", prefetched_too_early,
           "s0 mte3.0 s0 s0 sc.0>1 s1 s1 fill.1:x@1 dma.0>1 s1 run",
           "stale read at x[0]@1, by 'P1 ld x', of 'P0 mte3 x', after 'P1 poll s': in flight\n",
           KEY(prefetch, PREFETCH_SPONTANEOUS)),
    REPORT(
        "erased by whom", line_shared,
        "s1 s0 s0 mte3.0 dma.0>1 s0 s0 s0 s0 sc.0>1 s1 s1 s1 sc.1>1 s1 run",
        "lost write at x[0]@1, of 'P0 mte3 x', erased by 'P1 dcci all': overwritten by write-back\n"
        "stale read at x[0]@1, by 'P1 ld x', of 'P0 mte3 x', after 'P1 poll s', erased by 'P1 dcci "
        "all': overwritten by write-back\n"),
    REPORT("erased by an eviction", line_shared,
           "s1 s0 s0 mte3.0 dma.0>1 evict.1:x@1 sc.1>1 run end",
           "lost write at x[0]@1, of 'P0 mte3 x', erased by 'an eviction': overwritten by "
           "write-back\n"
           "stale read at x[0]@1, by 'P1 ld x', of 'P0 mte3 x', after 'P1 poll s', erased by 'an "
           "eviction': overwritten by write-back\n",
           KEY(eviction, EVICTION_SPONTANEOUS)),
    REPORT("a line that leaves after the end is not yet there", dirty_at_end,
           "s0 end evict.0:x end",
           "lost write at x[0]@0, of 'P0 st x': dirty in the producer's cache (final memory lacks "
           "it)\n",
           KEY(eviction, EVICTION_SPONTANEOUS)),
    REPORT("and then it is", dirty_at_end, "s0 end evict.0:x sc.0>0 end", "",
           KEY(eviction, EVICTION_SPONTANEOUS)),
    REPORT("with an old word of a neighbour", dirty_beside_store,
           "s0 s1 s1 mte3.1 dma.1>0 end evict.0:x sc.0>0 end",
           "lost write at x[0]@0, of 'P1 mte3 x', erased by 'an eviction': overwritten by "
           "write-back\n",
           KEY(eviction, EVICTION_SPONTANEOUS)),
    REPORT("an overrun names the later write", credit_early,
           "s1 s1 s1 sc.1>0 s0 s0 s0 sc.0>1 mte2.1",
           "overrun read at x[0]@1, by 'P1 mte2 x', of 'P0 st.dev x', after 'P0 poll g', got 'P0 "
           "st.dev x'\n"),
    REPORT("a lost write names what took its place", late_dma,
           "s0 s0 s0 s0 sc.0>1 s1 s1 s1 sc.1>1 mte3.0 dma.0>1",
           "lost write at x[0]@1, of 'P1 st.dev x', erased by 'P0 mte3 x', got 'P0 mte3 x': "
           "overwritten by a late store\n"),
    REPORT("a set erases the second of two credits", set_beside_two_credits,
           "s0 s0 sc.0>1 s1 s1 s2 s2 sc.2>1 s1 s1 sc.1>1 run end",
           "lost write at s[0]@1, of 'P2 st.atomic s', erased by 'P1 dcci s[1]', got 'P0 st.atomic "
           "s': overwritten by write-back\n"),
    REPORT("a write races with the read that it does not follow", two_readers,
           "s0 s1 s1 s1 sc.1>2 s2 s2 s2 run end",
           "race at x[0]@2, by 'P0 ld.dev x', of 'P2 st.dev x'\n"),
    REPORT("an add races with the read that it does not follow", two_adders,
           "s0 s0 s0 sc.0>1 s1 s1 s1 s2 run end",
           "race at x[0]@0, by 'P0 ld.dev x', of 'P2 st.atomic x'\n"),
    REPORT("a race names both", read_race, "s1 s0 run",
           "race at x[0]@1, by 'P0 st.dev x', of 'P1 ld.dev x'\n"),
    REPORT("the other way round it is the same race", read_race, "s0 sc.0>1 s1 run",
           "race at x[0]@1, by 'P0 st.dev x', of 'P1 ld.dev x'\n"),
    REPORT("a race names its words", words_race, "s0 run end",
           "race at x[1..3]@1, by 'P0 mte3 x[1]', of 'P1 mte2 x'\n"),
    REPORT("the same words, read first", words_race, "s1 mte2.1 run end",
           "race at x[1..3]@1, by 'P0 mte3 x[1]', of 'P1 mte2 x'\n"),
    REPORT("words that do not adjoin", apart_race, "s0 run end",
           "race at x[0]@1 and other words, by 'P0 mte3 x', of 'P1 mte2 x'\n"),
    REPORT("of two racing writes either may be read", racing_writes,
           "s1 s0 s0 mte3.0 dma.0>1 sc.1>1 run end",
           "race at x[0]@1, by 'P1 st.dev x', of 'P0 mte3 x'\n"),
    REPORT("erased by a racing write", erased_by_race, "s1 s2 s0 s0 mte3.0 dma.0>1 sc.2>1 run end",
           "race at x[0]@1, by 'P1 ld x', of 'P2 st.dev x'\n"
           "race at x[0]@1, by 'P2 st.dev x', of 'P0 mte3 x'\n"
           "stale read at x[0]@1, by 'P1 ld x again', of 'P0 mte3 x', after 'P1 poll s', erased by "
           "'P2 st.dev x': overwritten by a racing write\n"),
    REPORT("two reads of what one store writes are two races", two_reads_race, "s0 run end",
           "race at x[0]@1, by 'P0 mte3 x', of 'P1 ld.dev x'\n"
           "race at x[1]@1, by 'P0 mte3 x', of 'P1 ld.dev x[1]'\n"),
};

Test(oracle, places)
{
    EXPECT_REPORTS(place_rows);
}

/* ---- deadlock and hang ---- */

static void poll_for_two(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 2);
}

static void poll_for_one(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
}

static void poll_overshot(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    post_add(b, on(s, 1), 3);
    core(b, 1);
    wait_eq(b, s, 2);
}

static void flag_never_set(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    wait_flag(b, PIPE_MTE2, PIPE_S, 1);
}

static void pipe_flag_never_set(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    wait_flag(b, PIPE_MTE2, PIPE_MTE3, 1);
    mte3(b, x, tile(b, 1));
}

static void pipe_flag_set(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    set_flag(b, PIPE_MTE2, PIPE_MTE3, 1);
    wait_flag(b, PIPE_MTE2, PIPE_MTE3, 1);
    mte3(b, x, tile(b, 1));
}

/* Less is still to come than the wait needs. */
static void too_few(struct builder *b)
{
    struct loc s = var(b, "s", 1), t = var(b, "t", 1);
    core(b, 0);
    post_add(b, on(s, 1), 1);
    wait_ge(b, t, 1);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 3);
}

static void passed_downwards(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    initially(b, s, 4);
    core(b, 0);
    post_add(b, on(s, 1), -5);
    core(b, 1);
    wait_eq(b, s, 2);
}

/* A reset that is still to come; value: what it sets. */
static void reset_to_come(struct builder *b, int64_t value)
{
    struct loc s = var(b, "s", 1), t = var(b, "t", 1);
    core(b, 0);
    post_add(b, on(s, 1), 2);
    wait_ge(b, t, 1);
    post_set(b, on(s, 1), value);
    core(b, 1);
    wait_eq(b, s, 1);
}

static void reset_to_it(struct builder *b)
{
    reset_to_come(b, 1);
}

static void reset_to_another(struct builder *b)
{
    reset_to_come(b, 3);
}

/* The value that the wait started from cannot be waited for with >=. */
static void waits_for_the_initial_value(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_eq(b, s, 0);
}

static void notifies_itself_too_late(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 2);
    post_add(b, s, 1);
}

static void notifies_itself_in_time(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    post_add(b, s, 1);
    wait_ge(b, s, 2);
}

/* Core 0 waits for core 1, which waits for core 2, which waits for what was passed. */
static void chain(struct builder *b)
{
    struct loc s = var(b, "s", 1), t = var(b, "t", 1), u = var(b, "u", 1);
    b->nranks = 3;
    initially(b, u, 1);
    core(b, 0);
    wait_ge(b, s, 1);
    core(b, 1);
    wait_ge(b, t, 1);
    post_add(b, on(s, 0), 1);
    core(b, 2);
    post_add(b, u, 2);
    wait_eq(b, u, 2);
    post_add(b, on(t, 1), 1);
}

static void each_first_waits(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    wait_ge(b, s, 1);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    post_add(b, on(s, 0), 1);
}

static void signal_uncleaned(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    st(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
}

/* A set writes its whole line back, over the credit beside it. */
static void credit_erased(struct builder *b)
{
    struct loc s = var(b, "s", 2);
    b->nranks = 3;
    core(b, 0);
    post_set(b, word(on(s, 2), 1), 1);
    core(b, 1);
    post_add(b, on(s, 2), 1);
    core(b, 2);
    wait_ge(b, s, 1);
}

/* The pipe of the set waits for the pipe of the wait. */
static void pipes_cross(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    wait_flag(b, PIPE_MTE3, PIPE_MTE2, 0);
    mte2(b, t, x);
    set_flag(b, PIPE_MTE2, PIPE_MTE3, 0);
    wait_flag(b, PIPE_MTE2, PIPE_MTE3, 0);
    mte3(b, x, t);
    set_flag(b, PIPE_MTE3, PIPE_MTE2, 0);
}

/* The set stands behind a barrier that waits for the pipe. */
static void flag_behind_barrier(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    wait_flag(b, PIPE_S, PIPE_MTE3, 2);
    barrier(b, PIPE_ALL);
    set_flag(b, PIPE_S, PIPE_MTE3, 2);
}

static void flag_after_its_wait(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    wait_flag(b, PIPE_V, PIPE_S, 3);
    set_flag(b, PIPE_V, PIPE_S, 3);
}

/* Another id is another flag. */
static void flag_of_another_id(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    wait_flag(b, PIPE_V, PIPE_S, 3);
    set_flag(b, PIPE_V, PIPE_S, 4);
}

#define HANG_S "hang at s[0]@1, by 'P1 poll s'"
#define HANG_T                                                                                     \
    "hang at t[0]@0, by 'P0 poll t': nowhere (waits for >= 1, memory holds 0: " NOTHING ")\n"
#define NOTHING "nothing that is still to come sets it"

static const struct report_row blocked_rows[] = {
    REPORT("a poll that cannot succeed is a hang", poll_for_two, "run !end",
           HANG_S ", got 'P0 st.atomic s': nowhere (waits for >= 2, memory holds 1: " NOTHING
                  ")\n"),
    REPORT("one that succeeds is not", poll_for_one, "run end", ""),
    REPORT("an overshot poll", poll_overshot, "run !end",
           HANG_S ", got 'P0 st.atomic s': passed already (waits for == 2, memory "
                  "holds 3: the value was passed; use >=)\n"),
    REPORT("passed downwards: no >= helps", passed_downwards, "run !end",
           HANG_S ", got 'P0 st.atomic s': passed already (waits for == 2, memory "
                  "holds -1: the value was passed)\n"),
    REPORT("the initial value was not passed", waits_for_the_initial_value, "s0 s0 sc.0>1 run !end",
           HANG_S ", got 'P0 st.atomic s': nowhere (waits for == 0, memory holds 1: " NOTHING
                  ")\n"),
    REPORT("what is to come is not enough", too_few, "run !end",
           HANG_S ", got 'P0 st.atomic s': nowhere (waits for >= 3, memory holds 1: "
                  "all that is still to come brings it to 2)\n" HANG_T),
    REPORT("a reset to come would bring the value back", reset_to_it, "run !end",
           HANG_S ", of 'P0 st s', got 'P0 st.atomic s': behind another wait (waits "
                  "for == 1, memory holds 2: to be set in line 4 by rank 0, which "
                  "stands at line 3)\n" HANG_T),
    REPORT("a reset to another value would not", reset_to_another, "run !end",
           HANG_S ", got 'P0 st.atomic s': passed already (waits for == 1, memory "
                  "holds 2: the value was passed; use >=)\n" HANG_T),
    REPORT("the notify stands behind the wait", notifies_itself_too_late, "run !end",
           HANG_S ", of 'P1 st.atomic s', got 'P0 st.atomic s': behind this wait "
                  "itself (waits for >= 2, memory holds 1: to be set in line 2, which "
                  "stands behind this "
                  "wait)\n"),
    REPORT("in front of it, it counts", notifies_itself_in_time, "run end", ""),
    REPORT(
        "each waits for the other", each_first_waits, "run !end",
        "hang at s[0]@0, by 'P0 poll s', of 'P1 st.atomic s': behind another wait (waits for >= 1, "
        "memory holds 0: to be set in line 2 by rank 1, which stands at line "
        "1)\n" HANG_S ", of 'P0 st.atomic s': behind another wait (waits for >= 1, "
        "memory holds 0: to be set in line 2 by rank 0, which stands "
        "at line 1)\n"),
    REPORT("a signal that nobody cleaned", signal_uncleaned, "run !end",
           HANG_S ", of 'P0 st s': dirty in the producer's cache (waits for >= 1, "
                  "memory holds 0: dirty in the producer's cache)\n"),
    REPORT("a signal that was erased", credit_erased, "s0 s1 s1 sc.1>2 s0 sc.0>2 run !end",
           "hang at s[0]@2, by 'P2 poll s', of 'P1 st.atomic s', erased by 'P0 dcci s[1]': "
           "overwritten by "
           "write-back (waits for >= 1, memory holds 0: overwritten by write-back)\n"
           "lost write at s[0]@2, of 'P1 st.atomic s', erased by 'P0 dcci s[1]': "
           "overwritten by "
           "write-back\n"),
    REPORT(
        "a flag that nobody sets is a deadlock", flag_never_set, "run !end",
        "deadlock at x[0]@0, by 'P0 wait_flag': nowhere (the scalar unit waits for flag mte2 -> s, "
        "id 1: " NOTHING ")\n"),
    REPORT("in a pipe too", pipe_flag_never_set, "run !end",
           "deadlock at x[0]@0, by 'P0 wait_flag': nowhere (pipe mte3 waits for flag mte2 -> mte3, "
           "id 1: " NOTHING ")\n"),
    REPORT("a flag that is set is none", pipe_flag_set, "run end", ""),
    REPORT(
        "another id is another flag", flag_of_another_id, "run !end",
        "deadlock at x[0]@0, by 'P0 wait_flag': nowhere (the scalar unit waits for flag v -> s, id "
        "3: " NOTHING ")\n"),
    REPORT("a flag that is set behind its wait", flag_after_its_wait, "run !end",
           "deadlock at x[0]@0, by 'P0 wait_flag', of 'P0 set_flag': behind this wait itself (the "
           "scalar unit waits for flag v -> s, id 3: to be set in line 2, which stands behind this "
           "wait)\n"),
    REPORT(
        "two pipes that wait for each other", pipes_cross, "run !end",
        "deadlock at x[0]@0, by 'P0 wait_flag', of 'P0 set_flag': behind another wait (pipe mte2 "
        "waits for flag mte3 -> mte2, id 0: to be set in line 6 by rank 0, where pipe mte3 stands "
        "at line 4)\n"
        "deadlock at x[0]@0, by 'P0 wait_flag', of 'P0 set_flag': behind another wait (pipe mte3 "
        "waits for flag mte2 -> mte3, id 0: to be set in line 3 by rank 0, where pipe mte2 stands "
        "at line 1)\n"),
    REPORT(
        "a set behind a barrier that waits for the pipe", flag_behind_barrier, "run !end",
        "deadlock at x[0]@0, by 'P0 barrier', of 'P0 wait_flag': behind another wait (stands at "
        "'barrier all' until pipe mte3 goes on)\n"
        "deadlock at x[0]@0, by 'P0 wait_flag', of 'P0 set_flag': behind another wait (pipe mte3 "
        "waits for flag s -> mte3, id 2: to be set in line 3 by rank 0, which stands at line "
        "2)\n"),
    REPORT("a hang in the control", poll_for_two, "run !end",
           HANG_S ", got 'P0 st.atomic s': nowhere (waits for >= 2, memory holds 1: " NOTHING ")\n",
           KEY(coherent, true)),
};

Test(oracle, deadlock_and_hang)
{
    EXPECT_REPORTS(blocked_rows);
}

/* The order in which they are found, not that of their cores. */
Test(oracle, the_cause_of_a_hang_comes_first)
{
    struct rig r;
    rig_open(&r, chain, "a2a3", NULL, true);
    cr_assert(rig_script(&r, "chain", "run !end"));
    oracle_finish(r.oracle, r.machine);
    int n;
    const struct finding *f = oracle_findings(r.oracle, &n);
    cr_assert(n == 3, "%d findings", n);
    static const struct {
        int core;
        enum where where;
    } expected[] = {{2, W_PASSED}, {1, W_WAITING}, {0, W_WAITING}};
    for (int i = 0; i < n; i++)
        cr_expect(f[i].reader.core == expected[i].core && f[i].where == expected[i].where,
                  "finding %d: core %d, %s", i, f[i].reader.core, where_name(f[i].where));
    rig_close(&r);
}

static void endless(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    nop(b);
    jmp(b, 0);
}

Test(oracle, an_endless_loop_is_a_time_out)
{
    struct arena a = {0};
    struct builder b = {.arena = &a};
    endless(&b);
    struct diag d = {.arena = &a};
    const struct contract *k = contract_load(&a, "models", "a2a3", &d);
    struct oracle *o = oracle_new(built(&b));
    struct machine_options options = {.oracle = o, .max_local = 1000};
    struct machine *m = machine_new(built(&b), k, options);
    machine_reset(m);
    cr_expect(oracle_count(o, V_TIMEOUT) == 1 && m->stop == STOP_FAULT);
    struct transition t;
    cr_expect(machine_enabled(m, &t, 1) == 0);
    machine_free(m);
    oracle_free(o);
    arena_free(&a);
}

/* ---- bad accesses ---- */

static void ld_at(struct builder *b, int index, int byte)
{
    struct loc x = var(b, "x", 4);
    var(b, "y", 1);
    b->checked = true;
    core(b, 0);
    struct loc at = word(x, index);
    at.offset += (uint64_t)byte;
    ld(b, 0, at)->what = "ld";
}

static void ld_inside(struct builder *b)
{
    ld_at(b, 3, 0);
}

static void ld_outside(struct builder *b)
{
    ld_at(b, 4, 0);
}

/* Memory begins with x: the address before it is another rank's, or none. */
static void ld_before(struct builder *b)
{
    ld_at(b, -1, 0);
}

static void ld_before_peer(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    b->checked = true;
    core(b, 0);
    struct insn *i = ld(b, 0, on(x, 1));
    i->what = "ld";
    i->imm -= 4;
}

static void ld_misaligned(struct builder *b)
{
    ld_at(b, 0, 2);
}

static void st_outside(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    var(b, "y", 1);
    b->checked = true;
    core(b, 0);
    st(b, word(x, 16), 1)->what = "st";
}

static void st_atomic_outside(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    var(b, "y", 1);
    b->checked = true;
    core(b, 0);
    st_atomic(b, word(x, 5), 1)->what = "st.atomic";
}

static void poll_outside(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    b->checked = true;
    core(b, 0);
    wait_ge(b, word(x, 4), 1)->what = "poll";
}

static struct loc local_var(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    b->regions.items[x.region].kind = REGION_LOCAL;
    b->checked = true;
    core(b, 0);
    return x;
}

static void local_own(struct builder *b)
{
    ld(b, 0, local_var(b));
}

static void local_of_peer(struct builder *b)
{
    ld(b, 0, on(local_var(b), 1))->what = "ld";
}

static void local_of_peer_by_dma(struct builder *b)
{
    struct loc x = local_var(b);
    mte2(b, tile(b, 4), on(x, 1))->what = "mte2";
}

static void local_of_peer_by_poll(struct builder *b)
{
    wait_ge(b, on(local_var(b), 1), 1)->what = "poll";
}

static void ld_of_no_rank(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    core(b, 0);
    ld(b, 0, on(x, 5))->what = "ld";
}

static void dma_at(struct builder *b, int index, int words)
{
    struct loc x = var(b, "x", 4);
    var(b, "y", 8);
    b->checked = true;
    core(b, 0);
    int t = tile(b, words);
    mte2(b, t, word(x, index))->what = "mte2";
}

static void dma_inside(struct builder *b)
{
    dma_at(b, 1, 3);
}

static void dma_outside(struct builder *b)
{
    dma_at(b, 1, 4);
}

static void dma_misaligned(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    b->checked = true;
    core(b, 0);
    x.offset += 2;
    mte2(b, tile(b, 1), x)->what = "mte2";
}

/* Two rows of four words fit a 4 x 4 tile; eight rows of two have as many words, but not in its
 * rows. */
static void dma_of_rows(struct builder *b, int rows, int cols)
{
    struct loc x = var(b, "x", 64);
    b->checked = true;
    core(b, 0);
    int t = tile_of(b, 4, 4, ELEM_I32);
    tile(b, 64);
    mte2(b, t, x)->what = "mte2";
    last_dma(b)->rows.imm = rows;
    last_dma(b)->cols.imm = cols;
}

static void dma_fits_tile(struct builder *b)
{
    dma_of_rows(b, 2, 4);
}

static void dma_too_many_rows(struct builder *b)
{
    dma_of_rows(b, 8, 2);
}

static void dma_too_large(struct builder *b)
{
    dma_of_rows(b, 5, 4);
}

/* From the word on that the run gives. */
static void dma_placed(struct builder *b, int rows, int word)
{
    dma_of_rows(b, rows, 4);
    last_dma(b)->placed = true;
    last_dma(b)->value.reg = NO_REG;
    last_dma(b)->value.imm = word * 4;
}

static void dma_placed_inside(struct builder *b)
{
    dma_placed(b, 2, 8);
}

static void dma_placed_too_far(struct builder *b)
{
    dma_placed(b, 2, 12);
}

static void dma_placed_before(struct builder *b)
{
    dma_placed(b, 1, -4);
}

/* Four rows of two words become two rows of four; three rows of five would be five. */
static void dma_turned(struct builder *b)
{
    dma_of_rows(b, 4, 2);
    last_dma(b)->turned = true;
}

static void dma_turned_too_large(struct builder *b)
{
    dma_of_rows(b, 3, 5);
    last_dma(b)->turned = true;
}

static void dma_negative(struct builder *b)
{
    dma_of_rows(b, -1, 4);
}

static void dma_of_many_bits(struct builder *b)
{
    dma_of_rows(b, 1, 4);
    last_dma(b)->cols.imm += (int64_t)1 << 32;
}

static void dma_huge(struct builder *b)
{
    dma_of_rows(b, 65536, 65536);
    last_dma(b)->gm_stride = 0;
}

static void tile_index_outside(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    tile_ld(b, 0, tile(b, 4), 4);
}

static void tile_index_inside(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    tile_ld(b, 0, tile(b, 4), 3);
}

static void dcci_is_no_access(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    b->checked = true;
    core(b, 0);
    x.offset += 2;
    dcci(b, word(x, 5));
}

#define OUTSIDE(addr, who, index)                                                                  \
    "out of bounds at " addr ", by 'P0 " who "' (" index " of x, whose extent is 4)\n"

#define FOREIGN(who)                                                                               \
    "out of bounds at x[0]@1, by 'P0 " who "' (x of rank 1 is no memory of rank 0)\n"

static const struct report_row access_rows[] = {
    REPORT("the last word", ld_inside, "run end", ""),
    REPORT("the word after it", ld_outside, "run", OUTSIDE("x[4]@0", "ld", "index 4")),
    REPORT("half a word", ld_misaligned, "run",
           "misaligned access at x[0]@0, by 'P0 ld' (not aligned to its size)\n"),
    REPORT("a store to the next variable", st_outside, "run", OUTSIDE("x[16]@0", "st", "index 16")),
    REPORT("an atomic", st_atomic_outside, "run", OUTSIDE("x[5]@0", "st.atomic", "index 5")),
    REPORT("the word before the first of all", ld_before, "run",
           OUTSIDE("x[-1]@0", "ld", "index -1")),
    REPORT("the same on another rank", ld_before_peer, "run", OUTSIDE("x[-1]@1", "ld", "index -1")),
    REPORT("a poll", poll_outside, "run", OUTSIDE("x[4]@0", "poll", "index 4")),
    REPORT("no such rank", ld_of_no_rank, "run",
           "out of bounds at x[0]@5, by 'P0 ld' (no rank 5: they are 0 to 1)\n"),
    REPORT("local memory", local_own, "run end", ""),
    REPORT("local memory of another rank", local_of_peer, "run", FOREIGN("ld")),
    REPORT("the same by DMA", local_of_peer_by_dma, "run", FOREIGN("mte2")),
    REPORT("the same by a poll", local_of_peer_by_poll, "run", FOREIGN("poll")),
    REPORT("DMA up to the last word", dma_inside, "run end", ""),
    REPORT("DMA beyond it", dma_outside, "run",
           OUTSIDE("x[1]@0", "mte2", "1 x 4 elements from index 1")),
    REPORT("DMA of half words", dma_misaligned, "run",
           "misaligned access at x[0]@0, by 'P0 mte2' (not aligned to its size)\n"),
    REPORT("DMA of rows that fit", dma_fits_tile, "run end", ""),
    REPORT("DMA of more words than the tile has", dma_too_large, "run",
           "out of bounds of tile t0, by 'P0 mte2' (5 x 4 elements from index [0, 0] of tile t0, "
           "whose extent is [4, 4])\n"),
    REPORT("DMA of more rows than the tile has", dma_too_many_rows, "run",
           "out of bounds of tile t0, by 'P0 mte2' (8 x 2 elements from index [0, 0] of tile t0, "
           "whose extent is [4, 4])\n"),
    REPORT("DMA to a place that the run gives", dma_placed_inside, "run end", ""),
    REPORT("DMA to a place beyond", dma_placed_too_far, "run",
           "out of bounds of tile t0, by 'P0 mte2' (2 x 4 elements from index [3, 0] of tile t0, "
           "whose extent is [4, 4])\n"),
    REPORT("DMA to a place before", dma_placed_before, "run",
           "out of bounds of tile t0, by 'P0 mte2' (1 x 4 elements from index [-1, 0] of tile t0, "
           "whose extent is [4, 4])\n"),
    REPORT("DMA of rows that become columns", dma_turned, "run end", ""),
    REPORT("DMA of too many columns that become rows", dma_turned_too_large, "run",
           "out of bounds of tile t0, by 'P0 mte2' (5 x 3 elements from index [0, 0] of tile t0, "
           "whose extent is [4, 4])\n"),
    REPORT("DMA of a negative extent", dma_negative, "run",
           "out of bounds at x[0]@0, by 'P0 mte2' (a negative extent, -1 x 4)\n"),
    REPORT("DMA of an extent that does not fit 32 bits", dma_of_many_bits, "run",
           "out of bounds at x[0]@0, by 'P0 mte2' (1 x 4294967300 elements from index 0 of x, "
           "whose extent is 64)\n"),
    REPORT("DMA of a product that wraps", dma_huge, "run",
           "out of bounds at x[0]@0, by 'P0 mte2' (65536 x 65536 elements from index 0 of x, whose "
           "extent is 64)\n"),
    REPORT("an element beyond its tile", tile_index_outside, "run",
           "out of bounds of tile t0, by 'P0 tile.ld' (index [1, 0] of tile t0, whose extent is "
           "[1, 4])\n"),
    REPORT("its last element", tile_index_inside, "run end", ""),
    REPORT("a marker is no access", dcci_is_no_access, "run end", ""),
};

Test(oracle, bad_accesses)
{
    EXPECT_REPORTS(access_rows);
}

/* ---- uninitialised reads ---- */

static void uninit(struct builder *b, bool written, bool dma)
{
    struct loc u = uninitialised(b, "u", 2);
    core(b, 0);
    if (written)
        st(b, u, 1);
    if (dma)
        mte2(b, tile(b, 1), u);
    else
        ld(b, 0, u);
    if (written)
        dcci(b, u);
}

static void uninit_ld(struct builder *b)
{
    uninit(b, false, false);
}

static void uninit_mte2(struct builder *b)
{
    uninit(b, false, true);
}

static void init_ld(struct builder *b)
{
    uninit(b, true, false);
}

static void init_by_late_message(struct builder *b)
{
    struct loc u = uninitialised(b, "u", 1), s = var(b, "s", 1);
    core(b, 0);
    put(b, on(u, 1), 1);
    barrier(b, PIPE_ALL);
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    ld(b, 0, u);
}

static void init_neighbour(struct builder *b)
{
    struct loc u = uninitialised(b, "u", 2);
    core(b, 0);
    st(b, word(u, 1), 1);
    ld(b, 0, u);
    dcci(b, u);
}

static const struct verdict_row uninit_rows[] = {
    VERDICTS("a load before any store", uninit_ld, "uninitialised read"),
    VERDICTS("DMA before any store", uninit_mte2, "uninitialised read"),
    VERDICTS("a load after a store", init_ld, "-"),
    VERDICTS("a store to the neighbour is none", init_neighbour, "uninitialised read"),
    VERDICTS("what was written but not seen is stale", init_by_late_message,
             "stale read (in flight)"),
    VERDICTS("an initialised variable", read_read, "-"),
};

Test(oracle, uninitialised)
{
    EXPECT(uninit_rows, expect_over_all);
}

/* ---- tiles: a missing flag pair ---- */

static void load_store(struct builder *b, bool flagged)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    if (flagged) {
        set_flag(b, PIPE_MTE2, PIPE_MTE3, 0);
        wait_flag(b, PIPE_MTE2, PIPE_MTE3, 0);
    }
    mte3(b, y, t);
}

static void tile_unflagged(struct builder *b)
{
    load_store(b, false);
}

static void tile_flagged(struct builder *b)
{
    load_store(b, true);
}

static void store_load(struct builder *b, bool flagged)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte3(b, y, t);
    if (flagged) {
        set_flag(b, PIPE_MTE3, PIPE_MTE2, 0);
        wait_flag(b, PIPE_MTE3, PIPE_MTE2, 0);
    }
    mte2(b, t, x);
}

static void tile_reused_early(struct builder *b)
{
    store_load(b, false);
}

static void tile_reused_flagged(struct builder *b)
{
    store_load(b, true);
}

static void tile_ld_early(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    tile_ld(b, 0, t, 0);
}

static void tile_ld_drained(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    barrier(b, PIPE_ALL);
    tile_ld(b, 0, t, 0);
}

static const struct verdict_row tile_rows[] = {
    VERDICTS("a store that may run before the load of its tile", tile_unflagged,
             "stale read (in the core's own pipe)"),
    VERDICTS("with a flag pair", tile_flagged, "-"),
    VERDICTS("a load that may run before the store of its tile", tile_reused_early,
             "overrun read (in the core's own pipe)"),
    VERDICTS("with a flag pair too", tile_reused_flagged, "-"),
    VERDICTS("a scalar read of a tile still to be loaded", tile_ld_early,
             "stale read (in the core's own pipe)"),
    VERDICTS("after a barrier", tile_ld_drained, "-"),
};

Test(oracle, tiles)
{
    EXPECT(tile_rows, expect_over_all);
}

/* Two pipes write the tile that a third stores. */
static void tile_written_twice(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    tile_op(b, TILE_FILL, t, -1, -1);
    set_flag(b, PIPE_V, PIPE_MTE3, 0);
    wait_flag(b, PIPE_V, PIPE_MTE3, 0);
    mte3(b, y, t);
}

/* Two writers of one pipe, and a third that was not waited for. */
static void tile_written_by_two_loads(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    mte2(b, t, y);
    tile_op(b, TILE_FILL, t, -1, -1);
    tile_ld(b, 0, t, 0);
}

static void tile_set_and_read(struct builder *b)
{
    var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    tile_st(b, t, 0, 1);
    tile_ld(b, 0, t, 0);
}

static const struct report_row tile_places[] = {
    REPORT("the load that the store did not wait for", tile_unflagged, "s0 s0 mte3.0 run end",
           "stale read of tile t0, by 'P0 mte3 y', of 'P0 mte2 x': in the core's own pipe (no flag "
           "mte2 -> mte3 orders line 1 before line 2)\n"),
    REPORT("none once it was performed", tile_unflagged, "s0 s0 mte2.0 mte3.0 run end", ""),
    REPORT(
        "the load that did not wait for the store", tile_reused_early,
        "s0 s0 mte2.0 mte3.0 run end",
        "overrun read of tile t0, by 'P0 mte3 y', of 'P0 mte2 x', got 'P0 mte2 x': in the core's "
        "own pipe (no flag mte3 -> mte2 orders line 1 before line 2)\n"),
    REPORT(
        "the load that the scalar unit did not wait for", tile_ld_early, "s0 s0 run end",
        "stale read of tile t0, by 'P0 tile.ld', of 'P0 mte2 x': in the core's own pipe (no flag "
        "mte2 -> s orders line 1 before line 2)\n"),
    REPORT("what the scalar unit wrote itself", tile_set_and_read, "run end", ""),
    REPORT(
        "the older of two writes, performed late", tile_written_twice,
        "s0 s0 s0 s0 s0 v.0 mte2.0 v.0 mte3.0 mte3.0 run end",
        "stale read of tile t0, by 'P0 mte3 y', of 'P0 tile', erased by 'P0 mte2 x', got 'P0 mte2 "
        "x': in the core's own pipe (no flag mte2 -> v orders line 1 before line 2)\n"),
    REPORT("the same in order", tile_written_twice,
           "s0 s0 s0 s0 s0 mte2.0 v.0 v.0 mte3.0 mte3.0 run end", ""),
    REPORT(
        "the newest of three writes is what counts", tile_written_by_two_loads,
        "s0 s0 s0 v.0 mte2.0 mte2.0 s0 run end",
        "stale read of tile t0, by 'P0 tile.ld', of 'P0 tile', erased by 'P0 mte2 y', got 'P0 mte2 "
        "y': in the core's own pipe (no flag mte2 -> v orders line 2 before line 3)\n"),
};

Test(oracle, tile_places)
{
    EXPECT_REPORTS(tile_places);
}

/* ---- names ---- */

Test(oracle, every_verdict_and_place_has_a_name)
{
    static const char *const verdicts[] = {"stale read",
                                           "overrun read",
                                           "lost write",
                                           "race",
                                           "deadlock",
                                           "hang",
                                           "flag overflow",
                                           "wrong result",
                                           "out of bounds",
                                           "uninitialised read",
                                           "misaligned access",
                                           "time-out",
                                           "redundant set_flag",
                                           "unpaired set_flag",
                                           "unpaired cross-core flag",
                                           "atomic mode left on"};
    cr_assert(sizeof verdicts / sizeof *verdicts == V_COUNT);
    for (int v = 0; v < V_COUNT; v++)
        expect_text("verdict", verdict_name((enum verdict)v), verdicts[v]);
    EXPECT_NAMES(where_name, enum where, W_COUNT);
}

/* Findings of one kind at the same places are one, with a count; a new run starts with none. */
static void stale_twice(struct builder *b)
{
    struct loc x = var(b, "x", 4), s = var(b, "s", 1);
    core(b, 0);
    mte3(b, on(x, 1), tile(b, 4));
    post_add(b, on(s, 1), 1);
    core(b, 1);
    wait_ge(b, s, 1);
    mte2(b, tile(b, 4), x);
}

Test(oracle, findings_are_distinct_and_counted)
{
    struct rig r;
    int n;
    rig_open(&r, stale_twice, "a2a3", NULL, true);
    rig_script(&r, "stale", "s0 s0 s0 sc.0>1 s1 s1 s1 mte2.1 run end");
    const struct finding *f = oracle_findings(r.oracle, &n);
    cr_expect(n == 1 && f[0].units == 4 && oracle_count(r.oracle, V_STALE_READ) == 4,
              "%d findings of %d units, %d counted", n, (int)f[0].units,
              (int)oracle_count(r.oracle, V_STALE_READ));
    machine_reset(r.machine);
    oracle_findings(r.oracle, &n);
    cr_expect(n == 0 && oracle_count(r.oracle, V_STALE_READ) == 0 && oracle_checked(r.oracle) == 0);
    rig_script(&r, "fresh", "s0 mte3.0 dma.0>1 run end");
    oracle_findings(r.oracle, &n);
    cr_expect(n == 0);
    rig_close(&r);
}
