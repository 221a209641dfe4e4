/* SPDX-License-Identifier: MIT */
/*
 * fencebench equiv from the outside.
 */
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "tests/bench/session.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- running ---- */

static struct session_result run(struct session *b, const char *args)
{
    return session_shell(b, arena_printf(&b->arena, "$F equiv %s", args));
}

/* ---- tests under test ---- */

/* Two waits on lines of their own, for the data of two producers, of which the second drains or
 * not; between: the marker behind the first wait, or nop. */
#define TWO_WAITS(name, drain, fence, between)                                                     \
    "GM " name "\n{ x; y; s; u; ranks = 3 }\nP0 | P1 | P2 ;\n"                                     \
    "mte3 x@2, 1 | mte3 y@2, 1 | ld r8, x ;\n"                                                     \
    "barrier all | " drain " | ld r9, y ;\n"                                                       \
    "dsb | " fence " | wait s >= 1 ;\n"                                                            \
    "notify.add s@2, 1 | notify.add u@2, 1 | " between " ;\n"                                      \
    " | | wait u >= 1 ;\n | | dcci all ;\n | | ld r0, x ;\n | | ld r1, y ;\n"                      \
    "~exists (2:r0=0 \\/ 2:r1=0)\n"

/* A word that the consumer left dirty shares the payload's line. The producer writes only when told
 * so (go), behind the place of the first invalidate. */
#define DIRTY_LINE(name, between)                                                                  \
    "GM " name "\n{ line n, y; s; u; go; ranks = 2 }\nP0 | P1 ;\n"                                 \
    "notify.add s@1, 1 | st n, 7 ;\n"                                                              \
    "wait go >= 1 | wait s >= 1 ;\n"                                                               \
    "mte3 y@1, 1 | " between " ;\n"                                                                \
    "barrier all | dsb ;\n"                                                                        \
    "dsb | notify.add go@0, 1 ;\n"                                                                 \
    "notify.add u@1, 1 | wait u >= 1 ;\n | dcci all ;\n | ld r0, y ;\n"                            \
    "exists (1:r0=0)\n"

/* The same, told to write before the run of waits: no grant stands between them. */
#define GRANTED(name)                                                                              \
    "GM " name "\n{ line n, y; s; u; go; ranks = 2 }\nP0 | P1 ;\n"                                 \
    "notify.add s@1, 1 | st n, 7 ;\n"                                                              \
    "wait go >= 1 | notify.add go@0, 1 ;\n"                                                        \
    "mte3 y@1, 1 | wait s >= 1 ;\n"                                                                \
    "barrier all | wait u >= 1 ;\n"                                                                \
    "dsb | dcci all ;\n"                                                                           \
    "notify.add u@1, 1 | ld r0, y ;\n"                                                             \
    "exists (1:r0=0)\n"

#define ONE_CORE(name, insn, condition)                                                            \
    "GM " name " { x = 5; y }\nP0 ;\n" insn " ;\n" condition "\n"

/* More states than a limit of a few thousand lets pass. A final state is seen before the limit in
 * whatever order they are visited: P0 may miss the 1 and keep all others waiting. */
#define MANY_CORES                                                                                 \
    "GM many { x; s; go; a; b; c; d }\nP0 | P1 | P2 | P3 | P4 ;\n"                                 \
    "wait s == 1 | wait go@0 >= 1 | wait go@0 >= 1 | wait go@0 >= 1 | st.dev s@0, 1 ;\n"           \
    "notify.add go, 1 | st.dev a, 1 | st.dev b, 1 | st.dev c, 1 | dsb ;\n"                         \
    "ld.dev r0, x | st.dev a@0, 2 | st.dev b@0, 2 | st.dev c@0, 2 | st.dev s@0, 2 ;\n"             \
    "st.dev d, 1 | st.dev a@2, 3 | st.dev a@1, 3 | st.dev b@1, 3 | ;\n"                            \
    "st.dev d@1, 1 | ld.dev r1, b@0 | ld.dev r1, c@0 | ld.dev r1, d | ;\n"                         \
    "ld.dev r1, a | ld.dev r2, a | ld.dev r2, b | ld.dev r2, c | ;\n"                              \
    "ld.dev r2, b | | | | ;\n"                                                                     \
    "exists (0:r0=5)\n"

