/* SPDX-License-Identifier: MIT */
/*
 * The program from the outside: what it prints, where, and its exit code. The binary is $FENCEBENCH
 * (build/fencebench by default); every command runs in a fresh folder that holds the files of its
 * test.
 */
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "bench/report/csv.h"
#include "tests/support.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- running the program ---- */

struct cli {
    struct arena arena;
    const char *binary, *models, *kernels;
    char folder[64];
};

struct result {
    const char *out, *err;
    int code; /* 128 + signal when a signal ended it */
};

static const char *real_path(struct arena *a, const char *path)
{
    char buffer[PATH_MAX];
    cr_assert(realpath(path, buffer), "%s: no such file", path);
    return arena_strdup(a, buffer);
}

static void cli_open(struct cli *c)
{
    const char *binary = getenv("FENCEBENCH");
    *c = (struct cli){.folder = "/tmp/fencebench-cli-XXXXXX"};
    c->binary = real_path(&c->arena, binary ? binary : "build/fencebench");
    c->models = real_path(&c->arena, "models");
    c->kernels = real_path(&c->arena, "kernels");
    cr_assert(mkdtemp(c->folder), "no folder for files");
}

static const char *file_path(struct cli *c, const char *name)
{
    return arena_printf(&c->arena, "%s/%s", c->folder, name);
}

static bool file_exists(struct cli *c, const char *name)
{
    return access(file_path(c, name), F_OK) == 0;
}

static void cli_close(struct cli *c)
{
    cr_expect(system(arena_printf(&c->arena, "rm -r '%s'", c->folder)) == 0);
    arena_free(&c->arena);
}

static const char *file_text(struct cli *c, const char *name)
{
    struct diag d = {.arena = &c->arena};
    const struct source *s = source_read(&c->arena, file_path(c, name), &d);
    cr_assert(s, "%s", diag_text(&d, &c->arena));
    return s->text;
}

static void write_file(struct cli *c, const char *name, const char *text, size_t len)
{
    FILE *f = fopen(file_path(c, name), "w");
    cr_assert(f && fwrite(text, 1, len, f) == len && fclose(f) == 0, "cannot write %s", name);
}

/* text with every occurrence of from replaced. */
static const char *replaced(struct arena *a, const char *text, const char *from, const char *to)
{
    struct strbuf b = strbuf_make(a);
    for (const char *at; (at = strstr(text, from)); text = at + strlen(from)) {
        strbuf_addn(&b, text, (size_t)(at - text));
        strbuf_add(&b, to);
    }
    strbuf_add(&b, text);
    return b.text;
}

/* Names of this machine and this build become MODELS, KERNELS and (build). */
static const char *neutral(struct cli *c, const char *text)
{
    text = replaced(&c->arena, text, c->models, "MODELS");
    text = replaced(&c->arena, text, c->kernels, "KERNELS");
    struct strbuf b = strbuf_make(&c->arena);
    for (const char *at; (at = strstr(text, "(build ")); text = strchr(at, ')')) {
        strbuf_addn(&b, text, (size_t)(at - text));
        strbuf_add(&b, "(build");
    }
    strbuf_add(&b, text);
    return b.text;
}

