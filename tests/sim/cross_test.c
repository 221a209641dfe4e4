/* SPDX-License-Identifier: MIT */
/*
 * Flags between cores (pypto-ops-facts 3.4, 3.6): who has to set one, who gets it, when a set is
 * performed, and what a wait holds up. Core 0 is a cluster's cube core, cores 1 and 2 are its vector
 * cores, and so on.
 */
#include "tests/sim/rig.h"

enum { ID = 2 };

static void cluster_of(struct builder *b, int cluster, int index)
{
    lane(b, 0, cluster, (enum lane)(LANE_AIC + index));
}

static void wait_here(struct builder *b)
{
    wait_cross(b, ID);
}

/* ---- the cube core and its vector cores ---- */

static void cube_sets(struct builder *b)
{
    cluster_of(b, 0, 0);
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID);
    for (int v = 1; v <= 2; v++) {
        cluster_of(b, 0, v);
        wait_here(b);
    }
    cluster_of(b, 1, 1);
    wait_here(b);
}

static void vectors_set(struct builder *b)
{
    cluster_of(b, 0, 0);
    wait_here(b);
    wait_here(b);
    for (int v = 1; v <= 2; v++) {
        cluster_of(b, 0, v);
        set_cross(b, PIPE_MTE3, CROSS_CLUSTER, ID);
        set_cross(b, PIPE_MTE3, CROSS_CLUSTER, ID);
    }
}

static void one_vector_core(struct builder *b)
{
    cluster_of(b, 0, 0);
    wait_here(b);
    cluster_of(b, 0, 1);
    set_cross(b, PIPE_MTE3, CROSS_CLUSTER, ID);
}

static void other_id(struct builder *b)
{
    cluster_of(b, 0, 0);
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID + 1);
    cluster_of(b, 0, 1);
    wait_here(b);
}

static const struct row within[] = {
    ROW("the cube core raises it for both vector cores of its cluster, and no others", cube_sets,
        "!s1 !s2 s0 !s1 fix.0 ?s1 s2 s1 !s3"),
    ROW("each set can be taken once", cube_sets, "s0 fix.0 s1 s2 !s3 !end"),
    ROW("for the cube core both have to set it", vectors_set,
        "s1 mte3.1 !s0 s1 mte3.1 !s0 s2 mte3.2 s0 !s0 s2 mte3.2 s0 end"),
    ROW("counted, each set is one", vectors_set, "s1 mte3.1 s0 !s0 s2 mte3.2 s0 s1 s2",
        KEY(v2c, V2C_COUNT)),
    ROW("a vector core that nothing runs on is missing all the same", one_vector_core,
        "s1 mte3.1 !s0 !end"),
    ROW("counted, it is not", one_vector_core, "s1 mte3.1 s0 end", KEY(v2c, V2C_COUNT)),
    ROW("another id is another flag", other_id, "s0 fix.0 !s1"),
    ROW("everything acts at once", cube_sets, "!s1 s0 s1 s2 !s3", KEY(coherent, true)),
};

Test(cross, within_a_cluster)
{
    RUN_ROWS(within);
}

/* ---- cores of one kind ---- */

static void pair_meets(struct builder *b)
{
    for (int v = 1; v <= 2; v++) {
        cluster_of(b, 0, v);
        set_cross(b, PIPE_MTE3, CROSS_PAIR, ID);
        wait_here(b);
    }
    cluster_of(b, 1, 1);
    wait_here(b);
    cluster_of(b, 0, 0);
    wait_here(b);
}

static void all_vectors_meet(struct builder *b)
{
    for (int v = 0; v < 4; v++) {
        cluster_of(b, v / 2, 1 + v % 2);
        set_cross(b, PIPE_MTE3, CROSS_ALL, ID);
        wait_here(b);
    }
    cluster_of(b, 0, 0);
    wait_here(b);
}

