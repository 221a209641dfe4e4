/* SPDX-License-Identifier: MIT */
/* Tiles in their memory spaces: which unit moves, computes and stores them (pypto-ops-facts 1.4,
 * 2), what views and parts of them hold, and what FIX converts. */
#include "passes/pass.h"
#include "tests/codegen/kernel_rig.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct row {
    const char *name, *body, *expected;
};

static void expect_traces(const struct row *rows, size_t n, bool passes)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        struct toolchain t = rig_toolchain(&a);
        const struct program *p = passes ? rig_marked_body(&a, rows[i].name, rows[i].body, &t)
                                         : rig_body(&a, rows[i].name, rows[i].body, &t);
        expect_text(rows[i].name, rig_trace(&a, p), rows[i].expected);
        arena_free(&a);
    }
}

#define LOAD(space)       "t = pl.load(f, [0, 0], [4, 4], target_memory=pl.Mem." space ")\n"
#define READ              "mte2 t <- f[0]@0, 4 x 4\n"
#define MOVE(x, y, space) x " = pl.tile.move(" y ", target_memory=pl.Mem." space ")\n"
#define PART(x, y, space)                                                                          \
    x " = pl.tile.extract(" y ", 2, 0, [2, 4], target_memory=pl.Mem." space ")\n"
#define PRODUCT                                                                                    \
    LOAD("Mat") MOVE("l", "t", "Left") MOVE("r", "t", "Right") "c = pl.tile.matmul(l, r)\n"
#define PRODUCED READ "mte1.copy l, t\nmte1.copy r, t\nm.tile.matmul c, l, r\n"

/* The unit is that of the two spaces, not of the operator. */
Test(tile_space, moves)
{
    static const struct row rows[] = {
        {"Vec to Vec", LOAD("Vec") MOVE("u", "t", "Vec"), READ "v.copy u, t\n"},
        {"Vec to Mat", LOAD("Vec") MOVE("u", "t", "Mat"), READ "v.copy u, t\n"},
        {"Mat to Left", LOAD("Mat") MOVE("u", "t", "Left"), READ "mte1.copy u, t\n"},
        {"Mat to Bias", LOAD("Mat") MOVE("u", "t", "Bias"), READ "mte1.copy u, t\n"},
        {"Mat to Vec", LOAD("Mat") MOVE("u", "t", "Vec"), READ "v.copy u, t\n"},
        {"the accumulator to Vec", PRODUCT MOVE("u", "c", "Vec"), PRODUCED "fix.copy u, c\n"},
        {"the accumulator to Mat", PRODUCT MOVE("u", "c", "Mat"), PRODUCED "fix.copy u, c\n"},
        {"part of Mat", LOAD("Mat") PART("u", "t", "Left"), READ "mte1.part u, t, from 2, 0\n"},
        {"part of Vec", LOAD("Vec") PART("u", "t", "Vec"), READ "v.part u, t, from 2, 0\n"},
        {"part of Vec in Mat", LOAD("Vec") PART("u", "t", "Mat"),
         READ "fix.part u, t, from 2, 0\n"},
        {"part of the accumulator", PRODUCT PART("u", "c", "Mat"),
         PRODUCED "fix.part u, c, from 2, 0\n"},
        {"a part replaced in Vec",
         LOAD("Vec") "u = pl.load(f, [1, 0], [1, 4])\nw = pl.tile.assemble(t, u, [3, 0])\n",
         READ "mte2 u <- f[16]@0, 1 x 4\nv.insert t, t, u, from 3, 0\n"},
        {"consecutive integers come from the scalar unit",
         "t = pl.tile.ci(7, [1, 8], dtype=pl.INT32)\nu = pl.add(t, t)\n",
         "s.ramp t, 7\nv.add u, t, t\n"},
        {"filled around, on the cube", LOAD("Mat") "u = pl.tile.fillpad(t)\n",
         READ "mte1.fillpad u, t, 4 x 4, 0\n"},
    };
    expect_traces(rows, COUNT(rows), false);
}

