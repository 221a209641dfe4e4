/* SPDX-License-Identifier: MIT */
/* Tests from cycles: how many, that no two are equal, and what known members say. */
#include "litmus/generate/generate.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "tests/litmus/litmus_rig.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { MIN_TESTS = 2000 };

static const struct generated *find(const struct generated_tests *g, const char *name)
{
    vec_foreach (struct generated, t, &g->tests)
        if (!strcmp(t->name, name))
            return t;
    return NULL;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(((const struct generated *)x)->name, ((const struct generated *)y)->name);
}

static int by_value(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

Test(generate, names_are_unique)
{
    struct arena a = {0};
    struct generated_tests g = litmus_generate(&a, GENERATE_MAX_EDGES, NULL);
    cr_assert(g.tests.len >= MIN_TESTS, "%zu tests", g.tests.len);
    qsort(g.tests.items, g.tests.len, sizeof *g.tests.items, by_name);
    for (size_t i = 1; i < g.tests.len; i++)
        cr_expect(strcmp(g.tests.items[i - 1].name, g.tests.items[i].name), "%s twice",
                  g.tests.items[i].name);
    arena_free(&a);
}

static const struct litmus_test *parse(struct arena *a, const struct toolchain *t, const char *name,
                                       const char *text)
{
    struct diag d = {.arena = a};
    const struct litmus_test *test = litmus_parse(a, source_from_string(a, name, text), t, &d);
    cr_assert(test, "%s", diag_text(&d, a));
    return test;
}

/* Also: what is printed parses to the same test, whose name is the generated one. */
Test(generate, every_test_parses_and_no_two_are_equal, .timeout = 120)
{
    struct arena a = {0};
    struct generated_tests g = litmus_generate(&a, GENERATE_MAX_EDGES, NULL);
    const struct toolchain *toolchain = rig_toolchain(&a, "ptoas-0.57");
    uint64_t *hashes = arena_array(&a, uint64_t, g.tests.len);
    for (size_t i = 0; i < g.tests.len; i++) {
        struct arena scratch = {0};
        const struct generated *t = &g.tests.items[i];
        const struct litmus_test *test = parse(&scratch, toolchain, t->name, t->text);
        hashes[i] = test->hash;
        cr_expect(!strcmp(test->name, t->name), "%s is named %s", t->name, test->name);
        cr_expect(test->quantifier == LITMUS_EXISTS && !test->expects.len, "%s", t->name);
        test = parse(&scratch, toolchain, t->name, litmus_print(&scratch, test));
        cr_expect(test->hash == hashes[i], "%s: another hash when printed", t->name);
        arena_free(&scratch);
    }
    qsort(hashes, g.tests.len, sizeof *hashes, by_value);
    for (size_t i = 1; i < g.tests.len; i++)
        cr_expect(hashes[i - 1] != hashes[i], "two tests are equal");
    arena_free(&a);
}

Test(generate, equal_calls_give_equal_bytes)
{
    struct arena a = {0};
    struct generated_tests x = litmus_generate(&a, GENERATE_MAX_EDGES, NULL),
                           y = litmus_generate(&a, GENERATE_MAX_EDGES, NULL);
    cr_assert(x.tests.len == y.tests.len);
    for (size_t i = 0; i < x.tests.len; i++)
        cr_expect(!strcmp(x.tests.items[i].name, y.tests.items[i].name) &&
                      !strcmp(x.tests.items[i].text, y.tests.items[i].text),
                  "%s differs", x.tests.items[i].name);
    arena_free(&a);
}

/* ---- what is asked for ---- */

static const struct {
    const char *name, *family, *prefix;
    int max_edges;
    bool some;
} requests[] = {
    {"one family", "MP", "MP+", 6, true},          {"its cycle just fits", "MP", "MP+", 4, true},
    {"its cycle is too long", "MP", "", 3, false}, {"three ranks", "ISA2", "ISA2+", 6, true},
    {"short cycles only", NULL, "Co", 3, true},    {"unknown", "PM", "", 6, false},
    {"a prefix is no family", "M", "", 6, false},
};

Test(generate, only_what_is_asked_for)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(requests); i++) {
        struct generated_tests g = litmus_generate(&a, requests[i].max_edges, requests[i].family);
        cr_expect((g.tests.len > 0) == requests[i].some, "%s: %zu tests", requests[i].name,
                  g.tests.len);
        vec_foreach (struct generated, t, &g.tests)
            cr_expect(!strncmp(t->name, requests[i].prefix, strlen(requests[i].prefix)), "%s: %s",
                      requests[i].name, t->name);
    }
    arena_free(&a);
}

