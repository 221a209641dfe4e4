/* SPDX-License-Identifier: MIT */
/*
 * fencebench litmus from the outside: logs, verdict lists, JSON, promotion, exit codes.
 */
#include <jansson.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "tests/bench/session.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- running ---- */

/* What may differ between two equal runs, and between two builds, is
 * blanked: times and the build. */
static const char *neutral(struct session *b, const char *text)
{
    struct strbuf s = strbuf_make(&b->arena);
    for (size_t len; *text; text += len) {
        len = strcspn(text, "\n") + 1;
        const char *line = arena_strndup(&b->arena, text, len), *build = strstr(line, " (build ");
        if (!strncmp(line, "Time ", 5))
            strbuf_addf(&s, "%.*s T\n", (int)(strrchr(line, ' ') - line), line);
        else if (build)
            strbuf_addf(&s, "%.*s\n", (int)(build - line), line);
        else
            strbuf_add(&s, line);
    }
    return s.text;
}

static struct session_result run(struct session *b, const char *args)
{
    struct session_result r = session_shell(b, arena_printf(&b->arena, "$F litmus %s", args));
    r.out = neutral(b, r.out);
    return r;
}

/* Exit code of a command in the test's folder, bounded in time. */
static int sh(struct session *b, const char *command)
{
    session_write(b, "command", command);
    return session_shell(b, "timeout 20 sh command").code;
}

/* ---- tests under test ---- */

static const char mp[] =
    "GM MP\n{ x; s }\nP0 | P1 ;\nmte3 x@1, 1 | ld r9, x ;\nbarrier all | wait s >= 1 ;\n"
    "dsb | m1: dcci all ;\nnotify.add s@1, 1 | ld r0, x ;\n"
    "expect a2a3 Never ; (* kept *)\nexpect a2a3 -m1 Sometimes ;\n~exists (1:r0=0)\n";

/* The final states of these two do not depend on the schedule. */
static const char always[] = "GM A\n{ x = 5 }\nP0 ;\nld r0, x ;\nexists (0:r0=5)\n";
static const char stuck[] = "GM B\n{ x }\nP0 ;\nwait x >= 1 ;\n~exists (deadlock=1 /\\ x=0)\n";

/* ---- logs ---- */

Test(litmus_cli, explored_log)
{
    struct session b;
    session_open(&b);
    session_write(&b, "mp.litmus", mp);
    struct session_result r = run(&b, "mp.litmus --explore");
    const char *counts = strstr(r.out, "explored, ");
    cr_assert(counts, "%s%s", r.out, r.err);
    /* How many machine states there are is the explorer's business, the rest is the language's. */
    struct strbuf s = strbuf_make(&b.arena);
    for (const char *p = r.out, *at; *p; p = at + 1) {
        at = strchr(p, '\n');
        const char *n = strstr(p, "explored, ");
        if (n && n < at)
            strbuf_addf(&s, "%.*sexplored\n", (int)(n - p), p);
        else if (strncmp(p, "Hash=", 5))
            strbuf_addn(&s, p, (size_t)(at - p) + 1);
    }
    expect_text("log", s.text,
                "Test MP Forbidden\n"
                "Model a2a3, toolchain ptoas-0.57, explored\n"
                "States 1\n"
                "1:r0=1;\n"
                "Ok\n"
                "Witnesses\n"
                "Positive: 1 Negative: 0\n"
                "Condition ~exists (1:r0=0)\n"
                "Observation MP Never 0 1\n"
                "Time MP T\n"
                "Expect MP Never: agrees (mp.litmus:8)\n"
                "\n"
                "Test MP-m1 Forbidden\n"
                "Model a2a3, toolchain ptoas-0.57, explored\n"
                "States 2\n"
                "1:r0=0;\n"
                "1:r0=1;\n"
                "No\n"
                "Witnesses\n"
                "Positive: 1 Negative: 1\n"
                "Condition ~exists (1:r0=0)\n"
                "Observation MP-m1 Sometimes 1 1\n"
                "Time MP-m1 T\n"
                "Expect MP-m1 Sometimes: agrees (mp.litmus:9)\n"
                "\n"
                "Summary 2 results: 2 as expected, 0 contradicted, 0 not seen, 0 unknown, "
                "0 without an expectation (0 with a condition not met)\n");
    cr_expect_eq(r.code, 0);
    session_close(&b);
}

Test(litmus_cli, sampled_log)
{
    struct session b;
    session_open(&b);
    session_write(&b, "a.litmus", always);
    struct session_result r = run(&b, "a.litmus --model sc --driver random --runs 37 --seed 4");
    const char *hash = strstr(r.out, "Hash=");
    cr_assert(hash && strspn(hash + 5, "0123456789abcdef") == 16, "%s", r.out);
    expect_text("log", arena_strndup(&b.arena, r.out, (size_t)(hash - r.out)),
                "Test A Allowed\n"
                "Model sc, toolchain ptoas-0.57, random driver, 37 runs from seed 4\n"
                "Histogram (1 states)\n"
                "37 *>0:r0=5;\n"
                "Ok\n"
                "Witnesses\n"
                "Positive: 37 Negative: 0\n"
                "Condition exists (0:r0=5)\n"
                "Observation A Always 37 0\n"
                "Time A T\n");
    expect_text("behind the hash", hash + 21, "\n\n");
    cr_expect_eq(r.code, 0);
    session_close(&b);
}

/* A forbidden state without an expectation: the failing block names the command that shows it
 * again. */