/* The result of a product lies in the accumulator without being told, and FIX stores it. */
Test(tile_space, stores)
{
    static const struct row rows[] = {
        {"not annotated", PRODUCT "pl.store(c, [0, 0], fout)\n",
         PRODUCED "fix fout[0]@0 <- c, 4 x 4\n"},
        {"added to", PRODUCT "d = pl.tile.matmul_acc(c, l, r)\npl.store(d, [0, 0], fout)\n",
         PRODUCED "m.tile.matmul_acc c, c, l, r, 0\nfix fout[0]@0 <- c, 4 x 4\n"},
        {"through another name and a view",
         PRODUCT "d = c\nu = pl.tile.reshape(d, [2, 8])\npl.store(u, [0, 0], fout)\n",
         PRODUCED "s.rename u, c\nfix fout[0]@0 <- u, 2 x 8\n"},
        {"carried by a loop",
         LOAD("Mat") MOVE("l", "t", "Left")
             MOVE("r", "t", "Right") "c = pl.tile.create([4, 4], dtype=pl.FP32)\n"
                                     "for i, (acc,) in pl.range(2, init_values=(c,)):\n"
                                     "    d = pl.tile.matmul_acc(acc, l, r)\n"
                                     "    e = pl.yield_(d)\n"
                                     "pl.store(e, [0, 0], fout)\n",
         READ "mte1.copy l, t\nmte1.copy r, t\nm.copy c, c\n"
              "m.tile.matmul_acc c, c, l, r, 0\nm.tile.matmul_acc c, c, l, r, 0\n"
              "fix fout[0]@0 <- c, 4 x 4\n"},
        {"to a peer", PRODUCT "pld.tile.remote_store(c, fwin, 4 - n, [0, 0])\n",
         PRODUCED "ld fwin_ctx[2]@0\nld fwin_ctx[4]@0\nld fwin_ctx[5]@0\n"
                  "fix fwin[0]@1 <- c, 4 x 4\ndcci fwin[0]@1 ; codegen\n"},
    };
    expect_traces(rows, COUNT(rows), false);
}

/* The whole way with the older fence: its three barriers end in the one that the store is in. */
Test(tile_space, fence_of_three_barriers_behind_fix)
{
    static const char body[] = LOAD("Mat") MOVE("l", "t", "Left")
        MOVE("r", "t", "Right") "c = pl.matmul(l, r)\n"
                                "pl.store(c, [0, 0], fwin)\n"
                                "pld.system.notify(sig, 4 - n, [0, 0], 1, op=pld.NotifyOp.Set)\n";
    static const char expected[] =
        PRODUCED "fix fwin[0]@0 <- c, 4 x 4\n"
                 "dcci fwin[0]@0 ; W1\n"
                 "barrier mte2 ; W1\nbarrier mte3 ; W1\nbarrier fix ; W1\ndsb ; W1\n"
                 "ld sig_ctx[2]@0\nld sig_ctx[4]@0\nld sig_ctx[5]@0\n"
                 "barrier all ; codegen\n"
                 "dcci sig[0]@1 ; macro\nst sig[0]@1, 1\ndcci sig[0]@1 ; macro\ndsb ; macro\n"
                 "barrier all ; macro\n";
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct toolchain *k = toolchain_load(&a, "models", "ptoas-0.52", &d);
    cr_assert(k, "%s", diag_text(&d, &a));
    struct toolchain t = *k;
    t.kernel_tail = TAIL_NONE;
    t.auto_sync = false;
    expect_text("fence3", rig_trace(&a, rig_marked_body(&a, "fence3", body, &t)), expected);
    arena_free(&a);
}

/* A reshape moves nothing, but it is the scalar unit's for the assembler, which has it wait for the
 * load; a slice is nothing at all. */
