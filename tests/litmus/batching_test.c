/* SPDX-License-Identifier: MIT */
/* The two forms of a consume side: how they are made, how many are generated, what they show. */
#include "litmus/generate/batching.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "litmus/tree.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- the rewriting ---- */

/* The table of one core P0 whose rows are given, as a test. */
#define ONE(rows) "GM t { x; line n, y; s; u; v; ranks = 2 }\nP0 ;\n" rows "exists (0:r0=0)\n"

/* The last instruction is a load, so that the condition has something to name. */
static const struct {
    const char *name, *rows;
    int runs;
    const char *each, *once; /* the core's instructions; NULL: as written */
} rewritings[] = {
    {"per wait", "wait s >= 1 ;dcci all ;wait u >= 1 ;dcci all ;ld r0, x ;", 1, NULL,
     "wait s >= 1; wait u >= 1; dcci all; ld r0, x"},
    {"batched already", "wait s >= 1 ;wait u >= 1 ;dcci all ;ld r0, x ;", 1,
     "wait s >= 1; dcci all; wait u >= 1; dcci all; ld r0, x", NULL},
    {"three waits, one of them with an invalidate of its own",
     "wait s >= 1 ;wait u == 2 ;dcci all ;wait v >= r1 ;dcci all ;ld r0, x ;", 1,
     "wait s >= 1; dcci all; wait u == 2; dcci all; wait v >= r1; dcci all; ld r0, x",
     "wait s >= 1; wait u == 2; wait v >= r1; dcci all; ld r0, x"},
    {"no invalidate: the pass's own", "wait s >= 1 ;wait u >= 1 ;ld r0, x ;", 1,
     "wait s >= 1; dcci all; wait u >= 1; dcci all; ld r0, x",
     "wait s >= 1; wait u >= 1; dcci all; ld r0, x"},
    {"lines, each once in the order of the first",
     "wait s >= 1 ;dcci y ;wait u >= 1 ;dcci x ;dcci y ;ld r0, x ;", 1,
     "wait s >= 1; dcci y; dcci x; wait u >= 1; dcci y; dcci x; ld r0, x",
     "wait s >= 1; wait u >= 1; dcci y; dcci x; ld r0, x"},
    {"own copy and a peer's are two lines",
     "wait s >= 1 ;dcci x ;wait u >= 1 ;dcci x@1 ;ld r0, x ;", 1,
     "wait s >= 1; dcci x; dcci x@1; wait u >= 1; dcci x; dcci x@1; ld r0, x",
     "wait s >= 1; wait u >= 1; dcci x; dcci x@1; ld r0, x"},
    {"what stands in front is no part",
     "dcci x ;dsb ;dcci y ;wait s >= 1 ;wait u >= 1 ;dcci all ;ld r0, x ;", 1,
     "dcci x; dsb; dcci y; wait s >= 1; dcci all; wait u >= 1; dcci all; ld r0, x", NULL},
    {"two runs", "wait s >= 1 ;wait u >= 1 ;dcci x ;ld r0, x ;wait s >= 2 ;dcci y ;wait u >= 2 ;",
     2,
     "wait s >= 1; dcci x; wait u >= 1; dcci x; ld r0, x; wait s >= 2; dcci y; wait u >= 2; dcci y",
     "wait s >= 1; wait u >= 1; dcci x; ld r0, x; wait s >= 2; wait u >= 2; dcci y"},
    /* Where there is nothing to rewrite. */
    {"no wait", "dcci all ;dsb ;dcci x ;ld r0, x ;", 0, NULL, NULL},
    {"one wait", "wait s >= 1 ;ld r0, x ;", 0, NULL, NULL},
    {"one wait with its invalidates", "wait s >= 1 ;dcci x ;dcci x ;dcci all ;ld r0, x ;", 1, NULL,
     NULL},
    {"a load ends the run", "wait s >= 1 ;dcci all ;ld r2, n ;wait u >= 1 ;dcci all ;ld r0, y ;", 2,
     NULL, NULL},
    {"a load past the cache too", "wait s >= 1 ;ld.dev r2, n ;wait u >= 1 ;ld r0, y ;", 0, NULL,
     NULL},
    {"a DMA load too", "wait s >= 1 ;mte2 t0, n ;wait u >= 1 ;dcci y ;ld r0, y ;", 1, NULL, NULL},
    {"a store too", "wait s >= 1 ;dcci all ;st n, 1 ;wait u >= 1 ;dcci all ;ld r0, y ;", 2, NULL,
     NULL},
    {"a grant too", "wait s >= 1 ;dcci all ;notify.add v@1, 1 ;wait u >= 1 ;dcci all ;ld r0, y ;",
     2, NULL, NULL},
    {"a dsb too", "wait s >= 1 ;dcci all ;dsb ;wait u >= 1 ;dcci all ;ld r0, y ;", 2, NULL, NULL},
};

