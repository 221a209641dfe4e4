/* SPDX-License-Identifier: MIT */
/*
 * One row per transition rule and per contract key (docs/machine.md): where it acts, and
 * the near case where it must not. A row is a program, a schedule (tests/sim/rig.h) and the keys it
 * changes. Lines are 64 bytes: x[0] to x[15] share one.
 */
#include "tests/sim/rig.h"

/* ---- programs: loads and stores ---- */

static void ld_once(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    ld(b, 0, x);
}

static void ld_twice(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    ld(b, 0, x);
    ld(b, 1, x);
}

static void ld_last_word_of_line(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    ld(b, 0, x);
    ld(b, 1, word(x, 15));
    ld(b, 2, word(x, 16));
}

static void ld_peer_then_own(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    ld(b, 0, on(x, 1));
    ld(b, 1, x);
}

static void st_then_ld(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    st(b, x, 7);
    ld(b, 0, x);
    ld(b, 1, word(x, 1));
}

static void st_sees_peer(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st(b, x, 7);
    core(b, 0);
    ld(b, 0, x);
    core(b, 1);
    ld(b, 0, on(x, 0));
}

static const struct row loads_and_stores[] = {
    ROW("ld miss fills from memory as it is now", ld_once,
        "0:x~absent x:=7 s0 0:r0=7 0:x~clean end"),
    ROW("ld miss fills the whole line and no more", ld_once, "s0 0:x[15]~clean 0:x[16]~absent"),
    ROW("ld hit returns the cached word", ld_twice, "x:=7 s0 x:=9 s0 0:r0=7 0:r1=7 end"),
    ROW("ld of the same line hits, of the next misses", ld_last_word_of_line,
        "s0 x[15]:=4 x[16]:=5 s0 s0 0:r1=0 0:r2=5"),
    ROW("a peer's line is a line of its own", ld_peer_then_own,
        "x@1:=5 x:=3 s0 0:x@1~clean 0:x~absent s0 0:r0=5 0:r1=3"),
    ROW("st stays in the cache", st_then_ld, "s0 0:x~dirty x=0 s0 0:r0=7 x=0 s0 end x=0"),
    ROW("st marks its word only", st_then_ld, "s0 0:x~dirty 0:x[1]~clean"),
    ROW("st miss fills the line first", st_then_ld, "x[1]:=3 s0 x[1]:=4 s0 s0 0:r1=3"),
    ROW("no other core sees a dirty word", st_sees_peer, "s0 s1 s2 1:r0=0 2:r0=0"),
};

Test(machine, loads_and_stores)
{
    RUN_ROWS(loads_and_stores);
}

/* ---- a fill waits for the core's own messages to that line ---- */

static void own_write_then_ld(struct builder *b)
{
    struct loc x = var(b, "x", 32), y = var(b, "y", 1);
    core(b, 0);
    st(b, x, 1);
    dcci(b, x);
    ld(b, 1, y);
    ld(b, 0, word(x, 15));
}

static void own_write_then_st(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    st_dev(b, x, 1);
    st(b, word(x, 1), 2);
}

static void own_write_then_next_line(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    st_dev(b, word(x, 15), 1);
    ld(b, 0, word(x, 16));
}

static void own_dma_then_ld(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    put(b, x, 1);
    ld(b, 0, x);
}

static void own_dma_and_write_then_ld(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    put(b, x, 1);
    st_dev(b, y, 2);
    ld(b, 0, x);
    ld(b, 1, y);
}

static void other_write_then_ld(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    ld(b, 0, x);
    core(b, 0);
    st_dev(b, x, 1);
}

static void own_peer_write_then_ld(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    ld(b, 0, x);
    ld(b, 1, on(x, 1));
}

static void hit_beside_message(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    ld(b, 0, x);
    st_dev(b, x, 1);
    ld(b, 1, x);
    st(b, x, 2);
}

static void bypass_beside_message(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, x, 1);
    ld_dev(b, 0, x);
    st_dev(b, x, 2);
    st_atomic(b, x, 3);
    dcci(b, x);
}

static const struct row fills[] = {
    ROW("ld waits for an own message to its line", own_write_then_ld,
        "s0 s0 s0 0:x~absent !s0 sc.0>0 s0 0:r0=0 end"),
    ROW("ld does not wait for another line's", own_write_then_ld, "s0 s0 y:=6 s0 0:r1=6"),
    ROW("st waits too", own_write_then_st, "s0 !s0 sc.0>0 s0 0:x[1]~dirty"),
    ROW("the next line does not wait", own_write_then_next_line, "s0 s0 !end sc.0>0 end"),
    ROW("a fill does not wait for own DMA", own_dma_then_ld, "s0 s0 mte3.0 s0 0:r0=0 dma.0>0 x=1"),
    ROW("nor when a scalar message is on its way elsewhere", own_dma_and_write_then_ld,
        "s0 s0 mte3.0 s0 s0 !s0 dma.0>0 !s0 sc.0>0 s0 0:r0=0 0:r1=2 end"),
    ROW("a fill does not wait for another core", other_write_then_ld, "s1 s0 0:r0=0 sc.1>0 x=1"),
    ROW("the peer's copy is another line", own_peer_write_then_ld,
        "s0 s0 !s0 sc.0>1 s0 0:r0=0 0:r1=1"),
    ROW("a hit does not wait", hit_beside_message, "s0 s0 s0 0:r1=0 s0 0:x~dirty sc.0>0 x=1"),
    ROW("bypasses, atomics and dcci do not wait", bypass_beside_message,
        "s0 s0 0:r0=0 s0 s0 s0 sc.0>0 x=1 sc.0>0 x=2 sc.0>0 x=5 end"),
};

Test(machine, fills)
{
    RUN_ROWS(fills);
}

/* ---- st.atomic ---- */

static void atomic_twice(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    st_atomic(b, x, 1);
    st_atomic(b, x, 2);
    st_atomic(b, word(x, 1), 4);
    dcci(b, x);
}

static void atomic_then_ld(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    st_atomic(b, x, 1);
    ld(b, 0, x);
    ld(b, 1, word(x, 1));
    dcci(b, x);
}

static void atomic_on_cached(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    ld(b, 0, x);
    st_atomic(b, x, 1);
    ld(b, 1, x);
    dcci(b, x);
}

static void atomic_while_in_flight(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, x, 9);
    st_atomic(b, x, 1);
    ld(b, 0, x);
}

static const struct row atomics[] = {
    ROW("no fill, nothing reaches memory", atomic_twice, "s0 0:x~delta 0:x[1]~none x=0"),
    ROW("deltas of a word merge; neighbours keep theirs", atomic_twice,
        "s0 s0 s0 0:x[1]~delta s0 0:x~absent x=0 sc.0>0 x=3 x[1]=4 end"),
    ROW("a delta applies to what memory holds on arrival", atomic_twice,
        "s0 s0 s0 s0 x:=10 x[1]:=20 sc.0>0 x=13 x[1]=24"),
    ROW("a line of deltas is a miss", atomic_then_ld, "s0 x:=5 x[1]:=6 s0 0:r0=5 s0 0:r1=6"),
    ROW("a load does not see the own delta, which is kept", atomic_then_ld,
        "s0 s0 0:r0=0 0:x~delta s0 s0 x=0 sc.0>0 x=1 end"),
    ROW("a delta on a cached line leaves its data", atomic_on_cached,
        "x:=3 s0 s0 x:=8 s0 0:r1=3 s0 sc.0>0 x=9 end"),
    ROW("st.atomic does not wait, the miss after it does", atomic_while_in_flight,
        "s0 s0 !s0 sc.0>0 s0 0:r0=9"),
};

