/* SPDX-License-Identifier: MIT */
/*
 * Classic hazards as litmus tests: every schedule is tried, and the verdicts follow from the rules
 * of the machine (docs/machine.md) and the sources named in the rows. An empty label is the test as
 * it stands.
 */
#include "base/strbuf.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { NV = LITMUS_NEVER, ST = LITMUS_SOMETIMES, AL = LITMUS_ALWAYS };

/* ---- the tests ---- */

/* A DMA store, then a signal (hw-facts H1, H5, H6). */
static const char mp_dma[] = "GM MP-dma { x; s } P0 | P1 ;\n"
                             "   mte3 x@1, 1           |            ld r9, x ;\n"
                             "   drain: barrier all    |            wait s >= 1 ;\n"
                             "   fence: dsb            | inv:       dcci all ;\n"
                             "   notify.add s@1, 1     |            ld r0, x ;\n"
                             "exists (1:r0=0)";

/* A cached store, cleaned and fenced, then a signal (hw-facts H1, H2, H10). */
static const char mp_scalar[] = "GM MP-scalar { x; s } P0 | P1 ;\n"
                                "          st x@1, 1      |      wait s >= 1 ;\n"
                                "   clean: dcci x@1       | inv: dcci x ;\n"
                                "   fence: dsb            |      ld r0, x ;\n"
                                "   notify.add s@1, 1     | ;\n"
                                "exists (1:r0=0)";

/* TPUT leaves its store in flight; only draining every pipe holds the
 * signal (hw-facts 0.5, 1.3). */
static const char mp_put[] = "GM MP-put { x; y = 1; s } P0 | P1 ;\n"
                             "   tput x@1, y           | wait s >= 1 ;\n"
                             "   drain: barrier all    | dcci all ;\n"
                             "   dsb                   | ld r0, x ;\n"
                             "   notify.add s@1, 1     | ;\n"
                             "exists (1:r0=0)";

/* A barrier of one pipe sits in that pipe's queue, or holds the scalar unit (hw-facts 3.3). */
static const char mp_pipe[] = "GM MP-pipe { x; s } P0 | P1 ;\n"
                              "   mte3 x@1, 1           | wait s >= 1 ;\n"
                              "   drain: barrier mte3   | dcci all ;\n"
                              "   dsb                   | ld r0, x ;\n"
                              "   notify.add s@1, 1     | ;\n"
                              "exists (1:r0=0)";

/* The store of an accumulator is not MTE3's (hw-facts H8). */
static const char mp_fix[] = "GM MP-fix { x; s } P0 | P1 ;\n"
                             "   fix x@1, 1            | wait s >= 1 ;\n"
                             "   drain: barrier mte3   | dcci all ;\n"
                             "   dsb                   | ld r0, x ;\n"
                             "   notify.add s@1, 1     | ;\n"
                             "exists (1:r0=0)";

/* Two ranks write neighbouring words: whole lines go back (hw-facts H3, bugs A9). */
static const char false_sharing[] = "GM false-sharing { line a, b; ranks = 3 } P0 | P1 ;\n"
                                    "   st a@2, 1      | st b@2, 2 ;\n"
                                    "   dcci a@2       | dcci b@2 ;\n"
                                    "exists (a@2=0 \\/ b@2=0)";

/* Deltas do not carry their neighbours along (hw-facts 1.1). */
static const char atomic_sharing[] = "GM atomic-sharing { line a, b; ranks = 3 } P0 | P1 ;\n"
                                     "   st.atomic a@2, 1 | st.atomic b@2, 2 ;\n"
                                     "   dcci a@2         | dcci b@2 ;\n"
                                     "exists ~(a@2=1 /\\ b@2=2)";

/* The waiter's own dirty line goes back over the credit (hw-facts H3r, bugs A11). */
static const char dirty_poll[] = "GM dirty-poll { line n, s } P0 | P1 ;\n"
                                 "   own: st n, 7   | notify.add s@0, 1 ;\n"
                                 "   wait s >= 1    | ;\n"
                                 "exists (deadlock=1)";

