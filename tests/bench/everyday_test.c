/* SPDX-License-Identifier: MIT */
/* What one meets every day: a wrong path, a value twice, standard input, an output that cannot be. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/bench/session.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define H01          "$L/catalogue/h01-stale-line/H01-cached-before-wait.litmus"

static const struct {
    const char *command;
    int code;
    const char *out,
        *err; /* parts of what is printed; "" where it does not matter, NULL: nothing */
} rows[] = {
    /* Standard input is a file of that text, however often it stands there. */
    {"$F check - - -P 2 < $K/put_ring.py", 0, "2 cases: 2 clean", NULL},
    {"$F diff - - < $K/put_ring.py", 0, "equal", NULL},
    {"$F equiv - - < " H01, 0, "", NULL},
    {"$F lint - -P 2 --markers=off < $K/put_ring.py", 1, "<stdin>:", NULL},
    {"$F lint - < " H01, 1, "<stdin>:", NULL},
    {"$F check -P 2 --markers=off --json $K/put_ring.py | $F report -", 0, "stale read", NULL},
    /* A page tells apart what was compiled otherwise, names both sides and what to insert. */
    {"$F check -P 2 --markers=off --json $K/put_ring.py | $F report -", 0,
     "<td>ptoas-0.57, no markers</td><td class=\"bad\">findings</td><td>25 of 100 runs</td>", NULL},
    {"$F check -P 2 --markers=off --json $K/put_ring.py | $F report -", 0,
     "<th>the fresh write</th><td>", NULL},
    {"$F check -P 2 --markers=off --json $K/put_ring.py | $F report -", 0,
     "put_ring.py:29<pre>pl.system.fence()\n</pre>", NULL},
    {"$F sweep -P 2 --runs=9 --origins=R1 --json $K/put_ring.py | $F report -", 0,
     "<td>15: R1 cacheinvalid all</td><td>30</td><td>removed</td><td class=\"dim\">redundant</td>",
     NULL},
    /* Twice is once, and of a name's values the last one counts. */
    {"$F check -P 2,2 --model=sc,sc $K/put_ring.py", 0, "put_ring ", NULL},
    {"$F check -P 2,2 --model=sc,sc $K/put_ring.py | grep -c put_ring", 0, "1\n", NULL},
    {"$F check -P 2 --arg SIZE=4 --arg SIZE=128 $K/put_ring.py", 0, "clean", NULL},
    /* What cannot end well does not begin. */
    {"$F check --runs=1000000000 --csv=none/x.csv $K/put_ring.py", 2, NULL,
     "none/x.csv: error: cannot write: No such file or directory\n"},
    {"$F check --runs=1000000000 --csv=. $K/put_ring.py", 2, NULL,
     ".: error: cannot write: Is a directory\n"},
    {"$F sweep --runs=1000000000 --csv=none/x.csv $K/put_ring.py", 2, NULL,
     "none/x.csv: error: cannot write"},
    {"$F check --runs=1000000000 --baseline=none.json $K/put_ring.py", 2, NULL,
     "none.json: error: cannot open"},
    {"$F check --runs=1000000000 --baseline=$K/put_ring.py $K/put_ring.py", 2, NULL,
     "put_ring.py:1:1: error: "},
    /* What was found is printed although a file cannot be written. */
    {"$F check -P 2 --csv=/dev/full --json $K/put_ring.py", 2, "\"answer\": \"clean\"",
     "/dev/full: error: cannot write: No space left on device\n"},
    {"$F check -P 2 $K/put_ring.py > /dev/full", 2, NULL, "cannot write to standard output"},
    /* The file of another command. */
    {"$F check " H01, 2, NULL, "is a litmus test, not a kernel: 'fencebench litmus' runs it"},
    {"$F report $K/put_ring.py", 2, NULL, "is no result file: file is not a database"},
    {"echo '{}' > x.json; $F report x.json", 2, NULL,
     "x.json: error: is no report of check, explore, run, lint or sweep\n"},
    {"> x.json; $F report x.json", 2, NULL, "x.json:1:1: error: "},
    {"mkdir d; cp x.json d; echo '{}' > d/x.json; $F lint -P 2 --json $K/put_ring.py > d/y.json; "
     "$F report d",
     0, "put_ring", "d/x.json: note: passed over"},
    /* Values and options. */
    {"$F sweep --fail-on=redundnat $K/put_ring.py", 2, NULL, "did you mean 'redundant'?"},
    {"$F plot --kind=flshes x.csv", 2, NULL, "did you mean 'flushes'?"},
    {"$F compile --emit=pot $K/put_ring.py", 2, NULL, "(ir, asm, pto); did you mean 'pto'?"},
    {"$F litmus --max-states=5 " H01, 2, NULL, "--max-states is for --explore; this draws runs"},
    {"$F help sweep", 0, "--fail-on=LIST", NULL},
    {"$F help swepe", 2, NULL, "no command 'swepe'; did you mean 'sweep'?"},
};

static bool is_printed(const char *text, const char *part)
{
    return part ? strstr(text, part) != NULL : !*text;
}

Test(everyday, what_one_meets, .timeout = 120)
{
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct session_result r = session_shell(&s, rows[i].command);
        cr_expect(r.code == rows[i].code && is_printed(r.out, rows[i].out) &&
                      is_printed(r.err, rows[i].err),
                  "%s: exit code %d\n%s%s", rows[i].command, r.code, r.out, r.err);
    }
    session_close(&s);
}

/* Sanitizers make everything several times as slow. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SLOWER 20
#else
#define SLOWER 1
#endif

static double processor_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

/* From start to exit, by the processor's time: others may have it meanwhile. The best of three. */
Test(everyday, a_small_kernel_is_answered_within_100_ms, .timeout = 60)
{
    static const char *const kernels[] = {"put_ring", "scalar_publish", "ring_allreduce",
                                          "remote_store_push", "all_to_all"};
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(kernels); i++) {
        double best = 1e9;
        for (int n = 0; n < 3; n++) {
            double before = processor_seconds();
            session_shell(&s, arena_printf(&s.arena, "$F check -P 2 --json $K/%s.py", kernels[i]));
            double took = processor_seconds() - before;
            best = took < best ? took : best;
        }
        cr_expect(best < 0.1 * SLOWER, "%s: %.0f ms", kernels[i], 1e3 * best);
    }
    session_close(&s);
}