static void cubes_meet(struct builder *b)
{
    for (int c = 0; c < 2; c++) {
        cluster_of(b, c, 0);
        set_cross(b, PIPE_FIX, CROSS_ALL, ID);
        wait_here(b);
    }
    cluster_of(b, 0, 1);
    wait_here(b);
}

static void ranks_apart(struct builder *b)
{
    for (int r = 0; r < 2; r++) {
        lane(b, r, 0, LANE_AIC);
        set_cross(b, PIPE_FIX, CROSS_ALL, ID);
        wait_here(b);
    }
}

static void without_lanes(struct builder *b)
{
    for (int c = 0; c < 2; c++) {
        core(b, 0);
        set_cross(b, PIPE_S, CROSS_ALL, ID);
        wait_here(b);
    }
}

static const struct row kinds[] = {
    ROW("the two vector cores of a cluster meet", pair_meets,
        "s0 mte3.0 !s0 s1 !s0 mte3.1 s0 s1 !s2 !s3"),
    ROW("a second set of one does not stand for the other", vectors_set, "s1 s1 mte3.1 mte3.1 !s0"),
    ROW("all vector cores of a rank meet, and no cube core", all_vectors_meet,
        "s0 s1 s2 s3 mte3.0 mte3.1 mte3.2 !s0 mte3.3 s0 s1 s2 s3 !s4"),
    ROW("its cube cores meet, and no vector core", cubes_meet, "s0 fix.0 !s0 s1 fix.1 s1 s0 !s2"),
    ROW("those of another rank are not asked", ranks_apart, "s0 fix.0 s0 s1 !s1 fix.1 s1"),
    ROW("cores without a lane meet those of their rank", without_lanes, "s0 !s0 s1 s1 s0 end"),
};

Test(cross, of_one_kind)
{
    RUN_ROWS(kinds);
}

/* ---- when a set is performed ---- */

static void store_then_set(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    cluster_of(b, 0, 0);
    fix(b, x, tile(b, 1));
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID);
    mte3(b, y, tile(b, 1));
    cluster_of(b, 0, 1);
    wait_here(b);
}

static void peer_store_then_set(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    cluster_of(b, 0, 0);
    fix(b, on(x, 1), tile(b, 1));
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID);
}

static void scalar_sets(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    cluster_of(b, 0, 0);
    fix(b, x, tile(b, 1));
    set_cross(b, PIPE_S, CROSS_CLUSTER, ID);
    cluster_of(b, 0, 1);
    wait_here(b);
}

static const struct row sets[] = {
    ROW("behind what its pipe has stored", store_then_set,
        "s0 s0 !s1 fix.0 !fix.0 dma.0>0 fix.0 s1"),
    ROW("not behind what another pipe has", store_then_set,
        "s0 s0 s0 fix.0 dma.0>0:x mte3.0 fix.0 s1"),
    ROW("nor behind what goes to a peer", peer_store_then_set, "s0 s0 fix.0 fix.0 ?dma.0>1"),
    ROW("posted is enough, by contract", store_then_set, "s0 s0 fix.0 fix.0 ?dma.0>0 s1",
        KEY(ffts_set, FFTS_SET_POSTED)),
    ROW("the scalar unit's own set waits for no pipe", scalar_sets, "s0 s0 s1 ?fix.0"),
};

Test(cross, sets)
{
    RUN_ROWS(sets);
}

/* ---- what a wait holds up ---- */

static void wait_with_work(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    cluster_of(b, 0, 1);
    mte3(b, x, tile(b, 1));
    wait_here(b);
    cluster_of(b, 0, 0);
    set_cross(b, PIPE_S, CROSS_CLUSTER, ID);
}

static const struct row waits[] = {
    ROW("the scalar unit", wait_with_work, "s0 !s0 mte3.0 s1 s0"),
    ROW("the whole core, by contract", wait_with_work, "s0 !s0 !mte3.0 s1 ?mte3.0 s0 mte3.0",
        KEY(wait_dev, WAIT_DEV_CORE)),
};

Test(cross, waits)
{
    RUN_ROWS(waits);
}

/* ---- a poll past the cache ---- */