Test(machine, atomics)
{
    RUN_ROWS(atomics);
}

/* ---- dcci: clean and invalidate ---- */

static void dcci_clean(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    ld(b, 0, x);
    ld(b, 1, y);
    dcci(b, x);
    ld(b, 2, x);
}

static void dcci_dirty(struct builder *b)
{
    struct loc x = var(b, "x", 16), y = var(b, "y", 1);
    core(b, 0);
    st(b, y, 8);
    st(b, x, 1);
    dcci(b, word(x, 15));
}

static void dcci_absent(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    dcci(b, x);
    dcci_all(b);
}

static void dcci_local_for_peer(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st(b, on(x, 1), 1);
    dcci(b, x);
    dcci(b, on(x, 1));
}

static void dcci_all_of_four(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1), z = var(b, "z", 1);
    core(b, 0);
    st(b, on(x, 1), 4);
    st(b, z, 3);
    ld(b, 0, y);
    st(b, x, 1);
    dcci_all(b);
}

static void dcci_all_with_deltas(struct builder *b)
{
    struct loc x = var(b, "x", 2), y = var(b, "y", 1);
    core(b, 0);
    st_atomic(b, y, 2);
    st(b, x, 5);
    st_atomic(b, word(x, 1), 1);
    dcci_all(b);
}

static const struct row cleans[] = {
    ROW("a clean line is dropped without a message", dcci_clean,
        "s0 s0 s0 0:x~absent 0:y~clean x:=2 s0 0:r2=2 end"),
    ROW("a dirty line is posted and dropped", dcci_dirty,
        "s0 s0 s0 0:x~absent 0:y~dirty x=0 sc.0>0 x=1 y=0 end"),
    ROW("the whole line goes back: a neighbour is clobbered", dcci_dirty,
        "s0 s0 x[7]:=5 s0 sc.0>0 x=1 x[7]=0", KEY(writeback, WRITEBACK_LINE)),
    ROW("dirty words go back: a neighbour stays", dcci_dirty, "s0 s0 x[7]:=5 s0 sc.0>0 x=1 x[7]=5",
        KEY(writeback, WRITEBACK_WORD)),
    ROW("what is absent stays so", dcci_absent, "s0 s0 end"),
    ROW("the local address is another line than the peer's", dcci_local_for_peer,
        "s0 s0 0:x@1~dirty s0 0:x@1~absent sc.0>1 x@1=1 x=0 end"),
    ROW("dcci all drops every line", dcci_all_of_four,
        "s0 s0 s0 s0 s0 0:x~absent 0:y~absent 0:z~absent 0:x@1~absent run x=1 z=3 x@1=4 end"),
    ROW("dcci all posts in ascending address", dcci_all_of_four,
        "s0 s0 s0 s0 s0 sc.0>0 x=1 z=0 sc.0>0 z=3 sc.0>1 x@1=4 end"),
    ROW("dcci all posts the adds of a line before its write", dcci_all_with_deltas,
        "s0 s0 s0 s0 sc.0>0 x[1]=1 x=0 sc.0>0 x=5 x[1]=0 y=0 sc.0>0 y=2 end"),
    ROW("which a masked write leaves alone", dcci_all_with_deltas,
        "s0 s0 s0 s0 sc.0>0 x[1]=1 x=0 sc.0>0 x=5 x[1]=1 sc.0>0 y=2 end",
        KEY(writeback, WRITEBACK_WORD)),
};

Test(machine, cleans)
{
    RUN_ROWS(cleans);
}

/* ---- dcci of an address inside a line (hw-facts 1.5) ---- */

static void dcci_after_dirty_head(struct builder *b)
{
    struct loc x = var(b, "x", 3);
    core(b, 0);
    st(b, x, 1);
    dcci(b, word(x, 1));
}

static void dcci_at_dirty_word(struct builder *b)
{
    struct loc x = var(b, "x", 3);
    core(b, 0);
    st(b, word(x, 1), 1);
    dcci(b, word(x, 1));
}

static void dcci_before_dirty_tail(struct builder *b)
{
    struct loc x = var(b, "x", 3);
    core(b, 0);
    st(b, word(x, 2), 1);
    dcci(b, word(x, 1));
}

static void dcci_aligned_dirty(struct builder *b)
{
    struct loc x = var(b, "x", 3);
    core(b, 0);
    st(b, word(x, 1), 1);
    dcci(b, x);
}

static const struct row unaligned[] = {
    ROW("align_down: the whole line", dcci_after_dirty_head, "s0 s0 0:x~absent sc.0>0 x=1 end",
        KEY(dcci_unaligned, DCCI_ALIGN_DOWN)),
    ROW("tail_only: not the words before the address", dcci_after_dirty_head,
        "s0 s0 0:x~dirty end x=0", KEY(dcci_unaligned, DCCI_TAIL_ONLY)),
    ROW("tail_only: the words from the address on", dcci_before_dirty_tail,
        "s0 s0 sc.0>0 x[2]=1 end", KEY(dcci_unaligned, DCCI_TAIL_ONLY)),
    ROW("tail_only: with the addressed word", dcci_at_dirty_word, "s0 s0 sc.0>0 x[1]=1 end",
        KEY(dcci_unaligned, DCCI_TAIL_ONLY)),
    ROW("tail_only: an aligned address has no words before it", dcci_aligned_dirty,
        "s0 s0 0:x[1]~absent sc.0>0 x[1]=1 end", KEY(dcci_unaligned, DCCI_TAIL_ONLY)),
};

Test(machine, unaligned_dcci)
{
    RUN_ROWS(unaligned);
}

/* ---- bypass ---- */

static void ld_dev_past_cache(struct builder *b)
{
    struct loc x = var(b, "x", 2), y = var(b, "y", 1);
    core(b, 0);
    ld(b, 0, x);
    ld_dev(b, 1, x);
    st(b, word(x, 1), 4);
    ld_dev(b, 2, word(x, 1));
    ld_dev(b, 3, y);
}

static void st_dev_past_cache(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    st_dev(b, x, 1);
    st_dev(b, on(x, 1), 2);
}

static const struct row bypasses[] = {
    ROW("ld.dev reads memory as it is now", ld_dev_past_cache, "x:=1 s0 x:=2 s0 0:r0=1 0:r1=2"),
    ROW("ld.dev does not see an own dirty word", ld_dev_past_cache,
        "s0 s0 s0 s0 0:r2=0 0:x[1]~dirty"),
    ROW("ld.dev fills no line", ld_dev_past_cache, "s0 s0 s0 s0 y:=3 s0 0:r3=3 0:y~absent"),
    ROW("st.dev posts its word alone", st_dev_past_cache,
        "s0 0:x~absent x=0 x[1]:=8 sc.0>0 x=1 x[1]=8 s0 !end x@1=0 sc.0>1 x@1=2 end"),
};