static const struct {
    const char *name, *text;
} files[] = {
    {"each.litmus", TWO_WAITS("each", "barrier all", "dsb", "dcci all")},
    {"once.litmus", TWO_WAITS("once", "barrier all", "dsb", "nop")},
    {"each-undrained.litmus", TWO_WAITS("each-undrained", "nop", "nop", "dcci all")},
    {"once-undrained.litmus", TWO_WAITS("once-undrained", "nop", "nop", "nop")},
    {"each-dirty.litmus", DIRTY_LINE("each-dirty", "dcci all")},
    {"once-dirty.litmus", DIRTY_LINE("once-dirty", "nop")},
    {"five.litmus", ONE_CORE("five", "ld r0, x", "exists (0:r0=5)")},
    {"six.litmus", ONE_CORE("six", "ld r0, x", "~exists (0:r0=6 /\\ y=0)")},
    {"other.litmus", ONE_CORE("other", "ld r1, y", "exists (0:r1=0)")},
    {"nothing.litmus", ONE_CORE("nothing", "ld r0, x", "exists (true)")},
    {"ends.litmus", ONE_CORE("ends", "ld r0, x", "~exists (deadlock=1)")},
    {"hangs.litmus", ONE_CORE("hangs", "wait y >= 1", "exists (true)")},
    {"many.litmus", MANY_CORES},
    {"runs/granted.litmus", GRANTED("granted")},
    {"runs/each.litmus", TWO_WAITS("each", "barrier all", "dsb", "dcci all")},
    {"runs/sub/each-dirty.litmus", DIRTY_LINE("each-dirty", "dcci all")},
    {"runs/sub/five.litmus", ONE_CORE("five", "ld r0, x", "exists (0:r0=5)")},
    {"bad.litmus", "GM bad { x }\nP0 ;\nst x ;\nexists (x=1)\n"},
};

static void equiv_open(struct session *b)
{
    session_open(b);
    session_shell(b, "mkdir -p runs/sub");
    for (size_t i = 0; i < COUNT(files); i++)
        session_write(b, files[i].name, files[i].text);
}

/* ---- answers ---- */