Test(litmus_cli, replay)
{
    struct session b;
    session_open(&b);
    session_write(&b, "b.litmus", stuck);
    struct session_result r = run(&b, "b.litmus --runs 9 --seed 3 --driver random");
    const char *replay = strstr(r.out, "\nReplay fencebench litmus ");
    cr_assert(replay, "%s", r.out);
    expect_text(
        "replay", replay,
        "\nReplay fencebench litmus b.litmus --model=a2a3 --toolchain=ptoas-0.57 --driver=random "
        "--seed=3 --runs=1\n\n");
    cr_expect(strstr(r.out, "\n9 *>x=0; deadlock=1;\nNo\n"), "%s", r.out);
    cr_expect_eq(r.code, 1);
    const char *args = replay + strlen("\nReplay fencebench litmus ");
    r = run(&b, arena_strndup(&b.arena, args, strcspn(args, "\n")));
    cr_expect(strstr(r.out, "\n1 *>x=0; deadlock=1;\nNo\n"), "%s", r.out);
    session_close(&b);
}

/* The replayed run alone shows what the expectation denies, under every driver. */
Test(litmus_cli, replay_of_a_contradiction)
{
    static const char *const args[] = {"", "--driver random", "--driver pct",
                                       "--driver pct --pct-depth 5",
                                       "--timing typical --model weakest"};
    struct session b;
    session_open(&b);
    session_write(
        &b, "t.litmus",
        "GM t\n{ x; s }\nP0 | P1 ;\nmte3 x@1, 1 | wait s >= 1 ;\nnotify.add s@1, 1 | ld r0, x ;\n"
        "expect a2a3 Never ;\nexpect weakest Never ;\nexists (1:r0=0)\n");
    for (size_t i = 0; i < COUNT(args); i++) {
        struct session_result r =
            run(&b, arena_printf(&b.arena, "t.litmus --runs 300 --seed 11 %s", args[i]));
        const char *replay = strstr(r.out, "\nReplay fencebench litmus ");
        cr_assert(replay && r.code == 1, "%s: %s", args[i], r.out);
        replay += strlen("\nReplay fencebench litmus ");
        r = run(&b, arena_strndup(&b.arena, replay, strcspn(replay, "\n")));
        cr_expect(r.code == 1 && strstr(r.out, "\n1 *>1:r0=0;\n"), "%s: %s%s", args[i], r.out,
                  r.err);
    }
    session_close(&b);
}

/* Counts of all states add up to the runs, whatever the driver. */
static void expect_total(struct session *b, const char *args, json_int_t runs)
{
    struct session_result r = run(b, args);
    json_t *top = json_loads(r.out, 0, NULL), *results = json_object_get(top, "results"), *one,
           *state;
    cr_assert(json_array_size(results) == 2, "%s: %s", args, r.out);
    size_t i, k;
    json_array_foreach(results, i, one)
    {
        json_int_t sum = 0, with = 0;
        json_array_foreach(json_object_get(one, "states"), k, state)
        {
            json_int_t n = json_integer_value(json_object_get(state, "count"));
            sum += n;
            with += json_is_true(json_object_get(state, "holds")) ? n : 0;
        }
        cr_expect_eq(sum, runs, "%s: %d runs in the states", args, (int)sum);
        cr_expect_eq(with, json_integer_value(json_object_get(one, "with")));
        cr_expect_eq(sum - with, json_integer_value(json_object_get(one, "without")));
    }
    json_decref(top);
}

/* What the shell would take apart stands in quotes; a model that was named by its file stays so. */
Test(litmus_cli, replay_of_odd_names)
{
    struct session b;
    session_open(&b);
    cr_assert(
        sh(&b, arena_printf(&b.arena, "mkdir \"a b'c\"; cp '%s/machines/weakest.model' own.model",
                            getenv("FENCEBENCH_MODELS"))) == 0);
    session_write(&b, "a b'c/$b.litmus", stuck);
    struct session_result r = run(&b, "\"a b'c\" --runs 2 --model ./own.model");
    const char *replay = strstr(r.out, "\nReplay fencebench litmus ");
    cr_assert(replay, "%s%s", r.out, r.err);
    replay += strlen("\nReplay fencebench litmus ");
    replay = arena_strndup(&b.arena, replay, strcspn(replay, "\n"));
    expect_text(
        "replay", replay,
        "'a b'\\''c/$b.litmus' --model=./own.model --toolchain=ptoas-0.57 --seed=1 --runs=1");
    r = run(&b, replay);
    cr_expect(strstr(r.out, "\n1 *>x=0; deadlock=1;\nNo\n"), "%s%s", r.out, r.err);
    r = run(&b, "\"a b'c\" --runs 2 --model all");
    cr_expect(strstr(r.out, "$b.litmus' --model=sc "), "%s", r.out);
    session_close(&b);
}

Test(litmus_cli, totals)
{
    struct session b;
    session_open(&b);
    session_write(&b, "mp.litmus", mp);
    expect_total(&b, "mp.litmus --json --driver timed --runs 150", 150);
    expect_total(&b, "mp.litmus --json --driver random --runs 151", 151);
    expect_total(&b, "mp.litmus --json --driver pct --runs 152", 152);
    session_close(&b);
}

/* Two equal runs print equal bytes, and the number of threads changes nothing. */
Test(litmus_cli, deterministic)
{
    static const char *const args[] = {"--runs 60", "--runs 60 --driver random",
                                       "--runs 60 --driver pct", "--explore"};
    struct session b;
    session_open(&b);
    session_write(&b, "a.litmus", always);
    session_write(&b, "b.litmus", stuck);
    session_write(&b, "mp.litmus", mp);
    for (size_t i = 0; i < COUNT(args); i++) {
        const char *one = run(&b, arena_printf(&b.arena, ". --model all -j1 %s", args[i])).out;
        expect_text(args[i], run(&b, arena_printf(&b.arena, ". --model all -j1 %s", args[i])).out,
                    one);
        expect_text(args[i], run(&b, arena_printf(&b.arena, ". --model all -j4 %s", args[i])).out,
                    one);
    }
    session_close(&b);
}