Test(machine, bypasses)
{
    RUN_ROWS(bypasses);
}

/* ---- pipes ---- */

static void two_stores(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    int t = tile(b, 1), u = tile(b, 1);
    tile_st(b, t, 0, 1);
    tile_st(b, u, 0, 2);
    mte3(b, x, t);
    mte3(b, y, u);
}

static void store_and_load(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    int t = tile(b, 1), u = tile(b, 1);
    tile_st(b, t, 0, 1);
    mte3(b, x, t);
    mte2(b, u, y);
    barrier(b, PIPE_ALL);
    tile_ld(b, 0, u, 0);
}

static void load_past_cache(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    int t = tile(b, 2);
    ld(b, 0, x);
    st(b, word(x, 1), 9);
    mte2(b, t, x);
    barrier(b, PIPE_ALL);
    tile_ld(b, 1, t, 0);
    tile_ld(b, 2, t, 1);
    ld(b, 3, x);
}

static void tile_changed_after_issue(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    tile_st(b, t, 0, 1);
    mte3(b, x, t);
    tile_st(b, t, 0, 9);
}

static void address_changed_after_issue(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    int t = tile(b, 1);
    tile_st(b, t, 0, 1);
    li(b, 1, (int64_t)x.offset);
    mte3(b, x, t);
    last_dma(b)->address = (struct operand){1, 0};
    li(b, 1, (int64_t)y.offset);
}

static void two_loads_and_a_store(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1), u = tile(b, 1);
    mte2(b, t, x);
    mte2(b, t, x);
    mte3(b, x, u);
}

static void load_then_stores(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1), u = tile(b, 1);
    mte2(b, t, x);
    mte3(b, x, u);
    mte3(b, x, u);
}

static void vector_add(struct builder *b)
{
    struct loc y = var(b, "y", 2);
    core(b, 0);
    int t = tile(b, 2), u = tile(b, 2);
    tile_st(b, t, 0, 3);
    tile_st(b, t, 1, 4);
    tile_op(b, TILE_ADD, u, t, t);
    set_flag(b, PIPE_V, PIPE_FIX, 0);
    wait_flag(b, PIPE_V, PIPE_FIX, 0);
    fix(b, y, u);
}

static const struct row pipes[] = {
    ROW("an issued store leaves the scalar unit free", two_stores, "s0 s0 s0 s0 x=0 y=0 !end"),
    ROW("a store retires when it is posted", two_stores,
        "s0 s0 s0 s0 mte3.0 mte3.0 !mte3.0 x=0 y=0 !end dma.0>0 x=1 dma.0>0 y=2 end"),
    ROW("a pipe is in order", two_stores,
        "s0 s0 s0 s0 mte3.0 dma.0>0 x=1 y=0 !dma.0>0 mte3.0 dma.0>0 y=2"),
    ROW("pipes run beside each other: load first", store_and_load,
        "s0 s0 s0 y:=5 mte2.0 y:=6 mte3.0 s0 s0 0:r0=5 dma.0>0 end"),
    ROW("pipes run beside each other: store first", store_and_load,
        "s0 s0 s0 mte3.0 dma.0>0 x=1 y:=6 mte2.0 s0 s0 0:r0=6 end"),
    ROW("an empty pipe has no step", store_and_load, "!mte2.0 !mte3.0 !v.0 !fix.0 !m.0 !mte1.0"),
    ROW("a load reads memory when it runs, past any line", load_past_cache,
        "x:=1 s0 s0 x:=2 s0 x:=3 mte2.0 x:=4 s0 s0 s0 0:r1=3 0:r2=0 s0 0:r3=1"),
    ROW("a store reads its tile when it runs", tile_changed_after_issue,
        "s0 s0 s0 mte3.0 dma.0>0 x=9"),
    ROW("a store's tile before the change", tile_changed_after_issue,
        "s0 s0 mte3.0 s0 dma.0>0 x=1"),
    ROW("registers are read at issue", address_changed_after_issue,
        "s0 s0 mte3.0 dma.0>0 x=1 y=0 end"),
    ROW("a full pipe holds the issue", two_loads_and_a_store, "s0 !s0 mte2.0 s0 mte2.0",
        KEY(pipe_depth, 1)),
    ROW("a deeper pipe does not", two_loads_and_a_store, "s0 s0 s0", KEY(pipe_depth, 2)),
    ROW("another pipe's room does not matter", load_then_stores, "s0 s0 !s0 mte3.0 s0",
        KEY(pipe_depth, 1)),
    ROW("tile arithmetic runs on its pipe, FIX stores", vector_add,
        "s0 s0 s0 s0 s0 s0 !fix.0 v.0 !fix.0 v.0 fix.0 fix.0 dma.0>0 y=6 y[1]=8 end"),
};

Test(machine, pipes)
{
    RUN_ROWS(pipes);
}

/* ---- DMA: messages of a transfer ---- */

static void store_words(struct builder *b, struct loc x, int n)
{
    int t = tile(b, n);
    for (int i = 0; i < n; i++)
        tile_st(b, t, i, i + 1);
    mte3(b, x, t);
}

static void store_two_lines(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    int t = tile(b, 32);
    tile_st(b, t, 0, 1);
    tile_st(b, t, 31, 2);
    mte3(b, x, t);
}

static void store_across_a_line(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    store_words(b, word(x, 14), 4);
}

static void store_rows(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    int t = tile_of(b, 2, 2, ELEM_I32);
    for (int i = 0; i < 4; i++)
        tile_st(b, t, i, i + 1);
    mte3(b, x, t);
    last_dma(b)->gm_stride = 64;
}

static void load_rows(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    int t = tile_of(b, 2, 2, ELEM_I32);
    mte2(b, t, x);
    last_dma(b)->gm_stride = 64;
    barrier(b, PIPE_ALL);
    for (int i = 0; i < 4; i++)
        tile_ld(b, i, t, i);
}

static void dma_add(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    int t = tile(b, 2);
    tile_st(b, t, 0, 5);
    mte3_add(b, x, t);
}

static void store_one_word(struct builder *b)
{
    struct loc x = var(b, "x", 16);
    core(b, 0);
    put(b, x, 1);
}

static void store_a_line(struct builder *b)
{
    struct loc x = var(b, "x", 32);
    core(b, 0);
    int t = tile(b, 16);
    tile_st(b, t, 0, 1);
    mte3(b, x, t);
}

static void store_in_add_mode(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    set_atomic(b, true);
    put(b, x, 3);
    set_atomic(b, false);
    put(b, word(x, 1), 3);
}