static void poll_past_the_cache(struct builder *b)
{
    struct loc s = var(b, "s", 2);
    core(b, 0);
    st(b, word(s, 1), 7);
    poll_dev(b, s, 2);
}

static void poll_without_sign(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    poll_dev(b, s, 2)->sub = CMP_GEU;
}

static const struct row polls[] = {
    ROW("without a sign it counts up as any other", poll_without_sign, "!s0 s:=1 !s0 s:=2 s0 end"),
    ROW("and takes a negative number for a great one", poll_without_sign, "!s0 s:=-1 s0 end"),
    ROW("it looks at memory and leaves the line alone", poll_past_the_cache,
        "s0 !s0 s:=1 !s0 s:=2 ?s0 0:s[1]~dirty s0 0:s[1]~dirty s[1]=0"),
};

Test(cross, polls)
{
    RUN_ROWS(polls);
}

/* ---- counters ---- */

static void sixteen_sets(struct builder *b)
{
    cluster_of(b, 0, 0);
    for (int i = 0; i < 16; i++)
        set_cross(b, PIPE_S, CROSS_CLUSTER, ID);
    cluster_of(b, 0, 1);
    wait_here(b);
}

/* The counter ends at 15: of a core that runs nothing as well. */
static const struct row counters[] = {
    ROW("it counts to 15", sixteen_sets, "s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 ?s0 s1"),
    ROW("and no further", sixteen_sets, "s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 !s1 !end"),
};

Test(cross, counters)
{
    RUN_ROWS(counters);
    struct rig r;
    int n;
    rig_open(&r, sixteen_sets, "a2a3", NULL, true);
    rig_script(&r, "overflow", "s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 s0");
    const struct finding *f = oracle_findings(r.oracle, &n);
    cr_expect(n == 1 && f->verdict == V_FLAG_OVERFLOW && f->reader.core == 0 &&
                  f->reader.insn == 15,
              "%d findings", n);
    rig_close(&r);
}

/* ---- the order that a flag gives: verdicts of all schedules ---- */

/* A vector core stores x, the cube core loads it. */
static void through_memory(struct builder *b, bool set, bool waited)
{
    struct loc x = var(b, "x", 1);
    cluster_of(b, 0, 0);
    if (waited)
        wait_here(b);
    mte2(b, tile(b, 1), x);
    cluster_of(b, 0, 1);
    mte3(b, x, tile(b, 1));
    if (set)
        set_cross(b, PIPE_MTE3, CROSS_CLUSTER, ID);
    cluster_of(b, 0, 2);
    set_cross(b, PIPE_MTE3, CROSS_CLUSTER, ID);
}

static void with_flag(struct builder *b)
{
    through_memory(b, true, true);
}

static void without_wait(struct builder *b)
{
    through_memory(b, true, false);
}

static void set_too_early(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    cluster_of(b, 0, 0);
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID);
    fix(b, x, tile(b, 1));
    cluster_of(b, 0, 1);
    wait_here(b);
    mte2(b, tile(b, 1), x);
}

/* The store waits in another pipe than that which sets. */
static void set_by_other_pipe(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    cluster_of(b, 0, 0);
    fix(b, x, tile(b, 1));
    set_cross(b, PIPE_MTE3, CROSS_CLUSTER, ID);
    cluster_of(b, 0, 1);
    wait_here(b);
    mte2(b, tile(b, 1), x);
}

/* A flag cleans nothing and invalidates nothing. */
static void scalar_data(struct builder *b, bool cleans, bool invalidates)
{
    struct loc x = var(b, "x", 1);
    cluster_of(b, 0, 0);
    st(b, x, 1);
    if (cleans)
        dcci(b, x);
    dsb(b);
    set_cross(b, PIPE_S, CROSS_CLUSTER, ID);
    cluster_of(b, 0, 1);
    ld(b, 1, x)->flags |= INSN_SYNC;
    wait_here(b);
    if (invalidates)
        dcci(b, x);
    ld(b, 0, x);
}