static const struct {
    const char *name, *args;
    int code;
    const char *out;
} rows[] = {
    /* Each payload is in memory before its signal, and the invalidate behind the last wait drops
     * both old lines. */
    {"batched invalidate", "each.litmus once.litmus --model all", 0,
     "A each.litmus (each)\nB once.litmus (once)\nObserving 2:r0 2:r1, toolchain ptoas-0.57\n"
     "sc             equal (1 state)\n"
     "benign         equal (1 state)\n"
     "a2a3           equal (1 state)\n"
     "a2a3-blocking  equal (1 state)\n"
     "a2a3-fifo      equal (1 state)\n"
     "a2a3-evict     equal (1 state)\n"
     "weakest        equal (1 state)\n"},
    /* y may still be queued when u arrives: read old or new, in both forms. */
    {"batched invalidate, a producer does not drain",
     "each-undrained.litmus once-undrained.litmus --model all", 0,
     "A each-undrained.litmus (each-undrained)\nB once-undrained.litmus (once-undrained)\n"
     "Observing 2:r0 2:r1, toolchain ptoas-0.57\n"
     "sc             equal (1 state)\n"
     "benign         equal (2 states)\n"
     "a2a3           equal (2 states)\n"
     "a2a3-blocking  equal (2 states)\n"
     "a2a3-fifo      equal (2 states)\n"
     "a2a3-evict     equal (2 states)\n"
     "weakest        equal (2 states)\n"},
    /* Per wait, the dirty line goes out before y comes. Batched, it goes out whole over y, unless
     * an eviction was early (hw-facts H21). Without caches there is no line. */
    {"dirty line", "each-dirty.litmus once-dirty.litmus --model all", 1,
     "A each-dirty.litmus (each-dirty)\nB once-dirty.litmus (once-dirty)\n"
     "Observing 1:r0, toolchain ptoas-0.57\n"
     "sc             equal (1 state)\n"
     "benign         differ: 1 in A only, 1 in B only, 0 in both\n"
     "    A only: 1:r0=1;\n    B only: 1:r0=0;\n"
     "a2a3           differ: 1 in A only, 1 in B only, 0 in both\n"
     "    A only: 1:r0=1;\n    B only: 1:r0=0;\n"
     "a2a3-blocking  differ: 1 in A only, 1 in B only, 0 in both\n"
     "    A only: 1:r0=1;\n    B only: 1:r0=0;\n"
     "a2a3-fifo      differ: 1 in A only, 1 in B only, 0 in both\n"
     "    A only: 1:r0=1;\n    B only: 1:r0=0;\n"
     "a2a3-evict     differ: 0 in A only, 1 in B only, 1 in both\n    B only: 1:r0=0;\n"
     "weakest        differ: 0 in A only, 1 in B only, 1 in both\n    B only: 1:r0=0;\n"},
    {"sides swapped", "once-dirty.litmus each-dirty.litmus --model a2a3-evict --toolchain proposed",
     1,
     "A once-dirty.litmus (once-dirty)\nB each-dirty.litmus (each-dirty)\n"
     "Observing 1:r0, toolchain proposed\n"
     "a2a3-evict     differ: 1 in A only, 0 in B only, 1 in both\n    A only: 1:r0=0;\n"},
    /* The store arrives in both; what was read of it differs. */
    {"observed: equal", "each-dirty.litmus once-dirty.litmus --observe=n@1", 0,
     "A each-dirty.litmus (each-dirty)\nB once-dirty.litmus (once-dirty)\n"
     "Observing n@1, toolchain ptoas-0.57\na2a3           equal (1 state)\n"},
    {"observed: the memory too", "each-dirty.litmus once-dirty.litmus --observe=y@1,1:r0,n@1", 1,
     "A each-dirty.litmus (each-dirty)\nB once-dirty.litmus (once-dirty)\n"
     "Observing 1:r0 n@1 y@1, toolchain ptoas-0.57\n"
     "a2a3           differ: 1 in A only, 1 in B only, 0 in both\n"
     "    A only: 1:r0=1; n@1=7; y@1=1;\n    B only: 1:r0=0; n@1=7; y@1=0;\n"},
    {"other names, one observed", "five.litmus six.litmus --observe 0:r0", 0,
     "A five.litmus (five)\nB six.litmus (six)\nObserving 0:r0, toolchain ptoas-0.57\n"
     "a2a3           equal (1 state)\n"},
    {"same test", "six.litmus six.litmus", 0,
     "A six.litmus (six)\nB six.litmus (six)\nObserving 0:r0 y, toolchain ptoas-0.57\n"
     "a2a3           equal (1 state)\n"},
    {"deadlock is a part of the state", "ends.litmus hangs.litmus", 1,
     "A ends.litmus (ends)\nB hangs.litmus (hangs)\nObserving deadlock, toolchain ptoas-0.57\n"
     "a2a3           differ: 1 in A only, 1 in B only, 0 in both\n"
     "    A only: deadlock=0;\n    B only: deadlock=1;\n"},
};

Test(equiv, answers)
{
    struct session b;
    equiv_open(&b);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct session_result r = run(&b, rows[i].args);
        expect_text(rows[i].name, r.out, rows[i].out);
        expect_text(rows[i].name, r.err, "");
        cr_expect_eq(r.code, rows[i].code, "%s: exit code %d", rows[i].name, r.code);
    }
    session_close(&b);
}

/* ---- both forms of a test ---- */

/* Told to write before the run: with caches, the line is dirty when y comes. Batched, the last
 * invalidate writes the old y back over it. Per wait, the first one's write-back and y meet in
 * either order, and so they do once the line may be evicted. */
#define GRANTED_DIFFERENCE(all, also)                                                              \
    "\nDifference 1: 1 pair, such as granted\n" all "    batched has fewer: " also "\n"            \
    "    pairs: granted\n"                                                                         \
    "    per wait:\n"                                                                              \
    "        { line n, y; s; u; go; ranks = 2 }\n"                                                 \
    "         P0                | P1                 ;\n"                                          \
    "         notify.add s@1, 1 | st n, 7            ;\n"                                          \
    "         wait go >= 1      | notify.add go@0, 1 ;\n"                                          \
    "         mte3 y@1, 1       | wait s >= 1        ;\n"                                          \
    "         barrier all       | dcci all           ;\n"                                          \
    "         dsb               | wait u >= 1        ;\n"                                          \
    "         notify.add u@1, 1 | dcci all           ;\n"                                          \
    "                           | ld r0, y           ;\n"                                          \
    "        exists (1:r0=0 /\\ n@1=0 /\\ y@1=0)\n"                                                \
    "    batched:\n"                                                                               \
    "        { line n, y; s; u; go; ranks = 2 }\n"                                                 \
    "         P0                | P1                 ;\n"                                          \
    "         notify.add s@1, 1 | st n, 7            ;\n"                                          \
    "         wait go >= 1      | notify.add go@0, 1 ;\n"                                          \
    "         mte3 y@1, 1       | wait s >= 1        ;\n"                                          \
    "         barrier all       | wait u >= 1        ;\n"                                          \
    "         dsb               | dcci all           ;\n"                                          \
    "         notify.add u@1, 1 | ld r0, y           ;\n"                                          \
    "        exists (1:r0=0 /\\ n@1=0 /\\ y@1=0)\n"                                                \
    "    " also ":\n"                                                                              \
    "        per wait only: 1:r0=1; n@1=7; y@1=1;\n"