static const struct {
    const char *name;
    int edges;
} families[] = {{"CoWW", 2}, {"CoRR", 3}, {"MP", 4}, {"WRC", 5}, {"ISA2", 6}, {"PM", 0}, {"", 0}};

Test(generate, edges_of_a_family)
{
    for (size_t i = 0; i < COUNT(families); i++)
        cr_expect(litmus_family_edges(families[i].name) == families[i].edges, "%s: %d",
                  families[i].name, litmus_family_edges(families[i].name));
}

/* ---- known members ---- */

static const struct {
    const char *name, *text;
} members[] = {
    {"MP+st-line.dsb-notify.add+wait-line-ld.warm+to", "{ x; s; ranks = 2 }\n"
                                                       "P0                | P1          ;\n"
                                                       "st x, 1           | ld r9, x@0  ;\n"
                                                       "dcci x            | wait s >= 1 ;\n"
                                                       "dsb               | dcci x@0    ;\n"
                                                       "notify.add s@1, 1 | ld r0, x@0  ;\n"
                                                       "exists (1:r0=0)\n"},
    /* Third rank; two locations; the coherence order is in final memory. */
    {"2+2W+mte3-barrier.dsb-mte3+mte3-barrier.dsb-mte3+third", "{ x; y; ranks = 3 }\n"
                                                               "P0          | P1          ;\n"
                                                               "mte3 x@2, 2 | mte3 y@2, 2 ;\n"
                                                               "barrier all | barrier all ;\n"
                                                               "dsb         | dsb         ;\n"
                                                               "mte3 y@2, 1 | mte3 x@2, 1 ;\n"
                                                               "exists (x@2=2 /\\ y@2=2)\n"},
    /* Copies: the source of tput holds the value, the result of tget is in memory. */
    {"MP+tput-barrier.dsb-notify.add+wait-tget+to", "{ x; s; d0; v1 = 1; ranks = 2 }\n"
                                                    "P0                | P1           ;\n"
                                                    "tput x, v1        | wait s >= 1  ;\n"
                                                    "barrier all       | tget d0, x@0 ;\n"
                                                    "dsb               |              ;\n"
                                                    "notify.add s@1, 1 |              ;\n"
                                                    "exists (d0@1=0)\n"},
    /* Agents of their own on one location. */
    {"CoWW+st-line.dsb-mte3+from", "{ x; ranks = 1 }\n"
                                   "P0        ;\n"
                                   "st x, 2   ;\n"
                                   "dcci x    ;\n"
                                   "dsb       ;\n"
                                   "mte3 x, 1 ;\n"
                                   "exists (x@0=2)\n"},
    /* A misplaced, a misdirected and a foreign clean. */
    {"MP+st-late.line.dsb-notify.add+wait-ld+to", "{ x; s; ranks = 2 }\n"
                                                  "P0                | P1          ;\n"
                                                  "st x, 1           | wait s >= 1 ;\n"
                                                  "notify.add s@1, 1 | ld r0, x@0  ;\n"
                                                  "dcci x            |             ;\n"
                                                  "dsb               |             ;\n"
                                                  "exists (1:r0=0)\n"},
    {"MP+st-peer.dsb-notify.add+wait-other-ld+from", "{ x; s; o; ranks = 2 }\n"
                                                     "P0                | P1          ;\n"
                                                     "st x@1, 1         | wait s >= 1 ;\n"
                                                     "dcci x            | dcci o      ;\n"
                                                     "dsb               | ld r0, x    ;\n"
                                                     "notify.add s@1, 1 |             ;\n"
                                                     "exists (1:r0=0)\n"},
};