static const struct row transfers[] = {
    ROW("one message up to the chunk", store_two_lines, "s0 s0 s0 mte3.0 dma.0>0 x=1 x[31]=2 end",
        KEY(dma_chunk, 128)),
    ROW("two messages beyond it, ascending", store_two_lines,
        "s0 s0 s0 mte3.0 dma.0>0 x=1 x[31]=0 !end dma.0>0 x[31]=2 end", KEY(dma_chunk, 64)),
    ROW("ascending: the later chunk cannot come first", store_two_lines,
        "s0 s0 s0 mte3.0 !dma.0>0:x[31] ?dma.0>0:x", KEY(dma_chunk, 64),
        KEY(dma_chunk_order, CHUNKS_ASCENDING)),
    ROW("any order: it can", store_two_lines,
        "s0 s0 s0 mte3.0 ?dma.0>0:x dma.0>0:x[31] x=0 x[31]=2 dma.0>0:x x=1 end",
        KEY(dma_chunk, 64), KEY(dma_chunk_order, CHUNKS_ANY)),
    ROW("chunks end at multiples of their size", store_across_a_line,
        "s0 s0 s0 s0 s0 mte3.0 dma.0>0 x[14]=1 x[15]=2 x[16]=0 dma.0>0 x[16]=3 x[17]=4 end",
        KEY(dma_chunk, 64)),
    ROW("rows are messages of their own", store_rows,
        "s0 s0 s0 s0 s0 mte3.0 dma.0>0 x=1 x[1]=2 x[16]=0 dma.0>0 x[16]=3 x[17]=4 x[2]=0 end"),
    ROW("a load gathers its rows", load_rows,
        "x:=1 x[1]:=2 x[2]:=9 x[16]:=3 x[17]:=4 s0 mte2.0 s0 s0 s0 s0 s0 0:r0=1 0:r1=2 0:r2=3 "
        "0:r3=4"),
    ROW("an atomic add applies to what memory holds on arrival", dma_add,
        "x:=1 s0 s0 mte3.0 x:=10 x[1]:=7 dma.0>0 x=15 x[1]=7 end"),
    ROW("in the mode of adds a store adds; it counts when the store is issued", store_in_add_mode,
        "x:=4 x[1]:=4 s0 s0 s0 s0 mte3.0 mte3.0 dma.0>0 dma.0>0 x=7 x[1]=3 end"),
    ROW("byte_exact: a partial line leaves its neighbours", store_one_word,
        "s0 s0 mte3.0 x[1]:=5 dma.0>0 x=1 x[1]=5", KEY(partial_line_dma, PARTIAL_BYTE_EXACT)),
    ROW("read_modify_write: it takes them back", store_one_word,
        "x[1]:=4 s0 s0 mte3.0 x[1]:=5 dma.0>0 x=1 x[1]=4",
        KEY(partial_line_dma, PARTIAL_READ_MODIFY_WRITE)),
    ROW("dma_block: so does a block of 32 bytes", store_one_word,
        "x[1]:=4 x[7]:=4 s0 s0 mte3.0 x[1]:=5 x[7]:=5 dma.0>0 x=1 x[1]=4 x[7]=4",
        KEY(dma_block, DMA_BLOCK_32)),
    ROW("dma_block: the next block is left alone", store_one_word,
        "x[8]:=4 s0 s0 mte3.0 x[8]:=5 dma.0>0 x=1 x[8]=5", KEY(dma_block, DMA_BLOCK_32)),
    ROW("dma_block: whole blocks have no neighbours", store_a_line,
        "s0 s0 mte3.0 x[16]:=5 dma.0>0 x=1 x[16]=5 end", KEY(dma_block, DMA_BLOCK_32)),
    ROW("read_modify_write: a whole line has no neighbours", store_a_line,
        "s0 s0 mte3.0 x[16]:=5 dma.0>0 x=1 x[16]=5 end",
        KEY(partial_line_dma, PARTIAL_READ_MODIFY_WRITE)),
    ROW("read_modify_write: an atomic add carries nothing along", dma_add,
        "s0 s0 mte3.0 x[1]:=5 dma.0>0 x=5 x[1]=5 end",
        KEY(partial_line_dma, PARTIAL_READ_MODIFY_WRITE)),
};

Test(machine, transfers)
{
    RUN_ROWS(transfers);
}

/* ---- flags ---- */

static void flag_between_pipes(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    set_flag(b, PIPE_MTE2, PIPE_MTE3, 1);
    wait_flag(b, PIPE_MTE2, PIPE_MTE3, 1);
    mte3(b, y, t);
}

static void flag_counts(struct builder *b)
{
    core(b, 0);
    set_flag(b, PIPE_V, PIPE_MTE3, 2);
    set_flag(b, PIPE_V, PIPE_MTE3, 2);
    wait_flag(b, PIPE_V, PIPE_MTE3, 2);
    wait_flag(b, PIPE_V, PIPE_MTE3, 2);
    wait_flag(b, PIPE_V, PIPE_MTE3, 2);
}

static void flag_of_another_id(struct builder *b)
{
    core(b, 0);
    set_flag(b, PIPE_V, PIPE_MTE3, 2);
    wait_flag(b, PIPE_V, PIPE_MTE3, 3);
}

static void flag_of_another_pair(struct builder *b)
{
    core(b, 0);
    set_flag(b, PIPE_V, PIPE_MTE2, 2);
    wait_flag(b, PIPE_V, PIPE_MTE3, 2);
}

static void flag_from_scalar(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    wait_flag(b, PIPE_S, PIPE_MTE3, 0);
    mte3(b, x, t);
    mte2(b, t, x);
    set_flag(b, PIPE_S, PIPE_MTE3, 0);
}

static void flag_to_scalar(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    set_flag(b, PIPE_MTE2, PIPE_S, 0);
    wait_flag(b, PIPE_MTE2, PIPE_S, 0);
    tile_ld(b, 0, t, 0);
}

static const struct row flags[] = {
    ROW("wait_flag holds its pipe, not the scalar unit", flag_between_pipes,
        "s0 s0 s0 s0 !mte3.0 mte2.0 !mte3.0 mte2.0 mte3.0 mte3.0"),
    ROW("set_flag is in order with its pipe", flag_between_pipes,
        "s0 s0 s0 s0 x:=5 mte2.0 x:=6 mte2.0 mte3.0 mte3.0 dma.0>0 y=5 end"),
    ROW("flags count up and down", flag_counts,
        "s0 s0 s0 s0 s0 v.0 v.0 mte3.0 mte3.0 !mte3.0 !end"),
    ROW("one flag lets one wait go on", flag_counts,
        "s0 s0 s0 s0 s0 v.0 mte3.0 !mte3.0 v.0 mte3.0"),
    ROW("another id is another flag", flag_of_another_id, "s0 s0 v.0 !mte3.0 !end"),
    ROW("another pair is another flag", flag_of_another_pair, "s0 s0 v.0 !mte3.0 !end"),
    ROW("a flag from the scalar unit fires at issue, whatever is queued", flag_from_scalar,
        "s0 s0 s0 !mte3.0 s0 mte3.0 mte3.0 ?mte2.0"),
    ROW("a flag to the scalar unit holds it", flag_to_scalar,
        "x:=5 s0 s0 !s0 mte2.0 !s0 mte2.0 s0 s0 0:r0=5 end"),
};

Test(machine, flags)
{
    RUN_ROWS(flags);
}

/* ---- barriers ---- */

