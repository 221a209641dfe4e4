/* SPDX-License-Identifier: MIT */
/*
 * The bench is mutated too: a machine with one rule broken must be noticed, by small
 * tests of that rule, whose final states follow from docs/machine.md, and by the catalogue.
 */
#include <glob.h>

#include "tests/litmus/litmus_rig.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct {
    enum broken_rule rule;
    const char *name;
} rules[] = {
    {BROKEN_DCCI_NOTHING, "dcci does nothing"},
    {BROKEN_DCCI_INVALIDATE_ONLY, "dcci only invalidates"},
    {BROKEN_WRITEBACK_MASKED, "write-back is masked"},
    {BROKEN_DSB_NO_WAIT, "dsb does not wait"},
    {BROKEN_BARRIER_NO_DRAIN, "barrier all does not drain"},
    {BROKEN_FILL_IGNORES_IN_FLIGHT, "a fill ignores own writes in flight"},
    {BROKEN_ATOMIC_FILLS, "an atomic fills its line"},
    {BROKEN_POLL_NO_DCCI, "a poll skips its dcci"},
    {BROKEN_CHANNEL_ORDER, "channel order is lost"},
};

/* A contract of that name with a rule broken; 0 breaks none. */
static const struct contract *broken_contract(struct arena *a, const char *model, unsigned rule)
{
    struct contract *k = arena_new(a, struct contract);
    *k = *rig_contract(a, model);
    k->broken = rule;
    return k;
}

/* ---- small tests ---- */