static const struct {
    const char *name, *args;
    int code;
    const char *out;
} batching_rows[] = {
    /* A folder below, a test without a run, one whose run a grant ends. */
    {"folder, every contract", "--batching runs", 1,
     "each        equal             every contract\n"
     "granted     equal             sc a2a3-evict weakest\n"
     "granted     batched has fewer benign a2a3 a2a3-blocking a2a3-fifo\n"
     "each-dirty  equal             every contract (one program)\n"
     "\n3 pairs, 1 of one program in both forms; toolchain ptoas-0.57\n"
     "3 of 4 tests with a run of waits\n"
     "equal/differ/unknown   pairs             sc         benign           a2a3  a2a3-blocking"
     "      a2a3-fifo     a2a3-evict        weakest\n"
     "all                        3          3/0/0          2/1/0          2/1/0          2/1/0"
     "          2/1/0          3/0/0          3/0/0\n"
     "batched has fewer                         0              1              1              1"
     "              1              0              0\n"
     "batched has more                          0              0              0              0"
     "              0              0              0\n"
     "each has its own                          0              0              0              0"
     "              0              0              0\n" GRANTED_DIFFERENCE(
         "    equal: sc a2a3-evict weakest\n", "benign a2a3 a2a3-blocking a2a3-fifo")},
    {"one contract, summary", "--batching --summary --model=a2a3 runs/granted.litmus each.litmus",
     1,
     "2 pairs, 0 of one program in both forms; toolchain ptoas-0.57\n"
     "2 of 2 tests with a run of waits\n"
     "equal/differ/unknown   pairs           a2a3\n"
     "all                        2          1/1/0\n"
     "batched has fewer                         1\n"
     "batched has more                          0\n"
     "each has its own                          0\n" GRANTED_DIFFERENCE("", "a2a3")},
    {"nothing differs", "each.litmus --batching --model=sc,weakest --toolchain=proposed", 0,
     "each  equal             every contract\n"
     "\n1 pair, 0 of one program in both forms; toolchain proposed\n"
     "1 of 1 test with a run of waits\n"
     "equal/differ/unknown   pairs             sc        weakest\n"
     "all                        1          1/0/0          1/0/0\n"
     "batched has fewer                         0              0\n"
     "batched has more                          0              0\n"
     "each has its own                          0              0\n"},
    {"a limit", "each.litmus --batching --model=a2a3 -j1 --max-states 1", 3,
     "each  unknown           a2a3\n"
     "\n1 pair, 0 of one program in both forms; toolchain ptoas-0.57\n"
     "1 of 1 test with a run of waits\n"
     "equal/differ/unknown   pairs           a2a3\n"
     "all                        1          0/0/1\n"
     "batched has fewer                         0\n"
     "batched has more                          0\n"
     "each has its own                          0\n"},
};

Test(equiv, batching)
{
    struct session b;
    equiv_open(&b);
    for (size_t i = 0; i < COUNT(batching_rows); i++) {
        struct session_result r = run(&b, batching_rows[i].args);
        expect_text(batching_rows[i].name, r.out, batching_rows[i].out);
        expect_text(batching_rows[i].name, r.err, "");
        cr_expect_eq(r.code, batching_rows[i].code, "%s: exit code %d", batching_rows[i].name,
                     r.code);
    }
    session_close(&b);
}

/* Without caches nothing differs; the rows count as the tables of litmus/generate/batching_family.c
 * say. */