static void barrier_after(struct builder *b, enum pipe p, enum pipe busy)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    if (busy == PIPE_MTE2)
        mte2(b, t, x);
    else if (busy == PIPE_MTE3)
        mte3(b, x, t);
    else if (busy == PIPE_FIX)
        fix(b, x, t);
    else
        tile_op(b, TILE_ADD, t, t, t);
    barrier(b, p);
}

static void all_after_mte2(struct builder *b)
{
    barrier_after(b, PIPE_ALL, PIPE_MTE2);
}

static void all_after_mte3(struct builder *b)
{
    barrier_after(b, PIPE_ALL, PIPE_MTE3);
}

static void all_after_fix(struct builder *b)
{
    barrier_after(b, PIPE_ALL, PIPE_FIX);
}

static void all_after_v(struct builder *b)
{
    barrier_after(b, PIPE_ALL, PIPE_V);
}

static void mte3_after_mte3(struct builder *b)
{
    barrier_after(b, PIPE_MTE3, PIPE_MTE3);
}

static void mte3_after_mte2(struct builder *b)
{
    barrier_after(b, PIPE_MTE3, PIPE_MTE2);
}

static void all_beside_other_core(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte3(b, x, t);
    core(b, 0);
    barrier(b, PIPE_ALL);
}

static const struct row barriers[] = {
    ROW("all waits for MTE2", all_after_mte2, "s0 !s0 mte2.0 s0 end"),
    ROW("all waits for MTE3, not for its messages", all_after_mte3,
        "s0 !s0 mte3.0 s0 !end dma.0>0 end"),
    ROW("all waits for FIX", all_after_fix, "s0 !s0 fix.0 s0 !end dma.0>0 end"),
    ROW("all waits for V", all_after_v, "s0 !s0 v.0 s0 end"),
    ROW("all does not wait for another core", all_beside_other_core, "s0 s1 ?mte3.0"),
    ROW("queue_local: one pipe's barrier holds nothing", mte3_after_mte3, "s0 s0 ?mte3.0 !end",
        KEY(pipe_barrier, BARRIER_QUEUE_LOCAL)),
    ROW("scalar_blocking: it waits for that pipe", mte3_after_mte3,
        "s0 !s0 mte3.0 s0 !end dma.0>0 end", KEY(pipe_barrier, BARRIER_SCALAR_BLOCKING)),
    ROW("scalar_blocking: not for another pipe", mte3_after_mte2, "s0 s0 ?mte2.0",
        KEY(pipe_barrier, BARRIER_SCALAR_BLOCKING)),
    ROW("scalar_blocking: all waits for all", all_after_mte2, "s0 !s0 mte2.0 s0",
        KEY(pipe_barrier, BARRIER_SCALAR_BLOCKING)),
};

Test(machine, barriers)
{
    RUN_ROWS(barriers);
}

/* ---- dsb ---- */

static void dsb_after_write_back(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st(b, x, 1);
    dcci(b, x);
    dsb(b);
}

static void dsb_after_st_dev(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, x, 1);
    dsb(b);
}

static void dsb_after_dma(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    put(b, x, 1);
    dsb(b);
}

static void dsb_after_peer_st(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, on(x, 1), 1);
    dsb(b);
}

static void dsb_after_peer_dma(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    put(b, on(x, 1), 1);
    dsb(b);
}

static void dsb_after_load(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    dsb(b);
}

static void dsb_beside_other_core(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, x, 1);
    core(b, 0);
    dsb(b);
}

static void dsb_with_dirty_line(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st(b, x, 1);
    dsb(b);
}

static const struct row dsbs[] = {
    ROW("scalar: waits for a write-back", dsb_after_write_back, "s0 s0 !s0 sc.0>0 s0 end",
        KEY(dsb_waits, DSB_SCALAR)),
    ROW("scalar: waits for st.dev", dsb_after_st_dev, "s0 !s0 sc.0>0 s0 end",
        KEY(dsb_waits, DSB_SCALAR)),
    ROW("scalar: nor passes a register write", dsb_after_st_dev, "s0 !s0 sc.0>0 s0 end",
        KEY(dsb_waits, DSB_SCALAR), KEY(st_dev, ST_DEV_REGISTER)),
    ROW("scalar: not for DMA in flight", dsb_after_dma, "s0 s0 mte3.0 s0 !end dma.0>0 end",
        KEY(dsb_waits, DSB_SCALAR)),
    ROW("posted: waits for a write-back", dsb_after_write_back, "s0 s0 !s0 sc.0>0 s0 end",
        KEY(dsb_waits, DSB_POSTED)),
    ROW("posted: waits for DMA in flight", dsb_after_dma, "s0 s0 mte3.0 !s0 dma.0>0 s0 end",
        KEY(dsb_waits, DSB_POSTED)),
    ROW("posted: not for DMA in the queue", dsb_after_dma, "s0 s0 s0 ?mte3.0",
        KEY(dsb_waits, DSB_POSTED)),
    ROW("all_dma: waits for DMA in the queue and in flight", dsb_after_dma,
        "s0 s0 !s0 mte3.0 !s0 dma.0>0 s0 end", KEY(dsb_waits, DSB_ALL_DMA)),
    ROW("all_dma: waits for a queued load", dsb_after_load, "s0 !s0 mte2.0 s0",
        KEY(dsb_waits, DSB_ALL_DMA)),
    ROW("posted: not for a queued load", dsb_after_load, "s0 s0 ?mte2.0",
        KEY(dsb_waits, DSB_POSTED)),
    ROW("all_dma: waits for st.dev", dsb_after_st_dev, "s0 !s0 sc.0>0 s0",
        KEY(dsb_waits, DSB_ALL_DMA)),
    ROW("destination: waits for messages to a peer", dsb_after_peer_st, "s0 !s0 sc.0>1 s0 end",
        KEY(ack, ACK_DESTINATION)),
    ROW("destination: and for DMA to a peer", dsb_after_peer_dma, "s0 s0 mte3.0 !s0 dma.0>1 s0 end",
        KEY(ack, ACK_DESTINATION)),
    ROW("egress: not for messages to a peer", dsb_after_peer_st, "s0 s0 !end sc.0>1 end",
        KEY(ack, ACK_EGRESS)),
    ROW("egress: nor for DMA to a peer", dsb_after_peer_dma, "s0 s0 mte3.0 s0 !end dma.0>1 end",
        KEY(ack, ACK_EGRESS)),
    ROW("egress: but for those to the own rank", dsb_after_st_dev, "s0 !s0 sc.0>0 s0",
        KEY(ack, ACK_EGRESS)),
    ROW("egress: and for own DMA to the own rank", dsb_after_dma, "s0 s0 mte3.0 !s0 dma.0>0 s0",
        KEY(ack, ACK_EGRESS)),
    ROW("not for another core's messages", dsb_beside_other_core, "s0 s1 ?sc.0>0"),
    ROW("not for dirty lines, which it leaves alone", dsb_with_dirty_line,
        "s0 s0 0:x~dirty x=0 end"),
};

Test(machine, dsbs)
{
    RUN_ROWS(dsbs);
}

/* ---- the fabric ---- */

static void dma_then_scalar(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    put(b, x, 1);
    st_dev(b, y, 2);
}