Test(tile_space, views_of_the_assembler)
{
    static const struct row rows[] = {
        {"reshape", LOAD("Vec") "u = pl.tile.reshape(t, [2, 8])\npl.store(u, [0, 0], fout)\n",
         READ "set_flag mte2, s, 2 ; auto-sync\nwait_flag mte2, s, 2 ; auto-sync\n"
              "s.rename u, t\n"
              "set_flag s, mte3, 2 ; auto-sync\nwait_flag s, mte3, 2 ; auto-sync\n"
              "mte3 fout[0]@0 <- u, 2 x 8\n"},
        {"slice", LOAD("Vec") "u = pl.tile.slice(t, [2, 4], [1, 0])\npl.store(u, [0, 0], fout)\n",
         READ "set_flag mte2, mte3, 2 ; auto-sync\nwait_flag mte2, mte3, 2 ; auto-sync\n"
              "mte3 fout[0]@0 <- u, 2 x 4\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct toolchain t = rig_toolchain(&a);
        t.auto_sync = true;
        expect_text(rows[i].name, rig_trace(&a, rig_body(&a, rows[i].name, rows[i].body, &t)),
                    rows[i].expected);
        arena_free(&a);
    }
}

/* ---- what views and parts hold ---- */

/* Element i of x on rank 0 is (5 i mod 7) + 1 (docs/kernels.md): row r starts with element 16 r. */
struct value_row {
    const char *name, *body, *row0;
};

static void expect_row(const struct value_row *r)
{
    struct arena a = {0};
    struct toolchain t = rig_toolchain(&a);
    t.auto_sync = true;
    expect_text(r->name, rig_memory(&a, rig_body(&a, r->name, r->body, &t), "out", 0, 0, 4),
                r->row0);
    arena_free(&a);
}

#define ALL       "t = pl.load(x, [0, 0], [4, 16])\n"
#define SHOW(u)   "pl.store(" u ", [0, 0], out)\n"
#define SUM_OF(u) "s = pl.tile.adds(" u ", 100)\n" SHOW("s")

Test(tile_space, contents)
{
    /* x[0][0..3] = 1 6 4 2, x[0][2..5] = 4 2 7 5, x[1][0..3] = 4 2 7 5, x[1][2..5] = 7 5 3 1,
     * x[2][0..3] = 7 5 3 1 */
    static const struct value_row rows[] = {
        {"another shape",
         ALL "u = pl.tile.reshape(t, [16, 4])\nv = pl.tile.slice(u, [1, 4], [4, 0])\n" SHOW("v"),
         "4 2 7 5"},
        {"a part that is stored", ALL "u = pl.tile.slice(t, [2, 4], [0, 2])\n" SHOW("u"),
         "4 2 7 5"},
        {"a part that is computed with", ALL "u = pl.tile.slice(t, [2, 4], [1, 2])\n" SUM_OF("u"),
         "107 105 103 101"},
        {"a part of a part",
         ALL
         "u = pl.tile.slice(t, [3, 8], [1, 0])\nv = pl.tile.slice(u, [1, 4], [1, 0])\n" SHOW("v"),
         "7 5 3 1"},
        {"a part under another shape",
         ALL "u = pl.tile.slice(t, [2, 2], [1, 0])\nv = pl.tile.reshape(u, [1, 4])\n" SHOW("v"),
         "4 2 7 5"}, /* x[1][0..1], x[2][0..1] */
        {"a part at a place that the run gives",
         ALL "u = pl.tile.slice(t, [1, 4], [n - 2, 2])\n" SHOW("u"), "7 5 3 1"},
        {"extract", ALL "u = pl.tile.extract(t, 1, 2, [1, 4])\n" SHOW("u"), "7 5 3 1"},
        {"extract at a place that the run gives",
         ALL "u = pl.tile.extract(t, n - 1, 0, [1, 4])\n" SHOW("u"), "7 5 3 1"},
        {"assemble",
         ALL
         "u = pl.tile.slice(t, [1, 2], [1, 0])\nw = pl.tile.full([1, 4], dtype=pl.INT32, value=9)\n"
         "v = pl.tile.assemble(w, u, [0, 2])\n" SHOW("v"),
         "9 9 4 2"},
        {"assemble at a place that the run gives",
         ALL
         "u = pl.tile.slice(t, [1, 2], [1, 0])\nw = pl.tile.full([1, 4], dtype=pl.INT32, value=9)\n"
         "v = pl.tile.assemble(w, u, [0, n - 2])\n" SHOW("v"),
         "9 4 2 9"},
        {"a view sees what changes in place",
         ALL "u = pl.tile.reshape(t, [16, 4])\npl.tile.write(t, [1, 1], 50)\n"
             "v = pl.tile.slice(u, [1, 4], [4, 0])\n" SHOW("v"),
         "4 50 7 5"},
        {"a view keeps what it was of, when the name gets another tile",
         ALL "u = pl.tile.slice(t, [1, 4], [1, 0])\nt = pl.load(x, [0, 0], [4, 16])\n"
             "t = pl.tile.adds(t, 100)\n" SHOW("u"),
         "4 2 7 5"},
        {"one element of a part",
         ALL
         "u = pl.tile.slice(t, [2, 4], [1, 2])\npl.write(out, [0, 0], pl.tile.read(u, [1, 1]))\n"
         "pl.write(out, [0, 1], pl.tile.read(u, 5))\n",
         "1 1 4 2"}, /* x[2][3] is element 35 */
        {"rows gathered",
         "t = pl.tile.full([2, 4], dtype=pl.INT32, value=9)\n"
         "u = pl.tile.gather_row(t, x, [0, 2], [1, 0], [2, 2])\n" SHOW("u"),
         "9 9 4 2"},
        {"consecutive", "t = pl.tile.ci(n, [1, 4], dtype=pl.INT32)\n" SHOW("t"), "3 4 5 6"},
        {"consecutive downwards",
         "t = pl.tile.ci(n, [1, 4], dtype=pl.INT32, descending=True)\n" SHOW("t"), "3 2 1 0"},
        {"a column added to each column",
         ALL "c = pl.tile.slice(t, [4, 1], [0, 1])\nu = pl.tile.row_expand_add(t, c)\n" SHOW("u"),
         "7 12 10 8"},
        {"a row repeated",
         ALL "r = pl.tile.slice(t, [1, 16], [1, 0])\nu = pl.tile.col_expand(t, r)\n" SHOW("u"),
         "4 2 7 5"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_row(&rows[i]);
}

/* Sums in two accumulators of different contents, and whether they are equal then: out[0][0] is 50
 * if so. out[0][1] is 60 if the sum is where the accumulator was. */
#define SUMS(cond)                                                                                 \
    LOAD("Mat")                                                                                    \
    MOVE("l", "t", "Left")                                                                         \
    MOVE("r", "t", "Right")                                                                        \
    "c = pl.tile.matmul(l, r)\n"                                                                   \
    "x1 = pl.load(f, [0, 4], [4, 4], target_memory=pl.Mem.Mat)\n" MOVE(                            \
        "l1", "x1", "Left") "e = pl.tile.matmul(l1, r)\n"                                          \
                            "c1 = pl.tile.matmul_acc(c, l, r" cond                                 \
                            ")\ne1 = pl.tile.matmul_acc(e, l, r" cond ")\n"                        \
                            "if pl.tile.read(c1, [0, 0]) == pl.tile.read(e1, "                     \
                            "[0, 0]):\n    pl.write(out, [0, 0], 50)\n"                            \
                            "if pl.tile.read(c1, [0, 0]) == pl.tile.read(c, "                      \
                            "[0, 0]):\n    pl.write(out, [0, 1], 60)\n"

/* init_cond, also where only the run knows it, leaves the accumulator out (pypto-ops-facts 1.3). */
Test(tile_space, accumulators)
{
    static const struct value_row rows[] = {
        {"added to", SUMS(""), "1 60 4 2"},
        {"known to be added to", SUMS(", False"), "1 60 4 2"},
        {"known to begin anew", SUMS(", True"), "50 60 4 2"},
        {"found to be added to", SUMS(", n == 4"), "1 60 4 2"},
        {"found to begin anew", SUMS(", n == 3"), "50 60 4 2"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_row(&rows[i]);
}

/* ---- FIX converts ---- */

static const char conversion[] =
    "import pypto.language as pl\n"
    "@pl.function(type=pl.FunctionType.AIC)\n"
    "def k(x: pl.Tensor[[2, 4], pl.FP32], out: pl.Out[pl.Tensor[[2, 4], pl.%s]]):\n"
    "    t = pl.load(x, [0, 0], [2, 4])\n"
    "    c = pl.tile.move(t, target_memory=pl.Mem.%s)\n"
    "    pl.store(c, [0, 0], out)\n";

/* The footprint is that of the tensor's elements: x = 1 6 4 2 of FP32 is two words of BF16. */
Test(tile_space, fix_converts)
{
    struct arena a = {0};
    struct toolchain t = rig_toolchain(&a);
    t.auto_sync = true;
    struct diag d = {.arena = &a};
    const struct program *p =
        rig_compile(&a, arena_printf(&a, conversion, "BF16", "Acc"), &t, 1, &d);
    cr_assert(p, "%s", diag_text(&d, &a));
    /* bf16: 1 = 3f80, 6 = 40c0, 4 = 4080, 2 = 4000; words are little-endian */
    expect_text("bytes", rig_memory(&a, p, "out", 0, 0, 2),
                arena_printf(&a, "%d %d", 0x40c03f80, 0x40004080));
    arena_free(&a);
}

/* What neither FIX nor MTE3 can store is an error at the store. */
Test(tile_space, stores_that_convert)
{
    static const struct {
        const char *dtype, *space, *error;
    } rows[] = {
        {"FP32", "Acc", NULL},
        {"FP16", "Acc", NULL},
        {"BF16", "Acc", NULL},
        {"INT32", "Acc", NULL},
        {"INT8", "Acc", "6:5: the accumulator is stored as INT32, FP32, FP16 or BF16, not as int8"},
        {"INT16", "Acc",
         "6:5: the accumulator is stored as INT32, FP32, FP16 or BF16, not as int16"},
        {"FP32", "Vec", NULL},
        {"BF16", "Vec",
         "6:14: argument 'tile' of tile.store holds pl.FP32, but 'output_tensor' holds pl.BF16 "
         "[same-dtype]"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena a = {0};
        struct toolchain t = rig_toolchain(&a);
        struct diag d = {.arena = &a};
        bool made =
            rig_compile(&a, arena_printf(&a, conversion, rows[i].dtype, rows[i].space), &t, 1, &d);
        cr_expect(made == !rows[i].error, "%s from %s", rows[i].dtype, rows[i].space);
        if (rows[i].error && !made)
            expect_text(rows[i].dtype, rig_error(&a, &d), rows[i].error);
        arena_free(&a);
    }
}