/* A line for the shell in which "fencebench" is the program. */
static struct result shell(struct cli *c, const char *line)
{
    const char *command = arena_printf(
        &c->arena, "cd '%s' && fencebench() { '%s' \"$@\"; } && { %s; } >out 2>err </dev/null",
        c->folder, c->binary, line);
    setenv("FENCEBENCH_MODELS", c->models, 1);
    int status = system(command);
    struct result r = {.out = neutral(c, file_text(c, "out")),
                       .err = neutral(c, file_text(c, "err")),
                       .code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
    return r;
}

static struct result run(struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static struct result run(struct cli *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *args = arena_vprintf(&c->arena, fmt, ap);
    va_end(ap);
    return shell(c, arena_printf(&c->arena, "fencebench %s", args));
}

static void expect_code(const char *name, const struct result *r, int code)
{
    cr_expect(r->code == code, "%s: exit code %d, expected %d\n%s%s", name, r->code, code, r->out,
              r->err);
}

static void expect_contains(const char *name, const char *text, const char *part)
{
    cr_expect(strstr(text, part), "%s: expected\n%s\nin\n%s", name, part, text);
}

/* ---- kernels ---- */

static const char kernel_head[] = "import pypto.language as pl\n"
                                  "import pypto.language.distributed as pld\n"
                                  "@pl.program\n"
                                  "class T:\n"
                                  "    @pl.function(type=pl.FunctionType.InCore)\n"
                                  "    def k(self, x: pl.Tensor[[1, 16], pl.INT32], "
                                  "win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]], "
                                  "sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]], "
                                  "out: pl.Out[pl.Tensor[[1, 16], pl.INT32]]):\n"
                                  "        me = pld.system.rank(pld.system.get_comm_ctx(win))\n"
                                  "        # the body starts in line 9\n";

/* Writes k.py around lines of a body. */
static void write_kernel(struct cli *c, const char *body)
{
    struct strbuf b = strbuf_make(&c->arena);
    strbuf_add(&b, kernel_head);
    while (*body) {
        size_t len = strcspn(body, "\n") + 1;
        strbuf_add(&b, "        ");
        strbuf_addn(&b, body, len);
        body += len;
    }
    write_file(c, "k.py", b.text, b.len);
}

static const char good_body[] = "t = pl.load(x, [0, 0], [1, 16])\npl.store(t, [0, 0], out)\n";

/* The first line that begins with the text, without it; NULL: none. */
static const char *line_after(struct arena *a, const char *text, const char *start)
{
    const char *at = strstr(text, start);
    return at ? arena_strndup(a, at + strlen(start), strcspn(at + strlen(start), "\n")) : NULL;
}

/* ---- usage ---- */

#define TRY(command)                                                                               \
    "Try `fencebench " command " --help' or `fencebench " command " --usage' for more"

#define PASS_NAMES                                                                                 \
    "(passes: InlineFunctions, UnrollLoops, CtrlFlowTransform, ConvertToSSA, FlattenCallExpr, "    \
    "OutlineHierarchyScopes, OutlineIncoreScopes, OutlineClusterScopes, ConvertTensorToTileOps, "  \
    "LowerCompositeOps, "                                                                          \
    "InferTileMemorySpace, LowerAutoVectorSplit, ExpandMixedKernel, SplitVectorKernel, "           \
    "StampTfreeSplit, "                                                                            \
    "SynthesizeAllReduceSignals, "                                                                 \
    "MaterializeCommDomainScopes, "                                                                \
    "LowerHostTensorCollectives, MaterializeDistTensorCtx, Simplify, InsertCommFence)"

/* err is the first line that is printed; TRY follows it when try is set. */
static const struct {
    const char *name, *args, *err, *try;
} usage_rows[] = {
    {"unknown command", "chek k.py", "fencebench: error: no command 'chek'; did you mean 'check'?",
     NULL},
    {"nothing like a command", "frobnicate", "fencebench: error: no command 'frobnicate'", NULL},
    {"no file", "check", "fencebench check: expected at least one kernel file", TRY("check")},
    {"two files for run", "run k.py k.py", "fencebench run: expected one kernel file", TRY("run")},
    {"two contracts for run", "run k.py --model=sc,a2a3",
     "k.py: error: run takes one model and one number of ranks; these are 2 cases", NULL},
    {"two numbers of ranks for run", "run k.py -P 2,3",
     "k.py: error: run takes one model and one number of ranks; these are 2 cases", NULL},
    {"unknown option", "check --frob k.py", "fencebench check: unrecognized option '--frob'",
     TRY("check")},
    {"no ranks", "check k.py -P 0", "fencebench check: -P=0: expected an integer from 1 to 1024",
     TRY("check")},
    {"too many ranks", "check k.py -P 2,1025",
     "fencebench check: -P=1025: expected an integer from 1 to 1024", TRY("check")},
    {"ranks that are no number", "check k.py -P x",
     "fencebench check: -P=x: expected an integer from 1 to 1024", TRY("check")},
    {"a fraction", "run k.py -P 2.5", "fencebench run: -P=2.5: expected an integer from 1 to 1024",
     TRY("run")},
    {"a hole in a list", "check k.py -P 2,,4",
     "fencebench check: '2,,4': an entry of the list is empty", TRY("check")},
    {"a negative seed", "check k.py --seed=-1",
     "fencebench check: --seed=-1: expected an integer from 0 to 9223372036854775807",
     TRY("check")},
    {"no runs", "check k.py --runs=0",
     "fencebench check: --runs=0: expected an integer from 1 to 1000000000", TRY("check")},
    {"markers", "check k.py --markers=of",
     "fencebench check: --markers=of: no such value (off, on); did you mean 'off'?", TRY("check")},
    {"driver", "check k.py --driver=timd",
     "fencebench check: --driver=timd: no such value (timed, random, pct); did you mean 'timed'?",
     TRY("check")},
    {"alignment", "check k.py --window-align=48",
     "fencebench check: --window-align=48: expected a power of two", TRY("check")},
    {"emit", "compile k.py --emit=obj",
     "fencebench compile: --emit=obj: no such value (ir, asm, pto)", TRY("compile")},
    {"resume without a file", "sweep k.py --resume",
     "fencebench sweep: --resume and --merge need --db", TRY("sweep")},
    {"shard", "sweep k.py --shard=3/2",
     "fencebench sweep: --shard=3/2: expected I/N with 1 <= I <= N", TRY("sweep")},
    {"shard 0", "sweep k.py --shard=0/2",
     "fencebench sweep: --shard=0/2: expected I/N with 1 <= I <= N", TRY("sweep")},
    {"origin", "sweep k.py --origins=X",
     "fencebench sweep: --origins=X: no such value (W1, W2, W3, R1, by-hand, codegen, macro, "
     "auto-sync, entry, tail)",
     TRY("sweep")},
    {"contract", "check k.py --model=a2a4",
     "error: no machine contract 'a2a4' (looked in MODELS/machines); did you mean 'a2a3'?", NULL},
    {"one contract of several", "check k.py --model=a2a3,weakst",
     "error: no machine contract 'weakst' (looked in MODELS/machines); did you mean 'weakest'?",
     NULL},
    {"toolchain", "check k.py --toolchain=propose",
     "error: no toolchain profile 'propose' (looked in MODELS/toolchains); did you mean "
     "'proposed'?",
     NULL},
    {"pass", "compile k.py --print-after=InsertCommFenc",
     "error: unknown pass 'InsertCommFenc'; did you mean 'InsertCommFence'? " PASS_NAMES, NULL},
    {"pass to run", "check k.py --passes=Simplify,Fold", "error: unknown pass 'Fold' " PASS_NAMES,
     NULL},
    {"pass that does not run", "compile k.py --passes=Simplify --print-before=InsertCommFence",
     "error: --print-before=InsertCommFence: the pass does not run", NULL},
    {"pass that is switched off", "compile k.py --markers=off --print-after=InsertCommFence",
     "error: --print-after=InsertCommFence: the pass does not run", NULL},
    {"no such file", "check nofile.py", "nofile.py: error: cannot open: No such file or directory",
     NULL},
    {"folder", "check .", ".: error: is a directory, expected a file", NULL},
    {"argument without a value", "check k.py --arg peer",
     "--arg:1:1: error: expected NAME=EXPRESSION, as in peer=(rank+1)%nranks", NULL},
    {"argument that nobody takes", "check k.py --arg peer=1",
     "--arg:1:1: error: the kernel has no parameter or constant 'peer'", NULL},
    {"payload of a kernel that cannot be scaled", "flushes k.py --payload=64",
     "k.py: error: has no '# fencebench: payload NAME' line, so --payload cannot scale it", NULL},
    {"file that cannot be written", "compile k.py -o no/such/folder",
     "no/such/folder: error: cannot write: No such file or directory", NULL},
};

Test(cli, bad_usage)
{
    struct cli c;
    cli_open(&c);
    write_kernel(&c, good_body);
    for (size_t i = 0; i < COUNT(usage_rows); i++) {
        const char *name = usage_rows[i].name;
        struct result r = run(&c, "%s", usage_rows[i].args);
        expect_code(name, &r, 2);
        expect_text(name, r.out, "");
        size_t line = strcspn(r.err, "\n");
        expect_text(name, arena_strndup(&c.arena, r.err, line), usage_rows[i].err);
        if (usage_rows[i].try)
            expect_contains(name, r.err + line, usage_rows[i].try);
    }
    cli_close(&c);
}

Test(cli, no_command)
{
    static const char *const commands[] = {"compile",  "check",  "run",     "sweep",
                                           "minimize", "repair", "flushes", "plot",
                                           "models",   "ops",    "passes",  "lint"};
    struct cli c;
    cli_open(&c);
    struct result bare = run(&c, "%s", ""), help = run(&c, "--help");
    expect_code("no command", &bare, 2);
    expect_code("--help", &help, 0);
    expect_text("no command", bare.out, "");
    expect_text("--help", help.err, "");
    expect_text("the same text", bare.err, help.out);
    expect_contains("usage", help.out, "Usage: fencebench COMMAND [OPTION...] [FILE...]\n\n");
    for (size_t i = 0; i < COUNT(commands); i++) {
        expect_contains("usage", help.out, arena_printf(&c.arena, "\n  %s ", commands[i]));
        struct result r = run(&c, "%s --help", commands[i]);
        expect_code(commands[i], &r, 0);
        expect_contains(commands[i], r.out,
                        arena_printf(&c.arena, "Usage: fencebench %s", commands[i]));
    }
    cli_close(&c);
}

/* ---- files that are no kernels ---- */

Test(cli, kernels_that_do_not_compile)
{
    static const struct {
        const char *name, *body, *err;
    } rows[] = {
        {"unknown operator", "pld.tile.putt(win, 1, x, x)\n",
         "k.py:9:9: error: unknown operator 'pld.tile.putt'; did you mean 'pld.tile.put'? "
         "[unknown-operator]\n"
         "    9 |         pld.tile.putt(win, 1, x, x)\n"
         "      |         ^~~~~~~~~~~~~\n"},
        {"wrong arity", "pld.system.wait(sig, [0, 0], cmp=1)\n",
         "k.py:9:9: error: pld.system.wait expects 3 arguments, found 2 [op-arity]\n"
         "    9 |         pld.system.wait(sig, [0, 0], cmp=1)\n"
         "      |         ^~~~~~~~~~~~~~~\n"},
        {"wrong type", "pld.system.notify(x, 1, [0, 0], 1, op=0)\n",
         "k.py:9:27: error: argument 'target' of pld.system.notify must be a DistributedTensor, "
         "found "
         "pl.Tensor[[1, 16], pl.INT32] [argument-kind]\n"
         "    9 |         pld.system.notify(x, 1, [0, 0], 1, op=0)\n"
         "      |                           ^\n"},
        {"outside of a window, known beforehand", "v = pl.read(win, [0, 16])\n",
         "k.py:9:30: error: tensor.read reaches element 16 of dimension 1, which has 16 elements "
         "[region-bounds]\n"
         "    9 |         v = pl.read(win, [0, 16])\n"
         "      |                              ^~\n"},
        {"undefined name", "pl.write(win, [0, 0], nothing_like_it)\n",
         "k.py:9:31: error: undefined name 'nothing_like_it'\n"
         "    9 |         pl.write(win, [0, 0], nothing_like_it)\n"
         "      |                               ^~~~~~~~~~~~~~~\n"},
    };
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(rows); i++) {
        write_kernel(&c, rows[i].body);
        struct result r = run(&c, "check k.py");
        expect_code(rows[i].name, &r, 2);
        expect_text(rows[i].name, r.out, "");
        expect_text(rows[i].name, r.err, rows[i].err);
    }
    cli_close(&c);
}

/* A file cut anywhere is a program or one clear error. */
Test(cli, truncated_kernels, .timeout = 300)
{
    enum { CUTS = 60 };
    struct cli c;
    cli_open(&c);
    struct diag d = {.arena = &c.arena};
    const struct source *whole =
        source_read(&c.arena, arena_printf(&c.arena, "%s/scalar_publish.py", c.kernels), &d);
    cr_assert(whole);
    int errors = 0;
    for (size_t i = 0; i < CUTS; i++) {
        size_t len = whole->len * i / CUTS;
        const char *name = arena_printf(&c.arena, "first %zu bytes", len);
        write_file(&c, "cut.py", whole->text, len);
        struct result r = run(&c, "compile cut.py");
        cr_expect(r.code == 0 || r.code == 2, "%s: exit code %d", name, r.code);
        errors += r.code == 2;
        if (r.code != 2)
            continue;
        expect_text(name, r.out, "");
        cr_expect(!strncmp(r.err, "cut.py:", strlen("cut.py:")) && strstr(r.err, "error: "),
                  "%s: %s", name, r.err);
    }
    cr_expect(errors > CUTS / 4, "%d errors", errors);
    cli_close(&c);
}

Test(cli, model_files)
{
    static const struct {
        const char *name, *file, *text, *option, *err;
    } rows[] = {
        {"wrong key", "bad.model",
         "[model]\ninherit = a2a3\ndoc = test\n\n[semantics]\nwritebak = line\n",
         "--model=bad.model",
         "bad.model:6:1: error: unknown key 'writebak' in section [semantics] of a machine "
         "contract; did "
         "you mean 'writeback'?\n"
         "    6 | writebak = line\n"
         "      | ^~~~~~~~\n"},
        {"wrong choice", "bad.model",
         "[model]\ninherit = a2a3\ndoc = test\n[semantics]\nwriteback = lines\n",
         "--model=bad.model",
         "bad.model:5:1: error: 'writeback = lines': expected line|word\n"
         "    5 | writeback = lines\n"
         "      | ^~~~~~~~~\n"},
        {"wrong cost", "bad.model",
         "[model]\ninherit = a2a3\ndoc = test\n[cost]\nld_hit = quick 4\n", "--model=bad.model",
         "bad.model:5:1: error: 'ld_hit = quick 4': expected 'fixed n', 'uniform a b', 'tail a b p "
         "n' or "
         "'log a b', in cycles\n"
         "    5 | ld_hit = quick 4\n"
         "      | ^~~~~~\n"},
        {"no key at all", "bad.model", "[model]\ninherit = a2a3\ndoc = test\nnonsense\n",
         "--model=bad.model",
         "bad.model:4:1: error: expected '[section]' or 'key = value'\n"
         "    4 | nonsense\n"
         "      | ^\n"},
        {"toolchain with a wrong key", "bad.toolchain",
         "[model]\ninherit = ptoas-0.57\ndoc = test\n[lowering]\nfences = fence3\n",
         "--toolchain=bad.toolchain",
         "bad.toolchain:5:1: error: unknown key 'fences' in section [lowering] of a toolchain "
         "profile; did "
         "you mean 'fence'?\n"
         "    5 | fences = fence3\n"
         "      | ^~~~~~\n"},
    };
    struct cli c;
    cli_open(&c);
    write_kernel(&c, good_body);
    for (size_t i = 0; i < COUNT(rows); i++) {
        write_file(&c, rows[i].file, rows[i].text, strlen(rows[i].text));
        struct result r = run(&c, "check k.py %s", rows[i].option);
        expect_code(rows[i].name, &r, 2);
        expect_text(rows[i].name, r.out, "");
        expect_text(rows[i].name, r.err, rows[i].err);
    }
    static const char good[] = "[model]\ninherit = sc\ndoc = a contract of the user's own\n";
    write_file(&c, "own.model", good, strlen(good));
    struct result r = run(&c, "check k.py -P 1 --runs=1 --model=own.model");
    expect_code("own contract", &r, 0);
    cli_close(&c);
}

/* ---- verdicts of bad kernels ---- */

enum { MAX_PARTS = 5 };

Test(cli, bad_kernels)
{
    static const struct {
        const char *name, *body;
        int ranks;
        const char *parts[MAX_PARTS]; /* of what is printed */
    } rows[] = {
        {"a wait that nobody satisfies",
         "pld.system.wait(sig, [0, 0], 3, cmp=pld.WaitCmp.Ge)\n",
         1,
         {"k.py:9:9: error: hang at sig[0]@0: 3 of 3 runs (100.0 %), first seed 1\n"
          "      at        k.py:9:9: TWAIT, by rank 0\n"
          "                | pld.system.wait(sig, [0, 0], 3, cmp=pld.WaitCmp.Ge)\n"
          "      where     nowhere\n"
          "      note      waits for >= 3, memory holds 0: nothing that is still to come sets "
          "it\n"}},
        {"a wait that what arrives does not satisfy",
         "pld.system.notify(sig, 1 - me, [0, 0], 2, op=0)\n"
         "pld.system.wait(sig, [0, 0], 3, cmp=pld.WaitCmp.Eq)\n",
         2,
         {"k.py:10:9: error: hang at sig[0]@", "at        k.py:10:9: TWAIT, by rank ",
          "      holds     k.py:9:9: TNOTIFY, by rank ",
          "waits for == 3, memory holds 2: nothing that is still to come sets it\n"}},
        {"a wait that what arrives has passed",
         "pld.system.notify(sig, 1 - me, [0, 0], 2, op=0)\n"
         "pld.system.notify(sig, 1 - me, [0, 0], 2, op=0)\n"
         "pld.system.wait(sig, [0, 0], 3, cmp=pld.WaitCmp.Eq)\n",
         2,
         {"k.py:11:9: error: hang at sig[0]@", "at        k.py:11:9: TWAIT, by rank ",
          "      holds     k.py:10:9: TNOTIFY, by rank ", "      where     passed already\n",
          "waits for == 3, memory holds 4: the value was passed; use >=\n"}},
        {"a wait for one's own later notify",
         "pld.system.wait(sig, [0, 0], 1, cmp=1)\npld.system.notify(sig, me, [0, 0], 1, op=0)\n",
         1,
         {": error: hang at sig[0]@0: 3 of 3 runs",
          "      set by    k.py:10:9: TNOTIFY, by rank 0\n",
          "      where     behind this wait itself\n",
          "waits for >= 1, memory holds 0: to be set in line 10, which stands behind this wait\n"}},
        {"a notify that may come, by a condition on data",
         "if me == 0:\n"
         "    pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n"
         "else:\n"
         "    pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n"
         "    if pl.read(x, [0, 0]) > 7:\n"
         "        pld.system.notify(sig, 0, [0, 0], 1, op=0)\n",
         2,
         {"k.py:12:13: error: hang at sig[0]@1: 3 of 3 runs (100.0 %), first seed 1\n"
          "      at        k.py:12:13: TWAIT, by rank 1\n",
          "memory holds 0: nothing that is still to come sets it\n"
          "      remedy    none of its own: the program lacks what would set it, or another "
          "finding kept that from coming\n"
          "k.py:10:13: error: hang at sig[0]@0: 3 of 3 runs (100.0 %), first seed 1\n"
          "      at        k.py:10:13: TWAIT, by rank 0\n",
          "memory holds 0: to be set in line 14 by rank 1, which stands at line 12\n"}},
        {"a way ahead that is too long to tell",
         "pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n"
         "for i in pl.range(1000000):\n"
         "    v = pl.read(x, [0, 0])\n"
         "pld.system.notify(sig, me, [0, 0], 1, op=0)\n",
         1,
         {"      note      waits for >= 1, memory holds 0\n"}},
        {"outside of a window",
         "v = pl.read(win, [0, me + 16])\n",
         1,
         {"k.py:9:9: error: out of bounds at win[16]@0: 3 of 3 runs (100.0 %), first seed 1\n"
          "      at        k.py:9:9: tensor.read, by rank 0\n"
          "                | v = pl.read(win, [0, me + 16])\n"
          "      note      index [1, 0] of win, whose extent is [1, 16]\n"}},
        {"outside of a window, by DMA",
         "t = pl.load(win, [me + 1, 0], [1, 16])\n",
         1,
         {"k.py:9:9: error: out of bounds at win[16]@0: 3 of 3 runs",
          "      at        k.py:9:9: tile.load, by rank 0\n",
          "      note      1 x 16 elements from index [1, 0] of win, whose extent is [1, 16]\n"}},
        {"outside of a local tensor, by a store",
         "pl.write(out, [0, me + 16], 1)\n",
         1,
         {"k.py:9:9: error: out of bounds at out[16]@0: 3 of 3 runs",
          "      at        k.py:9:9: tensor.write, by rank 0\n",
          "      note      index [1, 0] of out, whose extent is [1, 16]\n"}},
        {"before a local tensor, in the second of two loops",
         "for i in pl.range(2):\n"
         "    for k in pl.range(1, 4):\n"
         "        pl.write(out, [i, 2 - k - i], 1)\n",
         1,
         {"k.py:11:17: error: out of bounds at out[-1]@0: 3 of 3 runs (100.0 %), first seed 1\n"
          "      at        k.py:11:17: tensor.write, by rank 0, i = 0 (line 9), k = 3 (line 10)\n"
          "                | pl.write(out, [i, 2 - k - i], 1)\n"
          "      note      index [-1, 15] of out, whose extent is [1, 16]\n"}},
        {"behind a loop there is no iteration",
         "for i in pl.range(2):\n    pl.write(out, [0, i], 1)\npl.write(out, [0, me + 16], 1)\n",
         1,
         {"      at        k.py:11:9: tensor.write, by rank 0\n                | pl.write"}},
        {"an element of a tile",
         "t = pl.load(x, [0, 0], [1, 16])\nv = pl.tile.read(t, [0, me + 17])\n",
         1,
         {"k.py:10:9: error: out of bounds of tile t: 3 of 3 runs (100.0 %), first seed 1\n"
          "      at        k.py:10:9: tile.read, by rank 0\n"
          "                | v = pl.tile.read(t, [0, me + 17])\n"
          "      note      index [1, 1] of tile t, whose extent is [1, 16]\n"}},
        {"a peer beyond the last",
         "pld.system.notify(sig, me + 1, [0, 0], 1, op=0)\n",
         1,
         {": error: out of bounds at sig_ctx.windows[1]@0: 3 of 3 runs",
          ": peer address, by rank 0\n", "      note      no peer 1: they are 0 to 0\n"}},
        {"a peer before the first",
         "t = pld.tile.remote_load(win, me - 1, [0, 0], [1, 16])\n",
         1,
         {": error: out of bounds at win_ctx.windows[-1]@0: 3 of 3 runs",
          ": peer address, by rank 0\n", "      note      no peer -1: they are 0 to 0\n"}},
        {"a scalar read of an output",
         "v = pl.read(out, [0, 3])\n",
         1,
         {"k.py:9:9: error: uninitialised read at out[3]@0: 3 of 3 runs (100.0 %), first seed 1\n"
          "      at        k.py:9:9: tensor.read, by rank 0\n"}},
        {"a DMA read of an output",
         "t = pl.load(out, [0, 0], [1, 16])\n",
         1,
         {"k.py:9:9: error: uninitialised read at out[0]@0: 3 of 3 runs (100.0 %), first seed 1\n"
          "      at        k.py:9:9: tile.load, by rank 0\n"}},
        {"two ranks that write one word",
         "pld.tile.remote_store(pl.load(x, [0, 0], [1, 16]), win, 0, [0, 0])\n",
         2,
         {": error: race at win[0..15]@0: 3 of 3 runs",
          "the program's own order is missing: no marker helps"}},
    };
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(rows); i++) {
        write_kernel(&c, rows[i].body);
        struct result r = run(&c, "check k.py --runs=3 -P %d", rows[i].ranks);
        expect_code(rows[i].name, &r, 1);
        expect_text(rows[i].name, r.err, "");
        expect_contains(rows[i].name, r.out,
                        "a2a3           ptoas-0.57    3 runs: 3 failed (100.0 %)\n");
        for (int p = 0; p < MAX_PARTS && rows[i].parts[p]; p++)
            expect_contains(rows[i].name, r.out, rows[i].parts[p]);
        expect_contains(rows[i].name, r.out,
                        arena_printf(&c.arena,
                                     "    replay: fencebench run k.py -P %d --model=a2a3 "
                                     "--toolchain=ptoas-0.57 --seed=1   (build)\n",
                                     rows[i].ranks));
    }
    cli_close(&c);
}