/* A poll leaves its line as a snapshot of the neighbours (hw-facts 1.2 b). */
static const char poll_snapshot[] = "GM poll-snapshot { line s, x; u } P0 | P1 ;\n"
                                    "   notify.add s@1, 1     |      wait s >= 1 ;\n"
                                    "   mte3 x@1, 1           |      wait u >= 1 ;\n"
                                    "   barrier all           | inv: dcci x ;\n"
                                    "   dsb                   |      ld r0, x ;\n"
                                    "   notify.add u@1, 1     | ;\n"
                                    "exists (1:r0=0)";

/* A flag orders two pipes, not their effects in memory (hw-facts 3.2, H7). */
static const char flag_raw[] = "GM flag-raw { x } P0 ;\n"
                               "   mte3 x, 1 ;\n"
                               "   drain: barrier all ;\n"
                               "   fence: dsb ;\n"
                               "   set_flag mte3, mte2, 0 ;\n"
                               "   wait_flag mte3, mte2, 0 ;\n"
                               "   mte2 t0, x ;\n"
                               "exists (0:t0=0)";

/* A tile is read when the store runs; a scalar register when it is issued. */
static const char tile_flow[] = "GM tile-flow { x = 5; y } P0 ;\n"
                                "   mte2 t0, x ;\n"
                                "   up: set_flag mte2, mte3, 0 ;\n"
                                "   down: wait_flag mte2, mte3, 0 ;\n"
                                "   mte3 y, t0 ;\n"
                                "forall (y=5)";
static const char issue_value[] = "GM issue-value { x = 5; y; z = 3 } P0 ;\n"
                                  "   ld r0, x ;\n"
                                  "   mte3 y, r0 ;\n"
                                  "   ld r0, z ;\n"
                                  "forall (y=5 /\\ 0:r0=3)";

/* Two cores of a rank have a cache each (bugs A5). */
static const char two_cores[] = "GM two-cores { x; s } P0 | P0.1 ;\n"
                                "          st x, 1        | wait s >= 1 ;\n"
                                "   clean: dcci x         | ld r0, x ;\n"
                                "          dsb            | ;\n"
                                "          notify.add s, 1 | ;\n"
                                "exists (0.1:r0=0)";

static const char no_flag[] = "GM no-flag { } P0 ; wait_flag mte2, s, 0 ; exists (deadlock=1)";

static const struct {
    const char *text, *label, *model;
    int verdict;
} rows[] = {
    /* In the control everything acts at once. */
    {mp_dma, "", "sc", NV},
    {mp_dma, "inv", "sc", NV},
    {mp_dma, "drain", "sc", NV},
    {mp_dma, "fence", "sc", NV},
    {mp_dma, "", "a2a3", NV},
    {mp_dma, "inv", "a2a3", ST},
    {mp_dma, "drain", "a2a3", ST}, /* dsb does not know of what is queued */
    {mp_dma, "fence", "a2a3", ST}, /* data on the DMA path, signal on the scalar path */
    {mp_dma, "fence", "a2a3-fifo", NV},
    {mp_dma, "drain", "a2a3-fifo", ST},
    {mp_dma, "", "weakest", NV},

    {mp_scalar, "", "sc", NV},
    {mp_scalar, "clean", "sc", NV},
    {mp_scalar, "", "a2a3", NV},
    {mp_scalar, "clean", "a2a3", AL},       /* the value never leaves the producer's cache */
    {mp_scalar, "clean", "a2a3-evict", ST}, /* unless the line is evicted */
    {mp_scalar, "fence", "a2a3", NV},       /* data and signal share a path */
    {mp_scalar, "fence", "weakest", ST},
    {mp_scalar, "inv", "a2a3", NV}, /* nothing brought the line in */
    {mp_scalar, "inv", "weakest", ST},

    {mp_put, "", "sc", NV},
    {mp_put, "", "a2a3", NV},
    {mp_put, "drain", "a2a3", ST},
    {mp_put, "drain", "sc", NV},
    {mp_pipe, "", "sc", NV},
    {mp_pipe, "", "a2a3", ST},
    {mp_pipe, "", "a2a3-blocking", NV},
    {mp_pipe, "drain", "a2a3-blocking", ST},
    {mp_fix, "", "sc", NV},
    {mp_fix, "", "a2a3", ST},
    {mp_fix, "", "a2a3-blocking", ST},

    {false_sharing, "", "sc", NV},
    {false_sharing, "", "a2a3", ST},
    {atomic_sharing, "", "sc", NV},
    {atomic_sharing, "", "a2a3", NV},
    {atomic_sharing, "", "weakest", NV},

    {dirty_poll, "", "sc", NV},
    {dirty_poll, "", "a2a3", ST},
    {dirty_poll, "own", "a2a3", NV},
    {poll_snapshot, "", "sc", NV},
    {poll_snapshot, "", "a2a3", NV},
    {poll_snapshot, "inv", "sc", NV},
    {poll_snapshot, "inv", "a2a3", ST},

    {flag_raw, "", "sc", NV},
    {flag_raw, "", "a2a3", NV},
    {flag_raw, "fence", "a2a3", ST},
    {tile_flow, "", "sc", AL},
    {tile_flow, "", "a2a3", AL},
    {tile_flow, "down", "a2a3", ST},
    {issue_value, "", "sc", AL},
    {issue_value, "", "a2a3", AL},

    {two_cores, "", "sc", NV},
    {two_cores, "clean", "sc", NV},
    {two_cores, "", "a2a3", NV},
    {two_cores, "clean", "a2a3", AL},
    {no_flag, "", "sc", AL},
    {no_flag, "", "a2a3", AL},
};