static void scalar_twice(struct builder *b)
{
    struct loc x = var(b, "x", 2), y = var(b, "y", 1);
    core(b, 0);
    st_dev(b, x, 1);
    st_dev(b, y, 2);
    st_dev(b, x, 3);
}

static void both_paths_one_line(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    put(b, x, 1);
    st_dev(b, x, 2);
}

static void cleaned_then_dev(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    st(b, x, 1);
    dcci(b, x);
    st_dev(b, y, 2);
}

static void to_two_ranks(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, x, 1);
    st_dev(b, on(x, 1), 2);
}

static void from_two_cores(struct builder *b)
{
    struct loc x = var(b, "x", 1);
    core(b, 0);
    st_dev(b, x, 1);
    core(b, 0);
    st_dev(b, x, 2);
}

static void two_dma(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    put(b, x, 1);
    put(b, y, 2);
}

static const struct row fabrics[] = {
    ROW("per_path: scalar overtakes DMA", dma_then_scalar,
        "s0 s0 mte3.0 s0 sc.0>0 y=2 x=0 dma.0>0 x=1", KEY(fabric, FABRIC_PER_PATH)),
    ROW("per_path: or does not", dma_then_scalar, "s0 s0 mte3.0 s0 dma.0>0 x=1 y=0 sc.0>0 y=2",
        KEY(fabric, FABRIC_PER_PATH)),
    ROW("per_pair: scalar stays behind DMA", dma_then_scalar,
        "s0 s0 mte3.0 s0 !sc.0>0 dma.0>0 sc.0>0 x=1 y=2", KEY(fabric, FABRIC_PER_PAIR)),
    ROW("per_pair: DMA posted later stays behind scalar", dma_then_scalar,
        "s0 s0 s0 mte3.0 !dma.0>0 sc.0>0 dma.0>0 x=1 y=2", KEY(fabric, FABRIC_PER_PAIR)),
    ROW("per_path: one path keeps its order", scalar_twice,
        "s0 s0 s0 !sc.0>0:y sc.0>0:x x=1 sc.0>0:y x=1 sc.0>0:x x=3 end",
        KEY(fabric, FABRIC_PER_PATH)),
    ROW("chunks in any order: the scalar path keeps its order", scalar_twice,
        "s0 s0 s0 !sc.0>0:y ?sc.0>0:x", KEY(dma_chunk_order, CHUNKS_ANY)),
    ROW("per_path: DMA keeps its order", two_dma, "s0 s0 s0 s0 mte3.0 mte3.0 !dma.0>0:y ?dma.0>0:x",
        KEY(fabric, FABRIC_PER_PATH)),
    ROW("unordered: another line overtakes", scalar_twice,
        "s0 s0 s0 sc.0>0:y y=2 x=0 sc.0>0:x x=1 sc.0>0:x x=3", KEY(fabric, FABRIC_UNORDERED)),
    ROW("unordered: DMA overtakes DMA", two_dma,
        "s0 s0 s0 s0 mte3.0 mte3.0 dma.0>0:y y=2 x=0 dma.0>0:x", KEY(fabric, FABRIC_UNORDERED)),
    ROW("unordered: scalar overtakes DMA to the same line", both_paths_one_line,
        "s0 s0 mte3.0 s0 sc.0>0 x=2 dma.0>0 x=1", KEY(fabric, FABRIC_UNORDERED)),
    ROW("unordered: or does not", both_paths_one_line, "s0 s0 mte3.0 s0 dma.0>0 x=1 sc.0>0 x=2",
        KEY(fabric, FABRIC_UNORDERED)),
    ROW("unordered: one path keeps its order to one line", scalar_twice,
        "s0 s0 s0 sc.0>0:x x=1 sc.0>0:x x=3", KEY(fabric, FABRIC_UNORDERED)),
    ROW("per_path: the same line too is overtaken", both_paths_one_line,
        "s0 s0 mte3.0 s0 sc.0>0 x=2 dma.0>0 x=1", KEY(fabric, FABRIC_PER_PATH)),
    ROW("st.dev to memory: stays behind a write-back", cleaned_then_dev,
        "s0 s0 s0 !sc.0>0:y sc.0>0:x sc.0>0:y x=1 y=2", KEY(st_dev, ST_DEV_MEMORY)),
    ROW("st.dev to a register: overtakes it", cleaned_then_dev,
        "s0 s0 s0 sc.0>0:y y=2 x=0 sc.0>0:x x=1 end", KEY(st_dev, ST_DEV_REGISTER)),
    ROW("st.dev to a register: or does not", cleaned_then_dev,
        "s0 s0 s0 sc.0>0:x x=1 y=0 sc.0>0:y y=2 end", KEY(st_dev, ST_DEV_REGISTER)),
    ROW("st.dev to a register: those keep their order", scalar_twice,
        "s0 s0 s0 !sc.0>0:y ?sc.0>0:x", KEY(st_dev, ST_DEV_REGISTER)),
    ROW("st.dev to a register: what all else has to one rank does not hold it", dma_then_scalar,
        "s0 s0 mte3.0 s0 sc.0>0 y=2 x=0 dma.0>0 x=1", KEY(st_dev, ST_DEV_REGISTER),
        KEY(fabric, FABRIC_PER_PAIR)),
    ROW("st.dev to a register, unordered: only those to one line keep their order", scalar_twice,
        "s0 s0 s0 sc.0>0:y y=2 x=0 sc.0>0:x x=1 sc.0>0:x x=3", KEY(st_dev, ST_DEV_REGISTER),
        KEY(fabric, FABRIC_UNORDERED)),
    ROW("ranks are independent", to_two_ranks, "s0 s0 sc.0>1 x@1=2 x=0 sc.0>0 x=1",
        KEY(fabric, FABRIC_PER_PAIR)),
    ROW("cores are independent", from_two_cores, "s0 s1 sc.1>0 x=2 sc.0>0 x=1",
        KEY(fabric, FABRIC_PER_PAIR)),
};

Test(machine, fabrics)
{
    RUN_ROWS(fabrics);
}

/* ---- poll (TWAIT, hw-facts 1.2) ---- */

static void poll_once(struct builder *b)
{
    struct loc s = var(b, "s", 2), y = var(b, "y", 1);
    core(b, 0);
    ld(b, 0, s);
    ld(b, 1, y);
    wait_ge(b, s, 2);
    ld(b, 2, word(s, 1));
    ld(b, 3, y);
}

static void poll_equal(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    wait_eq(b, s, 2);
}

static void poll_beside_dirty(struct builder *b)
{
    struct loc s = var(b, "s", 2);
    core(b, 0);
    st(b, word(s, 1), 9);
    wait_ge(b, s, 1);
}

static void poll_of_own_store(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    st(b, s, 5);
    wait_ge(b, s, 5);
}

static void poll_of_own_add(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    st_atomic(b, s, 5);
    wait_ge(b, s, 5);
}

static void poll_then_ld(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    wait_ge(b, s, 1);
    ld(b, 0, s);
}

