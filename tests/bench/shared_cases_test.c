/* SPDX-License-Identifier: MIT */
/*
 * The cases of ../shared/cases beside the verdict that its README calls right, where that folder
 * is. Each kind has tests of its own elsewhere; this one holds the inputs themselves to account.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "tests/support.h"

enum { CLEAN = 0, FINDINGS = 1, USAGE = 2, MAX_WORDS = 4 };

static struct result {
    const char *text; /* both streams */
    int code;
} fencebench(struct arena *a, const char *args)
{
    const char *binary = getenv("FENCEBENCH");
    FILE *f = popen(
        arena_printf(a, "timeout 120 '%s' %s 2>&1", binary ? binary : "build/fencebench", args),
        "r");
    struct strbuf b = strbuf_make(a);
    char piece[4096];
    cr_assert(f, "no shell");
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        strbuf_addn(&b, piece, n);
    int status = pclose(f);
    return (struct result){b.text ? b.text : "", WIFEXITED(status) ? WEXITSTATUS(status) : 128};
}

#define CASES    "../shared/cases/"
#define VERDICTS CASES "verdicts/"
#define RULES    CASES "rules/"
#define LANGUAGE CASES "language/"
#define TOOLS(t) " --toolchain=./" VERDICTS t ".toolchain"
#define DELETED                                                                                    \
    " --model=a2a3,kernels/host/two_cores.model --toolchain=./kernels/host/no_tail.toolchain"

/* What must stand in the output, in this order, and what must not. */
struct shared_case {
    const char *args;
    int code;
    const char *words[MAX_WORDS];
    const char *never;
};

static void expect_case(const struct shared_case *c)
{
    struct arena a = {0};
    struct result r = fencebench(&a, c->args);
    cr_expect(r.code == c->code, "%s: exit code %d, expected %d\n%s", c->args, r.code, c->code,
              r.text);
    const char *at = r.text;
    for (int i = 0; i < MAX_WORDS && c->words[i] && at; i++) {
        const char *found = strstr(at, c->words[i]);
        cr_expect(found, "%s: no '%s' behind what comes before\n%s", c->args, c->words[i], r.text);
        at = found;
    }
    if (c->never)
        cr_expect(!strstr(r.text, c->never), "%s: '%s' must not stand there\n%s", c->args, c->never,
                  r.text);
    arena_free(&a);
}

static void expect_cases(const struct shared_case *cases, size_t n)
{
    if (access(CASES "README.md", R_OK))
        return;
    for (size_t i = 0; i < n; i++)
        expect_case(&cases[i]);
}
#define EXPECT_CASES(cases) expect_cases(cases, sizeof(cases) / sizeof *(cases))