Test(litmus_cli, pct_bound)
{
    struct session b;
    session_open(&b);
    session_write(&b, "a.litmus", always);
    struct session_result r = run(&b, "a.litmus --driver pct --pct-depth 1 --runs 8");
    /* With d = 1 the bound is the number of agents. */
    const char *line = strstr(r.out, "\nPct A n = ");
    cr_assert(line, "%s", r.out);
    int agents = atoi(line + strlen("\nPct A n = "));
    const char *end =
        arena_printf(&b.arena,
                     "depth d = 1: such a bug shows in 1 of n k^(d-1) = %d runs or more often; "
                     "seen in 8 of 8\n",
                     agents);
    cr_expect(strstr(line, end), "%s", line);
    session_close(&b);
}

/* ---- kinds, folders, JSON ---- */

Test(litmus_cli, kinds_of_a_folder)
{
    struct session b;
    session_open(&b);
    cr_assert(mkdir(arena_printf(&b.arena, "%s/d", b.folder), 0777) == 0);
    cr_assert(mkdir(arena_printf(&b.arena, "%s/d/a", b.folder), 0777) == 0);
    session_write(&b, "d/b.litmus", stuck);
    session_write(&b, "d/a/z.litmus", mp);
    session_write(&b, "d/a.litmus", always);
    session_write(&b, "d/B.litmus", "GM C { } P0 ; nop ; forall (true)");
    session_write(&b, "d/notes.txt", "no test");
    expect_text("byte order, folders among files", run(&b, "d --kinds --explore").out,
                "C Always\nMP Never\nMP-m1 Sometimes\nA Always\nB Always\n");
    expect_text("several models", run(&b, "d/a d/a.litmus --kinds --explore --model sc,a2a3").out,
                "MP sc Never\nMP a2a3 Never\nMP-m1 a2a3 Sometimes\nA sc Always\nA a2a3 Always\n");
    session_close(&b);
}

Test(litmus_cli, json)
{
    struct session b;
    session_open(&b);
    session_write(&b, "mp.litmus", mp);
    struct session_result r = run(&b, "mp.litmus --json --explore");
    json_t *top = json_loads(r.out, 0, NULL);
    cr_assert(top, "%s%s", r.out, r.err);
    const char *name, *removed, *model, *verdict, *expected, *agreement, *engine, *state;
    int met, complete,
        line = json_unpack(json_array_get(json_object_get(top, "results"), 1),
                           "{s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:{s:s, s:b}, s:[{s:s}, {}]}",
                           "name", &name, "removed", &removed, "model", &model, "verdict", &verdict,
                           "expected", &expected, "agreement", &agreement, "met", &met, "engine",
                           "name", &engine, "complete", &complete, "states", "state", &state);
    cr_assert(line == 0, "%s", r.out);
    expect_text("result",
                arena_printf(&b.arena, "%s %s %s %s %s %s %s %s met=%d complete=%d", name, removed,
                             model, verdict, expected, agreement, engine, state, met, complete),
                "MP-m1 m1 a2a3 Sometimes Sometimes agrees explore 1:r0=0; met=0 complete=1");
    cr_expect_eq(r.code, 0);
    json_decref(top);
    session_close(&b);
}

/* ---- exit codes ---- */

/* Far more states than fit in 1 MiB. */
#define MANY_STATES                                                                                \
    "GM many { x; a; b; c }\nP0 | P1 | P2 ;\n"                                                     \
    "st.dev a, 1 | st.dev b, 1 | st.dev c, 1 ;\n"                                                  \
    "st.dev b@0, 1 | st.dev a@0, 2 | st.dev a@0, 3 ;\n"                                            \
    "st.dev c@1, 1 | st.dev c@1, 2 | st.dev b@0, 3 ;\n"                                            \
    "ld.dev r0, a | ld.dev r0, a@0 | ld.dev r0, a@0 ;\n"                                           \
    "ld.dev r1, b | ld.dev r1, b@0 | ld.dev r1, b@0 ;\n"                                           \
    "ld.dev r2, c | ld.dev r2, c | ld.dev r2, c ;\n"                                               \
    "expect a2a3 Never ;\n~exists (x=1)\n"

#define BODY(expect, condition) "GM t\n{ x }\nP0 ;\nm: st.dev x, 1 ;\n" expect condition "\n"

