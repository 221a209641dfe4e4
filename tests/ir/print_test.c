/* SPDX-License-Identifier: MIT */
/* The printed form of expressions (pypto-facts 1.2, 1.3); that of statements, calls, types and whole
 * programs is in tests/cases/parse. */
#include "tests/ir/helpers.h"

struct body_case {
    const char *name, *source, *printed;
};

Test(print, expressions)
{
    static const struct body_case cases[] = {
        {"precedence", "y = i + i * i\n", "y: pl.Scalar[pl.INDEX] = i + i * i\n"},
        {"needless parentheses", "y = (i + (i * i))\n", "y: pl.Scalar[pl.INDEX] = i + i * i\n"},
        {"needed parentheses", "y = (i + i) * i\n", "y: pl.Scalar[pl.INDEX] = (i + i) * i\n"},
        {"left grouping", "y = i - i - i\n", "y: pl.Scalar[pl.INDEX] = i - i - i\n"},
        {"right operand", "y = i - (i - i)\n", "y: pl.Scalar[pl.INDEX] = i - (i - i)\n"},
        {"floor division and remainder", "y = i // 2 % 3\n",
         "y: pl.Scalar[pl.INDEX] = i // 2 % 3\n"},
        {"power groups to the right", "y = i ** i ** i\n",
         "y: pl.Scalar[pl.INDEX] = i ** i ** i\n"},
        {"power of a power", "y = (i ** i) ** i\n", "y: pl.Scalar[pl.INDEX] = (i ** i) ** i\n"},
        {"sign binds looser than power", "y = -i ** 2\n", "y: pl.Scalar[pl.INDEX] = -i ** 2\n"},
        {"power of a sign", "y = (-i) ** -i\n", "y: pl.Scalar[pl.INDEX] = (-i) ** -i\n"},
        {"negative literal", "y = -1\n", "y: pl.Scalar[pl.INDEX] = -1\n"},
        {"negated literal", "y = -(1)\n", "y: pl.Scalar[pl.INDEX] = -(1)\n"},
        {"power of a literal", "y = -1 ** 2\n", "y: pl.Scalar[pl.INDEX] = -1 ** 2\n"},
        {"power of a negative literal", "y = (-1) ** 2\n", "y: pl.Scalar[pl.INDEX] = (-1) ** 2\n"},
        {"plus is dropped", "y = +i\n", "y: pl.Scalar[pl.INDEX] = i\n"},
        {"bits", "y = i & 1 | i ^ 3 << 1\n", "y: pl.Scalar[pl.INDEX] = i & 1 | i ^ 3 << 1\n"},
        {"complement", "y = ~i\n", "y: pl.Scalar[pl.INDEX] = ~i\n"},
        {"logic", "y = not b and i == 1 or i != 2\n",
         "y: pl.Scalar[pl.BOOL] = not b and i == 1 or i != 2\n"},
        {"not of and", "y = not (b and b)\n", "y: pl.Scalar[pl.BOOL] = not (b and b)\n"},
        {"or of comparisons", "y = (i < 1) or (i == 2)\n",
         "y: pl.Scalar[pl.BOOL] = i < 1 or i == 2\n"},
        {"logical xor", "y = b ^ b\n", "y: pl.Scalar[pl.BOOL] = b ^ b\n"},
        {"minimum", "y = pl.min(i, pl.max(1, 2))\n",
         "y: pl.Scalar[pl.INDEX] = pl.min(i, pl.max(1, 2))\n"},
        {"python minimum", "y = min(i, 1)\n", "y: pl.Scalar[pl.INDEX] = pl.min(i, 1)\n"},
        {"absolute value", "y = abs(-i)\n", "y: pl.Scalar[pl.INDEX] = abs(-i)\n"},
        {"unified arithmetic of scalars", "y = pl.add(n, 1)\n",
         "y: pl.Scalar[pl.INDEX] = pl.cast(n, pl.INDEX) + 1\n"},
        {"cast", "y = pl.cast(n, pl.INDEX)\n", "y: pl.Scalar[pl.INDEX] = pl.cast(n, pl.INDEX)\n"},
        {"cast by keyword", "y = pl.cast(n, target_type=pl.INT64)\n",
         "y: pl.Scalar[pl.INT64] = pl.cast(n, pl.INT64)\n"},
        {"typed constant", "y = pl.const(4, pl.INT64)\n",
         "y: pl.Scalar[pl.INT64] = pl.const(4, pl.INT64)\n"},
        {"typed negative constant", "y = pl.const(-4, pl.INT32)\n",
         "y: pl.Scalar[pl.INT32] = pl.const(-4, pl.INT32)\n"},
        {"index constant is bare", "y = pl.const(4, pl.INDEX)\n", "y: pl.Scalar[pl.INDEX] = 4\n"},
        {"smallest integer", "y = -9223372036854775808\n",
         "y: pl.Scalar[pl.INDEX] = -9223372036854775808\n"},
        {"other bases", "y = 0x10 + 0b11 + 1_000\n", "y: pl.Scalar[pl.INDEX] = 16 + 3 + 1000\n"},
        {"float", "y = 1e-6\n", "y: pl.Scalar[pl.FP32] = 9.9999999999999995e-07\n"},
        {"float keeps its point", "y = 2.0\n", "y: pl.Scalar[pl.FP32] = 2.0\n"},
        {"typed float", "y = pl.const(0.5, pl.FP16)\n",
         "y: pl.Scalar[pl.FP16] = pl.const(0.5, pl.FP16)\n"},
        {"overflowing float", "y = 1e400\n",
         "y: pl.Scalar[pl.FP32] = pl._dump.float64(\"7ff0000000000000\")\n"},
        {"tuple", "y = (i, n)\n",
         "y: pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INT32]] = (i, n)\n"},
        {"tuple element", "y = (i, n)\nz = y[1]\n",
         "y: pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INT32]] = (i, n)\nz: pl.Scalar[pl.INT32] = "
         "y[1]\n"},
        {"subscript of a tensor", "y = x[i]\nz = x[i, 0]\n",
         "y: pl.Tensor[[64], pl.FP32] = pl.tensor.slice(x, [1, 64], [i, 0], [], [0])\n"
         "z: pl.Scalar[pl.FP32] = pl.tensor.read(x, [i, 0])\n"},
        {"slices", "y = x[0:2, 8:16]\nz = x[1, i:i + 4]\nw = x[i * 2:, :8]\nv = x[:]\n",
         "y: pl.Tensor[[2, 8], pl.FP32] = pl.tensor.slice(x, [2, 8], [0, 8])\n"
         "z: pl.Tensor[[4], pl.FP32] = pl.tensor.slice(x, [1, 4], [1, i], [], [0])\n"
         "w: pl.Tensor[[4 - i * 2, 8], pl.FP32] = pl.tensor.slice(x, [4 - i * 2, 8], [i * 2, 0])\n"
         "v: pl.Tensor[[4, 64], pl.FP32] = pl.tensor.slice(x, [4, 64], [0, 0])\n"},
        {"slice of a tile", "t = pl.load(x, [0, 0], [4, 64])\nu = t[1:3, 0:8]\ny = t[1, 2]\n",
         "t: pl.Tile[[4, 64], pl.FP32] = pl.tile.load(x, [0, 0], [4, 64], [4, 64])\n"
         "u: pl.Tile[[2, 8], pl.FP32] = pl.tile.slice(t, [2, 8], [1, 0])\n"
         "y: pl.Scalar[pl.FP32] = pl.tile.read(t, [1, 2])\n"},
        {"assigning to parts", "x[0:2, :] = x[2:4, :]\nx[i, 0:8] = x[1, 8:16]\n",
         "x = pl.tensor.assemble(x, pl.tensor.slice(x, [2, 64], [2, 0]), [0, 0])\n"
         "x = pl.tensor.assemble(x, pl.tensor.reshape(pl.tensor.slice(x, [1, 8], [1, 8], [], [0]), "
         "[1, 8]), [i, 0])\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(&a, cases[i].name, kernel_text(&a, cases[i].source));
        expect_text(cases[i].name, printed_body(&a, p), cases[i].printed);
        expect_round_trip(cases[i].name, p);
        arena_free(&a);
    }
}

/* The extents of a result may be parameters: to the caller they are its arguments. */
Test(print, results_of_calls)
{
    static const char function[] =
        "@pl.function\n"
        "def k(n: pl.Scalar[pl.INDEX], x: pl.Tensor[[n * 2, 4], pl.FP32]) -> "
        "pl.Tensor[[n * 2, 4], pl.FP32]:\n"
        "    return x\n";
    static const struct body_case cases[] = {
        {"variable", "y = k(m, x)\n", "y: pl.Tensor[[m * 2, 4], pl.FP32] = k(m, x)\n"},
        {"literal", "y = k(3, x)\n", "y: pl.Tensor[[3 * 2, 4], pl.FP32] = k(3, x)\n"},
        {"keyword", "y = k(x=x, n=m)\n", "y: pl.Tensor[[m * 2, 4], pl.FP32] = k(m, x)\n"},
        {"computed argument", "y = k(m + 1, x)\n", "y = k(m + 1, x)\n"},
        {"launch", "y, t = pl.submit(k, m, x)\n", "y, t = pl.submit(k, m, x)\n"},
        {"launch with nested names", "(y, z), t = pl.submit(k, m, x)\n",
         "y, z, t = pl.submit(k, m, x)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(
            &a, cases[i].name,
            arena_printf(&a, "%sdef main(m: pl.Scalar[pl.INDEX], x: pl.UnknownType):\n    %s",
                         function, cases[i].source));
        const char *printed = strstr(ir_print(&a, p), "x: pl.UnknownType):\n    ");
        cr_assert(printed);
        expect_text(cases[i].name, printed + strlen("x: pl.UnknownType):\n    "), cases[i].printed);
        expect_round_trip(cases[i].name, p);
        arena_free(&a);
    }
}

/* A call may stand before the function that it calls: the result has the type all the same. */
Test(print, results_of_functions_that_follow)
{
    static const char head[] = "def main(self, x: pl.UnknownType):\n";
    static const char tail[] =
        "def k(x: pl.UnknownType) -> pl.Tensor[[C], pl.FP32]:\n    return x\n"
        "def h(x: pl.UnknownType) -> tuple[pl.Tensor[[4], pl.FP32], pl.Scalar[pl.INT32]]:\n"
        "    y = main(x)\n    return x, 1\n"
        "def g(x: pl.UnknownType):\n    return\n";
    static const struct body_case cases[] = {
        {"one value", "y = self.k(x)\n", "y: pl.Tensor[[C], pl.FP32] = k(x)\n"},
        {"two values", "y, z = self.h(x)\n    w = z\n",
         "y, z = h(x)\n    w: pl.Scalar[pl.INT32] = z\n"},
        {"launch", "y, t = pl.submit(self.k, x)\n    z = y\n",
         "y, t = pl.submit(k, x)\n    z: pl.Tensor[[C], pl.FP32] = y\n"},
        {"no value", "y = self.g(x)\n", "y = g(x)\n"},
        {"one-line body before it", "return\ndef one(x: pl.UnknownType): y = k(x)\n",
         "return\n@pl.function\ndef one(x: pl.UnknownType):\n    y: pl.Tensor[[C], pl.FP32] = "
         "k(x)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(
            &a, cases[i].name,
            arena_printf(&a, "C = pl.dynamic(\"C\")\n%s    %s%s", head, cases[i].source, tail));
        const char *printed = strstr(ir_print(&a, p), "self, x: pl.UnknownType):\n    ");
        cr_assert(printed);
        printed += strlen("self, x: pl.UnknownType):\n    ");
        const char *end = strstr(printed, "@pl.function\ndef k");
        end = end ? end : strstr(printed, "def k");
        cr_assert(end);
        expect_text(cases[i].name, arena_printf(&a, "%.*s", (int)(end - printed), printed),
                    cases[i].printed);
        expect_round_trip(cases[i].name, p);
        arena_free(&a);
    }
}

Test(print, fragments_for_messages)
{
    struct arena a = {0};
    struct ir_program *p =
        parse_good(&a, "fragment", kernel_text(&a, "y = pl.load(x, [i, 0], [1, 64])\n"));
    const struct ir_stmt *s = p->funcs.items[0]->body.items[0];
    expect_text("expression", ir_print_expr(&a, s->assign.value),
                "pl.tile.load(x, [i, 0], [1, 64], [1, 64])");
    expect_text("type", ir_print_type(&a, s->assign.targets.items[0]->type),
                "pl.Tile[[1, 64], pl.FP32]");
    arena_free(&a);
}
