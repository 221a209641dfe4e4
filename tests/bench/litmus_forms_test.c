/* SPDX-License-Identifier: MIT */
/*
 * Forms of input and output of fencebench litmus: locations and filters, lists of tests, the table,
 * the choice of states, and the comparison of logs. The binary is $FENCEBENCH.
 */
#include "tests/bench/session.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static void expect_run(struct session *s, const char *args, int code, const char *out,
                       const char *err)
{
    struct session_result r = session_shell(s, arena_printf(&s->arena, "$F litmus %s", args));
    cr_expect(r.code == code, "%s: exit code %d, expected %d", args, r.code, code);
    if (out)
        expect_text(args, r.out, out);
    if (err)
        expect_text(args, r.err, err);
}

/* ---- locations and filters ---- */

/* Signal s arrives behind x (hw-facts 1.1, 1.6), and P1 looks at them in this order, past the
 * cache: of r0 (s) and r1 (x) only 1, 0 is impossible. y is what nobody writes. */
#define LOOK(tail)                                                                                 \
    "GM t\n{ x; s; y = 4; ranks = 2 }\nP0 | P1 ;\nst.dev x@1, 1 | ld.dev r0, s ;\n"                \
    "dsb | ld.dev r1, x ;\nnotify.add s@1, 1 | ;\n" tail

static const struct {
    const char *name, *text, *args, *part;
    int code;
} looks[] = {
    {"as it is", LOOK("exists (1:r0=1)\n"), "", "States 2\n1:r0=0;\n1:r0=1;\nOk\n", 0},
    {"with locations", LOOK("locations [1:r1; y@1;]\nexists (1:r0=1)\n"), "",
     "States 3\n1:r0=0; 1:r1=0; y@1=4;\n1:r0=0; 1:r1=1; y@1=4;\n1:r0=1; 1:r1=1; y@1=4;\nOk\n", 0},
    {"one that the condition has", LOOK("locations [1:r0]\nexists (1:r0=1)\n"), "",
     "States 2\n1:r0=0;\n1:r0=1;\nOk\n", 0},
    /* the filter's register is in no state, and yet decides which ones count */
    {"filtered", LOOK("filter (1:r1=0)\nexists (1:r0=1)\n"), "", "States 1\n1:r0=0;\nNo\n", 0},
    {"and named", LOOK("filter 1:r1=0\nexists (1:r0=1)\n"), "",
     "Filter t leaves out final states\n", 0},
    {"nothing is left", LOOK("filter (1:r1=7)\nexists (1:r0=1)\n"), "",
     "States 0\nNo\nWitnesses\nPositive: 0 Negative: 0\nCondition exists (1:r0=1)\n"
     "Observation t Never 0 0\n",
     0},
    {"which is said", LOOK("filter (1:r1=7)\nexists (1:r0=1)\n"), "",
     "Filter t leaves out every final state\n", 0},
    {"all are left", LOOK("filter (y@1=4)\nexists (1:r0=1)\n"), "", "Filter t leaves out nothing\n",
     0},
    {"forall, of those that count",
     LOOK("filter (1:r0=1)\nexpect a2a3 Always ;\nforall (1:r1=1)\n"), "",
     "Observation t Always 1 0\n", 0},
    {"forall, of all", LOOK("expect a2a3 Sometimes ;\nforall (1:r1=1)\n"), "",
     "Observation t Sometimes 1 1\n", 0},
    {"states with the proposition", LOOK("locations [1:r1]\nexists (1:r0=1)\n"), "--show=prop",
     "States 1\n1:r0=1; 1:r1=1;\nOk\nWitnesses\nPositive: 1 Negative: 2\n", 0},
    {"states without it", LOOK("locations [1:r1]\nexists (1:r0=1)\n"), "--show=neg",
     "States 2\n1:r0=0; 1:r1=0;\n1:r0=0; 1:r1=1;\nOk\n", 0},
    {"a run to a state that counts", LOOK("filter (1:r1=1)\nexists (1:r0=0)\n"), "--witness",
     "Witness t a shortest run of ", 0},
};