static const struct {
    const char *name, *text, *args;
    int code;
    const char *part; /* of what is printed */
} code_rows[] = {
    /* without an expectation: ~exists and forall must be met, exists asks */
    {"exists, met", BODY("", "exists (x=1)"), "", 0, "\nOk\n"},
    {"exists, not met", BODY("", "exists (x=2)"), "", 0, "\nNo\n"},
    {"~exists, met", BODY("", "~exists (x=2)"), "", 0, "\nOk\n"},
    {"~exists, not met", BODY("", "~exists (x=1)"), "", 1, "\nNo\n"},
    {"forall, met", BODY("", "forall (x=1)"), "", 0, "\nOk\n"},
    {"forall, not met", BODY("", "forall (x=2)"), "", 1, "\nNo\n"},
    /* an expectation decides, whatever the quantifier */
    {"expected", BODY("expect a2a3 Always ;\n", "~exists (x=1)"), "", 0,
     "Expect t Always: agrees (t.litmus:5)\n"},
    {"contradicted Never", BODY("expect a2a3 Never ;\n", "exists (x=1)"), "", 1,
     "Expect t Never: contradicted (t.litmus:5)\n"},
    {"contradicted Always", BODY("expect a2a3 Always ;\n", "exists (x=2)"), "", 1,
     "Expect t Always: contradicted (t.litmus:5)\n"},
    {"not seen", BODY("expect a2a3 Sometimes ;\n", "exists (x=2)"), "--runs 7", 0,
     "Expect t Sometimes: not seen in 7 runs (t.litmus:5)\n"},
    {"explored, contradicted Sometimes", BODY("expect a2a3 Sometimes ;\n", "exists (x=2)"),
     "--explore", 1, "Expect t Sometimes: contradicted (t.litmus:5)\n"},
    {"for another model", BODY("expect weakest Never ;\n", "exists (x=1)"), "", 0, "\nOk\n"},
    {"of a variant", BODY("expect a2a3 -m Always ;\n", "exists (x=1)"), "", 1,
     "Expect t-m Always: contradicted (t.litmus:5)\n"},
    /* limits */
    {"time-out", BODY("", "~exists (x=2)"), "--max-transitions 1 --runs 5", 3,
     "?? a limit was hit\nWitnesses\nPositive: 0 Negative: 0\n"},
    {"time-out, expected", BODY("expect a2a3 Never ;\n", "exists (x=2)"),
     "--max-transitions 1 --runs 5", 3,
     "Timeout t 5 runs reached 1 transitions\nExpect t Never: unknown, a limit was hit "
     "(t.litmus:5)\n"},
    {"states", BODY("expect a2a3 Never ;\n", "exists (x=2)"), "--explore --max-states 1 -j 1", 3,
     "Observation t Unknown 0 1\n"},
    /* what a limit hides is neither met nor expected, whatever was seen before */
    {"states, ~exists", BODY("expect a2a3 Never ;\n", "~exists (x=2)"),
     "--explore --max-states 1 -j 1", 3,
     "\n?? a limit was hit\nWitnesses\nPositive: 1 Negative: 0\nCondition ~exists (x=2)\n"},
    {"states, expected", BODY("expect a2a3 Never ;\n", "~exists (x=2)"),
     "--explore --max-states 1 -j 1", 3, "Expect t Never: unknown, a limit was hit (t.litmus:5)\n"},
    {"states, expected Always", BODY("expect a2a3 Always ;\n", "forall (x=1)"),
     "--explore --max-states 1 -j 1", 3,
     "Expect t Always: unknown, a limit was hit (t.litmus:5)\n"},
    {"states, expected Sometimes", BODY("expect a2a3 Sometimes ;\n", "exists (x=1)"),
     "--explore --max-states 1 -j 1", 3,
     "Expect t Sometimes: unknown, a limit was hit (t.litmus:5)\n"},
    {"states, without an expectation", BODY("", "forall (x=1)"), "--explore --max-states 1 -j 1", 3,
     "\n?? a limit was hit\n"},
    /* where one state decides, a limit hides nothing */
    {"states, but refuted", BODY("expect a2a3 Never ;\n", "exists (x=1)"),
     "--explore --max-states 1 -j 1", 1, "Expect t Never: contradicted (t.litmus:5)\n"},
    {"states, but met", BODY("", "exists (x=1)"), "--explore --max-states 1 -j 1", 0, "\nOk\n"},
    {"memory", MANY_STATES, "--explore --max-memory 1M -j 1", 3,
     "Expect many Never: unknown, a limit was hit (t.litmus:9)\n"},
};

Test(litmus_cli, exit_codes)
{
    struct session b;
    session_open(&b);
    for (size_t i = 0; i < COUNT(code_rows); i++) {
        session_write(&b, "t.litmus", code_rows[i].text);
        struct session_result r = run(&b, arena_printf(&b.arena, "t.litmus %s", code_rows[i].args));
        cr_expect_eq(r.code, code_rows[i].code, "%s: exit code %d, expected %d\n%s%s",
                     code_rows[i].name, r.code, code_rows[i].code, r.out, r.err);
        cr_expect(strstr(r.out, code_rows[i].part), "%s: expected\n%s\nin\n%s", code_rows[i].name,
                  code_rows[i].part, r.out);
        expect_text(code_rows[i].name, r.err, "");
    }
    session_close(&b);
}