static const struct row polls[] = {
    ROW("holds the core until memory satisfies it", poll_once, "s0 s0 s0 !s0 s:=1 !s0 s:=2 s0"),
    ROW(">= takes more, == does not", poll_equal, "s0 s:=3 !s0 s:=2 s0 end"),
    ROW("is not fooled by an old line, which it drops", poll_once,
        "s0 s0 s:=2 0:s~clean s0 0:s~absent s0"),
    ROW("leaves the line resident and clean: neighbours are a snapshot", poll_once,
        "s0 s0 s:=2 s[1]:=6 s0 s0 0:s~clean s[1]:=7 s0 0:r2=6"),
    ROW("is not fooled by a prefetch between its iterations", poll_then_ld,
        "s0 fill.0:s 0:s~clean s:=1 s0 s0 0:r0=1", KEY(prefetch, PREFETCH_SPONTANEOUS)),
    ROW("leaves other lines alone", poll_once, "s0 s0 s:=2 y:=4 s0 s0 s0 s0 0:r3=0"),
    ROW("writes a dirty line back: the signal is clobbered", poll_beside_dirty,
        "s0 s0 !s0 s:=1 !s0 sc.0>0 s=0 s[1]=9 !s0 s:=1 s0", KEY(writeback, WRITEBACK_LINE)),
    ROW("or, under masked write-back, not", poll_beside_dirty,
        "s0 s0 !s0 s:=1 !s0 sc.0>0 s=1 s[1]=9 s0 0:s[1]~clean", KEY(writeback, WRITEBACK_WORD)),
    ROW("waits for the own store to land", poll_of_own_store, "s0 s0 !s0 sc.0>0 s=5 s0 end"),
    ROW("waits for the own add to land", poll_of_own_add, "s0 s0 !s0 sc.0>0 s=5 s0 end"),
};

Test(machine, polls)
{
    RUN_ROWS(polls);
}

/* ---- evictions and prefetches ---- */

static void three_lines(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1), z = var(b, "z", 1);
    core(b, 0);
    st(b, x, 1);
    ld(b, 0, y);
    ld(b, 1, z);
}

static void three_lines_x_again(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1), z = var(b, "z", 1);
    core(b, 0);
    st(b, x, 1);
    ld(b, 0, y);
    ld(b, 2, x);
    ld(b, 1, z);
}

static void one_store_one_load(struct builder *b)
{
    struct loc x = var(b, "x", 2), y = var(b, "y", 1);
    core(b, 0);
    st(b, x, 1);
    ld(b, 0, y);
    nop(b);
    dsb(b);
}

static void atomic_then_named_load(struct builder *b)
{
    struct loc x = var(b, "x", 2), y = var(b, "y", 1);
    core(b, 0);
    st_atomic(b, x, 1);
    st_dev(b, y, 4);
    ld(b, 0, x);
    ld(b, 1, y);
    dsb(b);
}

static void delta_and_dirty(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    st(b, x, 1);
    st_atomic(b, word(x, 1), 5);
}

static void dirty_and_blocked(struct builder *b)
{
    struct loc x = var(b, "x", 1), s = var(b, "s", 1);
    core(b, 0);
    st(b, x, 1);
    core(b, 1);
    wait_ge(b, s, 1);
}

#define TWO_WAYS KEY(cache_bytes, 128), KEY(ways, 2)

static const struct row replacement[] = {
    ROW("capacity: the oldest line goes, a dirty one is posted", three_lines,
        "s0 s0 0:x~dirty s0 0:x~absent 0:y~clean 0:z~clean x=0 sc.0>0 x=1", TWO_WAYS),
    ROW("capacity: oldest by use, a clean one is dropped", three_lines_x_again,
        "s0 s0 s0 s0 0:x~dirty 0:y~absent 0:z~clean end", TWO_WAYS),
    ROW("capacity: nothing goes while there is room", three_lines,
        "s0 s0 s0 0:x~dirty 0:y~clean 0:z~clean end"),
    ROW("capacity: nothing goes on its own", three_lines, "s0 s0 s0 !evict.0:x !evict.0:y"),
    ROW("spontaneous: a dirty line is posted", one_store_one_load,
        "!evict.0:x s0 evict.0:x 0:x~absent x=0 sc.0>0 x=1", KEY(eviction, EVICTION_SPONTANEOUS)),
    ROW("spontaneous: whole, as by dcci", one_store_one_load,
        "s0 x[1]:=5 evict.0:x sc.0>0 x=1 x[1]=0", KEY(eviction, EVICTION_SPONTANEOUS)),
    ROW("spontaneous: a clean line is dropped", one_store_one_load,
        "s0 s0 evict.0:y 0:y~absent 0:x~dirty", KEY(eviction, EVICTION_SPONTANEOUS)),
    ROW("spontaneous: deltas are posted", atomic_then_named_load,
        "s0 evict.0:x 0:x~absent sc.0>0 x=1", KEY(eviction, EVICTION_SPONTANEOUS)),
    ROW("spontaneous: dirty lines still leave after the end, clean ones do not", three_lines,
        "s0 s0 s0 end !evict.0:y x=0 evict.0:x end x=0 sc.0>0 end x=1 !evict.0:x",
        KEY(eviction, EVICTION_SPONTANEOUS)),
    ROW("spontaneous: adds before the write of a line, after the end too", delta_and_dirty,
        "s0 s0 end evict.0:x end sc.0>0 end x[1]=5 sc.0>0 end x=1 x[1]=0",
        KEY(eviction, EVICTION_SPONTANEOUS)),
    ROW("spontaneous: what left before the end has to arrive before it", three_lines,
        "s0 evict.0:x s0 s0 !end sc.0>0 end x=1", KEY(eviction, EVICTION_SPONTANEOUS)),
    ROW("spontaneous: a core that waits has not ended", dirty_and_blocked,
        "s0 s1 !end evict.0:x !end sc.0>0 !end", KEY(eviction, EVICTION_SPONTANEOUS)),
    ROW("capacity: nothing leaves after the end", delta_and_dirty, "s0 s0 end !evict.0:x"),
    ROW("prefetch none: never", one_store_one_load, "!fill.0:y"),
    ROW("prefetch: fills an absent line that a load names", one_store_one_load,
        "y:=3 fill.0:y 0:y~clean y:=4 s0 s0 0:r0=3", KEY(prefetch, PREFETCH_SPONTANEOUS)),
    ROW("prefetch: not a line that only a store names", one_store_one_load, "!fill.0:x ?fill.0:y",
        KEY(prefetch, PREFETCH_SPONTANEOUS)),
    ROW("prefetch: not a line that is present", one_store_one_load, "s0 s0 !fill.0:y",
        KEY(prefetch, PREFETCH_SPONTANEOUS)),
    ROW("prefetch: waits for own messages to the line, as a miss does", atomic_then_named_load,
        "?fill.0:y s0 s0 !fill.0:y sc.0>0 fill.0:y 0:y~clean", KEY(prefetch, PREFETCH_SPONTANEOUS)),
};

Test(machine, evictions_and_prefetches)
{
    RUN_ROWS(replacement);
}

/* ---- tasks ---- */

static void second_task(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    task(b, "first");
    ld(b, 0, x);
    st(b, y, 2);
    task(b, "second");
    ld(b, 1, x);
}