static const struct litmus_test *variant(struct arena *a, const char *text, const char *label)
{
    const struct litmus_test *t = rig_test(a, text);
    return *label ? litmus_without(a, t, label) : t;
}

Test(litmus_run, verdicts)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        const struct litmus_test *t = variant(&a, rows[i].text, rows[i].label);
        enum litmus_verdict v = rig_verdict(&a, t, rows[i].model);
        cr_expect_eq((int)v, rows[i].verdict, "%s under %s: %s, expected %s", t->name,
                     rows[i].model, litmus_verdict_name(v),
                     litmus_verdict_name((enum litmus_verdict)rows[i].verdict));
        arena_free(&a);
    }
}

/* fence is three barriers of one pipe in older toolchains: under queue-local barriers they order
 * nothing for the scalar unit (hw-facts 3.3). */
Test(litmus_run, fence_by_toolchain)
{
    static const char text[] = "GM MP-fence { x; s } P0 | P1 ; mte3 x@1, 1 | wait s >= 1 ;"
                               "fence | dcci all ; notify.add s@1, 1 | ld r0, x ; exists (1:r0=0)";
    enum { OWN = -1 }; /* the profile's fence */
    static const struct {
        const char *toolchain, *model;
        int verdict, fence;
    } cases[] = {
        {"ptoas-0.52", "a2a3", ST, OWN},
        {"ptoas-0.57", "a2a3", NV, OWN},
        {"ptoas-0.52", "a2a3-blocking", NV, OWN},
        {"ptoas-0.52", "sc", NV, OWN},
        {"ptoas-0.57", "weakest", NV, OWN},
        {"ptoas-0.57", "a2a3", ST, FENCE_DSB}, /* PTOAS#1048: nothing drains the pipe */
        {"ptoas-0.57", "a2a3-blocking", ST, FENCE_DSB},
        {"ptoas-0.57", "sc", NV, FENCE_DSB},
    };
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct diag d = {.arena = &a};
        struct toolchain profile = *rig_toolchain(&a, cases[i].toolchain);
        profile.fence = cases[i].fence == OWN ? profile.fence : cases[i].fence;
        struct litmus_test *t = litmus_parse(&a, source_from_string(&a, "t", text), &profile, &d);
        cr_assert(t, "%s", diag_text(&d, &a));
        cr_expect_eq((int)rig_verdict(&a, t, cases[i].model), cases[i].verdict, "%s under %s",
                     cases[i].toolchain, cases[i].model);
    }
    arena_free(&a);
}

/* A core publishes a word and reports that it has ended (FIN); who reads the report empties its
 * cache and reads the word (simpler#2233, pypto-ops-facts 5.1). A report by a register is not held
 * up by the write-back on its way, whatever order the fabric keeps; a dsb in front of it waits. */