Test(cli, a_good_kernel)
{
    struct cli c;
    cli_open(&c);
    write_kernel(&c, good_body);
    struct result r = run(&c, "check k.py --runs=3 -P 1,2 --model=sc,a2a3 --explore=never");
    expect_code("good", &r, 0);
    expect_text("good", r.err, "");
    static const char *const cases[] = {"P=1  sc  ", "P=1  a2a3", "P=2  sc  ", "P=2  a2a3"};
    for (size_t i = 0; i < COUNT(cases); i++)
        expect_contains(
            cases[i], r.out,
            arena_printf(&c.arena,
                         "k                            %s           ptoas-0.57    3 runs: "
                         "clean, so less than 64 %% of runs fail (95 %%)\n",
                         cases[i]));
    expect_contains("good", r.out, "4 cases: 4 clean, 0 with findings\n");
    cli_close(&c);
}

/* What runs without a finding bound: the rule of three, to two digits and never too small. */
Test(cli, clean_carries_its_bound)
{
    static const struct {
        int runs;
        const char *below;
    } rows[] = {
        {1, "95"},   {2, "78"},    {3, "64"},     {10, "26"},
        {75, "4.0"}, {100, "3.0"}, {500, "0.60"}, {1000, "0.30"},
    };
    struct cli c;
    cli_open(&c);
    write_kernel(&c, good_body);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *clean = arena_printf(
            &c.arena, "clean, so less than %s %% of runs fail (95 %%)\n", rows[i].below);
        struct result r = run(&c, "check k.py -P 1 --explore=never --runs=%d", rows[i].runs);
        expect_contains("check", r.out, arena_printf(&c.arena, "%d runs: %s", rows[i].runs, clean));
        r = run(&c, "check k.py -P 1 --table --runs=%d", rows[i].runs);
        expect_contains(
            "table", r.out,
            arena_printf(&c.arena, "  clean         \n%d runs of each: %s", rows[i].runs, clean));
    }
    struct result r = run(&c, "check k.py -P 1 --json");
    expect_contains("json", r.out, "\"bound\": {\n          \"rate_below\": 0.02951304960");
    /* No bound where something was found. */
    write_kernel(&c, "v = pl.read(win, [0, me + 16])\n");
    r = run(&c, "check k.py -P 1 --table --runs=100");
    cr_expect(!strstr(r.out, "clean"), "%s", r.out);
    r = run(&c, "check k.py -P 1 --json");
    cr_expect(!strstr(r.out, "bound\": {"), "%s", r.out);
    cli_close(&c);
}

#define PROVED "clean, proved: none of its "
#define BOUND  "clean, so less than "
#define EVERY_ORDER                                                                                \
    "    every order of its steps, for this number of ranks, these inputs and sizes: "

/* Where all states are few, clean is proved; the command that check names counts the same. */
Test(cli, a_look_at_the_states)
{
    static const struct {
        const char *args;
        int code;
        const char *says;    /* in front of a number of states or a command */
        const char *command; /* in front of the command; NULL: nothing of explore */
    } rows[] = {
        {"KERNELS/put_ring.py -P 2", 0, " 100 runs: " PROVED, EVERY_ORDER},
        {"KERNELS/expert_dispatch.py -P 2", 0, " 100 runs: " PROVED, EVERY_ORDER},
        {"KERNELS/relay.py -P 2 --batch=none --model=a2a3-fifo", 0, PROVED, EVERY_ORDER},
        {"KERNELS/put_ring.py -P 2 --markers=off --runs=1 --seed=3", 1,
         " 1 runs: nothing found in these runs\n", "    explore finds what these runs did not: "},
        {"KERNELS/put_ring.py -P 2 --markers=off", 1, NULL, NULL}, /* the runs found it */
        {"KERNELS/expert_dispatch.py -P 6 --runs=5", 0, " 5 runs: " BOUND "46 %", NULL}, /* many */
        {"KERNELS/put_ring.py -P 2 --explore=never", 0, " 300 runs: " BOUND "1.00 %", NULL},
        {"KERNELS/put_ring.py -P 2 --runs=7 --explore=never", 0, " 7 runs: " BOUND "35 %", NULL},
        {"KERNELS/put_ring.py -P 2 --table", 0, "  clean  ", NULL},
        {"KERNELS/put_ring.py -P 2 --table --explore=always", 0, "  proved  ", NULL},
    };
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *args = replaced(&c.arena, rows[i].args, "KERNELS", c.kernels);
        struct result r = run(&c, "check %s", args);
        expect_code(rows[i].args, &r, rows[i].code);
        if (rows[i].says)
            expect_contains(rows[i].args, r.out, rows[i].says);
        if (!rows[i].command) {
            cr_expect(!strstr(r.out, "explore"), "%s: %s", rows[i].args, r.out);
            continue;
        }
        const char *line = rows[i].code ? "" : line_after(&c.arena, r.out, PROVED);
        const char *command = line_after(&c.arena, r.out, rows[i].command);
        cr_assert(line && command, "%s: %s", rows[i].args, r.out);
        struct result e = run(
            &c, "%s", replaced(&c.arena, command + strlen("fencebench "), "KERNELS", c.kernels));
        expect_code(command, &e, rows[i].code);
        if (rows[i].code == 0)
            expect_contains(
                command, e.out,
                arena_printf(&c.arena, ": %.*s states, ", (int)strcspn(line, " "), line));
    }
    cli_close(&c);
}

/* A run in which nothing happened is an error, not a pass. */
Test(cli, a_kernel_that_does_nothing)
{
    static const char *const commands[] = {
        "check --runs=2", "run",      "sweep --runs=2", "flushes --runs=2",
        "explore",        "minimize", "repair"};
    static const char text[] = "import pypto.language as pl\n"
                               "@pl.function(type=pl.FunctionType.InCore)\n"
                               "def k(x: pl.Tensor[[1, 16], pl.INT32]):\n"
                               "    y = 1\n";
    struct cli c;
    cli_open(&c);
    write_file(&c, "k.py", text, strlen(text));
    for (size_t i = 0; i < COUNT(commands); i++) {
        struct result r = run(&c, "%s k.py -P 2", commands[i]);
        expect_code(commands[i], &r, 2);
        expect_text(
            commands[i], r.err,
            "k.py: error: with P=2 no memory access was checked: the kernel does nothing here\n");
    }
    cli_close(&c);
}

/* One that fails before any access of memory is judged did do something. */
Test(cli, a_kernel_that_fails_at_once)
{
    static const struct {
        const char *body, *finding;
    } rows[] = {
        {"v = pl.read(x, [0, n])", ": error: out of bounds at x[-1]@0"},
        {"t = pl.load(x, [0, n], [1, 16])", ": error: out of bounds at x[-1]@0"},
        {"pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)", ": error: hang at sig[0]@0"},
    };
    static const char *const commands[] = {"check --runs=2", "run", "explore"};
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *text =
            arena_printf(&c.arena,
                         "import pypto.language as pl\n"
                         "import pypto.language.distributed as pld\n"
                         "@pl.function(type=pl.FunctionType.InCore)\n"
                         "def k(x: pl.Tensor[[1, 16], pl.INT32], n: pl.Scalar[pl.INT32], "
                         "sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]]):\n"
                         "    %s\n",
                         rows[i].body);
        write_file(&c, "k.py", text, strlen(text));
        for (size_t k = 0; k < COUNT(commands); k++) {
            struct result r = run(&c, "%s k.py -P 1 --arg n=-1", commands[k]);
            expect_code(rows[i].body, &r, 1);
            expect_contains(rows[i].body, r.out, rows[i].finding);
            expect_text(rows[i].body, r.err, "");
        }
    }
    cli_close(&c);
}

