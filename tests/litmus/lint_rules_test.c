/* SPDX-License-Identifier: MIT */
/*
 * Each rule of the static check, and beside it what it must not report. What is missing follows
 * from docs/semantics.md, where each store's markers are proved, and docs/machine.md.
 */
#include "base/strbuf.h"
#include "isa/lint/lint.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/litmus/trial.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* "missing fence at 5": the rule, and the line of the text where it is needed, 0 at a core's
 * end. */
static const char *findings(struct arena *a, const struct program *p, const struct contract *k)
{
    struct strbuf b = strbuf_make(a);
    struct lint_report r = lint_program(a, p, k);
    for (int i = 0; i < r.count; i++) {
        const struct lint_finding *f = &r.items[i];
        strbuf_addf(&b, "%s%s%s at %d", i ? "; " : "", lint_rule_name(f->rule),
                    f->sure ? "" : " (perhaps)", p->cores[f->core].code->insns[f->at].span.line);
    }
    return r.count ? b.text : "";
}

struct row {
    const char *what, *model, *text, *expected;
};

static void expect_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        const struct litmus_test *t =
            rig_test(&a, arena_printf(&a, "GM T\n%s~exists (x=77)\n", rows[i].text));
        const char *found =
            findings(&a, t->program, rig_contract(&a, rows[i].model ? rows[i].model : "a2a3"));
        cr_expect_str_eq(found, rows[i].expected, "%s: '%s', expected '%s'", rows[i].what, found,
                         rows[i].expected);
        arena_free(&a);
    }
}

/* The first core publishes x from line 4 on; the second reads what it is told of. */
#define READER "| wait s >= 1 ;\n| dcci all ;\n| mte2 t0, x@0 ;\n| mte2 t1, x@1 ;\n"
#define PUBLISH(x, lines)                                                                          \
    "{ " x "; s; ranks = 2 }\nP0 | P1 ;\n" READER lines "notify.add s@1, 1 | ;\n"
enum { FIRST = 8 };

Test(lint_rules, dma_stores)
{
    static const struct row rows[] = {
        {"nothing", NULL, PUBLISH("x", "mte3 x, 1 | ;\n"), "missing drain at 9"},
        {"drain alone", NULL, PUBLISH("x", "mte3 x, 1 | ;\nbarrier all | ;\n"),
         "missing fence at 10"},
        {"fence alone", NULL, PUBLISH("x", "mte3 x, 1 | ;\ndsb | ;\n"), "missing drain at 10"},
        {"in the wrong order", NULL, PUBLISH("x", "mte3 x, 1 | ;\ndsb | ;\nbarrier all | ;\n"),
         "missing fence at 11"},
        {"both", NULL, PUBLISH("x", "mte3 x, 1 | ;\nbarrier all | ;\ndsb | ;\n"), ""},
        {"a clean is no drain", NULL, PUBLISH("x", "mte3 x, 1 | ;\ndcci x | ;\ndsb | ;\n"),
         "missing drain at 11"},
        {"a barrier of one pipe", NULL, PUBLISH("x", "mte3 x, 1 | ;\nbarrier mte3 | ;\ndsb | ;\n"),
         "missing drain at 11"},
        {"that holds the scalar unit", "a2a3-blocking",
         PUBLISH("x", "mte3 x, 1 | ;\nbarrier mte3 | ;\ndsb | ;\n"), ""},
        {"of another pipe", "a2a3-blocking",
         PUBLISH("x", "mte3 x, 1 | ;\nbarrier mte2 | ;\ndsb | ;\n"), "missing drain at 11"},
        {"a flag to the scalar unit drains", NULL,
         PUBLISH("x", "mte3 x, 1 | ;\nset_flag mte3, s, 0 | ;\nwait_flag mte3, s, 0 | ;\n"
                      "dsb | ;\n"),
         ""},
        {"one set in front of the store does not", NULL,
         PUBLISH("x", "set_flag mte3, s, 0 | ;\nmte3 x, 1 | ;\nwait_flag mte3, s, 0 | ;\n"
                      "dsb | ;\n"),
         "missing drain at 12"},
        {"the signal stays behind it", "a2a3-fifo",
         PUBLISH("x", "mte3 x@1, 1 | ;\nbarrier all | ;\n"), ""},
        {"to another rank it does not", "a2a3-fifo",
         PUBLISH("x", "mte3 x, 1 | ;\nbarrier all | ;\n"), "missing fence at 10"},
        {"nothing is ever missing on a coherent machine", "sc", PUBLISH("x", "mte3 x, 1 | ;\n"),
         ""},
    };
    expect_rows(rows, COUNT(rows));
}