Test(shared_cases, verdicts, .timeout = 600)
{
#define CHECK(file) "check " VERDICTS file ".py"
    static const struct shared_case cases[] = {
        {CHECK("K02-shared-counter-eq"),
         FINDINGS,
         {"race at", "hang at ready[0]@0",
          "the value was passed; use >=", "none of its own: what would set it waits itself"},
         "race at ready"},
        {CHECK("K02-shared-counter-ge"), FINDINGS, {"race at"}, "hang at"},
        {CHECK("K02-split-cells-ge"), CLEAN, {"clean"}, NULL},
        {CHECK("K03-generation-eq"),
         FINDINGS,
         {"hang at start[0]",
          "waits for == 2, memory holds 3: "
          "the value was passed; use >=",
          "hang at done[0]"},
         NULL},
        {CHECK("K03-generation-ge"), CLEAN, {"clean"}, NULL},
        {CHECK("K05-neighbour-barrier"),
         FINDINGS,
         {"overrun read at dst[0]",
          "missing drain (barrier all) between the read (line 37) and the notify that lets the "
          "buffer go (line 30) (checked: gone in 100 runs)",
          "insert    pl.system.bar_all() before line 30"},
         "dsb"},
        {CHECK("K05-neighbour-barrier-closed"), CLEAN, {"clean"}, NULL},
        {CHECK("K06-clean-next-overlapped"), FINDINGS, {"race at"}, NULL},
        {CHECK("K06-clean-next-serial"), CLEAN, {"clean"}, NULL},
        {CHECK("K07-get-then-put"), CLEAN, {"clean"}, NULL},
        {CHECK("K07-get-then-put-drained"), CLEAN, {"clean"}, NULL},
        {CHECK("K07-get-then-put") " --markers=off" TOOLS("put_bare"), CLEAN, {"clean"}, "notify"},
        {CHECK("K07-raw-plain"),
         FINDINGS,
         {"stale read", "in flight",
          "fence (dsb) between the write (line 18) and the read (line 19) of the same core",
          "insert    pl.system.fence() before line 19"},
         "notify"},
        {CHECK("K07-raw-plain"), FINDINGS, {"stale read"}, "queued in the pipe"},
        {CHECK("K07-roundtrip-plain"), CLEAN, {"clean"}, NULL},
        {CHECK("K08-gate") DELETED,
         FINDINGS,
         {"P=1  a2a3", "clean", "dirty in the producer's cache",
          "missing clean (cacheinvalid) and fence (dsb) between the write (line 14) and the end of "
          "its task 'produce'"},
         "before the fence"},
        {CHECK("K08-gate") DELETED,
         FINDINGS,
         {"insert    pl.system.cacheinvalid(), pl.system.fence() after line 14"},
         "notify"},
        {CHECK("K22-dma-next-task") DELETED,
         FINDINGS,
         {"stale read", "in flight",
          "missing fence (dsb) between the write (line 14) and the end of its task 'produce'",
          "insert    pl.system.fence() after line 14"},
         "notify"},
        /* The task drains at its end: nothing is posted after it. */
        {CHECK("K22-dma-next-task") DELETED, FINDINGS, {"stale read"}, "posted only after"},
        {CHECK("K22-dma-next-task") TOOLS("tail_none") " --model=kernels/host/two_cores.model",
         FINDINGS,
         {"missing drain (barrier all) and fence (dsb) between the write (line 14) and the end of "
          "its task 'produce'"},
         "notify"},
        {CHECK("K22-dma-next-task") TOOLS("barrier_dcci"), FINDINGS, {"stale read"}, NULL},
        {CHECK("K09-trip-count"), FINDINGS, {"race at"}, NULL},
        {CHECK("K09-trip-count-waited"), CLEAN, {"clean"}, NULL},
        {CHECK("K11-min") TOOLS("no_sync"),
         FINDINGS,
         {"stale read of tile",
          "missing flag pair (mte2 to mte3) between tile.load (line 9) and tile.store (line 10)"},
         "eviction"},
        {CHECK("K11-min") TOOLS("no_sync") " --json",
         FINDINGS,
         {"\"tile\": \"t\"", "\"producer\": {", "\"what\": \"tile.load\""},
         "eviction"},
        {CHECK("K11-scalar-index") TOOLS("no_sync"),
         FINDINGS,
         {"missing flag pair (mte2 to s) between tile.load (line 18) and tile.read (line 20)",
          "missing flag pair (mte3 to mte2) between tile.store (line 22) and tile.load (line 21)"},
         "dsb"},
        {CHECK("K11-scalar-index") TOOLS("no_sync"), FINDINGS, {"tile"}, "eviction"},
        {CHECK("K12-zero-trip") TOOLS("no_sync"),
         FINDINGS,
         {"stale read of tile",
          "missing flag pair (mte2 to v) between tile.load (line 20) and tile.div (line 25)"},
         "eviction"},
        {CHECK("K15-vector-barrier") TOOLS("no_sync"),
         FINDINGS,
         {"stale read of tile",
          "missing flag pair (v to mte3) between tile.add (line 20) and tile.store (line 21)"},
         "eviction"},
        {CHECK("K13-min-split"), CLEAN, {"clean"}, NULL},
        {CHECK("K13-min-spmd"), CLEAN, {"clean"}, NULL},
        {CHECK("K13-v2c-through-gm"),
         FINDINGS,
         {"race at mid[0..255]@0", "tile.load", "and", "tile.store"},
         NULL},
        {CHECK("K14-store-then-put") " --markers=off" TOOLS("put_bare"),
         FINDINGS,
         {"stale read",
          "missing drain (barrier all) and fence (dsb) between the write (line 26) and the read "
          "(line 27) of the same core",
          "insert    pl.system.fence() before line 27"},
         NULL},
        {CHECK("K16-leader"), CLEAN, {"clean"}, NULL},
        {CHECK("K16-leader") " --markers=off", FINDINGS, {"stale read"}, NULL},
        {CHECK("K17-push-ring"), CLEAN, {"clean"}, NULL},
        {CHECK("K17-push-ring-no-ready"), FINDINGS, {"race at"}, NULL},
        {CHECK("K17-push-ring-no-drain"),
         FINDINGS,
         {"overrun read",
          "missing drain (barrier all) between the read (line 31) and the notify that lets the "
          "buffer go (line 32)",
          "insert    pl.system.bar_all() before line 32"},
         "dsb"},
        {CHECK("K19-control-read"), CLEAN, {"clean"}, NULL},
        {CHECK("K19-control-read") " --batch=none", CLEAN, {"clean"}, NULL},
        {CHECK("K19-control-read-batched-late") " --passes=none",
         FINDINGS,
         {"stale read",
          "missing invalidate (cacheinvalid) between the wait (line 22) and the read (line 21)",
          "insert    pl.system.cacheinvalid() after line 22"},
         "dsb"},
    };
#undef CHECK
    EXPECT_CASES(cases);
}