static const struct {
    enum broken_rule rule;
    const char *model, *text;
    const char *states; /* of the machine as it is */
    const char *broken; /* with the rule broken; NULL: the same, the rule has no part in it */
} rows[] = {
    /* A dirty word leaves the cache by dcci alone. */
    {BROKEN_DCCI_NOTHING, "a2a3", "GM t { x } P0 ; st x, 1 ; dcci x ; exists (x=1)", "x=1;\n",
     "x=0;\n"},
    {BROKEN_DCCI_NOTHING, "a2a3", "GM t { x } P0 ; st x, 1 ; dcci all ; exists (x=1)", "x=1;\n",
     "x=0;\n"},
    /* A line that is present is not read again. */
    {BROKEN_DCCI_NOTHING, "a2a3",
     "GM t { x } P0 ; ld r9, x ; st.dev x, 1 ; dsb ; dcci x ; ld r0, x ; exists (0:r0=1)",
     "0:r0=1;\n", "0:r0=0;\n"},
    {BROKEN_DCCI_NOTHING, "a2a3", "GM t { x } P0 ; st.dev x, 1 ; dsb ; dcci x ; exists (x=1)",
     "x=1;\n", NULL},
    {BROKEN_DCCI_NOTHING, "a2a3-evict", "GM t { x } P0 ; st x, 1 ; dsb ; exists (x=1)",
     "x=0;\nx=1;\n", NULL},

    /* The dirty word, or the delta, is lost. */
    {BROKEN_DCCI_INVALIDATE_ONLY, "a2a3", "GM t { x } P0 ; st x, 1 ; dcci x ; exists (x=1)",
     "x=1;\n", "x=0;\n"},
    {BROKEN_DCCI_INVALIDATE_ONLY, "a2a3",
     "GM t { x } P0 ; st.atomic x, 1 ; dcci all ; exists (x=1)", "x=1;\n", "x=0;\n"},
    {BROKEN_DCCI_INVALIDATE_ONLY, "a2a3",
     "GM t { x } P0 ; ld r9, x ; st.dev x, 1 ; dsb ; dcci x ; ld r0, x ; exists (0:r0=1)",
     "0:r0=1;\n", NULL},
    {BROKEN_DCCI_INVALIDATE_ONLY, "a2a3-evict", "GM t { x } P0 ; st x, 1 ; dsb ; exists (x=1)",
     "x=0;\nx=1;\n", NULL},

    /* The store filled the line with b=0, which goes back over the DMA store (hw-facts 0.2). */
    {BROKEN_WRITEBACK_MASKED, "a2a3",
     "GM t { line a, b } P0 ; st a, 1 ; mte3 b, 2 ; barrier all ; dsb ; dcci a ;"
     "exists (a=1 /\\ b=2)",
     "a=1; b=0;\n", "a=1; b=2;\n"},
    {BROKEN_WRITEBACK_MASKED, "a2a3",
     "GM t { a; b } P0 ; st a, 1 ; mte3 b, 2 ; barrier all ; dsb ; dcci a ; exists (a=1 /\\ b=2)",
     "a=1; b=2;\n", NULL},

    /* The store is posted, not yet applied. */
    {BROKEN_DSB_NO_WAIT, "a2a3",
     "GM t { x } P0 ; mte3 x, 1 ; barrier all ; dsb ; ld.dev r0, x ; exists (0:r0=1)", "0:r0=1;\n",
     "0:r0=0;\n0:r0=1;\n"},
    {BROKEN_DSB_NO_WAIT, "a2a3",
     "GM t { x } P0 ; st x, 1 ; dcci x ; dsb ; ld.dev r0, x ; exists (0:r0=1)", "0:r0=1;\n",
     "0:r0=0;\n0:r0=1;\n"},
    {BROKEN_DSB_NO_WAIT, "a2a3", "GM t { x } P0 ; st x, 1 ; dsb ; ld r0, x ; exists (0:r0=1)",
     "0:r0=1;\n", NULL},

    /* The store is still queued, where dsb does not look for it. */
    {BROKEN_BARRIER_NO_DRAIN, "a2a3",
     "GM t { x } P0 ; mte3 x, 1 ; barrier all ; dsb ; ld.dev r0, x ; exists (0:r0=1)", "0:r0=1;\n",
     "0:r0=0;\n0:r0=1;\n"},
    {BROKEN_BARRIER_NO_DRAIN, "a2a3",
     "GM t { x } P0 ; st.dev x, 1 ; barrier all ; dsb ; ld.dev r0, x ; exists (0:r0=1)",
     "0:r0=1;\n", NULL},
    {BROKEN_BARRIER_NO_DRAIN, "a2a3-blocking",
     "GM t { x } P0 ; mte3 x, 1 ; barrier mte3 ; dsb ; ld.dev r0, x ; exists (0:r0=1)", "0:r0=1;\n",
     NULL},

    /* A core reads what it wrote: the miss waits for the write-back. */
    {BROKEN_FILL_IGNORES_IN_FLIGHT, "a2a3",
     "GM t { x } P0 ; st x, 1 ; dcci x ; ld r0, x ; exists (0:r0=1)", "0:r0=1;\n",
     "0:r0=0;\n0:r0=1;\n"},
    {BROKEN_FILL_IGNORES_IN_FLIGHT, "a2a3",
     "GM t { x } P0 ; st x, 1 ; dcci x ; dsb ; ld r0, x ; exists (0:r0=1)", "0:r0=1;\n", NULL},
    {BROKEN_FILL_IGNORES_IN_FLIGHT, "a2a3", /* DMA stores never held a fill */
     "GM t { x } P0 ; mte3 x, 1 ; barrier all ; ld r0, x ; exists (0:r0=1)", "0:r0=0;\n0:r0=1;\n",
     NULL},

    /* A delta meets memory when it is posted: 5 + 1, not 0 + 1. */
    {BROKEN_ATOMIC_FILLS, "a2a3",
     "GM t { x } P0 ; st.atomic x, 1 ; st.dev x, 5 ; dsb ; dcci x ; exists (x=6)", "x=6;\n",
     "x=1;\n"},
    {BROKEN_ATOMIC_FILLS, "a2a3", /* and carries no neighbour along */
     "GM t { line a, b } P0 ; st.atomic a, 1 ; st.dev b, 5 ; dsb ; dcci a ; exists (a=1 /\\ b=5)",
     "a=1; b=5;\n", "a=1; b=0;\n"},
    {BROKEN_ATOMIC_FILLS, "a2a3", "GM t { x = 5 } P0 ; st.atomic x, 1 ; dcci x ; exists (x=6)",
     "x=6;\n", NULL},

    /* A line cached before the signal came never shows it. */
    {BROKEN_POLL_NO_DCCI, "a2a3",
     "GM t { s } P0 | P1 ; notify.add s@1, 1 | ld r9, s ; nop | wait s >= 1 ; exists (1:r9=1)",
     "1:r9=0;\n1:r9=1;\n", "1:r9=0; deadlock=1;\n1:r9=1;\n"},
    {BROKEN_POLL_NO_DCCI, "a2a3",
     "GM t { s } P0 | P1 ; notify.add s@1, 1 | wait s >= 1 ; nop | ld r0, s ; exists (1:r0=1)",
     "1:r0=1;\n", NULL},

    /* Two stores of one core to one place. */
    {BROKEN_CHANNEL_ORDER, "a2a3", "GM t { x } P0 ; st.dev x, 1 ; st.dev x, 2 ; exists (x=2)",
     "x=2;\n", "x=1;\nx=2;\n"},
    {BROKEN_CHANNEL_ORDER, "weakest", /* the line's own order is kept even there */
     "GM t { x } P0 ; st.dev x, 1 ; st.dev x, 2 ; exists (x=2)", "x=2;\n", "x=1;\nx=2;\n"},
    {BROKEN_CHANNEL_ORDER, "a2a3", "GM t { x } P0 ; st.dev x, 1 ; dsb ; st.dev x, 2 ; exists (x=2)",
     "x=2;\n", NULL},
    {BROKEN_CHANNEL_ORDER, "a2a3", /* two paths never had an order */
     "GM t { x } P0 ; mte3 x, 1 ; barrier all ; st.dev x, 2 ; exists (x=2)", "x=1;\nx=2;\n", NULL},
};