/* Input errors: nothing is run, nothing is printed but the error. */
Test(litmus_cli, bad_input)
{
    static const struct {
        const char *args, *err;
    } rows[] = {
        {"none.litmus", "none.litmus: error: cannot open: No such file or directory\n"},
        {"empty", "empty: error: holds no file *.litmus\n"},
        {"good.litmus bad.litmus",
         "bad.litmus:3:6: error: expected ',' before the next operand, found ';'\n"
         "    3 | st x ;\n"
         "      |      ^\n"},
        {"model.litmus",
         "model.litmus:4:8: error: no machine contract 'a2a4'; did you mean 'a2a3'?\n"
         "    4 | expect a2a4 Never ;\n"
         "      |        ^~~~\n"},
        {"register.litmus", "register.litmus:4:11: error: no instruction of P0 uses r1\n"
                            "    4 | exists (0:r1=0)\n"
                            "      |           ^~\n"},
        {"core.litmus", "core.litmus:4:9: error: the table has no column P1\n"
                        "    4 | exists (1:r0=0)\n"
                        "      |         ^\n"},
        {"second.litmus",
         "second.litmus:5:1: error: a test has one condition; this one would never be evaluated\n"
         "    5 | ~exists (x=2)\n"
         "      | ^\n"},
        {"none-asked.litmus",
         "none-asked.litmus:3:10: error: expected a condition: 'exists', '~exists' or 'forall', "
         "found the end of the file\n"
         "    3 | st x, 1 ;\n"
         "      |          ^\n"},
        {"no-model.litmus", "no-model.litmus:4:8: error: no machine contract 'simulator'\n"
                            "    4 | expect simulator Never ;\n"
                            "      |        ^~~~~~~~~\n"},
        {"nothing.litmus",
         "nothing.litmus:1:1: error: expected 'GM' and the name of the test, found the end of the "
         "file\n"
         "    1 | \n"
         "      | ^\n"},
        {"no-insn.litmus", "no-insn.litmus:2:1: error: the table has no instruction\n"
                           "    2 | P0 ;\n"
                           "      | ^~\n"},
        {"index.litmus", "index.litmus:3:6: error: index 4 is out of range: 'x' has 4 words\n"
                         "    3 | st x[4], 1 ;\n"
                         "      |      ^\n"},
        {"rank.litmus",
         "rank.litmus:3:6: error: rank 2 is out of range: the test has ranks 0 to 1\n"
         "    3 | st x@2, 1 ;\n"
         "      |      ^\n"},
        {"final.litmus", "final.litmus:4:11: error: index 1 is out of range: 'x' has 1 word\n"
                         "    4 | exists (x[1]=0)\n"
                         "      |           ^\n"},
        {"good.litmus --model a2a4", NULL},
        {"good.litmus --toolchain none", NULL},
        {"good.litmus -P 2", NULL},
        {"good.litmus --driver dfs", NULL},
        {"good.litmus --runs 0", NULL},
        {"good.litmus --max-states x", NULL},
        {"good.litmus --explore --driver timed", NULL},
        {"good.litmus --runs 100 --explore", NULL},
        {"good.litmus --explore --seed 1", NULL},
        {"", NULL},
    };
    struct session b;
    session_open(&b);
    cr_assert(mkdir(arena_printf(&b.arena, "%s/empty", b.folder), 0777) == 0);
    session_write(&b, "good.litmus", always);
    session_write(&b, "bad.litmus", "GM t { x }\nP0 ;\nst x ;\nexists (true)\n");
    session_write(&b, "model.litmus",
                  "GM t { x }\nP0 ;\nst x, 1 ;\nexpect a2a4 Never ;\nexists (true)\n");
    session_write(&b, "register.litmus", "GM t { x }\nP0 ;\nld r0, x ;\nexists (0:r1=0)\n");
    session_write(&b, "core.litmus", "GM t { x }\nP0 ;\nld r0, x ;\nexists (1:r0=0)\n");
    session_write(&b, "second.litmus",
                  "GM t { x }\nP0 ;\nst x, 1 ;\nexists (x=1)\n~exists (x=2)\n");
    session_write(&b, "none-asked.litmus", "GM t { x }\nP0 ;\nst x, 1 ;\n");
    session_write(&b, "no-model.litmus",
                  "GM t { x }\nP0 ;\nst x, 1 ;\nexpect simulator Never ;\nexists (true)\n");
    session_write(&b, "nothing.litmus", "");
    session_write(&b, "no-insn.litmus", "GM t { x }\nP0 ;\n ;\nexists (x=0)\n");
    session_write(&b, "index.litmus", "GM t { x[4] }\nP0 ;\nst x[4], 1 ;\nexists (true)\n");
    session_write(&b, "rank.litmus", "GM t { x; ranks = 2 }\nP0 ;\nst x@2, 1 ;\nexists (true)\n");
    session_write(&b, "final.litmus", "GM t { x }\nP0 ;\nst x, 1 ;\nexists (x[1]=0)\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct session_result r = run(&b, rows[i].args);
        cr_expect_eq(r.code, 2, "%s: exit code %d", rows[i].args, r.code);
        expect_text(rows[i].args, r.out, "");
        if (rows[i].err)
            expect_text(rows[i].args, r.err, rows[i].err);
        else
            cr_expect(*r.err, "%s: no error", rows[i].args);
    }
    session_close(&b);
}

/* ---- witnesses ---- */

/* With its drain, the load gets what was stored. Without, it gets that only when the message came
 * first. No two steps can change places, so each run is the only one of its length. */
#define DRAINED(condition)                                                                         \
    "GM D\n{ x }\nP0 ;\nst.dev x, 1 ;\ndrain: dsb ;\nld.dev r0, x ;\n" condition "\n"

#define TITLE(name, steps, where)                                                                  \
    "Witness " name " a shortest run of " steps " to " where " (times count steps):\n"             \
    "# cycles: start to effect; rank; unit; what\n"

#define STORED    "st.dev [x[0]@0], 1  # writes x[0]@0 = 1\n"
#define DELIVERED "deliver 4 bytes at x[0]@0  # delivers x[0]@0 = 1 from rank 0, line 4\n"

#define DRAINED_RUN                                                                                \
    "       0        1  rank 0  s       line 4    " STORED                                         \
    "       1        2  rank 0  fabric  line 4    " DELIVERED                                      \
    "       2        3  rank 0  s       line 5    dsb\n"                                           \
    "       3        4  rank 0  s       line 6    ld.dev r0, [x[0]@0]"                             \
    "  # reads x[0]@0 = 1 from rank 0, line 4\n"
#define EARLY_RUN                                                                                  \
    "       0        1  rank 0  s       line 4    " STORED                                         \
    "       1        2  rank 0  s       line 6    ld.dev r0, [x[0]@0]"                             \
    "  # reads x[0]@0 = 0 (initial)\n"                                                             \
    "       2        3  rank 0  fabric  line 4    " DELIVERED