/* Rank 0 waits, earlier in the text, for what rank 1 would send behind a wait for itself. */
Test(cli, explored_hangs)
{
    struct cli c;
    cli_open(&c);
    write_kernel(&c, "if me == 0:\n"
                     "    pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n"
                     "else:\n"
                     "    pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n"
                     "    pld.system.notify(sig, me, [0, 0], 1, op=0)\n"
                     "    pld.system.notify(sig, 0, [0, 0], 1, op=0)\n");
    struct result r = run(&c, "explore k.py -P 2");
    expect_code("hangs", &r, 1);
    const char *cause = strstr(r.out, "which stands behind this wait"),
               *victim = strstr(r.out, "to be set in line 14 by rank 1, which stands at line 12");
    cr_expect(cause && victim && cause < victim, "the cause comes first:\n%s", r.out);
    cli_close(&c);
}

Test(cli, payload_that_does_not_fit)
{
    static const struct {
        const char *name, *type, *err;
    } rows[] = {
        {"nope", "INT32", "k.py:1:23: error: the kernel has no parameter or constant 'nope'\n"},
        {"N", "INT4", "k.py:4:7: error: the machine has no elements of type INT4\n"},
        {"N", "INT64", "k.py: error: --payload=516 is no multiple of its element, 8 bytes\n"},
    };
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *text = arena_printf(&c.arena,
                                        "# fencebench: payload %s\n"
                                        "import pypto.language as pl\n"
                                        "@pl.function(type=pl.FunctionType.InCore)\n"
                                        "def k(x: pl.Tensor[[1, 16], pl.%s]):\n"
                                        "    t = pl.load(x, [0, 0], [1, 16])\n",
                                        rows[i].name, rows[i].type);
        write_file(&c, "k.py", text, strlen(text));
        struct result r = run(&c, "flushes k.py -P 1 --runs=1 --payload=516");
        expect_code(rows[i].err, &r, 2);
        expect_text(rows[i].err, arena_strndup(&c.arena, r.err, strcspn(r.err, "\n") + 1),
                    rows[i].err);
    }
    cli_close(&c);
}

Test(cli, limits)
{
    struct cli c;
    cli_open(&c);
    write_kernel(&c, "while True:\n    v = pl.read(x, [0, 0])\n");
    struct result r = run(&c, "check k.py -P 1 --runs=2 --max-transitions=1000");
    expect_code("limit", &r, 3);
    expect_contains("limit", r.out,
                    "k.py:1:1: error: time-out: 2 of 2 runs (100.0 %), first seed 1\n"
                    "      note      the run reached its limit of transitions\n");
    r = run(&c, "run k.py -P 1 --max-transitions=1000");
    expect_code("limit of one run", &r, 3);
    write_kernel(&c, good_body);
    r = run(&c, "check k.py -P 1 --runs=2 --max-transitions=1000");
    expect_code("no limit is met", &r, 0);
    cli_close(&c);
}

/* However small, a limit is no answer of its own: neither clean nor bad input. */
Test(cli, a_limit_is_no_answer)
{
    static const char *const commands[] = {
        "check k.py -P 2 --runs=2 --max-transitions=%d",
        "check k.py -P 2 --runs=2 --driver=random --max-transitions=%d",
        "check k.py -P 2 --runs=2 --driver=pct --max-transitions=%d",
        "check k.py -P 2 --runs=2 --table --model=all --max-transitions=%d",
        "run k.py -P 2 --max-transitions=%d",
        "sweep k.py -P 2 --runs=2 --max-transitions=%d",
        "flushes k.py -P 2 --max-transitions=%d",
        "explore k.py -P 2 --max-transitions=%d",
        "explore k.py -P 2 --no-reduction -j 3 --max-transitions=%d",
    };
    struct cli c;
    cli_open(&c);
    write_kernel(&c, good_body);
    for (size_t i = 0; i < COUNT(commands); i++)
        for (int limit = 1; limit < 6; limit += 2) {
            const char *command = arena_printf(&c.arena, commands[i], limit);
            struct result r = run(&c, "%s", command);
            expect_code(command, &r, 3);
            cr_expect(!strstr(r.out, "clean"), "%s: %s", command, r.out);
        }
    cli_close(&c);
}

/* What was found before a limit stands. */
Test(cli, findings_before_a_limit)
{
    struct cli c;
    cli_open(&c);
    write_kernel(&c, "old = pl.read(out, [0, 0])\n"
                     "while True:\n"
                     "    v = pl.read(x, [0, 0])\n");
    static const char *const commands[] = {"check", "run", "explore"};
    for (size_t i = 0; i < COUNT(commands); i++) {
        struct result r = run(&c, "%s k.py -P 1 --max-transitions=1000", commands[i]);
        expect_code(commands[i], &r, 1);
        expect_contains(commands[i], r.out, "uninitialised read at out[0]@0");
    }
    cli_close(&c);
}

/* ---- compile ---- */

Test(cli, compile_shows_the_pass)
{
    struct cli c;
    cli_open(&c);
    write_kernel(&c, "pld.system.wait(sig, [0, 0], 0, cmp=pld.WaitCmp.Ge)\n");
    struct result before = run(&c, "compile k.py --print-before=InsertCommFence"),
                  after = run(&c, "compile k.py --print-after=InsertCommFence"),
                  all = run(&c, "compile k.py --print-after=all"), plain = run(&c, "compile k.py"),
                  off = run(&c, "compile k.py --markers=off");
    static const char wait[] = "        pld.system.wait(sig__ssa_v0, [0, 0], 0, cmp=1)\n",
                      flush[] = "        pl.system.cacheinvalid()\n";
    expect_contains("before", before.out, "# ---- before InsertCommFence\n");
    expect_contains("before", before.out, wait);
    cr_expect(!strstr(before.out, flush), "%s", before.out);
    expect_contains("after", after.out, "# ---- after InsertCommFence\n");
    expect_contains("after", after.out, arena_printf(&c.arena, "%s%s", wait, flush));
    const char *last = strstr(all.out, "# ---- after InsertCommFence\n");
    expect_text("after all", last, after.out);
    expect_text("the last pass",
                arena_printf(&c.arena, "# ---- after InsertCommFence\n%s", plain.out), after.out);
    expect_text("without markers",
                arena_printf(&c.arena, "# ---- before InsertCommFence\n%s", off.out), before.out);
    cli_close(&c);
}

/* The headings of what is printed, in order. */
static const char *headings(struct cli *c, const char *text)
{
    struct strbuf b = strbuf_make(&c->arena);
    for (const char *at = text; (at = strstr(at, "# ---- ")); at += 7)
        strbuf_addn(&b, at + 7, strcspn(at + 7, "\n") + 1);
    return b.text;
}

Test(cli, compile_shows_each_pass)
{
    static const struct {
        const char *args, *headings;
    } rows[] = {
        {"--passes=Simplify,InsertCommFence --print-after=all",
         "after Simplify\nafter InsertCommFence\n"},
        {"--passes=Simplify,InsertCommFence --print-before=all",
         "before Simplify\nbefore InsertCommFence\n"},
        {"--passes=Simplify,InsertCommFence --print-before=all --print-after=Simplify",
         "before Simplify\nafter Simplify\nbefore InsertCommFence\n"},
        {"--passes=InsertCommFence,Simplify --markers=off --print-after=all", "after Simplify\n"},
        {"--passes=Simplify,Simplify --print-after=Simplify", "after Simplify\nafter Simplify\n"},
        {"--passes=none --print-after=all", ""},
        {"--passes=none", ""},
    };
    struct cli c;
    cli_open(&c);
    write_kernel(&c, "pld.system.wait(sig, [0, 0], 0, cmp=pld.WaitCmp.Ge)\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct result r = run(&c, "compile k.py --verify-each %s", rows[i].args);
        expect_code(rows[i].args, &r, 0);
        expect_text(rows[i].args, headings(&c, r.out), rows[i].headings);
    }
    cli_close(&c);
}

/* Said once, on standard error, however often the file is compiled; the answer is the same. */
Test(cli, note_of_a_while_condition)
{
    static const char note[] =
        "k.py:9:15: note: FlattenCallExpr: a call in the condition of a while loop is evaluated "
        "once, before the loop, and not again in each round\n"
        "    9 |         while pl.tensor.read(x, [0, 0]) < 0:\n"
        "      |               ^~~~~~~~~~~~~~\n";
    static const char *const commands[] = {"compile k.py", "check k.py -P 1,2 --model=a2a3,weakest",
                                           "run k.py -P 1"};
    struct cli c;
    cli_open(&c);
    write_kernel(&c, "while pl.tensor.read(x, [0, 0]) < 0:\n    pl.write(out, [0, 0], 1)\n");
    for (size_t i = 0; i < COUNT(commands); i++) {
        struct result r = run(&c, "%s", commands[i]);
        expect_code(commands[i], &r, 0);
        expect_text(commands[i], r.err, note);
    }
    cli_close(&c);
}

/* A slice is a copy in a kernel: what is only written to it is lost. What is stored is not, and no
 * note is made of it. */
Test(cli, note_of_a_write_to_a_copy)
{
    static const char note[] = "k.py:10:9: note: ConvertTensorToTileOps: this writes to a copy in "
                               "a tile, not to the tensor "
                               "that it was taken from, and nothing uses the copy\n"
                               "   10 |         pl.write(s, [0, 0], 1.0)\n"
                               "      |         ^~~~~~~~\n";
    struct cli c;
    cli_open(&c);
    write_kernel(&c, "s = x[0:1, :]\npl.write(s, [0, 0], 1.0)\n");
    struct result r = run(&c, "compile k.py");
    expect_text("lost", r.err, note);
    write_kernel(&c, "s = x[0:1, :]\npl.write(s, [0, 0], 1.0)\nout[0:1, :] = s\n");
    r = run(&c, "compile k.py");
    expect_text("stored", r.err, "");
    cli_close(&c);
}

/* Operators that the machine has no arithmetic for are counted, each once; others are not. */
Test(cli, operators_without_arithmetic)
{
    struct cli c;
    cli_open(&c);
    write_kernel(&c, "out[:, :] = pl.exp(pl.exp(pl.add(x, x)))\n");
    struct result r = run(&c, "check k.py --runs=3 -P 1 --model=sc");
    expect_contains("text", r.out, "    1 operator without arithmetic: tile.exp\n");
    r = run(&c, "check k.py --runs=3 -P 1 --model=sc --json");
    expect_contains("json", r.out, "\"uninterpreted\": 1");
    write_kernel(&c, "out[:, :] = pl.add(x, x)\n");
    r = run(&c, "check k.py --runs=3 -P 1 --model=sc");
    cr_expect(!strstr(r.out, "without arithmetic"), "%s", r.out);
    cli_close(&c);
}