Test(generate, known_members)
{
    struct arena a = {0};
    struct generated_tests g = litmus_generate(&a, GENERATE_MAX_EDGES, NULL);
    for (size_t i = 0; i < COUNT(members); i++) {
        const struct generated *t = find(&g, members[i].name);
        cr_expect(t, "%s is missing", members[i].name);
        if (t)
            expect_text(members[i].name, t->text,
                        arena_printf(&a, "GM %s\n%s", members[i].name, members[i].text));
    }
    arena_free(&a);
}

/* Agents that add have no coherence order; one rank has no peer; bypass stores use no pipe; the
 * same placement under another name would be an equal test. */
static const char *const absent[] = {
    "CoWW+st.atomic-line.dsb-st+from",
    "CoWW+st-peer.dsb-st+from",
    "CoWW+st-line.dsb-mte3+to",
    "MP+st.dev-line.barrier.dsb-notify.add+wait-ld+to",
};

Test(generate, what_makes_no_test)
{
    struct arena a = {0};
    struct generated_tests g = litmus_generate(&a, GENERATE_MAX_EDGES, NULL);
    for (size_t i = 0; i < COUNT(absent); i++)
        cr_expect(!find(&g, absent[i]), "%s", absent[i]);
    arena_free(&a);
}

/* By hand. A cached store reaches memory by its clean; dsb makes it arrive before the notify goes
 * to another rank (hw-facts 1.5, 1.6); a line cached before the wait stays old until it is
 * invalidated (hw-facts 1.2), and DMA never sees it (hw-facts 0.4). The cycles are not sequentially
 * consistent.
 */
static const struct {
    const char *name, *model;
    enum litmus_verdict verdict;
} verdicts[] = {
    {"MP+st-line.dsb-notify.add+wait-line-ld.warm+to", "a2a3", LITMUS_NEVER},
    {"MP+st-line.dsb-notify.add+wait-ld.warm+to", "a2a3", LITMUS_SOMETIMES},
    {"MP+st-line.dsb-notify.add+wait-ld.warm+to", "sc", LITMUS_NEVER},
    {"MP+st-line-notify.add+wait-line-ld.warm+to", "a2a3", LITMUS_SOMETIMES},
    {"MP+st-dsb-notify.add+wait-line-ld.warm+to", "a2a3", LITMUS_ALWAYS},
    {"MP+st-notify.add+wait-line-ld.warm+to", "sc", LITMUS_NEVER},
    {"MP+mte3-barrier.dsb-notify.add+wait-mte2+to", "a2a3", LITMUS_NEVER},
    {"MP+mte3-dsb-notify.add+wait-mte2+to", "a2a3", LITMUS_SOMETIMES},
    {"MP+mte3-barrier.dsb-notify.add+wait-ld.warm+from", "a2a3", LITMUS_SOMETIMES},
    {"CoWR+st-mte2+from", "a2a3", LITMUS_ALWAYS},
    {"CoWR+st-ld+from", "a2a3", LITMUS_NEVER},
};

Test(generate, verdicts_of_known_members)
{
    struct arena a = {0};
    struct generated_tests g = litmus_generate(&a, GENERATE_MAX_EDGES, NULL);
    for (size_t i = 0; i < COUNT(verdicts); i++) {
        const struct generated *t = find(&g, verdicts[i].name);
        cr_assert(t, "%s is missing", verdicts[i].name);
        expect_text(arena_printf(&a, "%s %s", verdicts[i].name, verdicts[i].model),
                    litmus_verdict_name(rig_verdict(&a, rig_test(&a, t->text), verdicts[i].model)),
                    litmus_verdict_name(verdicts[i].verdict));
    }
    arena_free(&a);
}

/* ---- one cycle in words ---- */

