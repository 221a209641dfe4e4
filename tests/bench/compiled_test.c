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

/* ---- lint ---- */

#define FUNC(name, body)                                                                           \
    "  func.func @" name "(%data: !pto.ptr<i32>, %sig: !pto.ptr<i32>, %any: !pto.ptr<i32>, "       \
    "%dc: !pto.ptr<i64>, %sc: !pto.ptr<i64>, %peer: index) attributes "                            \
    "{pto.kernel_kind = #pto.kernel_kind<vector>} {\n"                                             \
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"                         \
    "  %c2 = arith.constant 2 : index\n  %c4 = arith.constant 4 : index\n"                         \
    "  %a4 = arith.constant 4 : i64\n  %one = arith.constant 1 : i32\n" body "  return\n  }\n"
#define THERE(n, ctx, to, p)                                                                       \
    "  %r" n " = pto.load_scalar %" ctx "[%c2] : !pto.ptr<i64> -> i64\n"                           \
    "  %m" n " = arith.trunci %r" n " : i64 to i32\n"                                              \
    "  %i" n " = arith.index_cast %m" n " : i32 to index\n"                                        \
    "  %li" n " = arith.addi %c4, %i" n " : index\n  %pi" n " = arith.addi %c4, " to " : index\n"  \
    "  %l" n " = pto.load_scalar %" ctx "[%li" n "] : !pto.ptr<i64> -> i64\n"                      \
    "  %p" n " = pto.load_scalar %" ctx "[%pi" n "] : !pto.ptr<i64> -> i64\n"                      \
    "  %d" n " = arith.subi %p" n ", %l" n " : i64\n  %e" n " = arith.divsi %d" n ", %a4 : i64\n"  \
    "  %x" n " = arith.index_cast %e" n " : i64 to index\n"                                        \
    "  %t" n " = pto.addptr %" p ", %x" n " : !pto.ptr<i32> -> !pto.ptr<i32>\n"
#define CELL(n, p)                                                                                 \
    "  %v" n " = pto.make_tensor_view " p ", shape = [%c1, %c1], strides = [%c1, %c1] : "          \
    "!pto.tensor_view<?x?xi32>\n"                                                                  \
    "  %cell" n " = pto.partition_view %v" n ", offsets = [%c0, %c0], sizes = [%c1, %c1] : "       \
    "!pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x1xi32>\n"
/* The peer as an argument has it, or as memory does: then nothing is known of what is loaded. */
#define TOLD(to)                                                                                   \
    THERE("0", "dc", to, "data")                                                                   \
    "  pto.store_scalar %one, %t0[%c0] : !pto.ptr<i32>, i32\n"                                     \
    "  pto.cmo.cacheinvalid all #pto.address_space<gm>\n"                                          \
    "  pto.fence.barrier_all #pto.fence_scope<gm>\n" THERE("1", "sc", to, "sig") CELL(             \
        "1", "%t1") "  pto.comm.tnotify(%cell1, %one : !pto.partition_tensor_view<1x1xi32>, i32) " \
                    "{notifyOp = #pto<notify_op atomic_add>}\n"
#define FROM_MEMORY                                                                                \
    "  %n = pto.load_scalar %any[%c0] : !pto.ptr<i32> -> i32\n"                                    \
    "  %to = arith.index_cast %n : i32 to index\n"
#define READ   "  %w = pto.load_scalar %data[%c0] : !pto.ptr<i32> -> i32\n"
#define REREAD "  %z = pto.load_scalar %data[%c0] : !pto.ptr<i32> -> i32\n"
#define WAIT                                                                                       \
    CELL("2", "%sig")                                                                              \
    "  pto.comm.twait(%cell2, %one : !pto.partition_tensor_view<1x1xi32>, i32) "                   \
    "{cmp = #pto<wait_cmp ge>}\n"
#define INVALIDATE "  pto.cmo.cacheinvalid all #pto.address_space<gm>\n"
#define TWO_TASKS(first, second)                                                                   \
    "// fencebench: tasks first, second\n// fencebench: arg peer=1-rank\n"                         \
    "// fencebench: local any\n// fencebench: ctx dc of data\n// fencebench: ctx sc of sig\n// "   \
    "fencebench: init any=1-rank\nmodule {\n" FUNC("first", first) FUNC("second", second) "}\n"

/* Contexts are never written: loads of them need no invalidate in front, whatever peer they are about.
 * What is told is. */
Test(compiled, lint_knows_contexts)
{
    static const struct {
        const char *name, *text;
        const char *findings;
    } rows[] = {
        {"contexts behind a wait", TWO_TASKS(TOLD("%peer"), WAIT THERE("3", "dc", "%peer", "data")),
         "nothing is missing"},
        {"and in front of it",
         TWO_TASKS(TOLD("%peer"),
                   THERE("3", "dc", "%peer", "data") WAIT THERE("4", "dc", "%peer", "data")),
         "nothing is missing"},
        {"of a peer that memory names",
         TWO_TASKS(FROM_MEMORY TOLD("%to"), FROM_MEMORY THERE("3", "dc", "%to", "data")
                                                WAIT THERE("4", "dc", "%to", "data")),
         "nothing is missing"},
        {"data with an invalidate", TWO_TASKS(TOLD("%peer"), READ WAIT INVALIDATE REREAD),
         "nothing is missing"},
        {"data without one", TWO_TASKS(TOLD("%peer"), READ WAIT REREAD), ": 1 finding"},
        {"data without one, where contexts are loaded",
         TWO_TASKS(FROM_MEMORY TOLD("%to"), FROM_MEMORY THERE("3", "dc", "%to", "data")
                                                READ WAIT REREAD THERE("4", "dc", "%to", "data")),
         ": 1 finding"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session s;
        session_open(&s);
        session_write(&s, "p.pto", rows[i].text);
        struct session_result r = session_shell(&s, "$F lint -P 2 p.pto");
        bool fires = rows[i].findings[0] == ':';
        cr_expect(r.code == fires && strstr(r.out, rows[i].findings) &&
                      !fires == !strstr(r.out, "error: missing invalidate: pto.load_scalar"),
                  "%s: expected %s\n%s%s", rows[i].name, rows[i].findings, r.out, r.err);
        session_close(&s);
    }
}

/* A context is as long as it has peers, in both front ends. */
Test(compiled, no_such_peer)
{
    struct session s;
    session_open(&s);
    struct session_result r =
        session_shell(&s, "$F check -P 2 --runs=1 $K/../tests/files/pto/ping.pto --arg arg2=5");
    cr_expect(r.code == 1 && strstr(r.out, "ping.pto:25:9: error: out of bounds at arg1_ctx") &&
                  strstr(r.out, "no peer 5: they are 0 to 1"),
              "%s%s", r.out, r.err);
    session_close(&s);
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
    if (r.code == 2 && strstr(r.err, ".pto") && !strstr(r.err, "own.pto"))
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
                   {"kernels/measured", "--window-align=32"},
                   {"tests/files/pto", ""}};
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