static const char *rule_name(unsigned rule)
{
    for (size_t i = 0; i < COUNT(rules); i++)
        if ((unsigned)rules[i].rule == rule)
            return rules[i].name;
    return "no rule broken";
}

static void expect_states(size_t row, unsigned rule, const char *states)
{
    struct arena a = {0};
    const struct litmus_test *t = rig_test(&a, rows[row].text);
    const struct contract *k = broken_contract(&a, rows[row].model, rule);
    expect_text(arena_printf(&a, "row %zu, %s, %s", row, rows[row].model, rule_name(rule)),
                rig_explore(&a, t, k, 0).states, states);
    arena_free(&a);
}

Test(self_mutation, small_tests)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        expect_states(i, 0, rows[i].states);
        expect_states(i, rows[i].rule, rows[i].broken ? rows[i].broken : rows[i].states);
    }
}

/* ---- the catalogue ---- */

/* More states than that, and another test has to notice. */
enum { MAX_STATES = 20000 };

/* An expectation that the machine meets and the one with the rule broken does not. */
static bool contradicts(struct arena *a, const struct litmus_test *t, const struct litmus_expect *e,
                        unsigned rule)
{
    const struct litmus_test *v = e->label ? litmus_without(a, t, e->label) : t;
    enum litmus_verdict broken =
        rig_explore(a, v, broken_contract(a, e->model, rule), MAX_STATES).verdict;
    return broken != LITMUS_UNKNOWN && broken != e->verdict &&
           rig_explore(a, v, broken_contract(a, e->model, 0), MAX_STATES).verdict == e->verdict;
}

static bool file_notices(const char *path, unsigned rule)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct source *src = source_read(&a, path, &d);
    const struct litmus_test *t =
        src ? litmus_parse(&a, src, rig_toolchain(&a, "ptoas-0.57"), &d) : NULL;
    bool noticed = false;
    cr_assert(t, "%s", diag_text(&d, &a));
    vec_foreach (const struct litmus_expect, e, &t->expects)
        noticed = noticed || contradicts(&a, t, e, rule);
    arena_free(&a);
    return noticed;
}

Test(self_mutation, catalogue)
{
    glob_t files = {0};
    cr_assert_eq(glob("litmus/catalogue/*/*.litmus", 0, NULL, &files), 0, "no catalogue");
    for (size_t i = 0; i < COUNT(rules); i++) {
        bool noticed = false;
        for (size_t f = 0; f < files.gl_pathc && !noticed; f++)
            noticed = file_notices(files.gl_pathv[f], (unsigned)rules[i].rule);
        cr_expect(noticed, "no test of the catalogue notices that %s", rules[i].name);
    }
    globfree(&files);
}