#define LATE_RUN                                                                                   \
    "       0        1  rank 0  s       line 4    " STORED                                         \
    "       1        2  rank 0  fabric  line 4    " DELIVERED                                      \
    "       2        3  rank 0  s       line 6    ld.dev r0, [x[0]@0]"                             \
    "  # reads x[0]@0 = 1 from rank 0, line 4\n"

static const struct {
    const char *name, *text, *args;
    int code;
    const char *witness; /* behind the log */
} witness_rows[] = {
    {"exists, met", DRAINED("exists (0:r0=1)"), "", 0,
     TITLE("D", "4 steps", "0:r0=1;") DRAINED_RUN},
    {"exists, not met", DRAINED("exists (0:r0=0)"), "", 0,
     "Witness D none: no final state satisfies the condition\n"},
    {"~exists, met", DRAINED("~exists (0:r0=0)"), "", 0,
     "Witness D none: no final state violates the condition\n"},
    {"forall, met", DRAINED("forall (0:r0=1)"), "", 0,
     "Witness D none: no final state violates the condition\n"},
    {"~exists, not met", DRAINED("~exists (0:r0=0)"), "--remove=drain", 1,
     TITLE("D-drain", "3 steps", "0:r0=0;") EARLY_RUN},
    {"forall, not met", DRAINED("forall (0:r0=1)"), "--remove drain", 1,
     TITLE("D-drain", "3 steps", "0:r0=0;") EARLY_RUN},
    {"exists, of two states", DRAINED("exists (0:r0=1)"), "--remove=drain", 0,
     TITLE("D-drain", "3 steps", "0:r0=1;") LATE_RUN},
    {"a chosen state", DRAINED("exists (0:r0=1)"), "--remove=drain --state=1", 0,
     TITLE("D-drain", "3 steps", "0:r0=0;") EARLY_RUN},
    {"a chosen state that violates nothing", DRAINED("~exists (0:r0=0)"), "--state=1", 0,
     TITLE("D", "4 steps", "0:r0=1;") DRAINED_RUN},
    {"no names", DRAINED("exists (true)"), "", 0,
     TITLE("D", "4 steps", "a final state") DRAINED_RUN},
    {"an expectation decides the exit code",
     DRAINED("expect a2a3 -drain Sometimes ;\n~exists (0:r0=0)"), "--remove=drain", 0,
     TITLE("D-drain", "3 steps", "0:r0=0;") EARLY_RUN},
    {"a limit", DRAINED("exists (0:r0=0)"), "--max-states=1 -j1", 3,
     "Witness D none: no final state that was seen before the limit satisfies the condition\n"},
    {"deadlock", "GM B\n{ x }\nP0 ;\nwait x >= 1 ;\n~exists (deadlock=1)\n", "", 1,
     TITLE("B", "1 step",
           "deadlock=1;") "       0        1  rank 0  s       line 4    poll [x[0]@0] >= 1\n"},
    {"a second core", "GM C\n{ x }\nP0.1 ;\nst.dev x, 1 ;\nexists (x=1)\n", "", 0,
     TITLE("C", "2 steps", "x=1;") "       0        1  rank 0.1 s       line 4    " STORED
                                   "       1        2  rank 0.1 fabric  line 4    " DELIVERED},
};

Test(litmus_cli, witness)
{
    struct session b;
    session_open(&b);
    for (size_t i = 0; i < COUNT(witness_rows); i++) {
        session_write(&b, "t.litmus", witness_rows[i].text);
        struct session_result r = run(
            &b, arena_printf(&b.arena, "t.litmus --explore --witness %s", witness_rows[i].args));
        const char *witness = strstr(r.out, "\n\nWitness ");
        cr_expect_eq(r.code, witness_rows[i].code, "%s: exit code %d", witness_rows[i].name,
                     r.code);
        expect_text(witness_rows[i].name, witness ? witness + 2 : r.out, witness_rows[i].witness);
        expect_text(witness_rows[i].name, r.err, "");
    }
    session_close(&b);
}

#define PO(from, to)  "  n" from " -> n" to " [color=\"#777777\"];\n"
#define RF(from, to)  "  n" from " -> n" to " [color=\"#1b7f3b\", label=\"rf\"];\n"
#define WAY(from, to) "  n" from " -> n" to " [color=\"#777777\", style=dotted];\n"

Test(litmus_cli, witness_files)
{
    struct session b;
    session_open(&b);
    session_write(&b, "t.litmus", DRAINED("exists (0:r0=1)"));
    struct session_result r =
        run(&b, "t.litmus --explore --dot run.dot --trace run.json --json --kinds >/dev/null");
    cr_expect_eq(r.code, 0, "%s", r.err);
    expect_text("DOT", session_read(&b, "run.dot"),
                "digraph witness {\n  node [shape=box, fontname=\"sans-serif\"];\n"
                "  edge [fontname=\"sans-serif\"];\n"
                "  subgraph cluster_0 {\n    label=\"rank 0\";\n"
                "    n0 [label=\"0: rank 0 s st.dev [x[0]@0], 1\\nwrites x[0]@0 = 1\"];\n"
                "    n1 [label=\"1: rank 0 fabric deliver 4 bytes at x[0]@0\\n"
                "delivers x[0]@0 = 1 from rank 0, line 4\"];\n"
                "    n2 [label=\"2: rank 0 s dsb\"];\n"
                "    n3 [label=\"3: rank 0 s ld.dev r0, [x[0]@0]\\n"
                "reads x[0]@0 = 1 from rank 0, line 4\"];\n"
                "  }\n" PO("0", "2") PO("2", "3") WAY("0", "1") RF("0", "3") "}\n");
    json_t *top = json_loads(session_read(&b, "run.json"), 0, NULL), *event;
    struct strbuf names = strbuf_make(&b.arena);
    size_t i;
    cr_assert(top);
    json_array_foreach(json_object_get(top, "traceEvents"), i,
                       event) if (!strcmp(json_string_value(json_object_get(event, "ph")), "X"))
        strbuf_addf(&names, "%s; ", json_string_value(json_object_get(event, "name")));
    expect_text("trace", names.text,
                "st.dev [x[0]@0], 1; deliver 4 bytes at x[0]@0; dsb; ld.dev r0, [x[0]@0]; ");
    json_decref(top);
    r = run(&b, "t.litmus --explore --trace run.txt");
    cr_expect(!strstr(r.out, "Witness "), "%s", r.out);
    expect_text("text", session_read(&b, "run.txt"),
                "# cycles: start to effect; rank; unit; what\n" DRAINED_RUN);
    session_close(&b);
}