Test(lint_rules, scalar_stores)
{
    static const struct row rows[] = {
        {"nothing", NULL, PUBLISH("x", "st x, 1 | ;\n"), "missing clean at 9; missing clean at 0"},
        {"clean alone", NULL, PUBLISH("x", "st x, 1 | ;\ndcci x | ;\n"), "missing fence at 10"},
        {"clean and fence", NULL, PUBLISH("x", "st x, 1 | ;\ndcci x | ;\ndsb | ;\n"), ""},
        {"in the wrong order", NULL, PUBLISH("x", "st x, 1 | ;\ndsb | ;\ndcci x | ;\n"),
         "missing fence at 11"},
        {"clean of everything", NULL, PUBLISH("x", "st x, 1 | ;\ndcci all | ;\ndsb | ;\n"), ""},
        {"clean in front of the store", NULL, PUBLISH("x", "dcci x | ;\nst x, 1 | ;\ndsb | ;\n"),
         "missing clean at 11; missing clean at 0"},
        {"of the own rank's line", NULL, PUBLISH("x", "st x@1, 1 | ;\ndcci x | ;\ndsb | ;\n"),
         "missing clean at 11; missing clean at 0"},
        {"to the peer the signal stays behind", NULL, PUBLISH("x", "st x@1, 1 | ;\ndcci x@1 | ;\n"),
         ""},
        {"where nothing is ordered it does not", "weakest",
         PUBLISH("x", "st x@1, 1 | ;\ndcci x@1 | ;\n"), "missing fence at 10"},
        {"a store past the cache", NULL, PUBLISH("x", "st.dev x, 1 | ;\n"), "missing fence at 9"},
        {"and its fence", NULL, PUBLISH("x", "st.dev x, 1 | ;\ndsb | ;\n"), ""},
        {"nobody reads it", NULL,
         "{ x; y; s; ranks = 2 }\nP0 | P1 ;\nst.dev y, 1 | wait s >= 1 ;\n"
         "notify.add s@1, 1 | ;\n",
         ""},
        {"nobody is told", NULL, "{ x; ranks = 2 }\nP0 | P1 ;\nst.dev x, 1 | mte2 t0, x@0 ;\n", ""},
    };
    expect_rows(rows, COUNT(rows));
}