static const struct {
    const char *words, *home, *name, *text;
} cycles[] = {
    {"st line.dsbdWN Sig wait linedAR ld.warm Fre", "to",
     "MP+st-line.dsb-notify.add+wait-line-ld.warm+to",
     "{ x; s; ranks = 2 }\n"
     "P0                | P1          ;\n"
     "st x, 1           | ld r9, x@0  ;\n"
     "dcci x            | wait s >= 1 ;\n"
     "dsb               | dcci x@0    ;\n"
     "notify.add s@1, 1 | ld r0, x@0  ;\n"
     "exists (1:r0=0)\n"},
    /* with the usual accesses, and starting anywhere */
    {"Rfe PodRR Fre PodWW", "from", "MP.m+st-st+ld-ld+from",
     "{ x; y; ranks = 2 }\n"
     "P0        | P1         ;\n"
     "st x@1, 1 | ld r0, y@0 ;\n"
     "st y, 1   | ld r1, x   ;\n"
     "exists (1:r0=1 /\\ 1:r1=0)\n"},
    /* Wse is diy's older name of Coe */
    {" PodWW\tWse PodWW  Coe", "third", "2+2W+st-st+st-st+third",
     "{ x; y; ranks = 3 }\n"
     "P0        | P1        ;\n"
     "st x@2, 2 | st y@2, 2 ;\n"
     "st y@2, 1 | st x@2, 1 ;\n"
     "exists (x@2=2 /\\ y@2=2)\n"},
    {"SB", "to", "SB+st-ld+st-ld+to",
     "{ x; y; ranks = 2 }\n"
     "P0         | P1         ;\n"
     "st x, 1    | st y, 1    ;\n"
     "ld r0, y@1 | ld r1, x@0 ;\n"
     "exists (0:r0=0 /\\ 1:r1=0)\n"},
    /* no family: named by its words */
    {"PodWN Sig PodAW Rfe PodRR Fre", "to",
     "PodWN.Sig.PodAW.Rfe.PodRR.Fre+st-notify.add+wait-st+ld-ld+to",
     "{ x; s; y; ranks = 3 }\n"
     "P0                | P1          | P2         ;\n"
     "st x, 1           | wait s >= 1 | ld r0, y   ;\n"
     "notify.add s@1, 1 | st y@2, 1   | ld r1, x@0 ;\n"
     "exists (2:r0=1 /\\ 2:r1=0)\n"},
};

static struct generated one_cycle(struct arena *a, const char *words, const char *home)
{
    struct diag d = {.arena = a};
    struct generated g = {0};
    cr_assert(litmus_generate_cycle(a, words, home, &g, &d), "%s", diag_text(&d, a));
    return g;
}

Test(generate_cycle, tests)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(cycles); i++) {
        struct generated g = one_cycle(&a, cycles[i].words, cycles[i].home);
        expect_text(cycles[i].words, g.name, cycles[i].name);
        expect_text(cycles[i].words, g.text,
                    arena_printf(&a, "GM %s\n%s", cycles[i].name, cycles[i].text));
    }
    arena_free(&a);
}

static const struct {
    const char *words, *home, *error;
} bad_cycles[] = {
    {"", "to", "a cycle has 2 to 6 edges, such as 'PodWW Rfe PodRR Fre'"},
    {"PodWW", "to", "a cycle has 2 to 6 edges, such as 'PodWW Rfe PodRR Fre'"},
    {"PodWV Rfe PodRR Fre", "to", "'PodWV' is no edge and no access; did you mean 'PodWW'?"},
    {"lime.dsbdWN Sig PodAR Fre", "to",
     "'lime.dsbdWN' is no edge and no access; did you mean 'line.dsbdWN'?"},
    {"PodWW Rfi PodRR Fre", "to", "'Rfi' is no edge and no access; did you mean 'Rfe'?"},
    {"PodWW Fre", "to", "'Fre' leaves a read, but 'PodWW' in front of it ends at a write"},
    {"PodWW Rfe PodRR", "to",
     "the cycle does not close: 'PodRR' ends at a read, 'PodWW' leaves a write"},
    {"ld PodWR Fre PodWR Fre", "to", "'ld' is a read, but 'PodWR' leaves a write"},
    {"st st PodWR Fre PodWR Fre", "to", "'st' stands in front of it already"},
    {"PodWR Fre PodWR Fre st", "to", "an edge is missing behind this access"},
    {"PodWR PodRW Coe", "to",
     "two edges of program order in a row: each access needs communication on one side"},
    {"Rfe Fre", "to", "a cycle needs an edge of program order"},
    {"PodAN Sig PodAN Sig", "to", "in a cycle of signals alone every core waits for another"},
    {"PodWR Fre", "to", "one edge alone changes the location: the cycle does not come back to it"},
    {"PosWR Fre PosWR Fre", "to",
     "a location has one write, or two with a coherence edge between them: the values would not "
     "tell what was read"},
    {"PosWN Sig PosAR Fre", "to", "a signal and data at one location"},
    {"PodWN Sig PosAN Sig PodAR Fre", "to",
     "two notifies of one signal: the wait could be for either"},
    {"st.atomic PodWW Coe PodWW Coe", "to",
     "'st.atomic' adds: no coherence order can be read from its location"},
    {"barrierdWN Sig PodAR Fre", "to",
     "'barrier' is no placement for this edge: it is for other accesses, or for the other side of "
     "a message"},
    {"Rfe Fre Rfe Fre Rfe Fre Rfe", "to", "a cycle has at most 6 edges"},
    {"MP", "fourth", "--home=fourth: expected from, to or third"},
    {"MPP", "to", "'MPP' is no edge and no access; did you mean 'MP'?"},
};