Test(litmus_forms, locations_and_filters)
{
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(looks); i++) {
        session_write(&s, "t.litmus", looks[i].text);
        expect_run(&s, arena_printf(&s.arena, "--explore t.litmus %s", looks[i].args),
                   looks[i].code, NULL, "");
        const char *out = session_read(&s, ".out");
        cr_expect(strstr(out, looks[i].part), "%s: expected\n%s\nin\n%s", looks[i].name,
                  looks[i].part, out);
    }
    session_close(&s);
}

/* Runs that do not count are counted. */
Test(litmus_forms, filter_of_runs)
{
    struct session s;
    session_open(&s);
    session_write(&s, "t.litmus",
                  "GM t\n{ x }\nP0 ;\nld r0, x ;\nfilter (0:r0=1)\n~exists (0:r0=0)\n");
    expect_run(&s, "--runs=12 t.litmus", 0, NULL, "");
    const char *out = session_read(&s, ".out");
    cr_expect(strstr(out, "Histogram (0 states)\nOk\n") &&
                  strstr(out, "\nFilter t leaves out every final state\n"),
              "%s", out);
    session_close(&s);
}

/* ---- lists of tests ---- */

#define TEST(name) "GM " name "\n{ x }\nP0 ;\nst.dev x, 1 ;\nexists (x=1)\n"

static const struct {
    const char *name, *args, *out;
} lists[] = {
    {"relative to the list, with comments", "@lists/some", "A Always\nC Always\n"},
    {"folders and lists in lists", "@lists/all", "A Always\nB Always\nC Always\nC Always\n"},
    {"beside files", "tests/b.litmus @lists/some", "B Always\nA Always\nC Always\n"},
};

static const struct {
    const char *args, *err;
} bad_lists[] = {
    {"@lists/none", "lists/none: error: cannot open: No such file or directory\n"},
    {"@lists/empty", "lists/empty: error: names no test\n"},
    {"@lists/missing", "lists/../tests/d.litmus: error: cannot open: No such file or directory\n"},
    {"@lists/itself", "lists/itself: error: lists name each other more than 16 deep\n"},
};

Test(litmus_forms, lists)
{
    struct session s;
    session_open(&s);
    cr_assert(session_shell(&s, "mkdir -p lists tests/sub").code == 0);
    session_write(&s, "tests/a.litmus", TEST("A"));
    session_write(&s, "tests/b.litmus", TEST("B"));
    session_write(&s, "tests/sub/c.litmus", TEST("C"));
    session_write(&s, "lists/some",
                  "# two of them\n../tests/a.litmus  # the first\n\n  ../tests/sub/c.litmus\r\n");
    session_write(&s, "lists/all", "../tests\n@other");
    session_write(&s, "lists/other", "../tests/sub\n");
    session_write(&s, "lists/empty", "# nothing\n");
    session_write(&s, "lists/missing", "../tests/d.litmus\n");
    session_write(&s, "lists/itself", "@itself\n");
    for (size_t i = 0; i < COUNT(lists); i++)
        expect_run(&s, arena_printf(&s.arena, "--explore --kinds %s", lists[i].args), 0,
                   lists[i].out, "");
    for (size_t i = 0; i < COUNT(bad_lists); i++)
        expect_run(&s, bad_lists[i].args, 2, "", bad_lists[i].err);
    session_close(&s);
}

/* ---- the table ---- */

/* A line cached before the wait stays old under a2a3 and never under sc (hw-facts 1.2). */
static const char stale[] =
    "GM MP\n{ x; s }\nP0 | P1 ;\nmte3 x@1, 1 | ld r9, x ;\nbarrier all | wait s >= 1 ;\n"
    "dsb | m1: dcci all ;\nnotify.add s@1, 1 | ld r0, x ;\nexpect a2a3 Never ;\n"
    "expect sc Sometimes ;\nexpect a2a3 -m1 Sometimes ;\n~exists (1:r0=0)\n";