Test(lint_rules, one_line_of_a_longer_store)
{
    /* A region marker cleans the line of its first address (hw-facts 0.3). */
    static const char head[] =
        "# fencebench: ranks 2\n"
        "import pypto.language as pl\n"
        "import pypto.language.distributed as pld\n\n\n"
        "@pl.program\nclass K:\n"
        "    @pl.function(type=pl.FunctionType.InCore)\n"
        "    def f(self, w: pl.InOut[pld.DistributedTensor[[4, 16], pl.INT32]],\n"
        "          s: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]]):\n"
        "        me = pld.system.rank(pld.system.get_comm_ctx(w))\n";
    static const char tail[] =
        "        pld.system.notify(s, 1 - me, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)\n"
        "        pld.system.wait(s, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n"
        "        t = pld.tile.remote_load(w, 1 - me, [0, 0], [4, 16])\n";
    static const struct {
        const char *what, *toolchain, *body, *expected;
    } rows[] = {
        {"an element of the first line", "ptoas-0.57", "        pl.write(w, [0, 15], 1)\n", ""},
        {"one of the second", "ptoas-0.57", "        pl.write(w, [1, 0], 1)\n",
         "clean of one line at 13"},
        {"where every line is cleaned", "proposed", "        pl.write(w, [1, 0], 1)\n", ""},
        {"a loop along the line", "ptoas-0.57",
         "        for j in pl.range(15):\n            pl.write(w, [0, j], 1)\n", ""},
        {"a loop over the lines", "ptoas-0.57",
         "        for j in pl.range(4):\n            pl.write(w, [j, 0], 1)\n",
         "clean of one line (perhaps) at 14"},
        {"the same, every line", "proposed",
         "        for j in pl.range(4):\n            pl.write(w, [j, 0], 1)\n", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct trial t = {.kernel = "k.py",
                          .text = arena_printf(&a, "%s%s%s", head, rows[i].body, tail),
                          .toolchain = rows[i].toolchain,
                          .nranks = 2};
        const char *found = findings(&a, trial_compile(&a, &t), rig_contract(&a, "a2a3"));
        cr_expect_str_eq(found, rows[i].expected, "%s: '%s'", rows[i].what, found);
        arena_free(&a);
    }
}

Test(lint_rules, reads_before_a_notify)
{
#define GIVE(lines, writer)                                                                        \
    "{ x; s; ranks = 2 }\nP0 | P1 ;\n| wait s >= 1 ;\n| " writer " ;\n" lines                      \
    "notify.add s@1, 1 | ;\n"
    static const struct row rows[] = {
        {"a queued load lets its buffer go", NULL, GIVE("mte2 t0, x | ;\n", "mte3 x@0, 2"),
         "missing drain at 7"},
        {"drained", NULL, GIVE("mte2 t0, x | ;\nbarrier all | ;\n", "mte3 x@0, 2"), ""},
        {"by its own pipe", "a2a3-blocking",
         GIVE("mte2 t0, x | ;\nbarrier mte2 | ;\n", "mte3 x@0, 2"), ""},
        {"by a dsb it is not", NULL, GIVE("mte2 t0, x | ;\ndsb | ;\n", "mte3 x@0, 2"),
         "missing drain at 8"},
        {"nobody overwrites it", NULL, GIVE("mte2 t0, x | ;\n", "nop"), ""},
        {"nobody who was told", NULL,
         "{ x; s; ranks = 2 }\nP0 | P1 ;\n| mte3 x@0, 2 ;\n| wait s >= 1 ;\nmte2 t0, x | ;\n"
         "notify.add s@1, 1 | ;\n",
         ""},
        {"a scalar load is done at once", NULL, GIVE("ld r0, x | ;\n", "mte3 x@0, 2"), ""},
        {"on some way alone", NULL,
         GIVE("ld r0, x | ;\nmte2 t0, x | ;\nbarrier all | ;\nmte2 t0, x | ;\n", "mte3 x@0, 2"),
         "missing drain at 10"},
    };
    expect_rows(rows, COUNT(rows));
}

Test(lint_rules, cached_loads_behind_a_wait)
{
#define TOLD(before, behind, by)                                                                   \
    "{ x; y[32]; s; ranks = 2 }\nP0 | P1 ;\n" before "wait s >= 1 | ;\n" behind                    \
    "ld r0, x | ;\n| " by " ;\n| barrier all ;\n| dsb ;\n| notify.add s@0, 1 ;\n"
    static const struct row rows[] = {
        {"the line was there", NULL, TOLD("ld r1, x | ;\n", "", "mte3 x@0, 1"),
         "missing invalidate at 6"},
        {"it was not", NULL, TOLD("nop | ;\n", "", "mte3 x@0, 1"), ""},
        {"dropped behind the wait", NULL, TOLD("ld r1, x | ;\n", "dcci x | ;\n", "mte3 x@0, 1"),
         ""},
        {"with everything", NULL, TOLD("ld r1, x | ;\n", "dcci all | ;\n", "mte3 x@0, 1"), ""},
        {"in front of it, and not filled since", NULL,
         TOLD("ld r1, x | ;\ndcci x | ;\n", "", "mte3 x@0, 1"), ""},
        {"that may come back on its own", "weakest",
         TOLD("ld r1, x | ;\ndcci x | ;\n", "", "mte3 x@0, 1"), "missing invalidate at 7"},
        {"another line", NULL, TOLD("ld r1, x | ;\n", "dcci y | ;\n", "mte3 x@0, 1"),
         "missing invalidate at 7"},
        {"a fence is no invalidate", NULL, TOLD("ld r1, x | ;\n", "dsb | ;\n", "mte3 x@0, 1"),
         "missing invalidate at 7"},
        {"nobody writes it", NULL, TOLD("ld r1, x | ;\n", "", "nop"), ""},
        {"only the own rank's other memory", NULL, TOLD("ld r1, x | ;\n", "", "mte3 x, 1"), ""},
        {"the store itself fills the line", NULL,
         "{ x[2]; s; ranks = 2 }\nP0 | P1 ;\nld r1, x | ;\nwait s >= 1 | ;\nst x[1], 1 | ;\n"
         "dcci x | ;\n| mte3 x@0, 1 ;\n| barrier all ;\n| dsb ;\n| notify.add s@0, 1 ;\n",
         "missing invalidate at 6"},
        {"past the cache", NULL,
         "{ x; s; ranks = 2 }\nP0 | P1 ;\nld r1, x | ;\nwait s >= 1 | ;\nld.dev r0, x | ;\n"
         "| mte3 x@0, 1 ;\n| barrier all ;\n| dsb ;\n| notify.add s@0, 1 ;\n",
         ""},
        {"by a pipe", NULL,
         "{ x; s; ranks = 2 }\nP0 | P1 ;\nld r1, x | ;\nwait s >= 1 | ;\nmte2 t0, x | ;\n"
         "| mte3 x@0, 1 ;\n| barrier all ;\n| dsb ;\n| notify.add s@0, 1 ;\n",
         ""},
    };
    expect_rows(rows, COUNT(rows));
}

/* What a core reads and writes itself, by different ways. */
Test(lint_rules, one_core)
{
#define ALONE(vars, lines) "{ " vars " }\nP0 ;\n" lines
    static const struct row rows[] = {
        {"pipe to pipe, drained only", NULL,
         ALONE("x", "mte3 x, 1 ;\nbarrier all ;\nmte2 t0, x ;\n"), "missing fence at 6"},
        {"a flag is not visibility (hw-facts 3.2)", NULL,
         ALONE("x",
               "mte3 x, 1 ;\nset_flag mte3, mte2, 0 ;\nwait_flag mte3, mte2, 0 ;\nmte2 t0, x ;\n"),
         "missing fence at 7"},
        {"drained and visible", NULL,
         ALONE("x", "mte3 x, 1 ;\nbarrier all ;\ndsb ;\nmte2 t0, x ;\n"), ""},
        {"another line", NULL, ALONE("x; y", "mte3 x, 1 ;\nmte2 t0, y ;\n"), ""},
        {"pipe to scalar", NULL, ALONE("x", "mte3 x, 1 ;\nld r0, x ;\n"), "missing drain at 5"},
        {"with an old line", NULL,
         ALONE("x", "ld r0, x ;\nmte3 x, 1 ;\nbarrier all ;\ndsb ;\nld r0, x ;\n"),
         "missing invalidate at 8"},
        {"that was dropped", NULL,
         ALONE("x", "ld r0, x ;\nmte3 x, 1 ;\ndcci x ;\nbarrier all ;\ndsb ;\nld r0, x ;\n"), ""},
        {"and may have come back", "weakest",
         ALONE("x", "ld r0, x ;\nmte3 x, 1 ;\ndcci x ;\nbarrier all ;\ndsb ;\nld r0, x ;\n"),
         "missing invalidate at 9"},
        {"dropped at last", "weakest",
         ALONE("x", "ld r0, x ;\nmte3 x, 1 ;\nbarrier all ;\ndsb ;\ndcci x ;\nld r0, x ;\n"), ""},
        {"scalar to pipe", NULL, ALONE("x", "st x, 1 ;\nmte2 t0, x ;\ndcci x ;\n"),
         "missing clean at 5"},
        {"cleaned only", NULL, ALONE("x", "st x, 1 ;\ndcci x ;\nmte2 t0, x ;\n"),
         "missing fence at 6"},
        {"cleaned and visible", NULL, ALONE("x", "st x, 1 ;\ndcci x ;\ndsb ;\nmte2 t0, x ;\n"), ""},
        {"scalar to scalar", NULL, ALONE("x", "st x, 1 ;\nld r0, x ;\ndcci x ;\n"), ""},
        {"a dirty line over a pipe's store", NULL,
         ALONE("x[2]", "st x, 1 ;\nmte3 x[1], 1 ;\ndcci x ;\n"), "missing clean at 5"},
        {"a store over a queued load", NULL, ALONE("x", "mte2 t0, x ;\nst x, 1 ;\ndcci x ;\n"),
         "missing drain at 5"},
        {"of another pipe, behind a flag", NULL,
         ALONE("x",
               "mte2 t0, x ;\nset_flag mte2, mte3, 0 ;\nwait_flag mte2, mte3, 0 ;\nmte3 x, 1 ;\n"),
         ""},
        {"without one", NULL, ALONE("x", "mte2 t0, x ;\nmte3 x, 1 ;\n"), "missing drain at 5"},
        {"behind two, through another pipe", NULL,
         ALONE("x", "mte2 t0, x ;\nset_flag mte2, v, 0 ;\nwait_flag mte2, v, 0 ;\n"
                    "set_flag v, mte3, 0 ;\nwait_flag v, mte3, 0 ;\nmte3 x, 1 ;\n"),
         ""},
        {"behind a flag set too early", NULL,
         ALONE("x",
               "set_flag mte2, mte3, 0 ;\nmte2 t0, x ;\nwait_flag mte2, mte3, 0 ;\nmte3 x, 1 ;\n"),
         "missing drain at 7"},
        {"never cleaned", NULL, ALONE("x", "st x, 1 ;\n"), "missing clean at 0"},
        {"in flight at the end", NULL, ALONE("x", "mte3 x, 1 ;\nst.dev x, 1 ;\n"),
         "missing drain at 5"},
    };
    expect_rows(rows, COUNT(rows));
}