Test(generate_cycle, errors)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(bad_cycles); i++) {
        struct diag d = {.arena = &a};
        struct generated g;
        cr_expect(!litmus_generate_cycle(&a, bad_cycles[i].words, bad_cycles[i].home, &g, &d),
                  "'%s' is accepted", bad_cycles[i].words);
        expect_text(bad_cycles[i].words, d.message ? d.message : "", bad_cycles[i].error);
    }
    arena_free(&a);
}

/* By hand, from docs/machine.md. Under a2a3 messages of one path to different ranks overtake each
 * other, dsb waits until what was posted has arrived (hw-facts 1.6), a line in the cache stays old
 * until it is invalidated (hw-facts 1.2), loads are done before the core goes on, pipes run beside
 * each other, and memory is one for all readers. */
static const struct {
    const char *words, *model;
    enum litmus_verdict verdict;
} answers[] = {
    /* a dirty line is never seen */
    {"MP", "a2a3", LITMUS_ALWAYS},
    {"MP", "sc", LITMUS_NEVER},
    /* store buffering: the posted store is on its way while the other word is read */
    {"st.dev PodWR Fre st.dev PodWR Fre", "a2a3", LITMUS_SOMETIMES},
    {"st.dev dsbdWR Fre st.dev PodWR Fre", "a2a3", LITMUS_SOMETIMES},
    {"st.dev dsbdWR Fre st.dev dsbdWR Fre", "a2a3", LITMUS_NEVER},
    {"st.dev dsbdWR Fre st.dev dsbdWR ld.warm Fre", "a2a3", LITMUS_SOMETIMES},
    {"SB", "sc", LITMUS_NEVER},
    /* load buffering: a load holds the core, a pipe does not */
    {"PodRW st.dev Rfe PodRW st.dev Rfe", "a2a3", LITMUS_NEVER},
    {"mte2 PodRW mte3 Rfe mte2 PodRW mte3 Rfe", "a2a3", LITMUS_SOMETIMES},
    {"mte2 barrierdRW mte3 Rfe mte2 barrierdRW mte3 Rfe", "a2a3", LITMUS_NEVER},
    {"mte2 PodRW mte3 Rfe mte2 PodRW mte3 Rfe", "sc", LITMUS_NEVER},
    /* two writes to two ranks each */
    {"mte3 PodWW mte3 Coe mte3 PodWW mte3 Coe", "a2a3", LITMUS_SOMETIMES},
    {"mte3 barrier.dsbdWW mte3 Coe mte3 barrier.dsbdWW mte3 Coe", "a2a3", LITMUS_NEVER},
    {"mte3 barrier.dsbdWW mte3 Coe mte3 barrierdWW mte3 Coe", "a2a3", LITMUS_SOMETIMES},
    {"2+2W", "sc", LITMUS_NEVER},
    /* S and R */
    {"st.dev PodWW st.dev Rfe PodRW st.dev Coe", "a2a3", LITMUS_SOMETIMES},
    {"st.dev dsbdWW st.dev Rfe PodRW st.dev Coe", "a2a3", LITMUS_NEVER},
    {"st.dev dsbdWW st.dev Coe st.dev PodWR Fre", "a2a3", LITMUS_SOMETIMES},
    {"st.dev dsbdWW st.dev Coe st.dev dsbdWR Fre", "a2a3", LITMUS_NEVER},
    /* a third core sees what the second one was told */
    {"st.dev Rfe PodRN Sig linedAR ld.warm Fre", "a2a3", LITMUS_NEVER},
    {"st.dev Rfe PodRN Sig PodAR ld.warm Fre", "a2a3", LITMUS_SOMETIMES},
    {"mte3 barrier.dsbdWN Sig PodAN Sig PodAR mte2 Fre", "a2a3", LITMUS_NEVER},
    {"mte3 dsbdWN Sig PodAN Sig PodAR mte2 Fre", "a2a3", LITMUS_SOMETIMES},
    {"st.dev Rfe PodRR Fre st.dev PodWR Fre", "a2a3", LITMUS_SOMETIMES},
    {"st.dev Rfe PodRR Fre st.dev dsbdWR Fre", "a2a3", LITMUS_NEVER},
    /* two readers do not see two writes in two orders, unless one of them looks into its cache */
    {"st.dev Rfe PodRR Fre st.dev Rfe PodRR Fre", "a2a3", LITMUS_NEVER},
    {"st.dev Rfe PodRR ld.warm Fre st.dev Rfe PodRR ld.warm Fre", "a2a3", LITMUS_SOMETIMES},
    {"st.dev Rfe linedRR ld.warm Fre st.dev Rfe linedRR ld.warm Fre", "a2a3", LITMUS_NEVER},
    {"IRIW", "sc", LITMUS_NEVER},
    /* Z6.0: the last store is on its way while the first word is read */
    {"st.dev dsbdWW st.dev Rfe PodRW st.dev Coe st.dev PodWR Fre", "a2a3", LITMUS_SOMETIMES},
    {"st.dev dsbdWW st.dev Rfe PodRW st.dev Coe st.dev dsbdWR Fre", "a2a3", LITMUS_NEVER},
    {"Z6.0", "sc", LITMUS_NEVER},
    {"Z6.3", "sc", LITMUS_NEVER},
};