/* An error of a pass names it and the line of the source. */
Test(cli, compile_names_the_pass_that_fails)
{
    static const char text[] = "@pl.program\n"
                               "class P:\n"
                               "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
                               "    def host(self, w: pld.DistributedTensor[[256], pl.FP32]):\n"
                               "        for i in pl.range(2):\n"
                               "            pld.tensor.allreduce(w, op=0)\n";
    struct cli c;
    cli_open(&c);
    write_file(&c, "h.py", text, strlen(text));
    struct result r = run(&c, "compile h.py");
    expect_code("loop", &r, 2);
    expect_text("loop", r.out, "");
    expect_text("loop", r.err,
                "h.py:6:13: error: SynthesizeAllReduceSignals: pld.tensor.allreduce in a for/while "
                "loop needs a signal of its own: pld.tensor.allreduce(target, signal, ...) "
                "[loop-signal]\n"
                "    6 |             pld.tensor.allreduce(w, op=0)\n"
                "      |             ^~~~~~~~~~~~~~~~~~~~\n");
    r = run(&c, "compile h.py --passes=MaterializeCommDomainScopes");
    expect_code("order", &r, 2);
    expect_text("order", r.err,
                "h.py:6:13: error: pass 'MaterializeCommDomainScopes' requires 'SignalsExplicit', "
                "which no earlier pass produces: this allreduce has no signal yet\n"
                "    6 |             pld.tensor.allreduce(w, op=0)\n"
                "      |             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
    cli_close(&c);
}

/* What is printed is a kernel, and the markers in it are not inserted twice. */
Test(cli, compile_reads_what_it_prints)
{
    static const char *const kernels[] = {"mesh_allreduce", "mesh_allreduce_ssa", "expert_dispatch",
                                          "all_to_all_v", "two_kernel"};
    static const char *const batches[] = {"loops", "none"};
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(kernels); i++)
        for (size_t b = 0; b < COUNT(batches); b++) {
            struct result once = run(&c, "compile %s/%s.py --batch=%s -o once.py", c.kernels,
                                     kernels[i], batches[b]);
            expect_code(kernels[i], &once, 0);
            struct result twice = run(&c, "compile once.py --batch=%s -o twice.py", batches[b]);
            expect_code(kernels[i], &twice, 0);
            expect_text(kernels[i], file_text(&c, "twice.py"), file_text(&c, "once.py"));
        }
    cli_close(&c);
}

Test(cli, compile_prints_the_machine_program)
{
    struct cli c;
    cli_open(&c);
    write_kernel(&c, "pl.write(win, [0, 0], 1)\n");
    struct result r = run(&c, "compile k.py --emit=asm -P 3");
    expect_code("asm", &r, 0);
    expect_contains("asm", r.out, "; program k, 3 ranks, ");
    expect_contains("asm", r.out, "; cores of ranks 0 to 2\n");
    /* Each line ends in its origin, its line and its operation. */
    static const char *const parts[] = {
        "; kernel    line 9 tensor.write\n", "; W1        line 9 system.cacheinvalid [site 0]\n",
        "; W1        line 9 system.fence [site 1]\n", "; tail      line 6 k [site 3]\n"};
    for (size_t i = 0; i < COUNT(parts); i++)
        expect_contains("asm", r.out, parts[i]);
    cli_close(&c);
}

/* ---- compiled forms ---- */

/* The publish and consume pair: what may stand in front of its notify, and whether that is
 * enough (pto-facts 6.3): data of DMA needs a drain and a dsb, that of scalar stores a clean in front of
 * the dsb. */
static const struct {
    const char *name, *publish;
    int code;
} pairs[] = {
#define BY_DMA    "t = pl.load(inp, [0, 0], [1, 16])\n        pl.store(t, [0, 0], win)\n        "
#define BY_SCALAR "x = pl.read(inp, [0, 1])\n        pl.write(win, [0, 1], x)\n        "
#define CLEAN     "pl.system.cacheinvalid(win, [1, 16], [0, 0])\n        "
#define FENCE     "pl.system.fence()\n        "
    {"dma, both markers", BY_DMA CLEAN FENCE, 0},
    {"dma without the fence", BY_DMA CLEAN, 1},
    {"dma without the clean", BY_DMA FENCE, 0},
    {"dma behind the fence", FENCE BY_DMA, 1},
    {"scalar, both markers", BY_SCALAR CLEAN FENCE, 0},
    {"scalar without the clean", BY_SCALAR FENCE, 1},
    {"scalar, cleaned behind the fence", BY_SCALAR FENCE CLEAN, 1},
    {"scalar without markers", BY_SCALAR, 1},
};

static void write_pair(struct cli *c, const char *publish)
{
    char *text = arena_printf(
        &c->arena,
        "# fencebench: ranks 2\n# fencebench: arg peer=1-rank\nimport pypto.language as pl\n"
        "import pypto.language.distributed as pld\n\n\n@pl.program\nclass Pair:\n"
        "    @pl.function(type=pl.FunctionType.InCore)\n"
        "    def k(self, inp: pl.Tensor[[1, 16], pl.INT32],\n"
        "          win: pl.InOut[pld.DistributedTensor[[1, 16], pl.INT32]],\n"
        "          sig: pl.InOut[pld.DistributedTensor[[1, 1], pl.INT32]],\n"
        "          out: pl.Out[pl.Tensor[[1, 16], pl.INT32]], peer: pl.Scalar[pl.INT32]):\n"
        "        %spld.system.notify(sig, peer, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)\n"
        "        pld.system.wait(sig, [0, 0], 1, cmp=pld.WaitCmp.Ge)\n"
        "        pl.system.cacheinvalid()\n"
        "        got = pld.tile.remote_load(win, peer, [0, 0], [1, 16])\n"
        "        pl.store(got, [0, 0], out)\n",
        publish);
    write_file(c, "pair.py", text, strlen(text));
}

/* A source and its compiled form are judged alike: command and options, what they leave. */
static void expect_both(struct cli *c, const char *name, const char *source, const char *compiling,
                        const char *exploring, int code)
{
    struct result r = run(c, "explore %s %s %s", source, compiling, exploring);
    expect_code(name, &r, code);
    r = run(c, "compile --emit=pto %s %s -o form.pto", source, compiling);
    expect_code(name, &r, 0);
    r = run(c, "explore form.pto %s", exploring);
    expect_code(name, &r, code);
}

/* Spelling decides nothing (pto-facts 1): newer names, no locations, comments, broken lines, the enumerations
 * without their sort, a context that nobody uses. */
static void expect_respelled(struct cli *c, const char *name, int code)
{
    struct result r =
        shell(c, "sed -E -e 's/pto\\.(load|store)_scalar/pto.\\1/' -e 's/ loc\\(.*\\)$//' "
                 "-e 's/ outs\\(/\\n    outs(/' -e 's/#pto\\.fence_scope//' "
                 "-e 's/^( *)(pto\\.comm)/\\1\\/\\/ communication\\n\\1\\2/' "
                 "-e 's/(func\\.func .*)\\) attributes/\\1, %unused: !pto.ptr<i64>) attributes/' "
                 "form.pto > respelled.pto && ! cmp -s form.pto respelled.pto");
    expect_code(name, &r, 0);
    r = run(c, "explore respelled.pto");
    expect_code(arena_printf(&c->arena, "%s, respelled", name), &r, code);
}

Test(cli, pairs_in_both_forms)
{
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(pairs); i++) {
        write_pair(&c, pairs[i].publish);
        expect_both(&c, pairs[i].name, "pair.py", "--markers=off", "", pairs[i].code);
        expect_respelled(&c, pairs[i].name, pairs[i].code);
    }
    cli_close(&c);
}

/* Two doubts about real kernels (pto-facts 3.6; docs/findings.md). */
Test(cli, hypotheses_in_both_forms)
{
#define HOST "KERNELS/host/"
    static const struct {
        const char *source, *exploring;
        int code;
    } rows[] = {
        {"KERNELS/local_read_credit.py -P 2", "", 1},
        {HOST "anchor_store_back.py", "--toolchain=" HOST "assembler_tail_runtime_waits.toolchain",
         0},
        {HOST "anchor_store_back.py",
         "--toolchain=" HOST "assembler_tail_runtime_waits.toolchain --model=" HOST
         "one_core_dirty.model",
         1},
        {HOST "anchor_store_back.py", "--model=" HOST "one_core_dirty.model", 0},
    };
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_both(&c, rows[i].source, replaced(&c.arena, rows[i].source, "KERNELS", c.kernels),
                    "", replaced(&c.arena, rows[i].exploring, "KERNELS", c.kernels), rows[i].code);
    cli_close(&c);
}

/* An output file is there whole or not at all. */
Test(cli, compile_output_is_whole_or_absent)
{
    struct cli c;
    cli_open(&c);
    write_kernel(&c, good_body);
    struct result printed = run(&c, "compile k.py"), r = run(&c, "compile k.py -o new.py");
    expect_code("good", &r, 0);
    expect_text("good", r.out, "");
    expect_text("good", file_text(&c, "new.py"), printed.out);
    write_kernel(&c, "pl.write(win, [0, 0], undefined)\n");
    r = run(&c, "compile k.py -o new.py");
    expect_code("bad", &r, 2);
    expect_text("what was there stays", file_text(&c, "new.py"), printed.out);
    r = run(&c, "compile k.py -o absent.py");
    expect_code("bad", &r, 2);
    cr_expect(!file_exists(&c, "absent.py"));
    r = shell(&c, "ls | grep -c tmp");
    expect_text("no temporary file is left", r.out, "0\n");
    cli_close(&c);
}

/* ---- traces ---- */

Test(cli, traces)
{
    struct cli c;
    cli_open(&c);
    write_kernel(&c, good_body);
    struct result plain = run(&c, "run k.py -P 2"), json = run(&c, "run k.py -P 2 --trace=t.json"),
                  text = run(&c, "run k.py -P 2 --trace=t.txt");
    expect_code("json", &json, 0);
    expect_text("a trace changes nothing", json.out, plain.out);
    expect_text("a trace changes nothing", text.out, plain.out);

    json_error_t error;
    json_t *top = json_loads(file_text(&c, "t.json"), 0, &error), *events, *e;
    cr_assert(top, "line %d: %s", error.line, error.text);
    events = json_object_get(top, "traceEvents");
    size_t i, steps = 0, of_line[2] = {0};
    json_array_foreach(events, i, e)
    {
        if (strcmp(json_string_value(json_object_get(e, "ph")), "X"))
            continue;
        json_int_t line = json_integer_value(json_object_get(json_object_get(e, "args"), "line"));
        steps++;
        if (line == 9 || line == 10)
            of_line[line - 9]++;
        cr_expect(json_number_value(json_object_get(e, "dur")) >= 0);
    }
    /* Two ranks: load and store each are issued and performed. */
    cr_expect(of_line[0] >= 4 && of_line[1] >= 4, "%zu and %zu steps", of_line[0], of_line[1]);
    json_decref(top);

    const char *timeline = file_text(&c, "t.txt");
    size_t lines = 0;
    for (const char *p = timeline; *p; p++)
        lines += *p == '\n';
    cr_expect(lines == steps + 1, "%zu lines, %zu steps", lines, steps);
    expect_contains("text", timeline, "# cycles: start to effect; rank; unit; what\n");
    expect_contains("text", timeline, "rank 1  mte3    line 10   mte3 ");
    cli_close(&c);
}

/* One flow for each read of what was stored: it starts at a store, and ends at the read, no earlier.
 * Each finding is an instant event. */