Test(litmus_forms, table)
{
    struct session s;
    session_open(&s);
    session_write(&s, "mp.litmus", stale);
    session_write(&s, "a.litmus", TEST("A"));
    expect_run(&s, "--explore --table --model=sc,a2a3 mp.litmus a.litmus", 1,
               "Test   sc          a2a3\n"
               "MP     Never!      Never\n"
               "MP-m1  -           Sometimes\n"
               "A      Always      Always\n"
               "Summary 5 results: 2 as expected, 1 contradicted, 0 not seen, 0 unknown, "
               "2 without an expectation (0 with a condition not met)\n",
               "");
    session_close(&s);
}

static const char *const misuses[] = {
    "--table --json a.litmus",
    "--table --kinds a.litmus",
    "--table --promote a.litmus",
    "--show=prop --kinds a.litmus",
    "--log=herd --json a.litmus",
    "--log=herd --table a.litmus",
    "--log=litmus a.litmus",
    "--show=most a.litmus",
    "--explore --witness --table a.litmus",
    "--emit=promela --show=neg a.litmus",
    "--explore --witness --state=1 --show=prop a.litmus",
    "--emit=promela filter.litmus",
};

Test(litmus_forms, misuse)
{
    struct session s;
    session_open(&s);
    session_write(&s, "a.litmus", TEST("A"));
    session_write(&s, "filter.litmus", LOOK("filter (y=4)\nexists (y=4)\n"));
    for (size_t i = 0; i < COUNT(misuses); i++) {
        expect_run(&s, misuses[i], 2, "", NULL);
        cr_expect(*session_read(&s, ".err"), "%s: no error", misuses[i]);
    }
    session_close(&s);
}

/* ---- comparing logs ---- */

#define BLOCK(name, states, answer, verdict)                                                       \
    "Test " name " Allowed\n" states answer "\nWitnesses\nPositive: 1 Negative: 1\n"               \
    "Condition exists (x=1)\nObservation " name " " verdict " 1 1\nTime " name " 0.01\nHash=1\n\n"

static const char log_a[] = BLOCK("one", "States 2\nx=0;\nx=1;\n", "Ok", "Sometimes")
    BLOCK("two", "States 1\n1:r0=0; x=1;\n", "No", "Never");

static const struct {
    const char *name, *other; /* the log that log_a is compared with */
    int code;
    const char *out;
} comparisons[] = {
    {"order of tests and states, counts, blanks, brackets",
     BLOCK("two", "Histogram (1 states)\n7     :>[x]=1 ; 1:r0=0;\n", "No", "Never")
         BLOCK("one", "Histogram (2 states)\n3     *>x=1;\n4     :>x=0;\n", "Ok", "Sometimes"),
     0, "Summary 2 equal, 0 differ (0 in their verdict), 0 unknown, 0 in A only, 0 in B only\n"},
    {"a state less, a state more",
     BLOCK("one", "States 2\nx=1;\nx=2;\n", "Ok", "Sometimes")
         BLOCK("two", "States 1\n1:r0=0; x=1;\n", "No", "Never"),
     1,
     "one: other states\n    A only: x=0;\n    B only: x=2;\n"
     "Summary 1 equal, 1 differ (0 in their verdict), 0 unknown, 0 in A only, 0 in B only\n"},
    {"another verdict, and a test that is missing",
     BLOCK("one", "States 1\nx=1;\n", "Ok", "Always")
         BLOCK("three", "States 1\nx=1;\n", "Ok", "Always"),
     1,
     "one: Sometimes in A, Always in B\n    A only: x=0;\ntwo: in A only\nthree: in B only\n"
     "Summary 0 equal, 1 differ (1 in their verdict), 0 unknown, 1 in A only, 1 in B only\n"},
    {"given up early",
     BLOCK("one", "States 1\nx=1;\n", "?? a limit was hit", "Unknown")
         BLOCK("two", "States 1\n1:r0=0; x=1;\n", "No", "Never"),
     3,
     "one: Sometimes in A, Unknown in B\n    A only: x=0; (a limit was hit in the other)\n"
     "Summary 1 equal, 0 differ (0 in their verdict), 1 unknown, 0 in A only, 0 in B only\n"},
    {"given up early, and yet a state of its own",
     BLOCK("one", "States 1\nx=5;\n", "?? a limit was hit", "Unknown")
         BLOCK("two", "States 1\n1:r0=0; x=1;\n", "No", "Never"),
     1,
     "one: Sometimes in A, Unknown in B\n    A only: x=0; (a limit was hit in the other)\n"
     "    A only: x=1; (a limit was hit in the other)\n    B only: x=5;\n"
     "Summary 1 equal, 1 differ (1 in their verdict), 0 unknown, 0 in A only, 0 in B only\n"},
};

