/* SPDX-License-Identifier: MIT */
/* Commands that are told to end early say what they know, and how they ended. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/bench/json_schema.h"
#include "tests/bench/session.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define INTERRUPT    "timeout --preserve-status -s INT 1 "
#define TERMINATE    "timeout --preserve-status -s TERM 1 "

static const struct {
    const char *command;
    int code;
    const char *out, *err; /* parts of what is printed */
} rows[] = {
    {INTERRUPT "$F check --runs=10000000 -P 2 $K/put_ring.py", 130,
     " runs: nothing found so far, so less than ", "fencebench: interrupted after "},
    {TERMINATE "$F check --runs=10000000 -P 2 $K/put_ring.py", 143, " runs: nothing found so far",
     "fencebench: terminated after "},
    {"$F check --runs=10000000 --seconds=1 -P 2 $K/put_ring.py", 3, " runs: nothing found so far",
     "fencebench: the limit of time was hit after "},
    /* What was found stands. */
    {"$F check --runs=10000000 --seconds=1 -P 2 $K/mesh_allreduce.py", 1,
     ": error: overrun read at win[0]@0: ", "fencebench: the limit of time was hit after "},
    {INTERRUPT "$F check --runs=10000000 -P 2 $K/mesh_allreduce.py", 130,
     "not looked for: interrupted", "fencebench: interrupted after "},
    {INTERRUPT "$F check --table --runs=10000000 -P 2 $K/put_ring.py", 130, "kernel ",
     "fencebench: interrupted after "},
    {"$F explore --no-reduction --seconds=1 -P 4 $K/expert_dispatch.py", 3,
     "a limit was hit, so this is no proof; nothing found so far", "the limit of time was hit"},
    {INTERRUPT "$F explore --no-reduction -P 4 $K/expert_dispatch.py", 130,
     "a limit was hit, so this is no proof; nothing found so far",
     "fencebench: interrupted after "},
    {"$F litmus --runs=100000000 --seconds=1 $L/catalogue/h01-stale-line", 3, "Test H01",
     "the limit of time was hit after "},
    {INTERRUPT "$F sweep --runs=10000000 --max-states=0 -P 2 $K/put_ring.py", 130,
     " mutants:", "fencebench: interrupted after "},
    {INTERRUPT "$F flushes --runs=10000000 $K/put_ring.py", 130, "flushes per rank",
     "fencebench: interrupted after "},
    {INTERRUPT "$F minimize -P 3 $K/expert_dispatch.py", 130, "", "fencebench: interrupted after "},
    {INTERRUPT "$F repair -P 3 --markers=off $K/expert_dispatch.py", 130, "not repaired yet\n",
     "fencebench: interrupted after "},
};

Test(stop, says_what_is_known_and_how_it_ended, .timeout = 300)
{
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct session_result r = session_shell(&s, rows[i].command);
        cr_expect(r.code == rows[i].code && strstr(r.out, rows[i].out) &&
                      strstr(r.err, rows[i].err) && !strstr(r.out, "runs: clean"),
                  "%s: exit code %d, expected %d\n%s%s", rows[i].command, r.code, rows[i].code,
                  r.out, r.err);
    }
    session_close(&s);
}

/* The case of two ranks has ended long before that of eight, and stands there while that runs. */
Test(stop, a_sweep_prints_each_case_as_it_ends, .timeout = 60)
{
    struct session s;
    session_open(&s);
    struct session_result r = session_shell(
        &s, "$F sweep -P 2,8 --runs=2 --max-states=100000000 --origins=R1 --arg TOKENS=1 "
            "--arg DIM=1 $K/expert_dispatch.py > o & p=$!; n=0; "
            "until grep -q ' every marker of R1 ' o || [ $n = 300 ]; do sleep 0.1; n=$((n+1)); "
            "done; kill -INT $p; wait $p");
    cr_expect(r.code == 130 && strstr(r.err, "fencebench: interrupted after "), "%d\n%s", r.code,
              r.err);
    const char *out = session_read(&s, "o");
    cr_expect(strstr(out, "expert_dispatch P=2 a2a3") && strstr(out, " every marker of R1 "), "%s",
              out);
    session_close(&s);
}

/* AddressSanitizer reserves more than any limit. */
#ifdef __SANITIZE_ADDRESS__
#define WITHIN_400_MB ""
#else
#define WITHIN_400_MB "ulimit -v 400000; "
#endif

/* 10^9 runs are 16 million jobs: they are made as they are begun. */
Test(stop, memory_does_not_grow_with_the_runs, .timeout = 60)
{
    struct session s;
    session_open(&s);
    struct session_result r = session_shell(
        &s, WITHIN_400_MB "$F check --runs=1000000000 --seconds=1 -P 2 $K/put_ring.py");
    cr_expect(r.code == 3, "exit code %d\n%s%s", r.code, r.out, r.err);
    session_close(&s);
}

/* One by itself is explored within a second. */
#define CATALOGUES "$L/catalogue $L/catalogue $L/catalogue "