/* Message passing whose reader keeps an old line: the reader's signal comes from the writer (rf), its
 * load misses the store (fr), and both are in program order: that is the cycle. */
Test(litmus_cli, a_cycle_in_colour)
{
    struct session b;
    session_open(&b);
    session_write(&b, "t.litmus",
                  "GM MP\n{ x; s; ranks = 2 }\n"
                  "P0 | P1 ;\n"
                  "st.dev x@1, 1 | ld r9, x ;\n"
                  "dsb | wait s >= 1 ;\n"
                  "notify.add s@1, 1 | ld r0, x ;\n"
                  "exists (1:r0=0)\n");
    run(&b, "t.litmus --explore --dot run.dot --state=1");
    const char *text = session_read(&b, "run.dot");
    static const char bold[] = ", color=\"#b00020\", penwidth=2.5];\n";
    size_t po = 0, rf = 0, fr = 0, others = 0;
    for (const char *at = text; (at = strstr(at, bold)); at++) {
        const char *line = at;
        while (line[-1] != '\n')
            line--;
        const char *edge = arena_strndup(&b.arena, line, (size_t)(at - line));
        if (strstr(edge, "label=\"rf\""))
            rf++;
        else if (strstr(edge, "label=\"fr\""))
            fr++;
        else if (strstr(edge, "label") || strstr(edge, "dotted"))
            others++;
        else
            po++;
    }
    /* st.dev, dsb, dcci, st.atomic of the notify; wait and load. */
    cr_expect(po == 4 && rf == 1 && fr == 1 && !others, "%zu po, %zu rf, %zu fr, %zu others: %s",
              po, rf, fr, others, text);
    cr_expect(strstr(text, "subgraph cluster_1 {\n    label=\"rank 1\";\n"), "%s", text);
    session_close(&b);
}

/* One error each; NULL: a usage error. What was explored is reported all the same. */
Test(litmus_cli, witness_errors)
{
    static const char several[] =
        "t.litmus: error: --witness, --dot and --trace show one run: name one test and one model; "
        "these are 2\n";
    static const struct {
        const char *args;
        bool explored;
        const char *err;
    } rows[] = {
        {"t.litmus --explore --witness --model sc,a2a3", false, several},
        {"t.litmus t.litmus --explore --dot a", false, several},
        {"t.litmus --explore --trace a --remove=drian", false,
         "t.litmus: error: no instruction has the label 'drian' to remove; did you mean "
         "'drain'?\n"},
        {"t.litmus --explore --witness --state=2", true,
         "t.litmus: error: 1 final state was found; there is no state 2 to show\n"},
        {"t.litmus --explore --witness --state=3 --remove=drain", true,
         "t.litmus: error: 2 final states were found; there is no state 3 to show\n"},
        {"t.litmus --explore --dot=nowhere/a --trace=nowhere/b", true,
         "nowhere/a: error: cannot write: No such file or directory\n"},
        {"t.litmus --explore --trace=nowhere/b --witness", true,
         "nowhere/b: error: cannot write: No such file or directory\n"},
        {"t.litmus --witness", false, NULL},
        {"t.litmus --dot=a", false, NULL},
        {"t.litmus --explore --state=1", false, NULL},
        {"t.litmus --explore --witness --state=0", false, NULL},
        {"t.litmus --explore --witness --json", false, NULL},
        {"t.litmus --explore --witness --kinds", false, NULL},
        {"t.litmus --explore --promote --remove=drain", false, NULL},
    };
    struct session b;
    session_open(&b);
    session_write(&b, "t.litmus", DRAINED("exists (0:r0=1)"));
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct session_result r = run(&b, rows[i].args);
        cr_expect_eq(r.code, 2, "%s: exit code %d", rows[i].args, r.code);
        cr_expect_eq(*r.out != 0, rows[i].explored, "%s: %s", rows[i].args, r.out);
        if (rows[i].err)
            expect_text(rows[i].args, r.err, rows[i].err);
        else
            cr_expect(*r.err, "%s: no error", rows[i].args);
        cr_expect(access(arena_printf(&b.arena, "%s/a", b.folder), F_OK) != 0);
    }
    session_close(&b);
}