Test(cli, flows_of_a_trace)
{
    struct cli c;
    cli_open(&c);
    struct result r =
        run(&c, "run %s/put_ring.py -P 2 --markers=off --seed=2 --trace=t.json", c.kernels);
    json_t *top = json_loads(file_text(&c, "t.json"), 0, NULL), *e;
    cr_assert(top);
    size_t i;
    int64_t open = 0, flows = 0, findings = 0, steps = 0;
    double last = 0;
    json_array_foreach(json_object_get(top, "traceEvents"), i, e)
    {
        const char *ph = json_string_value(json_object_get(e, "ph"));
        int64_t id = json_integer_value(json_object_get(e, "id"));
        double ts = json_number_value(json_object_get(e, "ts"));
        findings += *ph == 'i';
        if (*ph == 'X') {
            const char *file =
                json_string_value(json_object_get(json_object_get(e, "args"), "file"));
            cr_expect(file && strstr(file, "put_ring.py"), "%s", json_dumps(e, 0));
            cr_expect(json_object_get(e, "cname") != NULL);
            steps++;
        }
        if (!strchr("stf", *ph))
            continue;
        cr_expect_eq(open != 0, *ph != 's', "event %zu", i);
        cr_expect(*ph == 's' || (id == open && ts >= last), "event %zu: %s", i, json_dumps(e, 0));
        flows += *ph == 's';
        open = *ph == 'f' ? 0 : id;
        last = ts;
    }
    cr_expect(!open && flows > 0 && steps > 0, "%" PRId64 " flows", flows);
    int64_t errors = 0;
    for (const char *at = r.out; (at = strstr(at, ": error: ")); at++)
        errors++;
    cr_expect_eq(findings, errors, "%" PRId64 " findings, reported %" PRId64 ": %s", findings,
                 errors, r.out);
    json_decref(top);
    cli_close(&c);
}

Test(cli, stats)
{
    struct cli c;
    cli_open(&c);
    struct result r =
        run(&c, "run %s/mesh_allreduce.py -P 4 --model=benign --batch=none --stats", c.kernels);
    expect_code("stats", &r, 0);
    /* (P-1)(1+C) flushes and waits, C = 2; one flush of the kernel's tail. */
    expect_contains(
        "stats", r.out,
        "  polls                     9          9          9          9  # successful waits\n");
    expect_contains("stats", r.out,
                    "  dcci_all                  9          9          9          9  # R1\n");
    expect_contains("stats", r.out,
                    "  dcci_all                  1          1          1          1  # tail\n");
    cli_close(&c);
}

/* ---- compiled kernels of several cores, and programs of several files ---- */

/* What is read waits for the wait and is the sender's (docs/pto.md): clean; what waits for the sender's
 * own task alone is a race, since the peer's transfer is under way. A kernel of two lanes that go
 * through a pipe is clean from its source and as compiled, in as many states. */
Test(cli, compiled_programs)
{
    static const struct {
        const char *args;
        int code;
        const char *part;
    } rows[] = {
        {"program/ordered.pto", 0, "1 final states; clean"},
        {"program/unordered.pto", 1, "ptoas/publish.pto:30:3: error: race at data[64..127]@0, in "},
        {"program/ordered.pto --arg publish.arg9=1", 2, "publish.arg9"},
    };
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct result r = run(&c, "explore %s/../tests/files/pto/%s", c.kernels, rows[i].args);
        expect_code(rows[i].args, &r, rows[i].code);
        expect_contains(rows[i].args, rows[i].code == 2 ? r.err : r.out, rows[i].part);
    }
    const char *source = run(&c, "explore -P 1 %s/../tests/files/pto/mix.py", c.kernels).out;
    expect_contains("two lanes", source, "1 final states; clean");
    expect_text("compiled", run(&c, "explore -P 1 %s/../tests/files/pto/mix.pto", c.kernels).out,
                source);
    static const char said[] = "// fencebench: tasks a.pto, b.pto\n";
    write_file(&c, "p.pto", said, strlen(said));
    struct result r = run(&c, "explore p.pto");
    expect_code("a file that is not there", &r, 2);
    expect_contains("a file that is not there", r.err, "a.pto: error: cannot open: ");
    cli_close(&c);
}

/* ---- lint ---- */

Test(cli, lint)
{
    static const struct {
        const char *args;
        int code;
        const char *part;
    } rows[] = {
        {"KERNELS/put_ring.py -P 2", 0, "put_ring  P=2  a2a3: nothing is missing\n"},
        {"KERNELS/put_ring.py -P 2 --model=sc --markers=off", 0, "sc: nothing is missing\n"},
        {"KERNELS/local_read_credit.py -P 2", 1,
         "local_read_credit.py:37:9: error: missing drain: tile.load of win (line 36) may still be "
         "queued in its pipe at this TNOTIFY: drain (barrier all)\n"},
        {"KERNELS/scalar_publish.py -P 2", 1, "error: clean of one line: tensor.write to win"},
        {"t.litmus", 1, "t.litmus:5:1: error: missing clean: st x, 1 to x (line 4)"},
        {"KERNELS/../tests/files/pto/ping.pto --arg arg2=1-rank", 0,
         "ping  P=2  a2a3: nothing is missing\n"},
        {"KERNELS/../tests/files/pto/ping.pto", 2, ""},
        {"KERNELS/put_ring.py none.py", 2, ""},
        {"KERNELS/put_ring.py -P 2 --json", 0, "\"findings\": []"},
        {"t.litmus --json", 1, "\"rule\": \"missing clean\""},
    };
    static const char test[] = "GM T\n{ x; s; ranks = 2 }\nP0 | P1 ;\nst x, 1 | wait s >= 1 ;\n"
                               "notify.add s@1, 1 | mte2 t0, x@0 ;\nexists (1:t0=0)\n";
    struct cli c;
    cli_open(&c);
    write_file(&c, "t.litmus", test, strlen(test));
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *args = replaced(&c.arena, rows[i].args, "KERNELS", c.kernels);
        struct result r = run(&c, "lint %s", args);
        expect_code(rows[i].args, &r, rows[i].code);
        expect_contains(rows[i].args, r.out, rows[i].part);
    }
    cli_close(&c);
}

/* ---- JSON ---- */

Test(cli, json)
{
    static const struct {
        const char *command, *args;
        int code;
    } rows[] = {
        {"check", "KERNELS/scalar_publish.py -P 2,4 --runs=20", 1},
        {"check", "KERNELS/put_ring.py -P 2 --runs=20", 0},
        {"run", "KERNELS/put_ring.py -P 2", 0},
        {"sweep", "KERNELS/scalar_publish.py -P 2 --runs=20 --origins=W1,R1", 1},
        {"flushes", "KERNELS/allgather_put.py -P 1,2 --runs=1", 0},
    };
    struct cli c;
    cli_open(&c);
    struct result version = run(&c, "--version");
    int major, minor, patch, at = 0;
    cr_assert(sscanf(version.out, "fencebench %d.%d.%d (%n", &major, &minor, &patch, &at) == 3 &&
                  at,
              "%s", version.out);
    const char *build = arena_strndup(&c.arena, version.out + at, strcspn(version.out + at, ")"));
    cr_expect(*build && !strcmp(version.out + at + strlen(build), ")\n"), "%s", version.out);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *name = rows[i].command,
                   *args = replaced(&c.arena, rows[i].args, "KERNELS", c.kernels);
        struct result r = run(&c, "%s %s --json", name, args);
        expect_code(name, &r, rows[i].code);
        json_error_t error;
        json_t *top = json_loads(r.out, 0, &error), *list, *row;
        cr_assert(top, "%s: line %d: %s\n%s", name, error.line, error.text, r.out);
        expect_text(name, json_string_value(json_object_get(top, "schema")), "fencebench/1");
        expect_text(name, json_string_value(json_object_get(top, "command")), name);
        expect_text(name, json_string_value(json_object_get(top, "build")), build);
        list = json_object_get(top, "results");
        cr_expect(json_array_size(list) > 0, "%s: no results", name);
        for (size_t n = 0; (row = json_array_get(list, n)); n++)
            cr_expect(json_is_integer(json_object_get(row, "first_seed")) &&
                          json_is_string(json_object_get(row, "model")) &&
                          (json_is_string(json_object_get(row, "toolchain")) ||
                           json_is_string(json_object_get(top, "toolchain"))),
                      "%s: a result without its seed, model or toolchain", name);
        json_decref(top);
    }
    cli_close(&c);
}

/* The first finding of `check k.py` with these arguments; the caller releases *top. */
static json_t *finding_of(struct cli *c, const char *args, json_t **top)
{
    struct result r = run(c, "check k.py --runs=3 --json %s", args);
    json_error_t error;
    *top = json_loads(r.out, 0, &error);
    cr_assert(*top, "%s", error.text);
    json_t *result = json_array_get(json_object_get(*top, "results"), 0);
    return json_array_get(json_object_get(result, "findings"), 0);
}

/* The object of that key as text; NULL when there is none. */
static const char *member(struct cli *c, json_t *object, const char *key)
{
    char *text = json_dumps(json_object_get(object, key), JSON_ENCODE_ANY | JSON_SORT_KEYS);
    const char *copy = text ? arena_strdup(&c->arena, text) : NULL;
    free(text);
    return copy;
}

/* Places with all that a reader of the report sees: text, column, pipe, iterations. */
Test(cli, places_in_json)
{
    struct cli c;
    json_t *top, *f;
    cli_open(&c);
    write_kernel(&c, "for i in pl.range(2):\n"
                     "    for k in pl.range(1, 4):\n"
                     "        pl.write(out, [i, 2 - k - i], 1)\n");
    f = finding_of(&c, "-P 1", &top);
    expect_text("address", member(&c, f, "address"), "\"out[-1]@0\"");
    expect_text("tile", member(&c, f, "tile"), "null");
    expect_text("producer", member(&c, f, "producer"), "null");
    json_t *at = json_object_get(f, "reader");
    expect_text("file", member(&c, at, "file"), "\"k.py\"");
    expect_text("line", member(&c, at, "line"), "11");
    expect_text("column", member(&c, at, "column"), "17");
    expect_text("source", member(&c, at, "source"), "\"pl.write(out, [i, 2 - k - i], 1)\"");
    expect_text("loops", member(&c, at, "loops"),
                "[{\"line\": 10, \"value\": 3, \"variable\": \"k\"}, "
                "{\"line\": 9, \"value\": 0, \"variable\": \"i\"}]");
    json_decref(top);

    static const char no_sync[] = "[model]\ninherit = ptoas-0.57\ndoc = no automatic flag pairs\n\n"
                                  "[lowering]\nauto_sync = no\n";
    write_file(&c, "no_sync.toolchain", no_sync, strlen(no_sync));
    write_kernel(&c, good_body);
    f = finding_of(&c, "-P 1 --runs=20 --toolchain=no_sync.toolchain", &top);
    expect_text("of a tile", member(&c, f, "tile"), "\"t\"");
    expect_text("which has no address", member(&c, f, "address"), "null");
    expect_text("read", member(&c, json_object_get(f, "reader"), "pipe"), "\"mte3\"");
    expect_text("written", member(&c, json_object_get(f, "producer"), "what"), "\"tile.load\"");
    expect_text("by", member(&c, json_object_get(f, "producer"), "pipe"), "\"mte2\"");
    expect_text("in", member(&c, json_object_get(f, "producer"), "line"), "9");
    expect_text("note", member(&c, f, "note"),
                "\"no flag mte2 -> mte3 orders line 9 before line 10\"");
    json_decref(top);
    cli_close(&c);
}

/* Two equal runs print equal bytes, whatever the number of threads. */
Test(cli, equal_runs_print_equal_bytes, .timeout = 300)
{
    static const char *const rows[] = {
        "check KERNELS/scalar_publish.py KERNELS/all_to_all_v.py --runs=50 --json",
        "check KERNELS/scalar_publish.py KERNELS/all_to_all_v.py --runs=50 --findings=100",
        "check KERNELS/expert_dispatch.py -P 4 --runs=50 --markers=off --model=a2a3,weakest",
        "check KERNELS/mesh_allreduce.py -P 2 --runs=50 --driver=random --json",
        "check KERNELS/mesh_allreduce.py -P 2 --runs=50 --driver=pct --json",
        "sweep KERNELS/scalar_publish.py -P 2 --runs=30 --json",
        "flushes KERNELS/reduce_scatter.py -P 1,3 --runs=30 --json",
    };
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *args = replaced(&c.arena, rows[i], "KERNELS", c.kernels);
        struct result one = run(&c, "%s -j 1", args), two = run(&c, "%s -j 2", args),
                      again = run(&c, "%s -j 2", args);
        cr_expect(one.code <= 1 && one.out[0], "%s: exit code %d", args, one.code);
        expect_code(args, &two, one.code);
        expect_text(args, two.out, one.out);
        expect_text(args, again.out, one.out);
    }
    cli_close(&c);
}