Test(generate_cycle, answers)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(answers); i++) {
        struct generated g = one_cycle(&a, answers[i].words, "to");
        enum litmus_verdict v = rig_verdict(&a, rig_test(&a, g.text), answers[i].model);
        cr_expect(v == answers[i].verdict, "%s under %s: %s, expected %s\n%s", answers[i].words,
                  answers[i].model, litmus_verdict_name(v), litmus_verdict_name(answers[i].verdict),
                  g.text);
    }
    arena_free(&a);
}

/* Words and accesses by the kind of access that they leave and end at. */
static const struct {
    const char *text;
    char from, to;
} edge_words[] = {
    {"Rfe", 'W', 'R'},
    {"Fre", 'R', 'W'},
    {"Coe", 'W', 'W'},
    {"Sig", 'N', 'A'},
    {"PodWW", 'W', 'W'},
    {"PodWR", 'W', 'R'},
    {"PodRW", 'R', 'W'},
    {"PodRR", 'R', 'R'},
    {"PodWN", 'W', 'N'},
    {"PodRN", 'R', 'N'},
    {"PodAR", 'A', 'R'},
    {"PodAW", 'A', 'W'},
    {"PodAN", 'A', 'N'},
    {"PosWR", 'W', 'R'},
    {"PosRR", 'R', 'R'},
    {"PosWW", 'W', 'W'},
    {"PosRW", 'R', 'W'},
    {"line.dsbdWN", 'W', 'N'},
    {"barrier.dsbdWW", 'W', 'W'},
    {"dsbdWR", 'W', 'R'},
    {"linedAR", 'A', 'R'},
    {"linesRR", 'R', 'R'},
    {"late.line.dsbdWN", 'W', 'N'},
};
static const struct {
    const char *text;
    char is;
} access_words[] = {{"st", 'W'},   {"st.dev", 'W'}, {"mte3", 'W'},       {"tput", 'W'},
                    {"fix", 'W'},  {"ld", 'R'},     {"ld.warm", 'R'},    {"ld.dev", 'R'},
                    {"mte2", 'R'}, {"tget", 'R'},   {"notify.add", 'N'}, {"wait", 'A'}};