Test(shared_cases, litmus, .timeout = 300)
{
#define EXPLORE(file) "litmus --explore --model=a2a3 " VERDICTS file ".litmus"
    static const struct shared_case cases[] = {
        {EXPLORE("N02-event-id-per-source"), CLEAN, {"N02-event-id-per-source Never"}, NULL},
        {EXPLORE("N02-event-id-distinct"), CLEAN, {"N02-event-id-distinct Never"}, NULL},
        {EXPLORE("N03-same-core-one-rank"), CLEAN, {"N03-same-core-one-rank Never"}, NULL},
        {"litmus --explore --model=sc " VERDICTS "N08-fetch-add-split.litmus",
         CLEAN,
         {"N08-fetch-add-split Sometimes"},
         NULL},
        {EXPLORE("N09-cmo-no-flag"), CLEAN, {"N09-cmo-no-flag Sometimes"}, NULL},
        {EXPLORE("N09-cmo-before-store"), CLEAN, {"N09-cmo-before-store Never"}, NULL},
    };
#undef EXPLORE
    EXPECT_CASES(cases);
}

Test(shared_cases, rules, .timeout = 600)
{
#define CHECK(file)   "check " RULES file ".py"
#define COMPILE(file) "compile " RULES file ".py"
/* Without ConvertTensorToTileOps: slices are views. */
#define VIEWS " --passes=FlattenCallExpr,InsertCommFence"
    static const struct shared_case cases[] = {
        {"explore --markers=off --model=weakest " RULES "prefetch_wait.py",
         FINDINGS,
         {"stale read"},
         NULL},
        {CHECK("flat"), CLEAN, {"clean"}, NULL},
        {CHECK("get_plain_min"),
         FINDINGS,
         {"stale read at tmp[0]",
          "missing fence (dsb) and invalidate (cacheinvalid) between the write (line 15) and the "
          "read (line 16) of the same core",
          "insert    pl.system.fence(), pl.system.cacheinvalid(tmp, [1, 1], [0, 0]) before line "
          "16"},
         "notify"},
        {"explore " RULES "get_plain_min.py",
         FINDINGS,
         {"stale read at tmp[0]",
          "missing fence (dsb) and invalidate (cacheinvalid) between the write (line 15) and the "
          "read (line 16) of the same core (checked: gone in all"},
         "notify"},
        {CHECK("b07_put_from_remote_loaded_plain"),
         FINDINGS,
         {"stale read at out[0]@0",
          "missing fence (dsb) between the write (line 22) and the read (line 24) of the same core",
          "insert    pl.system.fence() before line 24"},
         "notify"},
        {CHECK("b01_warm_dma_store_scalar_read_line0") " --model=weakest",
         FINDINGS,
         {"stale read"},
         NULL},
        {CHECK("b01_ci_first") " --model=weakest --passes=none", FINDINGS, {"stale read"}, NULL},
        {CHECK("b01_fence_first") " --model=weakest --passes=none", CLEAN, {"clean"}, NULL},
        {CHECK("b02_warm_dma_store_scalar_read_line2"),
         FINDINGS,
         {"stale read at big[40]",
          "missing invalidate (cacheinvalid) between the write (line 19) and the read (line 20) of "
          "the same core",
          "insert    pl.system.cacheinvalid(big, [1, 1], [0, 40]) before line 20"},
         "dsb"},
        {CHECK("b02_warm_dma_store_scalar_read_line2") " --toolchain=proposed",
         CLEAN,
         {"clean"},
         NULL},
        {CHECK("a23_readcredit_tile_load_local"),
         FINDINGS,
         {"overrun read",
          "missing drain (barrier all) between the read (line 21) and the notify that lets the "
          "buffer go (line 22)",
          "insert    pl.system.bar_all() before line 22"},
         "dsb"},
        {CHECK("a23_readcredit_tile_load_local") " --toolchain=proposed-drain",
         CLEAN,
         {"clean"},
         NULL},
        {CHECK("a30_tensor_remote_store"), CLEAN, {"clean"}, NULL},
        {CHECK("a30_tensor_remote_store") " --markers=off", FINDINGS, {"stale read"}, NULL},
        {CHECK("dyn_region") VIEWS, FINDINGS, {"stale read at win[40]"}, NULL},
        {CHECK("dyn_region") VIEWS " --toolchain=proposed", CLEAN, {"clean"}, NULL},
        /* As compiled, the slice is a copy in a tile: what is written to it goes nowhere. */
        {CHECK("dyn_region"), CLEAN, {"clean"}, NULL},
        {COMPILE("v02_shape"),
         USAGE,
         {"v02_shape.py:12:12: error:", "DistributedTensor[[4, 8], pl.INT32]",
          "DistributedTensor[[4, 4], pl.INT32]", "            ^~~"},
         NULL},
        {COMPILE("v03_shape_rank"),
         USAGE,
         {"v03_shape_rank.py:12:12: error:", "DistributedTensor[[16], pl.INT32]",
          "DistributedTensor[[4, 4], pl.INT32]"},
         NULL},
        {COMPILE("slice_shape_lie"),
         USAGE,
         {"slice_shape_lie.py:7:12: error:", "Tile[[1, 8], pl.INT32]", "Tile[[1, 16], pl.INT32]"},
         NULL},
        {COMPILE("t11_unknown_ref"),
         USAGE,
         {"t11_unknown_ref.py:13:76: error:", "'nope'", "did you mean 'buf_window'?"},
         NULL},
        {COMPILE("t01_roundtrip") " --passes=none",
         CLEAN,
         {"= pl._dump.call('pld.tensor.window', [buf, [4, 4]], ",
          "pl._dump.window_ref(\"buf_window\")], kwargs={\"dtype\": pl.INT32})"},
         NULL},
        {COMPILE("t17_call_builtin") " --passes=none",
         CLEAN,
         {"= pl._dump.call('pld.tensor.barrier', [w], pld.DistributedTensor[[4, 4], pl.INT32])"},
         NULL},
        {COMPILE("fold") " --print-after=Simplify",
         CLEAN,
         {"size=64", "alloc_window_buffer(64)"},
         "4 * 16"},
        {COMPILE("grp5"),
         CLEAN,
         {"attrs={\"group_dispatch\": False}", "attrs={\"group_dispatch\": True}", "pl.range(4):"},
         NULL},
    };
#undef CHECK
#undef COMPILE
    EXPECT_CASES(cases);
}