/* ---- replay ---- */

/* "stale read at win[16]@0" of the first finding. */
static const char *first_finding(struct arena *a, const char *text)
{
    const char *line = line_after(a, text, "\n    ");
    return line ? arena_strndup(a, line, strcspn(line, ":")) : "no finding";
}

Test(cli, a_replay_line_replays, .timeout = 300)
{
    static const char *const rows[] = {
        "KERNELS/scalar_publish.py -P 2 --runs=50",
        "KERNELS/scalar_publish.py -P 4 --runs=50 --seed=1000",
        "KERNELS/all_to_all_v.py -P 2 --runs=50",
        "KERNELS/put_ring.py -P 2 --runs=200 --markers=off",
        "KERNELS/remote_store_push.py -P 2 --runs=200 --toolchain=ptoas-0.52 --batch=none",
        "KERNELS/mesh_allreduce.py -P 2 --runs=200 --arg SIZE=64",
        "KERNELS/relay.py --runs=20 --markers=off --model=a2a3-evict",
        "KERNELS/scalar_read_after_wait.py -P 2 --runs=20 --markers=off --timing=typical",
        "KERNELS/scalar_publish.py -P 2 --runs=20 --driver=random",
        "KERNELS/scalar_publish.py -P 2 --runs=20 --driver=pct --pct-depth=6",
        "KERNELS/scalar_publish.py -P 2 --runs=20 --window-align=32",
        "KERNELS/put_ring.py -P 2 --runs=200 --passes=none",
        "KERNELS/scalar_publish.py -P 2 --runs=20 --arg 'role=rank % 2'",
    };
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *args = replaced(&c.arena, rows[i], "KERNELS", c.kernels);
        struct result check = run(&c, "check %s", args);
        expect_code(args, &check, 1);
        const char *replay = line_after(&c.arena, check.out, "    replay: ");
        cr_assert(replay, "%s: no replay line in\n%s", args, check.out);
        replay = arena_strndup(&c.arena, replay, strlen(replay) - strlen("   (build)"));
        struct result again = shell(&c, replaced(&c.arena, replay, "KERNELS", c.kernels));
        expect_code(replay, &again, 1);
        expect_text(replay, first_finding(&c.arena, again.out), first_finding(&c.arena, check.out));
    }
    cli_close(&c);
}

/* The bound of the pct driver; with d = 1 it is the number of agents. */
Test(cli, pct_bound)
{
    static const char begin[] = "    pct: n = ";
    struct cli c;
    cli_open(&c);
    struct result r =
        run(&c, "check %s/scalar_publish.py -P 2 --runs=5 --driver=pct --pct-depth=1", c.kernels);
    const char *line = strstr(r.out, begin);
    cr_assert(line, "no bound in\n%s", r.out);
    int agents = atoi(line + strlen(begin));
    cr_expect(agents > 2, "%s", line);
    expect_contains(
        "depth 1", line,
        arena_printf(&c.arena,
                     "depth d = 1: such a bug shows in 1 of n k^(d-1) = %d runs or more "
                     "often\n",
                     agents));
    /* Messages are delivered under a2a3 and not under sc: a run has more steps. */
    json_int_t steps[2];
    for (int i = 0; i < 2; i++) {
        r = run(&c, "check %s/scalar_publish.py -P 2 --runs=5 --driver=pct --model=%s --json",
                c.kernels, i ? "a2a3" : "sc");
        json_error_t e;
        json_t *top = json_loads(r.out, 0, &e), *bound;
        bound = json_object_get(json_array_get(json_object_get(top, "results"), 0), "pct");
        steps[i] = json_integer_value(json_object_get(bound, "steps"));
        cr_expect_eq(json_integer_value(json_object_get(bound, "depth")), 3);
        json_decref(top);
    }
    cr_expect(steps[0] > 0 && steps[1] > steps[0], "%lld and %lld steps", (long long)steps[0],
              (long long)steps[1]);
    r = run(&c, "check %s/scalar_publish.py -P 2 --runs=5 --driver=random", c.kernels);
    cr_expect(!strstr(r.out, "pct"), "%s", r.out);
    cli_close(&c);
}

/* A replay line names every option that the run depends on. */
Test(cli, a_replay_line_is_complete)
{
    static const struct {
        const char *args, *part;
    } rows[] = {
        {"--seed=7", " --seed=7 "},
        {"--toolchain=proposed", " --toolchain=proposed "},
        {"--model=weakest", " --model=weakest "},
        {"--markers=off", " --markers=off "},
        {"--batch=none", " --batch=none "},
        {"--passes=none", " --passes=none "},
        {"--driver=random", " --driver=random "},
        {"--driver=pct --pct-depth=5", " --pct-depth=5 "},
        {"--timing=typical", " --timing=typical "},
        {"--window-align=32", " --window-align=32 "},
        {"--max-transitions=100000", " --max-transitions=100000 "},
    };
    struct cli c;
    cli_open(&c);
    write_kernel(&c, "pld.system.wait(sig, [0, 0], 3, cmp=pld.WaitCmp.Ge)\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct result r = run(&c, "check k.py -P 1 --runs=1 %s", rows[i].args);
        const char *replay = line_after(&c.arena, r.out, "    replay: ");
        cr_assert(replay, "%s: no replay line", rows[i].args);
        expect_contains(rows[i].args, replay, rows[i].part);
    }
    cli_close(&c);
}

/* ---- sweep ---- */

static const char csv_head[] =
    "kernel,ranks,model,toolchain,site,level,origin,what,line,anchor,verdict,killed,runs,rate,rate_"
    "low,"
    "rate_high,first_seed,finding,where,reader_line,producer_line,executed,file,class,others,"
    "witness,"
    "certificate,why,"
    "states,extents\n";

static int stored_rows(struct cli *c, const char *name)
{
    sqlite3 *db;
    sqlite3_stmt *q;
    int n = -1;
    cr_assert(sqlite3_open(file_path(c, name), &db) == SQLITE_OK);
    if (sqlite3_prepare_v2(db, "SELECT count(*) FROM sweep", -1, &q, NULL) == SQLITE_OK &&
        sqlite3_step(q) == SQLITE_ROW)
        n = sqlite3_column_int(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return n;
}

static int csv_rows(const char *text)
{
    int n = -1;
    for (const char *p = text; *p; p++)
        n += *p == '\n';
    return n;
}

static int count_of(const char *text, const char *what)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, what)); p++)
        n++;
    return n;
}

Test(cli, sweep_table)
{
    struct cli c;
    cli_open(&c);
    struct result r =
        run(&c, "sweep %s/scalar_publish_first_line.py -P 2 --runs=60 --csv=s.csv", c.kernels);
    expect_code("sweep", &r, 0);
    const char *csv = file_text(&c, "s.csv");
    cr_expect(!strncmp(csv, csv_head, strlen(csv_head)), "%s", csv);
    /* The marker that matters: the clean behind the last of three stores to one line. */
    static const char killed[] = "scalar_publish_first_line,2,a2a3,ptoas-0.57,";
    const char *row = NULL;
    for (const char *p = csv; (p = strstr(p, killed)); p++)
        if (strstr(p, "instruction,W1,region cacheinvalid,") &&
            strstr(p, "instruction,W1,region cacheinvalid,") < strchr(p, '\n') &&
            strstr(p, ",killed,") && strstr(p, ",killed,") < strchr(p, '\n'))
            row = arena_strndup(&c.arena, p, strcspn(p, "\n"));
    cr_assert(row, "no region cacheinvalid is needed in\n%s", csv);
    expect_contains("finding", row, ",stale read,dirty in the producer's cache,");
    cr_expect(csv_rows(csv) > 10);
    cli_close(&c);
}

/* A region marker behind a DMA store does nothing for it (hw-facts 0.4, 5). */
Test(cli, sweep_of_a_marker_behind_a_dma_store)
{
    struct cli c;
    cli_open(&c);
    struct result r =
        run(&c, "sweep %s/ring_allreduce.py -P 2 --runs=100 --origins=W1 --json", c.kernels);
    json_t *top = json_loads(r.out, 0, NULL), *row;
    cr_assert(top, "%s", r.out);
    size_t n, regions = 0, fences = 0;
    json_array_foreach(json_object_get(top, "results"), n, row)
    {
        const char *what = json_string_value(json_object_get(row, "what")),
                   *verdict = json_string_value(json_object_get(row, "verdict"));
        if (!strcmp(what, "region cacheinvalid")) {
            regions++;
            expect_text("region cacheinvalid", verdict, "survived");
        }
        fences += !strcmp(what, "fence: barrier all") && !strcmp(verdict, "killed");
    }
    cr_expect(regions == 3, "%zu stores into the window", regions);
    cr_expect(fences > 0, "no drain is needed");
    json_decref(top);
    cli_close(&c);
}

/* Shards, merged and resumed, give the table of one run. Pairs come when all sites are known. */
Test(cli, sweep_in_shards, .timeout = 300)
{
    struct cli c;
    cli_open(&c);
    const char *args =
        arena_printf(&c.arena, "sweep %s/scalar_publish.py -P 2 --runs=40", c.kernels);
    struct result r = run(&c, "%s --csv=full.csv", args);
    expect_code("in one go", &r, 1);
    const char *full = file_text(&c, "full.csv");
    int total = csv_rows(full) - count_of(full, ",pair,");
    cr_expect(total < csv_rows(full), "no pair dies");
    r = run(&c, "%s --shard=1/2 --db=one.db", args);
    r = run(&c, "%s --shard=2/2 --db=two.db", args);
    cr_expect(stored_rows(&c, "one.db") + stored_rows(&c, "two.db") == total,
              "%d and %d of %d rows", stored_rows(&c, "one.db"), stored_rows(&c, "two.db"), total);
    r = run(&c, "%s --db=one.db --merge=two.db --resume --csv=merged.csv", args);
    expect_code("merged", &r, 1);
    expect_text("merged", file_text(&c, "merged.csv"), full);
    cr_expect(stored_rows(&c, "one.db") > csv_rows(full), "pairs that live are kept too");
    cli_close(&c);
}

/* A campaign that is killed goes on where it was. */
Test(cli, sweep_killed_and_resumed, .timeout = 300)
{
    struct cli c;
    cli_open(&c);
    const char *args = arena_printf(
        &c.arena, "sweep %s/expert_dispatch.py -P 2 --runs=40 --max-states=0", c.kernels);
    struct result r = run(&c, "%s --csv=full.csv", args);
    expect_code("in one go", &r, 3);
    /* Kill it when the first rows are in. */
    r = shell(&c, arena_printf(
                      &c.arena,
                      "fencebench %s --db=k.db & pid=$!; "
                      "while kill -0 $pid && [ $(stat -c %%s k.db-wal || echo 0) -lt 20000 ]; do "
                      "sleep 0.01; done; kill -KILL $pid; wait $pid; true",
                      args));
    int before = stored_rows(&c, "k.db"), total = csv_rows(file_text(&c, "full.csv"));
    cr_expect(before > 0 && before < total, "%d of %d rows", before, total);
    r = run(&c, "%s --db=k.db --resume --csv=resumed.csv", args);
    expect_code("resumed", &r, 3);
    expect_text("resumed", file_text(&c, "resumed.csv"), file_text(&c, "full.csv"));
    cli_close(&c);
}