Test(litmus_run, completion_by_register)
{
    static const char plain[] =
        "GM FIN { word; fin; ranks = 1 } P0.0 | P0.1 ; st word, 1 | wait fin "
        ">= 1 ; dcci word | dcci all ; st.dev fin, 1 | ld r0, word ; "
        "exists (0.1:r0=0)";
    static const char waits[] =
        "GM FIN { word; fin; ranks = 1 } P0.0 | P0.1 ; st word, 1 | wait fin "
        ">= 1 ; dcci word | dcci all ; dsb | ld r0, word ; "
        "st.dev fin, 1 | ; exists (0.1:r0=0)";
    static const struct {
        const char *text, *model;
        int st_dev, verdict;
    } cases[] = {
        {plain, "a2a3", ST_DEV_MEMORY, NV},        {plain, "a2a3", ST_DEV_REGISTER, ST},
        {plain, "a2a3-fifo", ST_DEV_MEMORY, NV},   {plain, "a2a3-fifo", ST_DEV_REGISTER, ST},
        {plain, "weakest", ST_DEV_MEMORY, ST},     {plain, "weakest", ST_DEV_REGISTER, ST},
        {plain, "sc", ST_DEV_REGISTER, NV},        {waits, "a2a3", ST_DEV_REGISTER, NV},
        {waits, "a2a3-fifo", ST_DEV_REGISTER, NV}, {waits, "weakest", ST_DEV_REGISTER, NV},
    };
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct contract k = *rig_contract(&a, cases[i].model);
        k.st_dev = cases[i].st_dev;
        enum litmus_verdict v = rig_explore(&a, rig_test(&a, cases[i].text), &k, 0).verdict;
        cr_expect_eq((int)v, cases[i].verdict, "case %zu under %s: %s", i, cases[i].model,
                     litmus_verdict_name(v));
    }
    arena_free(&a);
}

/* ---- states ---- */

static const struct {
    const char *text, *label, *model, *states;
} state_rows[] = {
    {mp_dma, "", "a2a3", "1:r0=1;\n"},
    {mp_dma, "inv", "a2a3", "1:r0=0;\n1:r0=1;\n"},
    {false_sharing, "", "sc", "a@2=1; b@2=2;\n"},
    {false_sharing, "", "a2a3", "a@2=0; b@2=2;\na@2=1; b@2=0;\na@2=1; b@2=2;\n"},
    {dirty_poll, "", "a2a3", "\ndeadlock=1;\n"}, /* no names in the condition */
    {issue_value, "", "a2a3", "0:r0=3; y=5;\n"},
    {"GM t { x = -7 } P1 ; mte2 t0, x@0 ; exists (1:t0=1 /\\ x@1=1 /\\ x=1)", "", "a2a3",
     "1:t0=-7; x=-7; x@1=-7;\n"},
    {"GM t { x } P0 ; mte3.add x, 3 ; fix.add x, 4 ; exists (x=7)", "", "a2a3", "x=7;\n"},
    {"GM t { x } P0 ; st x, 1 ; exists (x=1)", "", "a2a3", "x=0;\n"}, /* no kernel tail cleans it */
    /* a line can leave on its own, while the run lasts and before memory is looked at */
    {"GM t { x } P0 ; st x, 1 ; exists (x=1)", "", "a2a3-evict", "x=0;\nx=1;\n"},
    {"GM t { line x, y } P0 ; st x, 1 ; st.atomic y, 2 ; exists (x=1 /\\ y=2)", "", "a2a3-evict",
     "x=0; y=0;\nx=0; y=2;\nx=1; y=0;\nx=1; y=2;\n"}, /* adds first, the whole line over them */
    /* what is cleaned by an instruction has arrived before the end, and stays */
    {"GM t { x } P0 ; st x, 1 ; dcci x ; exists (x=1)", "", "weakest", "x=1;\n"},
    /* a core that waits for what cannot come has dirty lines back in memory: those make progress */
    {"GM t { x; s } P0 | P1 ; st x, 1 | wait s@1 >= 1 ; exists (x=1)", "", "a2a3-evict",
     "x=1; deadlock=1;\n"},
    /* messages of one path to one line keep their order, nothing else does */
    {"GM t { x; ranks = 2 } P0 ; mte3 x@1, 1 ; barrier all ; st.dev x@1, 2 ; exists (x@1=1)", "",
     "weakest", "x@1=1;\nx@1=2;\n"},
    {"GM t { x; ranks = 2 } P0 ; mte3 x@1, 1 ; mte3 x@1, 2 ; exists (x@1=1)", "", "weakest",
     "x@1=2;\n"},
    {"GM t { x; ranks = 2 } P0 ; st x@1, 1 ; dcci x@1 ; st.dev x@1, 2 ; exists (x@1=1)", "",
     "weakest", "x@1=2;\n"},
    {"GM t { x } P0 ; st x, 1 ; dsb ; exists (x=1)", "", "a2a3-evict", "x=0;\nx=1;\n"},
    {"GM t { x } P0 ; wait x >= 1 ; exists (x=1)", "", "sc", "x=0; deadlock=1;\n"},
    {"GM t { x } P0 ; nop ; exists (true)", "", "a2a3", "\n"},
};