static const char *instructions(struct arena *a, const struct litmus_test *t)
{
    struct strbuf b = strbuf_make(a);
    vec_foreach (const struct litmus_insn, i, &t->tree->columns.items[0].insns)
        strbuf_addf(&b, "%s%s", b.len ? "; " : "", litmus_insn_text(a, t->tree, i));
    return b.text;
}

static const struct litmus_test *form_of(struct arena *a, const struct litmus_test *t,
                                         enum batching_form f)
{
    struct diag d = {.arena = a};
    const struct litmus_test *form = batching_form_of(a, t, f, &d);
    cr_assert(form, "%s", diag_text(&d, a));
    return form;
}

Test(batching, rewriting)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(rewritings); i++) {
        const struct litmus_test *t = rig_test(&a, arena_printf(&a, ONE("%s"), rewritings[i].rows));
        cr_expect_eq(batching_runs(t), rewritings[i].runs, "%s: %d runs", rewritings[i].name,
                     batching_runs(t));
        const char *written = instructions(&a, t);
        for (int f = 0; f < BATCHING_FORMS; f++) {
            const struct litmus_test *form = form_of(&a, t, (enum batching_form)f);
            const char *expected = f == BATCHING_EACH ? rewritings[i].each : rewritings[i].once;
            expect_text(rewritings[i].name, instructions(&a, form), expected ? expected : written);
            for (int g = 0; g < BATCHING_FORMS; g++)
                cr_expect_eq(form_of(&a, form, (enum batching_form)g)->hash,
                             form_of(&a, t, (enum batching_form)g)->hash,
                             "%s: another form of a form", rewritings[i].name);
        }
    }
    arena_free(&a);
}

/* Every core, and nothing but its runs: the rest stands as written, in print too. Labels and
 * expectations go, because an invalidate may stand there twice or not at all. */
Test(batching, whole_tests)
{
    static const char text[] = "GM MP \"two consumers\" { x = 4; s; u; line b[2], c; ranks = 2 }\n"
                               "P0 | P1 | P1.1 ;\n"
                               "l: mte3 x@1, 1 | st b[1], 7 | mte2 t3, x ;\n"
                               "fence | wait s >= 1 | wait s >= 1 ;\n"
                               "notify.add s@1, 1 | wait u >= 1 | m: dcci all ;\n"
                               "notify.set u@1, 1 | ld r0, x@1 | wait u == 1 ;\n"
                               " | tget c, x@0 | mte2 t1, x ;\n"
                               "expect a2a3 -m Never ;\nforall (x=4)\n";
    struct arena a = {0};
    const struct litmus_test *t = rig_test(&a, text);
    cr_expect_eq(batching_runs(t), 2);
    expect_text("each", litmus_print(&a, form_of(&a, t, BATCHING_EACH)),
                "GM MP-each\n{ x = 4; s; u; line b[2], c; ranks = 2 }\n"
                " P0                | P1          | P1.1        ;\n"
                " mte3 x@1, 1       | st b[1], 7  | mte2 t3, x  ;\n"
                " fence             | wait s >= 1 | wait s >= 1 ;\n"
                " notify.add s@1, 1 | dcci all    | dcci all    ;\n"
                " notify.set u@1, 1 | wait u >= 1 | wait u == 1 ;\n"
                "                   | dcci all    | dcci all    ;\n"
                "                   | ld r0, x@1  | mte2 t1, x  ;\n"
                "                   | tget c, x@0 |             ;\n"
                "exists (1.1:t1=0 /\\ 1:r0=0 /\\ b[1]@1=0 /\\ c@1=0 /\\ x=0 /\\ x@1=0)\n");
    expect_text("once", litmus_print(&a, form_of(&a, t, BATCHING_ONCE)),
                "GM MP-once\n{ x = 4; s; u; line b[2], c; ranks = 2 }\n"
                " P0                | P1          | P1.1        ;\n"
                " mte3 x@1, 1       | st b[1], 7  | mte2 t3, x  ;\n"
                " fence             | wait s >= 1 | wait s >= 1 ;\n"
                " notify.add s@1, 1 | wait u >= 1 | wait u == 1 ;\n"
                " notify.set u@1, 1 | dcci all    | dcci all    ;\n"
                "                   | ld r0, x@1  | mte2 t1, x  ;\n"
                "                   | tget c, x@0 |             ;\n"
                "exists (1.1:t1=0 /\\ 1:r0=0 /\\ b[1]@1=0 /\\ c@1=0 /\\ x=0 /\\ x@1=0)\n");
    arena_free(&a);
}