static void scalar_data_bare(struct builder *b)
{
    scalar_data(b, false, true);
}

static void scalar_data_kept(struct builder *b)
{
    scalar_data(b, true, false);
}

static void scalar_data_clean(struct builder *b)
{
    scalar_data(b, true, true);
}

/* The second set tells of both stores, the first of one. */
static void two_sets(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    cluster_of(b, 0, 0);
    fix(b, x, tile(b, 1));
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID);
    fix(b, y, tile(b, 1));
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID);
    cluster_of(b, 0, 1);
    wait_here(b);
    mte2(b, tile(b, 1), x);
    wait_here(b);
    mte2(b, tile(b, 1), y);
}

static void first_of_two(struct builder *b)
{
    struct loc y = var(b, "y", 1);
    cluster_of(b, 0, 0);
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID);
    fix(b, y, tile(b, 1));
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID);
    cluster_of(b, 0, 1);
    wait_here(b);
    mte2(b, tile(b, 1), y);
    wait_here(b);
}

/* Two vector cores store neighbours in one block of 32 bytes (tilelang-ascend#1661). */
static void share_block(struct builder *b, bool in_turn)
{
    struct loc x = var(b, "x", 8);
    for (int v = 1; v <= 2; v++) {
        cluster_of(b, 0, v);
        if (in_turn && v == 1)
            mte3(b, x, tile(b, 1));
        if (in_turn) {
            set_cross(b, PIPE_MTE3, CROSS_PAIR, ID);
            wait_here(b);
        }
        if (!in_turn || v == 2)
            mte3(b, word(x, v - 1), tile(b, 1));
    }
}

static void shared_block(struct builder *b)
{
    share_block(b, false);
}

static void shared_block_in_turn(struct builder *b)
{
    share_block(b, true);
}

static const struct {
    const char *name;
    void (*build)(struct builder *b);
    const char *expected; /* rig_verdicts of all runs, joined; "-": none */
    struct key keys[ROW_KEYS];
} orders[] = {
    {"store, set; wait, load", with_flag, "-", {{0}}},
    {"nothing is waited for", without_wait, "race; unpaired cross-core flag", {{0}}},
    {"the set is in front of the store", set_too_early, "race", {{0}}},
    {"the set waits for another pipe",
     set_by_other_pipe,
     "stale read (in flight); stale read (queued in the pipe)",
     {{0}}},
    {"posted, the store may be on its way",
     with_flag,
     "stale read (in flight)",
     {KEY(ffts_set, FFTS_SET_POSTED)}},
    {"counted, the other vector core's set may come first",
     with_flag,
     "race; unpaired cross-core flag",
     {KEY(v2c, V2C_COUNT)}},
    {"no clean",
     scalar_data_bare,
     "lost write (dirty in the producer's cache); stale read (dirty in "
     "the producer's cache)",
     {{0}}},
    {"no invalidate", scalar_data_kept, "stale read (old line at the reader)", {{0}}},
    {"both", scalar_data_clean, "-", {{0}}},
    {"neighbours in a block", shared_block, "-", {{0}}},
    {"neighbours in a block that is modified whole",
     shared_block,
     "lost write (overwritten by write-back)",
     {KEY(dma_block, DMA_BLOCK_32)}},
    {"the same in turn", shared_block_in_turn, "-", {KEY(dma_block, DMA_BLOCK_32)}},
    {"two sets, two waits", two_sets, "-", {{0}}},
    {"what only the second set tells", first_of_two, "race", {{0}}},
};

static void add_verdicts(struct rig *r, void *ctx)
{
    oracle_finish(r->oracle, r->machine);
    rig_verdicts(r, ctx);
}

Test(cross, order)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct rig r;
        rig_open(&r, orders[i].build, "a2a3", orders[i].keys, true);
        struct text_set seen = {.arena = &r.arena};
        cr_expect(rig_explore(&r, false, 2000000, add_verdicts, &seen), "%s: too many runs",
                  orders[i].name);
        expect_text(orders[i].name, text_set_join(&seen), orders[i].expected);
        rig_close(&r);
    }
}

