/* SPDX-License-Identifier: MIT */
/* Lines of a kernel's file that say what check should find, and those that say nothing. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/bench/session.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define HOLDS        "1 of 1 expectations of the file hold"

/* The line stands in place of the first one of put_ring.py, which is clean (docs/kernels.md): its put is
 * on line 28, with the fence of rule W2 behind it, without which the notify on line 29 overtakes the data. */
static const struct {
    const char *line, *options;
    int code;
    const char *says;
} rows[] = {
    {"expect a2a3 clean", "", 0, HOLDS},
    {"expect a2a3 -L28.fence stale", "", 0, HOLDS},
    {"expect a2a3 -L28.W2 stale-read", "", 0, HOLDS},
    {"expect a2a3 -L28 stale", "", 0, HOLDS},
    {"expect a2a3 stale", "", 1,
     "k.py:1:22: error: expected 'a2a3 stale', but it is clean\n    0 of 1 expectations"},
    {"expect a2a3 -L28.fence clean", "", 1,
     "k.py:1:22: error: expected 'a2a3 -L28.fence clean', but it is then stale read\n"},
    {"expect a2a3 -L28.fence race", "", 1, "but it is then stale read\n"},
    /* Loads by MTE2 do not go through the cache that R1 invalidates. */
    {"expect a2a3 -L30.R1 clean", "", 0, HOLDS},
    /* Not of this model, nor of this program. */
    {"expect sc -L28.fence stale", "", 0, "100 runs: clean"},
    {"expect a2a3 clean", "--markers=off", 1, "stale read"},
    {"expect sc -L28.fence clean", "--model=sc", 0, HOLDS},
    {"expect a2a4 clean", "", 2, "k.py:1:22: error: no model 'a2a4'; did you mean 'a2a3'?"},
    {"expect a2a3 stael", "", 2, "expected 'clean' or a verdict; did you mean 'stale'?"},
    {"expect a2a3 -L28.fens stale", "", 2, "no site 'fens' on line 28, which has: barrier before"},
    {"expect a2a3 -L5 stale", "", 2, "no site '' on line 5, which has: none"},
    {"expect a2a3 -L stale", "", 2, "as in -L36.fence"},
    {"expect a2a3 -L28. stale", "", 2, "expected the name of a site"},
    {"expect a2a3", "", 2, "expected 'clean' or a verdict"},
    {"expect", "", 2, "'expect' needs a value"},
    {"expect a2a3 clean -L28", "", 2, "expected the end of the line"},
    {"rnaks 2", "", 2, "did you mean 'ranks'?"},
};

static void write_with(struct session *s, const char *line)
{
    session_shell(
        s, arena_printf(&s->arena, "{ echo '%s'; tail -n +2 $K/put_ring.py; } > k.py", line));
}

Test(expect, is_checked, .timeout = 120)
{
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(rows); i++) {
        write_with(&s, arena_printf(&s.arena, "# fencebench: %s", rows[i].line));
        struct session_result r = session_shell(
            &s, arena_printf(&s.arena, "$F check -P 2 k.py --runs=100 %s", rows[i].options));
        cr_expect(r.code == rows[i].code, "%s: exit code %d\n%s%s", rows[i].line, r.code, r.out,
                  r.err);
        cr_expect(strstr(r.out, rows[i].says) || strstr(r.err, rows[i].says), "%s: lacks %s\n%s%s",
                  rows[i].line, rows[i].says, r.out, r.err);
    }
    session_close(&s);
}

/* mesh_allreduce lets a buffer go too early, whatever its markers (docs/findings.md): overrun reads, and
 * nothing else. A bug that its file expects fails nothing; one that it does not does. */
Test(expect, covers_findings, .timeout = 60)
{
    static const struct {
        const char *verdict;
        int code;
        const char *answer;
    } cases[] = {{"overrun", 0, "expected"},
                 {"overrun-read", 0, "expected"},
                 {"stale", 1, "findings"},
                 {"clean", 1, "findings"}};
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(cases); i++) {
        session_shell(&s, arena_printf(&s.arena,
                                       "cp $K/mesh_allreduce.py k.py; "
                                       "echo '# fencebench: expect a2a3 %s' >> k.py",
                                       cases[i].verdict));
        struct session_result r = session_shell(&s, "$F check -P 2 k.py --json");
        json_t *j = session_json(cases[i].verdict, &r),
               *result = json_array_get(json_object_get(j, "results"), 0);
        const char *answer = json_string_value(json_object_get(result, "answer"));
        cr_expect(r.code == cases[i].code && answer && !strcmp(answer, cases[i].answer),
                  "%s: %d %s", cases[i].verdict, r.code, r.out);
        json_decref(j);
    }
    session_close(&s);
}

/* What looks like a directive and would be passed over. */
Test(expect, directives_begin_their_line)
{
    static const char *const lines[] = {"#fencebench: ranks 2", "#  fencebench: ranks 2",
                                        "  # fencebench: ranks 2", "# fencebench : ranks 2"};
    struct session s;
    session_open(&s);
    for (size_t i = 0; i < COUNT(lines); i++) {
        write_with(&s, lines[i]);
        struct session_result r = session_shell(&s, "$F check -P 2 --runs=3 k.py");
        cr_expect(r.code == 2 && strstr(r.err, "a directive begins its line with '# fencebench:'"),
                  "%s: %s", lines[i], r.err);
    }
    write_with(&s, "# fencebench reads this file");
    struct session_result r = session_shell(&s, "$F check -P 2 --runs=3 k.py");
    cr_expect(r.code == 0, "%s", r.err);
    session_close(&s);
}

/* The lines of the printed program are others. */
Test(expect, is_not_kept_by_compile)
{
    struct session s;
    session_open(&s);
    write_with(&s, "# fencebench: expect a2a3 -L28.fence stale");
    struct session_result r = session_shell(&s, "$F compile k.py -o c.py; cat c.py");
    cr_expect(r.code == 0 && !strstr(r.out, "expect") && strstr(r.out, "# fencebench: ranks"), "%s",
              r.out);
    session_close(&s);
}