/* A device, a pipe and a link stay what they are: what is written goes through them. */
Test(litmus_cli, special_files)
{
    static const struct {
        const char *before, *args, *after;
        int code;
        const char *err;
    } rows[] = {
        {"ln -s /dev/null target", "--explore --dot=target", "[ -c target ] && [ -L target ]", 0,
         ""},
        {"ln -s /dev/full target", "--explore --dot=target", "[ -c target ] && [ -L target ]", 2,
         "target: error: cannot write: No space left on device\n"},
        {"mkfifo target; cat target >got & :", "--explore --dot=target",
         "wait; [ -p target ] && until grep -q '^}' got; do sleep 0.01; done", 0, ""},
        {"echo old >real; ln -s real target", "--explore --dot=target",
         "[ -L target ] && head -1 real | grep -q digraph", 0, ""},
        {":", "--explore >/dev/full", ":", 2,
         "fencebench: error: cannot write to standard output\n"},
        {":", "--explore --json >/dev/full", ":", 2,
         "fencebench: error: cannot write to standard output\n"},
    };
    struct session b;
    session_open(&b);
    session_write(&b, "t.litmus", DRAINED("exists (0:r0=1)"));
    for (size_t i = 0; i < COUNT(rows); i++) {
        cr_expect(sh(&b, arena_printf(&b.arena, "rm -f target; %s", rows[i].before)) == 0);
        int code = sh(&b, arena_printf(&b.arena, "$F litmus t.litmus >out 2>err %s", rows[i].args));
        cr_expect_eq(code, rows[i].code, "%s: exit code %d", rows[i].before, code);
        expect_text(rows[i].before, session_read(&b, "err"), rows[i].err);
        cr_expect(sh(&b, rows[i].after) == 0, "%s: not so: %s", rows[i].before, rows[i].after);
    }
    session_close(&b);
}

/* A variant can be run alone, with an expectation or without; what fails is replayed so. */
Test(litmus_cli, one_variant)
{
    struct session b;
    session_open(&b);
    session_write(&b, "t.litmus", DRAINED("~exists (0:r0=0)"));
    expect_text("kinds", run(&b, "t.litmus --explore --kinds --remove=drain").out,
                "D-drain Sometimes\n");
    struct session_result r = run(&b, "t.litmus --explore --json --remove=drain");
    const char *removed;
    json_t *top = json_loads(r.out, 0, NULL);
    cr_assert(json_unpack(json_array_get(json_object_get(top, "results"), 0), "{s:s}", "removed",
                          &removed) == 0,
              "%s", r.out);
    expect_text("removed", removed, "drain");
    json_decref(top);
    r = run(&b, "t.litmus --explore --remove=drain");
    cr_expect(strstr(r.out, "\nReplay fencebench litmus t.litmus --model=a2a3 "
                            "--toolchain=ptoas-0.57 --remove=drain --explore\n"),
              "%s", r.out);
    cr_expect_eq(r.code, 1);
    session_close(&b);
}

/* Where standard error is no terminal, progress is shown on request alone, and changes nothing
 * else. */
Test(litmus_cli, progress)
{
    struct session b;
    session_open(&b);
    session_write(&b, "t.litmus", MANY_STATES);
    struct session_result plain = run(&b, "t.litmus --explore -j1 --max-states=150000"),
                          shown = run(&b, "t.litmus --explore -j1 --max-states=150000 --progress");
    unsigned long long states, rate, depth, waiting;
    expect_text("unasked", plain.err, "");
    cr_expect(sscanf(shown.err, "many: %llu states, %llu/s, depth %llu, %llu waiting\n", &states,
                     &rate, &depth, &waiting) == 4 &&
                  states > 1000 && rate > 0 && waiting > 0 && !strchr(shown.err, '\r'),
              "%s", shown.err);
    expect_text("log", shown.out, plain.out);
    session_close(&b);
}

/* ---- promotion ---- */

#define PROMOTED(expects)                                                                          \
    "GM t (* a *)\n{ x }\nP0 ;\nm: st.dev x, 1 ; # b\n" expects "~exists (x=1)\n"

static const struct {
    const char *name, *text, *args, *out, *after;
} promote_rows[] = {
    {"explored",
     PROMOTED("expect sc Always ;\nexpect  a2a3   Never;# c\nexpect a2a3 -m Sometimes ;\n"),
     "--explore --model sc,a2a3,weakest",
     "--- t.litmus\n+++ t.litmus\n-expect a2a3 Never ;\n+expect a2a3 Always ;\n"
     "-expect a2a3 -m Sometimes ;\n+expect a2a3 -m Never ;\n+expect weakest Always ;\n",
     PROMOTED("expect sc Always ;\nexpect  a2a3   Always;# c\nexpect a2a3 -m Never ;\n"
              "expect weakest Always ;\n")},
    {"explored, as expected", PROMOTED("expect a2a3 Always ;\n"), "--explore", "",
     PROMOTED("expect a2a3 Always ;\n")},
    {"sampled, contradicted", PROMOTED("expect a2a3 Never ;\n"), "",
     "--- t.litmus\n+++ t.litmus\n-expect a2a3 Never ;\n+expect a2a3 Always ;\n",
     PROMOTED("expect a2a3 Always ;\n")},
    /* Not having seen a state proves nothing. */
    {"sampled, not seen", PROMOTED("expect a2a3 Sometimes ;\n"), "", "",
     PROMOTED("expect a2a3 Sometimes ;\n")},
    {"sampled, no expectation", PROMOTED(""), "", "", PROMOTED("")},
};

Test(litmus_cli, promote)
{
    struct session b;
    session_open(&b);
    for (size_t i = 0; i < COUNT(promote_rows); i++) {
        session_write(&b, "t.litmus", promote_rows[i].text);
        const char *args = arena_printf(&b.arena, "t.litmus --promote %s", promote_rows[i].args);
        expect_text(promote_rows[i].name, run(&b, args).out, promote_rows[i].out);
        expect_text(promote_rows[i].name, session_read(&b, "t.litmus"), promote_rows[i].after);
        expect_text("again", run(&b, args).out, "");
        expect_text("again", session_read(&b, "t.litmus"), promote_rows[i].after);
    }
    session_close(&b);
}
