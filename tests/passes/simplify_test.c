/* SPDX-License-Identifier: MIT */
#include "passes/simplify.h"

#include "base/strbuf.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "tests/passes/transform_rig.h"

/* What an expression becomes, and that it stays that. pl.use is an operator that nobody knows. */
static void expect_folds(const char *before, const char *after)
{
    static const char *const pass[] = {"Simplify"};
    struct arena a = {0};
    const char *text =
        framed_text(&a, "simplify_arithmetic", arena_printf(&a, "pl.test.use(%s)\n", before));
    const struct ir_program *p = transform_parse(&a, before, text),
                            *once = transform_run(&a, before, p, pass, 1),
                            *twice = transform_run(&a, before, once, pass, 1);
    expect_text(before, printed_function(&a, ir_print(&a, once), "k"),
                arena_printf(&a, "pl.test.use(%s)\n", after));
    cr_expect(ir_equal(once, twice), "%s: a second run changes it", before);
    arena_free(&a);
}

/* The second part of the table is that of pypto-front-facts 3.8, measured with the compiler. */
Test(simplify, arithmetic_folds)
{
    static const struct {
        const char *before, *after;
    } cases[] = {
        /* constants */
        {"1 + 2 * 3", "7"},
        {"7 // 2", "3"},
        {"-7 // 2", "-4"},
        {"-7 % 3", "2"},
        {"2 ** 10", "1024"},
        {"1 << 4", "16"},
        {"-16 >> 2", "-4"},
        {"6 & 3 | 8 ^ 1", "11"},
        {"~5", "-6"},
        {"abs(-(3))", "3"},
        {"pl.min(3, 2) + pl.max(3, 2)", "5"},
        {"1 < 2", "True"},
        {"2 != 2", "False"},
        {"not 1 < 2", "False"},
        {"1 < 2 and 2 < 1 or 3 == 3", "True"},
        {"pl.const(3, pl.INT32) + pl.const(4, pl.INT32)", "pl.const(7, pl.INT32)"},
        {"pl.const(4, pl.INT64) + 3", "pl.const(7, pl.INT64)"},
        {"3 + pl.const(4, pl.INT64)", "7"},
        /* neutral and absorbing constants */
        {"i + 0", "i"},
        {"0 + i", "i"},
        {"i - 0", "i"},
        {"i * 1", "i"},
        {"1 * i", "i"},
        {"i // 1", "i"},
        {"i ** 1", "i"},
        {"i ** 0", "1"},
        {"b and True", "b"},
        {"True and b", "b"},
        {"b or False", "b"},
        {"n * pl.const(1, pl.INT32) + pl.const(0, pl.INT32)", "n"},
        {"n * 1 + 0", "pl.cast(n, pl.INDEX)"},
        {"i * 0", "0"},
        {"0 * i", "0"},
        {"i % 1", "0"},
        {"b and False", "False"},
        {"True or b", "True"},
        {"n * pl.const(0, pl.INT32)", "pl.const(0, pl.INT32)"},
        {"i // n * 0", "0"},
        /* a cast of a number is no number */
        {"(pl.const(1, pl.INT32) + pl.const(1, pl.INT32)) * i",
         "pl.cast(pl.const(2, pl.INT32), pl.INDEX) * i"},

        {"1 + i", "i + 1"},
        {"2 * i", "i * 2"},
        {"i + i", "i * 2"},
        {"i*4 + i", "i * 5"},
        {"i + 1 + 2", "i + 3"},
        {"i - 1 + 1", "i"},
        {"i + h - i", "h"},
        {"i*h - h*i", "0"},
        {"h + 1 + i", "h + i + 1"},
        {"(i + 2) * 4", "i * 4 + 8"},
        {"i*2 + h*2", "(i + h) * 2"},
        {"i * 2 * 3", "i * 6"},
        {"i*4 // 2", "i * 2"},
        {"i*4 // 8", "i // 2"},
        {"(i*4 + 2) // 4", "i"},
        {"(i*4 + 2) % 4", "2"},
        {"i // 4 // 2", "i // 8"},
        {"i // 4 * 4 + i % 4", "i"},
        {"pl.min(3, i)", "pl.min(i, 3)"},
        {"pl.min(pl.min(i, 4), 6)", "pl.min(i, 4)"},
        {"pl.max(i + 1, i)", "i + 1"},
        {"pl.max(i, 0)", "i"},
        {"pl.min(i, -1)", "-1"},
        {"i > 2", "2 < i"},
        {"i >= 2", "2 <= i"},
        {"2 == i", "i == 2"},
        {"i + 1 < 3", "i < 2"},
        {"i + 1 == 3", "i == 2"},
        {"i + 1 < h + 1", "i < h"},
        {"i >= 0", "0 <= i"},
        {"not i < 2", "2 <= i"},
        {"not i == 2", "i != 2"},
        {"b and b", "b"},
        {"not not b", "b"},

        {"-(-i)", "i"},
        {"i == i", "True"},
        {"i < i", "False"},
        {"(i + 0) * (1 + 1)", "i * 2"},
        {"i - (h + 2)", "i - h + -2"},
        {"i - (i - h)", "h"},
        {"not (i < 2 and b)", "2 <= i or not b"},
        {"pl.max(pl.min(i, 16), 0)", "pl.min(i, 16)"},
        {"pl.min(pl.max(i, h), h)", "h"},
        {"(i*7 + 63 + 67) // 64 * 16", "(i * 7 + 130) // 64 * 16"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        expect_folds(cases[c].before, cases[c].after);
}

Test(simplify, arithmetic_stays)
{
    static const char *const cases[] = {
        /* nothing wraps or fails at compile time */
        "pl.const(2147483647, pl.INT32) + pl.const(1, pl.INT32)",
        "pl.const(200, pl.UINT8) + pl.const(100, pl.UINT8)",
        "pl.const(1, pl.UINT8) - pl.const(2, pl.UINT8)",
        "9223372036854775807 + 1",
        "1 // 0",
        "1 % 0",
        "1 << 63",
        "2 ** -1",
        "~pl.const(1, pl.UINT8)",
        /* an unsigned operand beside a negative one; differences of unsigned ones wrap */
        "pl.const(1, pl.UINT64) < pl.cast(-1, pl.UINT64)",
        "u - pl.const(1, pl.UINT8) < pl.const(3, pl.UINT8)",
        "pl.const(2, pl.UINT8) - u <= pl.const(2, pl.UINT8)",
        "pl.const(2, pl.UINT8) - pl.const(200, pl.UINT8) <= pl.const(2, pl.UINT8)",
        /* floats: 0.0 + -0.0 is not -0.0, and 0.0 * inf is not 0.0 */
        "f + 0.0",
        "f * 1.0",
        "f * 0.0",
        "1.0 + 2.0",
        /* calls may not be dropped, repeated or exchanged */
        "self.callee(n) * pl.const(0, pl.INT32)",
        "False and self.callee(n) < n",
        "pl.tensor.read(sig, [0, 0]) * pl.const(0, pl.INT32)",
        "self.callee(n) > self.callee(n)",
        "self.callee(n) + self.callee(n)",
        /* casts */
        "pl.cast(16, pl.INT32)",
        "pl.cast(n, pl.INDEX)",
        "pl.cast(n, pl.INT32)",
        "1 < pl.cast(n, pl.INDEX)",
        "0 <= pl.cast(n, pl.INDEX)",
        /* module constants */
        "SIZE // 2",
        "SIZE * SIZE",
        /* not the same, and what the compiler leaves (pypto-front-facts 3.8) */
        "i - pl.cast(n, pl.INDEX)",
        "i == pl.cast(n, pl.INDEX)",
        "f == f",
        "-~i",
        "i / 1",
        "7 / 2",
        "i - 1 - 2",
        "0 - i",
        "0 // i",
        "i + -1",
        "i - -1",
        "h + i",
        "i + h",
        "(i + h) * 2",
        "i << 0",
        "i >> 0",
        "i | 0",
        "0 ^ i",
        "i & 0",
        "~~i",
        "-i + h",
        "i * 2 < 8",
        "i - h == 0",
        "pl.const(0, pl.INT32) <= n",
        "pl.max(n, pl.const(0, pl.INT32))",
        "1 << i & 0",
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        expect_folds(cases[c], cases[c]);
}

/* ---- what is said ---- */

static void hear(void *ctx, const struct source *src, struct span at, const char *text)
{
    (void)src;
    strbuf_addf(ctx, "%d:%d: %s\n", at.line, at.col, text);
}

/* The compiler loses a carried value that starts at a constant of the top level (pypto-front-facts 3.8). */
Test(simplify, says_what_the_compiler_loses)
{
    static const char note[] = "Simplify: the compiler loses a value that a while loop carries "
                               "from a constant; here it is "
                               "kept\n";
    static const struct {
        const char *body, *place; /* place: NULL for no note */
    } cases[] = {
        {"    c: pl.Scalar[pl.INDEX] = 0\n"
         "    for (a,) in pl.while_(init_values=(c,)):\n        pl.cond(a < n)\n"
         "        y = pl.yield_(a + 1)\n    pl.test.use(y)\n",
         "6:40: "},
        {"    for (a,) in pl.while_(init_values=(n,)):\n        pl.cond(a < 8)\n"
         "        y = pl.yield_(a + 1)\n    pl.test.use(y)\n",
         NULL},
        {"    c: pl.Scalar[pl.INDEX] = 0\n"
         "    for i, (a,) in pl.range(n, init_values=(c,)):\n"
         "        y = pl.yield_(a + 1)\n    pl.test.use(y)\n",
         NULL},
    };
    static const char head[] = "import pypto.language as pl\n\n"
                               "@pl.function(type=pl.FunctionType.InCore)\n"
                               "def k(n: pl.Scalar[pl.INDEX]):\n";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct strbuf said = strbuf_make(&a);
        struct pass_options o = PASS_OPTIONS_DEFAULT;
        o.note = hear;
        o.note_ctx = &said;
        const struct ir_program *p =
            transform_parse(&a, cases[i].body, arena_printf(&a, "%s%s", head, cases[i].body));
        cr_assert(simplify(&a, p, &o, &d));
        expect_text(cases[i].body, said.text,
                    cases[i].place ? arena_printf(&a, "%s%s", cases[i].place, note) : "");
        arena_free(&a);
    }
}
