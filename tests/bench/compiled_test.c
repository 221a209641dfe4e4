/* SPDX-License-Identifier: MIT */
/*
 * Programs of several functions as the real compiler emitted them, where those files lie beside the
 * repository: joined by `tasks`, or the two lanes of a kernel in one file, they have the verdict that
 * their source has, under a toolchain with the barriers that the compiler emits itself.
 *
 * ORACLE names another folder than ../shared/oracle or ../../shared/oracle.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/session.h"
#include "tests/support.h"

static const struct {
    const char *name, *make; /* $O is the folder of the compiled files */
    const char *source;      /* $C that of cases */
    const char *verdict;     /* what both say */
} programs[] = {
    {"a wait and a read in two kernels",
     "cp $O/two_kernel.*.pto . && printf '// fencebench: tasks two_kernel.wait_kernel.pto, "
     "two_kernel.reader_kernel.pto\\n// fencebench: arg wait_kernel.arg3=1-rank\\n' > p.pto",
     "$K/two_kernel.py", "1 final states; clean"},
    {"a store and a load in two kernels",
     "cp $O/K22-*.pto . && printf '// fencebench: ranks 1\\n// fencebench: tasks "
     "K22-dma-next-task.produce.pto, K22-dma-next-task.consume.pto\\n' > p.pto",
     "$C/K22-dma-next-task.py", "1 final states; clean"},
    {"lanes that hand each other memory without a flag",
     "(echo '// fencebench: ranks 1'; cat $O/K13-v2c-through-gm.kernel_ai?.pto) > p.pto",
     "$C/K13-v2c-through-gm.py", "error: race at mid[0..255]@0"},
};

static const char *beside(const char *name)
{
    char *own = getenv("ORACLE"), path[4096];
    snprintf(path, sizeof path, "../shared/%s", name);
    bool near = !access(path, R_OK);
    snprintf(path, sizeof path, "%s/%s", near ? "../shared" : "../../shared", name);
    if (own && !strcmp(name, "oracle"))
        return realpath(own, NULL);
    return realpath(path, NULL);
}

Test(compiled, programs_of_the_compiler)
{
    const char *oracle = beside("oracle"), *cases = beside("cases");
    if (!oracle || !cases)
        cr_skip_test("there are no compiled files beside the repository");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct session s;
        session_open(&s);
        const char *set = arena_printf(&s.arena, "O=%s/pto; C=%s/verdicts; ", oracle, cases);
        const char *const forms[] = {"p.pto", programs[i].source};
        for (int k = 0; k < 2; k++) {
            struct session_result r = session_shell(
                &s, arena_printf(&s.arena, "%s%s && $F explore --toolchain=ptoas-0.52 %s %s", set,
                                 programs[i].make, strstr(programs[i].source, "two") ? "-P 2" : "",
                                 forms[k]));
            cr_expect(strstr(r.out, programs[i].verdict), "%s, %s:\n%s%s", programs[i].name,
                      forms[k], r.out, r.err);
        }
        session_close(&s);
    }
}

/* ---- our kernels as .pto ---- */

/* The line of a verdict, without how many runs of how many: "clean", or "failed". */
static const char *verdict_of(struct session *s, const char *file, const char *options)
{
    struct session_result r =
        session_shell(s, arena_printf(&s->arena, "$F check --runs=60 %s %s", options, file));
    return strstr(r.out, "clean") ? "clean" : strstr(r.out, "failed") ? "failed" : r.err;
}

static void expect_same_verdict(struct session *s, const char *path, const char *options)
{
    struct session_result r =
        session_shell(s, arena_printf(&s->arena, "$F compile --emit=pto %s > own.pto", path));
    if (strstr(r.err, "printed as .pto") || strstr(r.err, "in .pto") || strstr(r.err, ".pto file"))
        return; /* refused: tests/pto/emit_test.c has the list */
    cr_assert(!r.code, "%s: %s", path, r.err);
    const char *text = session_read(s, "own.pto"), *ranks = strstr(text, "ranks ");
    const char *all = arena_printf(&s->arena, "-P %d %s", atoi(ranks + 6), options);
    cr_expect_str_eq(verdict_of(s, "own.pto", all), verdict_of(s, path, all), "%s", path);
}

Test(compiled, printed_kernels_have_the_verdict_of_their_source)
{
    static const struct {
        const char *folder, *options;
    } folders[] = {{"kernels", ""},
                   {"kernels/host", "--window-align=32"},
                   {"kernels/programs", "--window-align=32"},
                   {"kernels/measured", "--window-align=32"}};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        glob_t found;
        struct session s;
        session_open(&s);
        cr_assert(!glob(arena_printf(&s.arena, "%s/*.py", folders[i].folder), 0, NULL, &found));
        for (size_t k = 0; k < found.gl_pathc; k++)
            expect_same_verdict(&s, realpath(found.gl_pathv[k], NULL), folders[i].options);
        globfree(&found);
        session_close(&s);
    }
}