/* Loaded in front of the run, a signal, and a peer that only signals: nothing of it is observed. */
Test(batching, nothing_to_observe)
{
    struct arena a = {0};
    const struct litmus_test *t =
        rig_test(&a, "GM t { x; s }\nP0 | P1 ;\nld r0, x | notify.add s@0, 1 ;\n"
                     "wait s >= 1 | ;\nwait s >= 2 | ;\nexists (true)\n");
    const struct litmus_test *form = form_of(&a, t, BATCHING_ONCE);
    cr_expect_eq(form->observed.len, 0);
    expect_text("condition", form->cond_text, "(true)");
    arena_free(&a);
}

/* 150 rows become 300: more than can be written down. */
Test(batching, too_many_rows)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    struct strbuf b = strbuf_make(&a);
    strbuf_add(&b, "GM t { s }\nP0 ;\n");
    for (int i = 0; i < 150; i++)
        strbuf_add(&b, "wait s >= 1 ;\n");
    strbuf_add(&b, "exists (s=0)\n");
    const struct litmus_test *t = rig_test(&a, b.text);
    cr_expect(batching_form_of(&a, t, BATCHING_ONCE, &d), "%s", diag_text(&d, &a));
    cr_expect(!batching_form_of(&a, t, BATCHING_EACH, &d));
    expect_text("error", diag_text(&d, &a),
                "t.litmus: error: with the invalidates behind each wait, it has 300 rows; a table "
                "has at most 200\n");
    arena_free(&a);
}

/* ---- the family ---- */

static const struct batching_pair *find(const struct batching_pairs *p, const char *name)
{
    vec_foreach (const struct batching_pair, pair, &p->pairs)
        if (!strcmp(pair->name, name))
            return pair;
    return NULL;
}

/*
 * By hand. A pair has at most one of the rarer values. Without one there are two waits with 4
 * places of signals, 2 dirty lines, 2 scopes, 8 timings; and one wait with 2 places, 2 lines, 2
 * scopes and the 4 timings in which nothing depends on a second wait.
 */
enum { TWO_WAITS = 4 * 2 * 2 * 8, ONE_WAIT = 2 * 2 * 2 * 4, COMMON = TWO_WAITS + ONE_WAIT };

static const struct {
    enum batching_dim dim;
    const char *value;
    size_t pairs;
} rarer[] = {
    {BATCHING_WAITS, "w3", TWO_WAITS},
    {BATCHING_WAITS, "w4", TWO_WAITS},
    {BATCHING_PRELOAD, "cold", COMMON},
    {BATCHING_STORE, "st.dev", COMMON},
    {BATCHING_STORE, "st", COMMON},
    /* Two peers send two signals; the data's writer that takes no part is a second peer anyway. */
    {BATCHING_PEERS, "two", 4 * 2 * 2 * 7},
    /* One value of dirty instead of two; a signal on the data's line has no line of its own, which
       is 1 of 4 places, 1 of 2 with one wait. */
    {BATCHING_DIRTY, "dirty.s", 3 * 2 * 8 + 1 * 2 * 4},
    {BATCHING_DIRTY, "dirty.both", 3 * 2 * 8 + 1 * 2 * 4},
};