Test(litmus_forms, compare)
{
    struct session s;
    session_open(&s);
    session_write(&s, "a.log", log_a);
    for (size_t i = 0; i < COUNT(comparisons); i++) {
        session_write(&s, "b.log", comparisons[i].other);
        expect_run(&s, "compare a.log b.log", comparisons[i].code, comparisons[i].out, "");
    }
    session_close(&s);
}

static const struct {
    const char *log, *err;
} bad_logs[] = {
    {"", "b.log: error: is no log of litmus tests: it has no 'Test NAME'\n"},
    {"GM t\n{ x }\n", "b.log: error: is no log of litmus tests: it has no 'Test NAME'\n"},
    {"Test a Allowed\nStates 2\nx=0;\n", "b.log: error: ends within the final states of a\n"},
    {"Test a Allowed\nStates 1\nx=0; y;\nOk\n",
     "b.log:3:6: error: expected a final state of a, such as '1:r0=0; x=1;'\n"
     "    3 | x=0; y;\n"
     "      |      ^\n"},
    {"Test a Allowed\nStates 1\nx=0\nOk\n",
     "b.log:3:1: error: expected a final state of a, such as '1:r0=0; x=1;'\n"
     "    3 | x=0\n"
     "      | ^~~\n"},
    {"Test a Allowed\nStates 1\nx=0;\nOk\nTest a Allowed\nStates 1\nx=0;\nOk\n",
     "b.log: error: has the test a twice\n"},
};

Test(litmus_forms, bad_logs)
{
    struct session s;
    session_open(&s);
    session_write(&s, "a.log", log_a);
    for (size_t i = 0; i < COUNT(bad_logs); i++) {
        session_write(&s, "b.log", bad_logs[i].log);
        expect_run(&s, "compare a.log b.log", 2, "", bad_logs[i].err);
    }
    expect_run(&s, "compare a.log", 2, "", NULL);
    expect_run(&s, "compare a.log c.log", 2, "",
               "c.log: error: cannot open: No such file or directory\n");
    session_close(&s);
}

/* Its own logs: several models in one, told apart; a model against another one, by name. */
Test(litmus_forms, compare_own_logs)
{
    struct session s;
    session_open(&s);
    session_write(&s, "mp.litmus", stale);
    expect_run(&s, "--explore --model=sc,a2a3 --log=herd mp.litmus", 1, NULL, NULL);
    session_write(&s, "both.log", session_read(&s, ".out"));
    expect_run(&s, "compare both.log both.log", 0,
               "Summary 3 equal, 0 differ (0 in their verdict), 0 unknown, 0 in A only, 0 in B "
               "only\n",
               "");
    expect_run(&s, "--explore --model=sc mp.litmus --remove=m1", 0, NULL, NULL);
    session_write(&s, "sc.log", session_read(&s, ".out"));
    expect_run(&s, "--explore --model=a2a3 mp.litmus --remove=m1", 0, NULL, NULL);
    session_write(&s, "a2a3.log", session_read(&s, ".out"));
    expect_run(&s, "compare sc.log a2a3.log", 1,
               "MP-m1: Never in A, Sometimes in B\n    B only: 1:r0=0;\n"
               "Summary 0 equal, 1 differ (1 in their verdict), 0 unknown, 0 in A only, 0 in B "
               "only\n",
               "");
    session_close(&s);
}