Test(litmus_run, final_states)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(state_rows); i++) {
        const struct litmus_test *t = variant(&a, state_rows[i].text, state_rows[i].label);
        expect_text(t->name, rig_final_states(&a, t, state_rows[i].model), state_rows[i].states);
    }
    arena_free(&a);
}

/* Whatever a driver samples, exploration has. */
Test(litmus_run, sampled_states_are_explored_ones)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        const struct litmus_test *t = variant(&a, rows[i].text, rows[i].label);
        const char *all = arena_printf(&a, "\n%s", rig_final_states(&a, t, rows[i].model));
        const char *some = rig_sampled_states(&a, t, rows[i].model, 40);
        cr_expect(*some);
        for (const char *line = some; *line; line = strchr(line, '\n') + 1) {
            const char *whole = arena_printf(&a, "\n%.*s", (int)strcspn(line, "\n") + 1, line);
            cr_expect(strstr(all, whole), "%s under %s: sampled but not explored:%s", t->name,
                      rows[i].model, whole);
        }
        arena_free(&a);
    }
}

/* ---- verdicts and contracts ---- */

Test(litmus_run, verdict_of_counts)
{
    cr_expect_eq(litmus_verdict_of(0, 0), LITMUS_UNKNOWN);
    cr_expect_eq(litmus_verdict_of(0, 3), LITMUS_NEVER);
    cr_expect_eq(litmus_verdict_of(2, 3), LITMUS_SOMETIMES);
    cr_expect_eq(litmus_verdict_of(2, 0), LITMUS_ALWAYS);
}

/* Pipes never fill and no line leaves for want of room; all else is as the contract says. */
Test(litmus_run, contract)
{
    struct arena a = {0};
    struct litmus_test *t =
        rig_test(&a, "GM t { x[48]; y } P0 | P1 ; ld r0, x | nop ; ld r0, x[15] | ;"
                     "st x[16], 1 | st.atomic y, 1 ; ld.dev r0, x[32] | ;"
                     "dcci y | ; wait y@1 >= 0 | ; exists (true)");
    const struct contract *k = rig_contract(&a, "a2a3"), *c = litmus_contract(&a, k, t);
    cr_expect_eq(c->ways, 3, "%d ways", c->ways); /* x's first two lines and y@1 */
    cr_expect_eq(c->cache_bytes, 3 * 64);
    cr_expect_geq(c->pipe_depth, 6);
    cr_expect(k->task_entry_invalidate && !c->task_entry_invalidate);
    cr_expect_eq(c->pipe_barrier, k->pipe_barrier);
    cr_expect_eq(c->fabric, k->fabric);
    cr_expect_eq(k->ways, 4);
    arena_free(&a);
}

/* More operations than a real pipe holds, and more lines than a real set has, without a stop. */
Test(litmus_run, long_queues)
{
    struct arena a = {0};
    struct strbuf b = strbuf_make(&a);
    strbuf_add(&b, "GM t { x } P0 ;");
    for (int i = 0; i < 60; i++)
        strbuf_add(&b, "mte3.add x, 1 ;");
    strbuf_add(&b, "exists (x=60)");
    expect_text("60 adds", rig_sampled_states(&a, rig_test(&a, b.text), "a2a3", 3), "x=60;\n");
    arena_free(&a);
}
