/* SPDX-License-Identifier: MIT */
/* What FIX converts (pypto-ops-facts 2); the cases space_* of tests/cases show the rest of memory spaces. */
#include "tests/codegen/kernel_rig.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

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