/* ---- a wait that nothing ends ---- */

/* The second vector core sets another id. */
static void one_sets_elsewhere(struct builder *b)
{
    cluster_of(b, 0, 0);
    wait_here(b);
    cluster_of(b, 0, 1);
    set_cross(b, PIPE_MTE3, CROSS_CLUSTER, ID);
    cluster_of(b, 0, 2);
    set_cross(b, PIPE_MTE3, CROSS_CLUSTER, ID + 1);
}

/* Each lane waits for the other before it sets. */
static void each_waits_first(struct builder *b)
{
    cluster_of(b, 0, 0);
    wait_here(b);
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID + 1);
    for (int v = 1; v <= 2; v++) {
        cluster_of(b, 0, v);
        wait_cross(b, ID + 1);
        set_cross(b, PIPE_MTE3, CROSS_CLUSTER, ID);
    }
}

static void waits_for_itself(struct builder *b)
{
    for (int v = 1; v <= 2; v++) {
        cluster_of(b, 0, v);
        wait_here(b);
        set_cross(b, PIPE_MTE3, CROSS_PAIR, ID);
    }
}

/* More pops than pushes (simpler#1844). */
static void one_pop_too_many(struct builder *b)
{
    cluster_of(b, 0, 0);
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID);
    for (int v = 1; v <= 2; v++) {
        cluster_of(b, 0, v);
        wait_here(b);
        if (v == 2)
            wait_here(b);
    }
}

static void set_behind_a_flag(struct builder *b)
{
    cluster_of(b, 0, 0);
    wait_flag(b, PIPE_V, PIPE_FIX, 0);
    set_cross(b, PIPE_FIX, CROSS_CLUSTER, ID);
    cluster_of(b, 0, 1);
    wait_here(b);
}

Test(cross, hangs_name_who_sets_and_who_does_not)
{
    static const struct {
        const char *name;
        void (*build)(struct builder *b);
        const char *places[3];
    } stuck[] = {
        {"nothing runs there",
         one_vector_core,
         {"hang",
          "core 0.aic waits for flag 2 between cores: core 0.aiv0 has set it, aiv1, on which "
          "nothing runs, never sets it",
          ": nowhere"}},
        {"another id",
         one_sets_elsewhere,
         {"core 0.aiv0 has set it, core 0.aiv1 never sets it", ": nowhere", "hang"}},
        {"each waits first",
         each_waits_first,
         {"core 0.aic waits for flag 2 between cores: core 0.aiv0 would set it in line 2, core "
          "0.aiv1 would set it in line 2",
          "core 0.aiv0 waits for flag 3 between cores: core 0.aic would set it in line 2",
          "behind another wait"}},
        {"itself",
         waits_for_itself,
         {"core 0.aiv0 would set it in line 2, core 0.aiv1 would set it in line 2",
          "behind this wait itself", "hang"}},
        {"one pop too many",
         one_pop_too_many,
         {"core 0.aiv1 waits for flag 2 between cores: core 0.aic never sets it", ": nowhere",
          "hang"}},
        {"behind a flag of pipes",
         set_behind_a_flag,
         {"core 0.aiv0 waits for flag 2 between cores: core 0.aic would set it in line 2",
          "behind another wait", "pipe fix waits for flag v -> fix, id 0"}},
    };
    for (size_t i = 0; i < sizeof stuck / sizeof *stuck; i++) {
        struct rig r;
        rig_open(&r, stuck[i].build, "a2a3", NULL, true);
        rig_script(&r, stuck[i].name, "run !end");
        oracle_finish(r.oracle, r.machine);
        const char *text = rig_findings(&r, &r.arena);
        for (int k = 0; k < 3; k++)
            cr_expect(strstr(text, stuck[i].places[k]), "%s: '%s' is missing in: %s", stuck[i].name,
                      stuck[i].places[k], text);
        rig_close(&r);
    }
}