/* Results of other arguments are no results of this sweep. */
Test(cli, resume_does_not_mix_arguments, .timeout = 300)
{
    static const char *const others[] = {"--arg 'role=(rank+1)%2'", "--seed=500", "--markers=off",
                                         "--toolchain=proposed", "--model=benign"};
    struct cli c;
    cli_open(&c);
    const char *args =
        arena_printf(&c.arena, "sweep %s/scalar_publish.py -P 2 --runs=10", c.kernels);
    run(&c, "%s --db=r.db", args);
    for (size_t i = 0; i < COUNT(others); i++) {
        run(&c, "%s %s --csv=fresh.csv", args, others[i]);
        run(&c, "%s %s --db=r.db --resume --csv=resumed.csv", args, others[i]);
        expect_text(others[i], file_text(&c, "resumed.csv"), file_text(&c, "fresh.csv"));
    }
    cli_close(&c);
}

/* ---- flushes ---- */

Test(cli, flushes_table, .timeout = 300)
{
    /* pypto-facts 5.5; two chunks in the first two kernels */
    static const struct {
        const char *kernel, *payload;
        int nranks, none, loops;
    } rows[] = {
        {"mesh_allreduce", "512", 1, 0, 3}, {"mesh_allreduce", "512", 2, 3, 3},
        {"mesh_allreduce", "512", 4, 9, 3}, {"ring_allreduce", "256", 1, 0, 0},
        {"ring_allreduce", "256", 2, 8, 8}, {"ring_allreduce", "256", 4, 72, 24},
        {"reduce_scatter", "256", 1, 0, 2}, {"reduce_scatter", "256", 2, 2, 2},
        {"reduce_scatter", "256", 4, 6, 2}, {"allgather_put", "256", 1, 0, 1},
        {"allgather_put", "256", 2, 1, 1},  {"allgather_put", "256", 4, 3, 1},
        {"broadcast_get", "256", 1, 0, 1},  {"broadcast_get", "256", 2, 1, 1},
        {"broadcast_get", "256", 4, 3, 1},
    };
    struct cli c;
    cli_open(&c);
    struct strbuf files = strbuf_make(&c.arena);
    for (size_t i = 0; i < COUNT(rows); i += 3)
        strbuf_addf(&files, " %s/%s.py", c.kernels, rows[i].kernel);
    struct result r = run(&c, "flushes -P 1,2,4 --runs=2 --csv=f.csv%s", files.text);
    expect_code("flushes", &r, 0);
    const char *csv = file_text(&c, "f.csv");
    static const char head[] =
        "kernel,ranks,payload_bytes,batch,model,toolchain,runs,flushes_per_rank,"
        "cycles_mean,cycles_min,cycles_max,time_us,cycles_low,cycles_high,saved,saved_low,saved_"
        "high,line_flushes,lines_"
        "dropped,"
        "lines_written,misses,refills,fences,barriers,polls,start,scalar,miss,dcci,dsb,barrier,"
        "poll,flag,"
        "task,"
        "drain\n";
    cr_expect(!strncmp(csv, head, strlen(head)), "%s", csv);
    cr_expect(csv_rows(csv) == (int)(2 * COUNT(rows)), "%d rows", csv_rows(csv));
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int loops = 0; loops < 2; loops++)
            expect_contains("flushes", csv,
                            arena_printf(&c.arena, "%s,%d,%s,%s,a2a3,ptoas-0.57,2,%d,",
                                         rows[i].kernel, rows[i].nranks, rows[i].payload,
                                         loops ? "loops" : "none",
                                         loops ? rows[i].loops : rows[i].none));
    cli_close(&c);
}

/* The invalidates of a compiled kernel are where its file has them: one row, with the flushes of the
 * mode that it was compiled with (mesh_allreduce at three ranks: one wait for each peer in each of three
 * rounds, or one flush for each round). */
Test(cli, flushes_of_a_compiled_kernel)
{
    static const struct {
        const char *mode;
        int flushes;
    } rows[] = {{"none", 6}, {"loops", 3}};
    struct cli c;
    cli_open(&c);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct result r =
            run(&c, "compile --emit=pto %s/mesh_allreduce.py -P 3 --batch=%s -o m.pto", c.kernels,
                rows[i].mode);
        expect_code(rows[i].mode, &r, 0);
        r = run(&c, "flushes m.pto -P 3 --runs=2 --csv=f.csv");
        expect_code(rows[i].mode, &r, 0);
        const char *csv = file_text(&c, "f.csv");
        cr_expect(csv_rows(csv) == 1, "%s: %d rows", rows[i].mode, csv_rows(csv));
        expect_contains(
            rows[i].mode, csv,
            arena_printf(&c.arena, "m,3,0,file,a2a3,ptoas-0.57,2,%d,", rows[i].flushes));
    }
    struct result r = run(&c, "flushes m.pto -P 3 --payload=64");
    expect_code("payload", &r, 2);
    cli_close(&c);
}

/* The parts of the core that ended last add up to the run's cycles, each of them counted; a table for
 * each toolchain; a payload that nobody names is not 0. */
Test(cli, flushes_by_toolchain)
{
    struct cli c;
    cli_open(&c);
    struct result r = run(&c,
                          "flushes %s/mesh_allreduce.py %s/expert_dispatch.py -P 2,3 --runs=3 "
                          "--toolchain=ptoas-0.57,proposed-drain --csv=f.csv",
                          c.kernels, c.kernels);
    expect_code("flushes", &r, 0);
    expect_contains("first", r.out, "toolchain ptoas-0.57\nkernel ");
    expect_contains("second", r.out, "\n\ntoolchain proposed-drain\nkernel ");
    expect_contains("no payload", r.out, "expert_dispatch        2         - none");
    const char *csv = file_text(&c, "f.csv");
    cr_assert_eq(csv_rows(csv), 16);
    shell(&c,
          "awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } "
          "{ sum = 0; for (i = at[\"start\"]; i <= at[\"drain\"]; i++) sum += $i; "
          "d = sum - $at[\"cycles_mean\"]; if (d > 0.2 || d < -0.2) print \"off\", $0 }' f.csv > "
          "sums.txt");
    cr_expect(!*file_text(&c, "sums.txt"), "%s", file_text(&c, "sums.txt"));
    r = run(&c, "flushes --toolchain=ptoas-0.57,none --runs=1");
    expect_code("no such toolchain", &r, 2);
    expect_contains("no such toolchain", r.err, "no toolchain profile 'none'");
    r = run(&c, "flushes --toolchain=, --runs=1");
    expect_contains("an empty name", r.err, "an entry of the list is empty");
    cli_close(&c);
}

/* Where messages to each line have a queue of their own, 1024 x 1024 x 2 paths x 12,617 lines are too
 * many: said before anything is run. */
Test(cli, a_machine_of_too_many_queues)
{
    struct cli c;
    cli_open(&c);
    static const char *const commands[] = {"check", "flushes"};
    for (size_t i = 0; i < COUNT(commands); i++) {
        struct result r =
            run(&c, "%s %s/mesh_allreduce.py -P 1024 --arg SIZE=65536 --model=weakest", commands[i],
                c.kernels);
        expect_code(commands[i], &r, 2);
        expect_contains(
            commands[i], r.err,
            "mesh_allreduce.py: error: is too large for the model 'weakest', which keeps "
            "only messages to one line in order: 807424 bytes on each of 1024 ranks");
    }
    cli_close(&c);
}

/* A larger payload has more chunks, and those more barriers. */
Test(cli, flushes_of_a_payload)
{
    struct cli c;
    cli_open(&c);
    struct result r = run(
        &c, "flushes %s/mesh_allreduce.py -P 3 --runs=1 --payload=256,1024 --csv=f.csv", c.kernels);
    expect_code("payload", &r, 0);
    const char *csv = file_text(&c, "f.csv");
    expect_contains("one chunk", csv, "mesh_allreduce,3,256,none,a2a3,ptoas-0.57,1,4,");
    expect_contains("one chunk", csv, "mesh_allreduce,3,256,loops,a2a3,ptoas-0.57,1,2,");
    expect_contains("four chunks", csv, "mesh_allreduce,3,1024,none,a2a3,ptoas-0.57,1,10,");
    expect_contains("four chunks", csv, "mesh_allreduce,3,1024,loops,a2a3,ptoas-0.57,1,5,");
    /* Sizes printed are those run, whoever gives them: 300 elements of four bytes. */
    r = run(&c,
            "flushes %s/mesh_allreduce.py -P 2 --runs=1 --arg CHUNK=100 --arg SIZE=300 --csv=f.csv",
            c.kernels);
    expect_code("by --arg", &r, 0);
    expect_contains("by --arg", file_text(&c, "f.csv"), "mesh_allreduce,2,1200,loops,");
    cli_close(&c);
}

/* ---- ranks ---- */

/* Each file says for itself how many, whatever stands before it. */
Test(cli, a_file_without_ranks_before_one_with_them)
{
    struct cli c;
    cli_open(&c);
    const char *kernel = arena_printf(&c.arena, "%s/scalar_publish.py", c.kernels);
    shell(&c, arena_printf(&c.arena, "sed '/fencebench: ranks/d' %s > none.py", kernel));
    shell(&c,
          arena_printf(&c.arena, "sed 's/fencebench: ranks.*/fencebench: ranks 3/' %s > three.py",
                       kernel));
    struct result r = run(&c, "check --table --runs=1 none.py three.py");
    expect_contains("none", r.out, "none                           2 ");
    expect_contains("three", r.out, "three                          3 ");
    cli_close(&c);
}

/* ---- names that CSV puts in quotes ---- */

/* Every row of the file is about that kernel. Returns how many there are. */
static size_t rows_of_kernel(struct cli *c, const char *file, const char *kernel)
{
    static const char *const columns[] = {"kernel", "ranks", "model", "toolchain"};
    struct diag d = {.arena = &c->arena};
    struct csv csv;
    const struct source *s = source_read(&c->arena, file_path(c, file), &d);
    cr_assert(s && csv_read(&c->arena, s, columns, COUNT(columns), &csv, &d), "%s",
              diag_text(&d, &c->arena));
    vec_foreach (const struct csv_row, row, &csv.rows) {
        expect_text("kernel", row->fields[0].text, kernel);
        expect_text("ranks", row->fields[1].text, "2");
        expect_text("model", row->fields[2].text, "a2a3");
        expect_text("toolchain", row->fields[3].text, "ptoas-0.57");
    }
    return csv.rows.len;
}

Test(cli, names_with_commas_and_quotes_read_back_from_csv)
{
    static const char *const names[] = {"a,b", "a \"b\"", "\"a\",b", ",", "\""};
    struct cli c;
    cli_open(&c);
    const char *kernel = arena_printf(&c.arena, "%s/mesh_allreduce.py", c.kernels);
    for (size_t i = 0; i < COUNT(names); i++) {
        const char *files = arena_printf(&c.arena, "-P 2 --runs=1 --csv=x.csv '%s.py'", names[i]);
        shell(&c, arena_printf(&c.arena, "cp %s '%s.py'", kernel, names[i]));
        run(&c, "check %s", files);
        cr_expect(rows_of_kernel(&c, "x.csv", names[i]) == 1);
        run(&c, "sweep --max-states=0 --db=x.db --resume %s", files);
        cr_expect(rows_of_kernel(&c, "x.csv", names[i]) > 10);
        const char *text = file_text(&c, "x.csv");
        struct result r = run(&c, "plot --kind=heatmap --out=x x.csv");
        expect_code(names[i], &r, 0);
        run(&c, "sweep --max-states=0 --db=x.db --resume %s", files);
        expect_text("resumed", file_text(&c, "x.csv"), text);
        run(&c, "flushes %s", files);
        cr_expect(rows_of_kernel(&c, "x.csv", names[i]) == 2);
        r = run(&c, "plot --kind=flushes --out=x x.csv");
        expect_code(names[i], &r, 0);
    }
    cli_close(&c);
}