/* What takes long, in each command that may: none of them ends within a second. */
static const char *const long_ones[] = {
    "check -P 2 --runs=10000000 $K/put_ring.py $K/relay.py",
    "check -P 2 --runs=10000000 --driver=pct $K/put_ring.py",
    "check -P 8 --runs=10000000 --explore=always $K/expert_dispatch.py",
    "run -P 64 --arg SIZE=1048576 --arg CHUNK=64 --trace=t.json $K/mesh_allreduce.py",
    "run -P 64 --arg SIZE=1048576 --arg CHUNK=64 --trace=t.txt $K/mesh_allreduce.py",
    "explore --no-reduction -P 4 $K/expert_dispatch.py",
    "sweep -P 2 --runs=10000000 --max-states=0 $K/put_ring.py",
    "sweep -P 8 --runs=2 --max-states=4000000000 $K/expert_dispatch.py",
    "litmus --runs=100000000 $L/catalogue",
    "litmus --explore --model=all " CATALOGUES CATALOGUES CATALOGUES CATALOGUES,
    "flushes --runs=10000000 $K/put_ring.py",
    "minimize -P 8 $K/expert_dispatch.py",
    "repair -P 8 --markers=off $K/expert_dispatch.py",
};

static bool says_interrupted(const json_t *j)
{
    const char *cause =
        json_string_value(json_object_get(json_object_get(j, "interrupted"), "cause"));
    return cause && !strcmp(cause, "interrupted");
}

/* On one thread and on several: JSON that is whole and says so, in the schema where that has the command;
 * a trace that is whole; and no file half written beside it. */
Test(stop, json_and_traces_are_whole, .timeout = 300)
{
    struct session s;
    session_open(&s);
    json_t *described = json_load_file("docs/fencebench.schema.json", 0, NULL);
    for (size_t i = 0; i < COUNT(long_ones) * 2; i++) {
        const char *line = long_ones[i / 2];
        bool run = !strncmp(line, "run", 3), table = strchr("lfmr", *line) && !run;
        if (run && i % 2)
            continue; /* it has one thread */
        const char *all = arena_printf(&s.arena, INTERRUPT "$F %s --json%s", line,
                                       run     ? ""
                                       : i % 2 ? " -j 3"
                                               : " -j 1");
        session_shell(&s, "rm -f t.json t.txt");
        struct session_result r = session_shell(&s, all);
        json_t *j = session_json(all, &r);
        const char *bad = table ? NULL : json_schema_violation(&s.arena, described, j);
        cr_expect(r.code == 130 && says_interrupted(j) && !bad, "%s: exit code %d, %s\n%s", all,
                  r.code, bad, r.err);
        json_decref(j);
        r = session_shell(&s, "if [ -f t.json ]; then cat t.json; else echo []; fi");
        json_decref(session_json(all, &r));
        r = session_shell(&s, "ls | grep tmp");
        cr_expect_str_empty(r.out, "%s leaves %s", all, r.out);
    }
    json_decref(described);
    session_close(&s);
}

/* A sweep that is taken up again has what it had stored. */
Test(stop, nothing_that_was_finished_is_lost, .timeout = 300)
{
    struct session s;
    session_open(&s);
    session_shell(&s, "$F sweep -P 2 --runs=300 --max-states=0 --csv=whole.csv $K/put_ring.py");
    struct session_result r = session_shell(
        &s, "timeout --preserve-status -s INT 0.5 $F sweep -P 2 --runs=300 --max-states=0 "
            "--db=some.db --csv=some.csv $K/put_ring.py");
    cr_expect(r.code == 130 || r.code < 4, "exit code %d\n%s", r.code, r.err);
    const char *some = session_read(&s, "some.csv");
    session_shell(&s, "$F sweep -P 2 --runs=300 --max-states=0 --db=some.db --resume "
                      "--csv=again.csv $K/put_ring.py");
    const char *again = session_read(&s, "again.csv");
    cr_expect_str_eq(again, session_read(&s, "whole.csv"));
    cr_expect(strlen(some) <= strlen(again));
    session_close(&s);
}

/* "-" is standard input, in messages too, and what a replay reads again. */
Test(stdin, is_a_file, .timeout = 60)
{
    struct session s;
    session_open(&s);
    struct session_result r = session_shell(&s, "$F check - -P 2 --runs=20 --markers=off "
                                                "< $K/put_ring.py");
    cr_expect(r.code == 1 && strstr(r.out, "<stdin>:34:13: error: stale read at win[0]@") &&
                  strstr(r.out, "replay: fencebench run - -P 2 "),
              "exit code %d\n%s%s", r.code, r.out, r.err);
    r = session_shell(&s, "echo foo | $F check -");
    cr_expect(r.code == 2 && strstr(r.err, "<stdin>:1:4: error: "), "%s", r.err);
    session_close(&s);
}

/* The printed program is bound as its file says: without its lines it has no ranks of its own. */
Test(compile, output_keeps_the_directives, .timeout = 60)
{
    struct session s;
    session_open(&s);
    struct session_result r =
        session_shell(&s, "$F compile --passes=none -o p.py $K/relay.py && "
                          "grep '^# fencebench:' $K/relay.py > want && "
                          "grep '^# fencebench:' p.py | diff want - && $F check --runs=5 p.py");
    cr_expect(r.code == 0 && strstr(r.out, " P=3 "), "exit code %d\n%s%s", r.code, r.out, r.err);
    session_close(&s);
}