Test(equiv, batching_family, .timeout = 120)
{
    struct session b;
    equiv_open(&b);
    struct session_result r = run(&b, "--batching --summary --model=sc -j2");
    static const char *const parts[] = {
        "1120 pairs, 144 of one program in both forms; toolchain ptoas-0.57\n"
        "equal/differ/unknown   pairs             sc\n"
        "waits    w1              144        144/0/0\n"
        "         w2              720        720/0/0\n",
        "\nstore    mte3            800        800/0/0\n",
        "\nall                     1120       1120/0/0\n"};
    for (size_t i = 0; i < COUNT(parts); i++)
        cr_expect(strstr(r.out, parts[i]), "no '%s' in %s%s", parts[i], r.out, r.err);
    cr_expect(!strstr(r.out, "Difference"));
    cr_expect_eq(r.code, 0);
    session_close(&b);
}

Test(equiv, batching_threads)
{
    struct session b;
    equiv_open(&b);
    const char *one = run(&b, "--batching -j1 runs").out;
    expect_text("-j3", run(&b, "--batching -j3 runs").out, one);
    session_close(&b);
}

Test(equiv, batching_json)
{
    struct session b;
    equiv_open(&b);
    struct session_result r =
        run(&b, "--batching --json --model sc,a2a3 runs/granted.litmus each-dirty.litmus");
    json_t *top = json_loads(r.out, 0, NULL);
    cr_assert(top, "%s%s", r.out, r.err);
    const char *name, *first, *second, *state, *representative, *sc, *a2a3, *member;
    int one_program, batching;
    int bad = json_unpack(
        top, "{s:b, s:[{s:s, s:b, s:[{s:s}, {s:s, s:[s]}]}], s:[{s:s, s:{s:s, s:s}, s:[s!]}!]}",
        "batching", &batching, "pairs", "name", &name, "one_program", &one_program, "results",
        "answer", &first, "answer", &second, "only_a", &state, "differences", "representative",
        &representative, "relations", "sc", &sc, "a2a3", &a2a3, "pairs", &member);
    cr_assert(bad == 0, "%s", r.out);
    expect_text("result",
                arena_printf(&b.arena, "%d %s %d %s %s %s; %s: %s, %s; %s; %zu pairs", batching,
                             name, one_program, first, second, state, representative, sc, a2a3,
                             member, json_array_size(json_object_get(top, "pairs"))),
                "1 granted 0 equal differ 1:r0=1; n@1=7; y@1=1;; granted: equal, batched has "
                "fewer; granted; 2 pairs");
    cr_expect_eq(r.code, 1);
    json_decref(top);
    session_close(&b);
}

/* ---- limits ---- */

/* What a limit hides is unknown; what was seen in spite of it, and the other side is proven not to
 * have, is a difference. */
Test(equiv, limits)
{
    static const struct {
        const char *args;
        int code;
        const char *part;
    } cases[] = {
        {"each-undrained.litmus once-undrained.litmus -j1 --max-states 1", 3,
         "\na2a3           unknown: a limit was hit, at "},
        {"many.litmus many.litmus -j1 --max-states 2000", 3,
         "\na2a3           unknown: a limit was hit, at "},
        {"five.litmus many.litmus -j1 --max-states 2000", 1,
         "\na2a3           differ: 0 in A only, 1 in B only, 0 in both; a limit was hit, there may "
         "be more\n    B only: 0:r0=0; deadlock=1;\n"},
        {"many.litmus five.litmus -j1 --max-states 2000", 1,
         "\na2a3           differ: 1 in A only, 0 in B only, 0 in both; a limit was hit, there may "
         "be more\n    A only: 0:r0=0; deadlock=1;\n"},
    };
    struct session b;
    equiv_open(&b);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct session_result r = run(&b, cases[i].args);
        cr_expect(strstr(r.out, cases[i].part), "%s: %s%s", cases[i].args, r.out, r.err);
        cr_expect_eq(r.code, cases[i].code, "%s: exit code %d", cases[i].args, r.code);
    }
    session_close(&b);
}

