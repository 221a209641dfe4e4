/* SPDX-License-Identifier: MIT */
/* Tests from cycles: how many, that no two are equal, and what known members say. */
#include "litmus/generate/generate.h"

#include <stdint.h>
#include <stdlib.h>

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
