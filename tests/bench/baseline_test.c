/* SPDX-License-Identifier: MIT */
/* Known findings do not fail a run, new ones do, and fixed ones are named. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/bench/session.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* put_ring without markers has one bug, its missing fence: two findings, of the two chunks that line 34
 * loads, with the same lines. What is done to k.py, and what check says with the baseline of before. */
static const struct {
    const char *name, *change, *options;
    int code;
    const char *says[3];
} rows[] = {
    {"as it was", ":", "", 0, {"baseline b.json: 2 known, 0 new, 0 fixed\n"}},
    {"lines move", "sed -i '1i # a line more\\n' k.py", "", 0, {": 2 known, 0 new, 0 fixed\n"}},
    {"other ranks", ":", "-P 3", 0, {" 0 new, 0 fixed\n"}},
    {"another line",
     "sed -i 's/part = pl.load/part  = pl.load/' k.py",
     "",
     1,
     {": 0 known, 2 new, 1 fixed\n", "    new: k P=2 a2a3: stale read at win[",
      "    fixed: k a2a3: stale read of win: part = pl.load("}},
    {"repaired",
     "sed -i 's/^        pld.system.notify/        pl.system.fence()\\n&/' k.py",
     "",
     0,
     {": 0 known, 0 new, 1 fixed\n", "    fixed: k a2a3: stale read of win"}},
    {"another model", ":", "--model=weakest", 1, {" new, 0 fixed\n"}},
    {"another kernel", "cp $K/relay.py r.py", "r.py", 1, {": 2 known, "}},
};

Test(baseline, known_new_and_fixed, .timeout = 120)
{
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(rows); i++) {
        session_shell(&s, "cp $K/put_ring.py k.py; rm -f b.json");
        struct session_result r = session_shell(
            &s, "$F check -P 2 --markers=off k.py --baseline=b.json --update-baseline");
        cr_expect(r.code == 0 && strstr(r.out, "2 known, 0 new, 0 fixed; written"), "%s%s", r.out,
                  r.err);
        session_shell(&s, rows[i].change);
        r = session_shell(&s, arena_printf(&s.arena,
                                           "$F check -P 2 --markers=off k.py --baseline=b.json %s",
                                           rows[i].options));
        cr_expect(r.code == rows[i].code, "%s: exit code %d\n%s%s", rows[i].name, r.code, r.out,
                  r.err);
        for (size_t n = 0; n < COUNT(rows[i].says) && rows[i].says[n]; n++)
            cr_expect(strstr(r.out, rows[i].says[n]), "%s: lacks %s\n%s", rows[i].name,
                      rows[i].says[n], r.out);
    }
    session_close(&s);
}

/* A run that did not end fixes nothing, and is no pass though nothing is new. */
Test(baseline, unfinished_is_no_pass, .timeout = 60)
{
    struct session s;
    session_open(&s);
    session_shell(&s, "$F check -P 2 --markers=off $K/put_ring.py --baseline=b.json "
                      "--update-baseline");
    struct session_result r = session_shell(
        &s, "$F check -P 2 --runs=100000000 --explore=never --seconds=1 $K/put_ring.py "
            "--baseline=b.json");
    cr_expect(r.code == 3 && strstr(r.out, ": 0 known, 0 new, 0 fixed\n"), "%d %s%s", r.code, r.out,
              r.err);
    session_close(&s);
}

/* The formats leave known findings out or mark them, and stay what their schema says. */
Test(baseline, formats_know_it, .timeout = 60)
{
    static const struct {
        const char *command, *has, *lacks;
    } formats[] = {
        {"--format=github", "", "::error"},
        {"--format=junit", "failures=\"0\"", "<failure"},
        {"--format=sarif", "\"baselineState\": \"unchanged\"", NULL},
        {"--format=json", "\"known\": true", NULL},
    };
    struct session s;
    session_open(&s);
    session_shell(&s, "$F check -P 2 --markers=off $K/put_ring.py --baseline=b.json "
                      "--update-baseline");
    for (size_t i = 0; i < COUNT(formats); i++) {
        struct session_result r =
            session_shell(&s, arena_printf(&s.arena,
                                           "$F check -P 2 --markers=off $K/put_ring.py "
                                           "--baseline=b.json %s",
                                           formats[i].command));
        cr_expect(r.code == 0 && strstr(r.out, formats[i].has), "%s: %s", formats[i].command,
                  r.out);
        cr_expect(!formats[i].lacks || !strstr(r.out, formats[i].lacks), "%s: %s",
                  formats[i].command, r.out);
        cr_expect(strstr(r.err, "2 known, 0 new, 0 fixed"), "%s", r.err);
    }
    session_close(&s);
}

/* The same file for lint and explore. */
Test(baseline, of_other_commands, .timeout = 60)
{
    static const char *const commands[] = {
        "lint -P 2 --markers=off $K/put_ring.py",
        "run -P 2 --markers=off $K/put_ring.py",
        "explore -P 2 --markers=off --arg SIZE=4 --arg CHUNK=4 $K/put_ring.py",
    };
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(commands); i++) {
        struct session_result r = session_shell(
            &s, arena_printf(&s.arena,
                             "rm -f b.json; $F %s --baseline=b.json --update-baseline && "
                             "$F %s --baseline=b.json",
                             commands[i], commands[i]));
        cr_expect(r.code == 0, "%s: %d\n%s%s", commands[i], r.code, r.out, r.err);
    }
    session_close(&s);
}

Test(baseline, bad_files)
{
    static const struct {
        const char *make, *says;
    } bad[] = {
        {"rm -f b.json", "b.json: error: cannot open"},
        {"echo '{' > b.json", "b.json:2:"},
        {"echo '{}' > b.json", "is no baseline: expected \"schema\": \"fencebench-baseline/1\""},
    };
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(bad); i++) {
        session_shell(&s, bad[i].make);
        struct session_result r =
            session_shell(&s, "$F check -P 2 --runs=3 $K/put_ring.py --baseline=b.json");
        cr_expect(r.code == 2 && strstr(r.err, bad[i].says), "%s: %d %s", bad[i].make, r.code,
                  r.err);
    }
    struct session_result r = session_shell(&s, "$F check --update-baseline $K/put_ring.py");
    cr_expect(r.code == 2 && strstr(r.err, "--update-baseline needs --baseline=FILE"), "%s", r.err);
    session_close(&s);
}