/* Each edge leaves what the one in front of it ends at; nothing else is sure to fit. */
static const char *random_words(struct arena *a, struct rng *r)
{
    struct strbuf b = strbuf_make(a);
    char at = "WRNA"[rng_below(r, 4)];
    for (int n = 2 + (int)rng_below(r, 5); n;) {
        size_t access = rng_below(r, COUNT(access_words)), edge = rng_below(r, COUNT(edge_words));
        if (edge_words[edge].from != at)
            continue;
        if (access_words[access].is == at)
            strbuf_addf(&b, "%s ", access_words[access].text);
        strbuf_addf(&b, "%s ", edge_words[edge].text);
        at = edge_words[edge].to;
        n--;
    }
    return b.text;
}

/* Whatever words make a test: it parses, asks with exists, and is Never under sc. Few random words
 * do. */
Test(generate_cycle, random_cycles_are_not_sequentially_consistent, .timeout = 300)
{
    static const char *const homes[] = {"from", "to", "third"};
    struct rng r = rng_make(12, 0);
    int made = 0;
    for (int i = 0; i < soaked(60000); i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct generated g;
        const char *words = random_words(&a, &r);
        if (litmus_generate_cycle(&a, words, homes[rng_below(&r, 3)], &g, &d)) {
            struct litmus_test *t = rig_test(&a, g.text);
            made++;
            cr_expect(t->quantifier == LITMUS_EXISTS && !strcmp(t->name, g.name), "%s", words);
            cr_expect(rig_verdict(&a, t, "sc") == LITMUS_NEVER, "%s\n%s", words, g.text);
        } else {
            cr_expect(d.message, "%s: refused without a word", words);
        }
        arena_free(&a);
    }
    cr_expect(made > 500, "only %d cycles", made);
}

/* The classic cycles have diy's names: the roles of each thread's accesses and the communication
 * between threads are those of "herding cats" (table of names). */
static const struct {
    const char *words, *name;
} classics[] = {
    {"PodWN Sig PodAR Fre", "MP"},
    {"PodWW Rfe PodRR Fre", "MP.m"},
    {"PodWR Fre PodWR Fre", "SB"},
    {"PodRW Rfe PodRW Rfe", "LB"},
    {"PodWW Rfe PodRW Coe", "S"},
    {"PodWW Coe PodWR Fre", "R"},
    {"PodWW Coe PodWW Coe", "2+2W"},
    {"Rfe PodRN Sig PodAR Fre", "WRC"},
    {"Rfe PodRR Fre PodWR Fre", "RWC"},
    {"PodWN Sig PodAN Sig PodAR Fre", "ISA2"},
    {"Rfe PodRR Fre Rfe PodRR Fre", "IRIW"},
    {"PodWW Rfe PodRR Fre PodWR Fre", "W+RWC"},
    {"PodWR Fre PodWR Fre PodWR Fre", "3.SB"},
    {"PodRW Rfe PodRW Rfe PodRW Rfe", "3.LB"},
    {"PodWW Coe PodWW Coe PodWW Coe", "3.2W"},
    {"PodWW Rfe PodRW Coe PodWR Fre", "Z6.0"},
    {"PodWW Coe PodWW Rfe PodRW Coe", "Z6.1"},
    {"PodWW Rfe PodRW Rfe PodRW Coe", "Z6.2"},
    {"PodWW Coe PodWW Rfe PodRR Fre", "Z6.3"},
    {"PodWW Coe PodWR Fre PodWR Fre", "Z6.4"},
    {"PodWW Coe PodWW Coe PodWR Fre", "Z6.5"},
};

Test(generate_cycle, classics)
{
    struct arena a = {0};
    for (size_t i = 0; i < COUNT(classics); i++) {
        struct generated words = one_cycle(&a, classics[i].words, "to"),
                         name = one_cycle(&a, classics[i].name, "to");
        expect_text(classics[i].words, words.text, name.text);
        cr_expect(!strncmp(name.name, classics[i].name, strlen(classics[i].name)) &&
                      name.name[strlen(classics[i].name)] == '+',
                  "%s is %s", classics[i].name, name.name);
        cr_expect(rig_verdict(&a, rig_test(&a, name.text), "sc") == LITMUS_NEVER, "%s",
                  classics[i].name);
    }
    arena_free(&a);
}