Test(equiv, json)
{
    struct session b;
    equiv_open(&b);
    struct session_result r =
        run(&b, "each-dirty.litmus once-dirty.litmus --json --model sc,a2a3-evict");
    json_t *top = json_loads(r.out, 0, NULL);
    cr_assert(top, "%s%s", r.out, r.err);
    const char *command, *a, *b_file, *name, *first, *model, *answer, *state;
    int complete;
    json_int_t both;
    json_t *only_a;
    int bad = json_unpack(
        top, "{s:s, s:{s:s}, s:{s:s}, s:[s], s:[{s:s}, {s:s, s:s, s:b, s:I, s:o, s:[s]}]}",
        "command", &command, "a", "name", &a, "b", "file", &b_file, "observed", &name, "results",
        "answer", &first, "model", &model, "answer", &answer, "complete", &complete, "both", &both,
        "only_a", &only_a, "only_b", &state);
    cr_assert(bad == 0, "%s", r.out);
    expect_text("result",
                arena_printf(&b.arena, "%s %s %s %s: %s; %s %s complete=%d both=%d %zu %s", command,
                             a, b_file, name, first, model, answer, complete, (int)both,
                             json_array_size(only_a), state),
                "equiv each-dirty once-dirty.litmus 1:r0: equal; a2a3-evict differ complete=1 "
                "both=1 0 1:r0=0;");
    cr_expect_eq(r.code, 1);
    json_decref(top);
    session_close(&b);
}

/* ---- errors ---- */

/* Nothing is run, nothing is printed but the error; NULL: a usage error. */
Test(equiv, bad_input)
{
    static const struct {
        const char *args, *err;
    } cases[] = {
        {"five.litmus six.litmus",
         "six.litmus: error: its condition observes 'y', that of five.litmus does not; write the "
         "same names in both, or compare a choice of them with --observe=0:r0\n"},
        {"six.litmus five.litmus",
         "six.litmus: error: its condition observes 'y', that of five.litmus does not; write the "
         "same names in both, or compare a choice of them with --observe=0:r0\n"},
        {"five.litmus other.litmus",
         "five.litmus: error: its condition observes '0:r0', that of other.litmus does not; write "
         "the same names in both, or compare a choice of them with --observe=NAME,..\n"},
        {"nothing.litmus hangs.litmus",
         "nothing.litmus: error: the conditions observe nothing to compare; say what with "
         "--observe=NAME,..\n"},
        {"five.litmus other.litmus --observe=0:r0",
         "other.litmus:4:11: error: no instruction of P0 uses r0\n"
         "    4 | exists (0:r0=0)\n"
         "      |           ^~\n"},
        {"five.litmus six.litmus --observe=x,,y",
         "five.litmus:4:16: error: expected a condition such as 1:r0=0, x[3]@1=7, deadlock=1 or "
         "true, found '='\n"
         "    4 | exists (x=0 /\\ =0 /\\ y=0)\n"
         "      |                ^\n"},
        {"five.litmus bad.litmus",
         "bad.litmus:3:6: error: expected ',' before the next operand, found ';'\n"
         "    3 | st x ;\n"
         "      |      ^\n"},
        {"five.litmus none.litmus", "none.litmus: error: cannot open: No such file or directory\n"},
        {"five.litmus six.litmus --observe='x /\\ y'", NULL},
        {"--batching five.litmus other.litmus", "five.litmus: error: no test here has a run of "
                                                "waits: two waits, or a wait and a dcci, one "
                                                "behind the other\n"},
        {"--batching each.litmus bad.litmus",
         "bad.litmus:3:6: error: expected ',' before the next operand, found ';'\n"
         "    3 | st x ;\n"
         "      |      ^\n"},
        {"--batching none.litmus", "none.litmus: error: cannot open: No such file or directory\n"},
        {"--batching each.litmus --observe=x", NULL},
        {"--batching each.litmus --model a2a4", NULL},
        {"--batching -P 2", NULL},
        {"five.litmus five.litmus --summary", NULL},
        {"five.litmus five.litmus --model a2a4", NULL},
        {"five.litmus five.litmus --toolchain none", NULL},
        {"five.litmus five.litmus --max-states 0", NULL},
        {"five.litmus five.litmus -P 2", NULL},
        {"five.litmus five.litmus five.litmus", NULL},
        {"five.litmus", NULL},
        {"", NULL},
    };
    struct session b;
    equiv_open(&b);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct session_result r = run(&b, cases[i].args);
        cr_expect_eq(r.code, 2, "%s: exit code %d", cases[i].args, r.code);
        expect_text(cases[i].args, r.out, "");
        if (cases[i].err)
            expect_text(cases[i].args, r.err, cases[i].err);
        else
            cr_expect(*r.err, "%s: no error", cases[i].args);
    }
    session_close(&b);
}