static const struct row tasks[] = {
    ROW("a task starts with an empty cache", second_task,
        "s0 s0 s0 x:=5 s0 0:x~absent 0:y~absent sc.0>0 y=2 s0 0:r1=5 end",
        KEY(task_entry_invalidate, true)),
    ROW("or with the cache of the one before", second_task,
        "s0 s0 s0 x:=5 s0 0:x~clean 0:y~dirty s0 0:r1=0 end", KEY(task_entry_invalidate, false)),
};

Test(machine, tasks)
{
    RUN_ROWS(tasks);
}

/* ---- sc: everything at once ---- */

static void sc_scalar(struct builder *b)
{
    struct loc x = var(b, "x", 2);
    core(b, 0);
    st(b, x, 1);
    st_atomic(b, x, 2);
    st_dev(b, word(x, 1), 4);
    ld(b, 0, x);
    ld(b, 1, x);
    dcci(b, x);
    dcci_all(b);
    dsb(b);
    barrier(b, PIPE_ALL);
    barrier(b, PIPE_MTE3);
}

static void sc_pipes(struct builder *b)
{
    struct loc x = var(b, "x", 1), y = var(b, "y", 1);
    core(b, 0);
    int t = tile(b, 1);
    mte2(b, t, x);
    tile_op(b, TILE_ADD, t, t, t);
    mte3(b, y, t);
    mte3_add(b, y, t);
    fix(b, on(y, 1), t);
}

static void sc_poll(struct builder *b)
{
    struct loc s = var(b, "s", 1);
    core(b, 0);
    wait_ge(b, s, 1);
}

static const struct row sc_rows[] = {
    ROW("stores act on memory, loads read it", sc_scalar,
        "s0 x=1 s0 x=3 s0 x[1]=4 x:=8 s0 0:r0=8 x:=9 s0 0:r1=9 0:x~absent", KEY(coherent, true)),
    ROW("markers do nothing", sc_scalar, "s0 s0 s0 s0 s0 s0 s0 s0 s0 s0 end x=3 x[1]=4",
        KEY(coherent, true)),
    ROW("a pipe operation is complete when it is issued", sc_pipes,
        "x:=2 s0 !mte2.0 s0 !v.0 s0 !mte3.0 y=4 !dma.0>0 s0 y=8 s0 y@1=4 end", KEY(coherent, true)),
    ROW("wait_flag holds the core", flag_of_another_id, "s0 !s0 !end", KEY(coherent, true)),
    ROW("until its flag is up", flag_between_pipes, "x:=5 s0 s0 s0 s0 y=5 end",
        KEY(coherent, true)),
    ROW("and takes it down", flag_counts, "s0 s0 s0 s0 !s0", KEY(coherent, true)),
    ROW("a poll holds the core until memory satisfies it", sc_poll, "!s0 s:=1 s0 end",
        KEY(coherent, true)),
    ROW("no evictions, no prefetches", ld_twice, "!fill.0:x s0 !evict.0:x !fill.0:x",
        KEY(coherent, true), KEY(eviction, EVICTION_SPONTANEOUS),
        KEY(prefetch, PREFETCH_SPONTANEOUS)),
};

Test(machine, sc)
{
    RUN_ROWS(sc_rows);
}

/* ---- library macros (hw-facts 1.1) ---- */

static void notify_pair(struct builder *b)
{
    struct loc s = var(b, "s", 2);
    core(b, 0);
    notify_add(b, on(s, 1), 1);
    core(b, 1);
    notify_set(b, on(word(s, 1), 1), 7);
}

static const struct row macros[] = {
    ROW("an add leaves its neighbours alone", notify_pair,
        "s0 s0 s0 s[1]@1:=5 !s0 sc.0>1 s@1=1 s[1]@1=5 s0 s0"),
    ROW("a set reads, changes and writes back its line: a credit between is lost", notify_pair,
        "s1 s1 s0 s0 s0 sc.0>1 s@1=1 s1 sc.1>1 s@1=0 s[1]@1=7"),
    ROW("which masked write-back cures", notify_pair,
        "s1 s1 s0 s0 s0 sc.0>1 s@1=1 s1 sc.1>1 s@1=1 s[1]@1=7", KEY(writeback, WRITEBACK_WORD)),
};

Test(machine, macros)
{
    RUN_ROWS(macros);
}

/* ---- the machine's interface ---- */

Test(machine, a_reset_forgets_the_run_before)
{
    struct rig r;
    rig_open(&r, own_write_then_ld, "a2a3", NULL, false);
    rig_script(&r, "first run", "s0 s0 y:=6 s0 !end");
    machine_reset(r.machine);
    rig_script(&r, "second run",
               "x=0 y=0 0:x~absent 0:y~absent 0:r1=0 !sc.0>0 s0 s0 s0 sc.0>0 s0 end");
    rig_close(&r);
}

Test(machine, the_list_of_enabled_transitions_respects_its_size)
{
    struct rig r;
    struct transition t[3] = {{0}};
    rig_open(&r, from_two_cores, "a2a3", NULL, false);
    cr_expect(machine_enabled(r.machine, t, 1) == 1 && t[1].core == 0 && t[2].core == 0);
    cr_expect(machine_enabled(r.machine, t, 3) == 2 && t[1].kind == T_SCALAR && t[1].core == 1);
    rig_close(&r);
}

static void one_of_each(struct builder *b)
{
    struct loc x = var(b, "x", 4);
    core(b, 0);
    int t = tile(b, 4);
    task(b, "all");
    ld(b, 0, x);
    st(b, x, 1);
    st_atomic(b, x, 1);
    dcci(b, x);
    dcci_all(b);
    ld_dev(b, 0, x);
    st_dev(b, x, 1);
    dsb(b);
    tile_st(b, t, 0, 1);
    tile_ld(b, 0, t, 0);
    mte2(b, t, x);
    set_flag(b, PIPE_MTE2, PIPE_S, 0);
    wait_flag(b, PIPE_MTE2, PIPE_S, 0);
    tile_op(b, TILE_ADD, t, t, t);
    mte3(b, x, t);
    fix(b, x, t);
    barrier(b, PIPE_ALL);
    wait_ge(b, x, 0);
    poll_dev(b, x, 0);
    set_cross(b, PIPE_MTE3, CROSS_ALL, 0);
    wait_cross(b, 0);
}

/* An instruction without a rule would crash here, one that is not in the program fails. */
Test(machine, every_instruction_has_a_rule)
{
    struct rig r;
    bool seen[I_OP_COUNT] = {false};
    rig_open(&r, one_of_each, "a2a3", NULL, false);
    const struct code *code = r.program->cores[0].code;
    for (int i = 0; i < code->count; i++)
        seen[code->insns[i].op] = true;
    for (int op = 0; op < I_OP_COUNT; op++)
        cr_expect(seen[op] || insn_kinds[op].classes & CLASS_LOCAL, "%s is not tried",
                  insn_kinds[op].name);
    struct drive_options o = {.seed = 1, .max_transitions = 10000};
    struct drive_result result = {0};
    drive_random(r.machine, &o, &result);
    cr_expect(!result.timed_out && machine_at_end(r.machine), "a core did not come to its end");
    rig_close(&r);
}