Test(shared_cases, language, .timeout = 600)
{
#define CHECK(file)   "check " LANGUAGE file ".py"
#define COMPILE(file) "compile " LANGUAGE file ".py"
#define DIFF(pair)    "diff " LANGUAGE pair "-A.py " LANGUAGE pair "-B.py"
    static const struct shared_case cases[] = {
        {COMPILE("01-put-default-atomic"), CLEAN, {"put("}, NULL},
        {COMPILE("02-allreduce-default-op"), CLEAN, {"allreduce("}, NULL},
        {COMPILE("03-put-chunk-constant"), CLEAN, {"put("}, NULL},
        {COMPILE("04-slice-assign"),
         CLEAN,
         {"pl.tile.load(x__ssa_v0, [0, 0], [8, 16]",
          " = pl.tile.store(t__tile, [0, 0], out__ssa_v0)"},
         NULL},
        {CHECK("04-slice-assign"), CLEAN, {"clean"}, NULL},
        {DIFF("06-diff-level-implied"), CLEAN, {"equal"}, NULL},
        {DIFF("07-diff-strict-ssa"), CLEAN, {"equal"}, NULL},
        {COMPILE("08-func-attr"), CLEAN, {"func_attr"}, "fence"},
        {COMPILE("09-unknown-op-marker"), CLEAN, {"row_prod"}, "fence"},
        {COMPILE("10-matmul-acc-init"),
         CLEAN,
         {"matmul_acc(c__ssa_v0, a__ssa_v0, b__ssa_v0, True)"},
         NULL},
        {COMPILE("11-create-compact"), CLEAN, {"compact"}, NULL},
        {COMPILE("13-remote-load-ragged"), CLEAN, {"remote_load"}, NULL},
        {COMPILE("15-tensor-view-layout"),
         CLEAN,
         {"= x__ssa_v0\n", "pl.tensor.view(x__ssa_v0, [4, 8], layout=pl.TensorLayout.DN)"},
         NULL},
        {CHECK("15-tensor-view-layout"), USAGE, {"no memory access"}, "expected"},
        {COMPILE("16-carried-without-yield"),
         CLEAN,
         {"acc__ssa_v0: ", "pl.tensor.add(acc, acc)"},
         NULL},
        {COMPILE("21-submit-prefix"),
         CLEAN,
         {"pl.Tuple[pl.Tensor[[4], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.stage, "
          "x__ssa_v0)"},
         NULL},
        {COMPILE("22-dynamic-in-type"),
         CLEAN,
         {"NR = pl.dynamic(\"NR\")", "[[NR, 8, 8]"},
         "[[pl.dynamic"},
        {CHECK("22-dynamic-in-type"), CLEAN, {"clean"}, NULL},
        {COMPILE("27-while-carry-names"),
         CLEAN,
         {"for (i, s) in pl.while_(init_values=(n__ssa_v0, n__ssa_v0)):", "pl.cond(0 < i)"},
         NULL},
        {COMPILE("31-yield-in-parentheses"),
         CLEAN,
         {"r: pl.Scalar[pl.INDEX] = pl.yield_(b__ssa_v0)"},
         NULL},
        {COMPILE("18-simplify-types"), CLEAN, {"def"}, NULL},
        {COMPILE("19-simplify-ranges"), CLEAN, {"def"}, NULL},
        {CHECK("23-return-store-valid"), CLEAN, {"clean"}, NULL},
        {CHECK("25-yield-store-no-marker"), CLEAN, {"clean"}, NULL},
        {COMPILE("28-inline-function"), CLEAN, {"n__ssa_v0 * 2"}, "Inline"},
        {COMPILE("29-store-other-dtype"), CLEAN, {"store"}, NULL},
        {"compile --emit=asm " LANGUAGE "29-store-other-dtype.py",
         CLEAN,
         {"512 bytes of bf16", "fix [", "of out, c, 16 x 16 bf16", "of st.pipe, ta"},
         "mte3 [r2(out)]"},
        {CHECK("29-store-other-dtype"), CLEAN, {"clean"}, NULL},
        {COMPILE("33-cross-core-markers"), CLEAN, {"tpush_to_aiv"}, "fence"},
        {"compile --emit=asm -P 2 " LANGUAGE "34-put-chunks-ignored.py",
         CLEAN,
         {"4 x 16 fp32", "barrier all                                      ; macro", "4 x 16 fp32",
          "4 x 16 fp32"},
         "8 x 16 fp32"},
        {CHECK("34-put-chunks-ignored"), CLEAN, {"clean"}, NULL},
        {CHECK("S1-jit"), CLEAN, {"clean"}, NULL},
        {CHECK("S2-factory") " --arg n=2", CLEAN, {"clean"}, NULL},
        {CHECK("S3-golden"), CLEAN, {"clean"}, NULL},
        {CHECK("S4-two-hosts"), USAGE, {"already declared"}, NULL},
        {CHECK("S5-incore-barrier"), CLEAN, {"clean"}, NULL},
        {CHECK("S6-incore-allreduce") " --toolchain=proposed-drain", CLEAN, {"clean"}, NULL},
        {"compile --emit=asm --toolchain=ptoas-0.52 -P 2 " LANGUAGE "S7-acc.py",
         CLEAN,
         {"fix ["},
         "mte3 ["},
    };
#undef CHECK
#undef COMPILE
#undef DIFF
    EXPECT_CASES(cases);
}