Test(batching, count_of_the_family)
{
    struct arena a = {0};
    struct batching_pairs p = batching_family(&a);
    size_t all = COMMON;
    for (size_t i = 0; i < COUNT(rarer); i++) {
        size_t n = 0;
        vec_foreach (const struct batching_pair, pair, &p.pairs)
            n += !strcmp(batching_value_name(rarer[i].dim, pair->at[rarer[i].dim]), rarer[i].value);
        cr_expect_eq(n, rarer[i].pairs, "%s: %zu pairs", rarer[i].value, n);
        all += rarer[i].pairs;
    }
    cr_expect_eq(p.pairs.len, all, "%zu pairs", p.pairs.len);
    arena_free(&a);
}

static const char *joined(struct arena *a, const struct batching_pair *p)
{
    struct strbuf b = strbuf_make(a);
    for (int d = 0; d < BATCHING_DIMS; d++)
        strbuf_addf(&b, "%s%s", d ? "+" : "", batching_value_name((enum batching_dim)d, p->at[d]));
    return b.text;
}

static int by_value(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* Names state the values; both forms observe the same names. One is the rewriting of the other,
 * unless a grant stands between the waits: across it nothing is batched. */
Test(batching, pairs_of_the_family)
{
    struct arena a = {0};
    struct batching_pairs p = batching_family(&a);
    uint64_t *hashes = arena_array(&a, uint64_t, p.pairs.len);
    for (size_t i = 0; i < p.pairs.len; i++) {
        struct arena scratch = {0};
        const struct batching_pair *pair = &p.pairs.items[i];
        const struct litmus_test *each = rig_test(&scratch, pair->text[BATCHING_EACH]),
                                 *once = rig_test(&scratch, pair->text[BATCHING_ONCE]);
        expect_text("name", pair->name, joined(&scratch, pair));
        expect_text("each", each->name, arena_printf(&scratch, "%s-each", pair->name));
        expect_text("once", once->name, arena_printf(&scratch, "%s-once", pair->name));
        expect_text(pair->name, each->cond_text, once->cond_text);
        bool one = pair->at[BATCHING_WAITS] == 0, crossed = strstr(pair->name, "+between");
        cr_expect((each->hash == once->hash) == one, "%s", pair->name);
        cr_expect_eq(form_of(&scratch, each, BATCHING_EACH)->hash, each->hash, "%s", pair->name);
        cr_expect((form_of(&scratch, each, BATCHING_ONCE)->hash == once->hash) == !crossed, "%s",
                  pair->name);
        hashes[i] = each->hash;
        arena_free(&scratch);
    }
    qsort(hashes, p.pairs.len, sizeof *hashes, by_value);
    for (size_t i = 1; i < p.pairs.len; i++)
        cr_expect(hashes[i - 1] != hashes[i], "two pairs are equal");
    arena_free(&a);
}

Test(batching, equal_calls_give_equal_bytes)
{
    struct arena a = {0};
    struct batching_pairs x = batching_family(&a), y = batching_family(&a);
    cr_assert(x.pairs.len == y.pairs.len);
    for (size_t i = 0; i < x.pairs.len; i++)
        for (int f = 0; f < BATCHING_FORMS; f++)
            cr_expect(!strcmp(x.pairs.items[i].text[f], y.pairs.items[i].text[f]), "%s differs",
                      x.pairs.items[i].name);
    arena_free(&a);
}

/* ---- known members ---- */

static const struct {
    const char *name, *each, *once;
} members[] = {
    {"w2+own+warm+dirty+all+between.dsb+mte3+one",
     "{ line n, x; s1; s2; go; ranks = 2 }\n"
     " P0                 | P1                 ;\n"
     " notify.add s1@1, 1 | ld r9, x           ;\n"
     " wait go >= 1       | st n, 7            ;\n"
     " mte3 x@1, 1        | wait s1 >= 1       ;\n"
     " barrier all        | dcci all           ;\n"
     " dsb                | dsb                ;\n"
     " notify.add s2@1, 1 | notify.add go@0, 1 ;\n"
     "                    | wait s2 >= 1       ;\n"
     "                    | dcci all           ;\n"
     "                    | ld r0, x           ;\n"
     "exists (1:r0=0 /\\ n@1=0 /\\ x@1=0)\n",
     "{ line n, x; s1; s2; go; ranks = 2 }\n"
     " P0                 | P1                 ;\n"
     " notify.add s1@1, 1 | ld r9, x           ;\n"
     " wait go >= 1       | st n, 7            ;\n"
     " mte3 x@1, 1        | wait s1 >= 1       ;\n"
     " barrier all        | dsb                ;\n"
     " dsb                | notify.add go@0, 1 ;\n"
     " notify.add s2@1, 1 | wait s2 >= 1       ;\n"
     "                    | dcci all           ;\n"
     "                    | ld r0, x           ;\n"
     "exists (1:r0=0 /\\ n@1=0 /\\ x@1=0)\n"},
    /* A dirty word beside the last signal; a second peer sends the other one. */
    {"w2+packed+warm+clean+line+start.first+mte3+two",
     "{ x; line s1, s2; go; ranks = 3 }\n"
     " P0                 | P1                 | P2                 ;\n"
     " wait go >= 1       | notify.add s2@2, 1 | ld r9, x           ;\n"
     " mte3 x@2, 1        |                    | notify.add go@0, 1 ;\n"
     " barrier all        |                    | wait s1 >= 1       ;\n"
     " dsb                |                    | dcci x             ;\n"
     " notify.add s1@2, 1 |                    | wait s2 >= 1       ;\n"
     "                    |                    | dcci x             ;\n"
     "                    |                    | ld r0, x           ;\n"
     "exists (2:r0=0 /\\ x@2=0)\n",
     "{ x; line s1, s2; go; ranks = 3 }\n"
     " P0                 | P1                 | P2                 ;\n"
     " wait go >= 1       | notify.add s2@2, 1 | ld r9, x           ;\n"
     " mte3 x@2, 1        |                    | notify.add go@0, 1 ;\n"
     " barrier all        |                    | wait s1 >= 1       ;\n"
     " dsb                |                    | wait s2 >= 1       ;\n"
     " notify.add s1@2, 1 |                    | dcci x             ;\n"
     "                    |                    | ld r0, x           ;\n"
     "exists (2:r0=0 /\\ x@2=0)\n"},
    /* A core that takes no part writes; the first signal stands beside the data. */
    {"w2+first+warm+dirty.both+all+free+mte3+one",
     "{ line n, x, s1; line s2, m; ranks = 2 }\n"
     " P0                 | P0.1        | P1           ;\n"
     " notify.add s1@1, 1 | mte3 x@1, 1 | ld r9, x     ;\n"
     " notify.add s2@1, 1 | barrier all | st n, 7      ;\n"
     "                    | dsb         | st m, 7      ;\n"
     "                    |             | wait s1 >= 1 ;\n"
     "                    |             | dcci all     ;\n"
     "                    |             | wait s2 >= 1 ;\n"
     "                    |             | dcci all     ;\n"
     "                    |             | ld r0, x     ;\n"
     "exists (1:r0=0 /\\ m@1=0 /\\ n@1=0 /\\ x@1=0)\n",
     "{ line n, x, s1; line s2, m; ranks = 2 }\n"
     " P0                 | P0.1        | P1           ;\n"
     " notify.add s1@1, 1 | mte3 x@1, 1 | ld r9, x     ;\n"
     " notify.add s2@1, 1 | barrier all | st n, 7      ;\n"
     "                    | dsb         | st m, 7      ;\n"
     "                    |             | wait s1 >= 1 ;\n"
     "                    |             | wait s2 >= 1 ;\n"
     "                    |             | dcci all     ;\n"
     "                    |             | ld r0, x     ;\n"
     "exists (1:r0=0 /\\ m@1=0 /\\ n@1=0 /\\ x@1=0)\n"},
    {"w1+data+warm+dirty+line+after+mte3+one",
     "{ line n, x, s1; go; ranks = 2 }\n"
     " P0                 | P1                 ;\n"
     " notify.add s1@1, 1 | ld r9, x           ;\n"
     " wait go >= 1       | st n, 7            ;\n"
     " mte3 x@1, 1        | wait s1 >= 1       ;\n"
     " barrier all        | dcci x             ;\n"
     " dsb                | notify.add go@0, 1 ;\n"
     "                    | ld r0, x           ;\n"
     "exists (1:r0=0 /\\ n@1=0 /\\ x@1=0)\n",
     NULL},
};

Test(batching, known_members)
{
    struct arena a = {0};
    struct batching_pairs p = batching_family(&a);
    for (size_t i = 0; i < COUNT(members); i++) {
        const struct batching_pair *pair = find(&p, members[i].name);
        cr_assert(pair, "%s is missing", members[i].name);
        const char *const bodies[] = {members[i].each,
                                      members[i].once ? members[i].once : members[i].each};
        for (int f = 0; f < BATCHING_FORMS; f++)
            expect_text(members[i].name, litmus_print(&a, rig_test(&a, pair->text[f])),
                        arena_printf(&a, "GM %s-%s\n%s", members[i].name,
                                     batching_form_name((enum batching_form)f), bodies[f]));
    }
    arena_free(&a);
}

/*
 * By hand. `clean`: x is in memory before the signal that publishes it (hw-facts 1.5, 1.6), which
 * the last wait sees; the invalidate behind it drops the old line in either form, and only a
 * prefetch can bring a line back, then with the new word.
 *
 * `between.dsb`: each: the first invalidate writes the dirty line out, the dsb waits until it has
 * arrived, and only then may x be written; nothing is dirty later. once: the line is dirty when x
 * arrives; the last invalidate writes all of it, with the old x (hw-facts H21), unless it was
 * evicted before the grant. Without a cache nothing is ever dirty.
 *
 * `start.last`: x is written behind the fill of the dirty line. once: always lost. each: the first
 * invalidate's write-back and x meet in either order.
 */
static const struct {
    const char *name, *model, *each, *once;
} finals[] = {
    {"w2+own+warm+clean+all+last+mte3+one", "sc", "1:r0=1; x@1=1;\n", "1:r0=1; x@1=1;\n"},
    {"w2+own+warm+clean+all+last+mte3+one", "a2a3", "1:r0=1; x@1=1;\n", "1:r0=1; x@1=1;\n"},
    {"w2+own+warm+clean+all+last+mte3+one", "weakest", "1:r0=1; x@1=1;\n", "1:r0=1; x@1=1;\n"},
    {"w2+own+warm+dirty+all+between.dsb+mte3+one", "sc", "1:r0=1; n@1=7; x@1=1;\n",
     "1:r0=1; n@1=7; x@1=1;\n"},
    {"w2+own+warm+dirty+all+between.dsb+mte3+one", "a2a3", "1:r0=1; n@1=7; x@1=1;\n",
     "1:r0=0; n@1=7; x@1=0;\n"},
    {"w2+own+warm+dirty+all+between.dsb+mte3+one", "a2a3-fifo", "1:r0=1; n@1=7; x@1=1;\n",
     "1:r0=0; n@1=7; x@1=0;\n"},
    {"w2+own+warm+dirty+all+between.dsb+mte3+one", "a2a3-evict", "1:r0=1; n@1=7; x@1=1;\n",
     "1:r0=0; n@1=7; x@1=0;\n1:r0=1; n@1=7; x@1=1;\n"},
    {"w2+own+warm+dirty+all+start.last+mte3+one", "a2a3",
     "1:r0=0; n@1=7; x@1=0;\n1:r0=1; n@1=7; x@1=1;\n", "1:r0=0; n@1=7; x@1=0;\n"},
    {"w2+own+warm+dirty+all+start.last+mte3+one", "a2a3-evict",
     "1:r0=0; n@1=7; x@1=0;\n1:r0=1; n@1=7; x@1=1;\n",
     "1:r0=0; n@1=7; x@1=0;\n1:r0=1; n@1=7; x@1=1;\n"},
};

Test(batching, final_states_of_known_members)
{
    struct arena a = {0};
    struct batching_pairs p = batching_family(&a);
    for (size_t i = 0; i < COUNT(finals); i++) {
        const struct batching_pair *pair = find(&p, finals[i].name);
        cr_assert(pair, "%s is missing", finals[i].name);
        const char *const expected[] = {finals[i].each, finals[i].once};
        for (int f = 0; f < BATCHING_FORMS; f++)
            expect_text(arena_printf(&a, "%s %s %s", finals[i].name, finals[i].model,
                                     batching_form_name((enum batching_form)f)),
                        rig_final_states(&a, rig_test(&a, pair->text[f]), finals[i].model),
                        expected[f]);
    }
    arena_free(&a);
}
