/* SPDX-License-Identifier: MIT */
/* pl.func_attr({...}) in front of all statements gives a function its attributes
 * (pypto-front-facts 2.1); the cases func_attr_* of tests/cases/parse show how. */
#include "tests/ir/helpers.h"

#define HEAD "@pl.function(type=pl.FunctionType.AIV)\n"
#define DEF  "def k(n: pl.Scalar[pl.INDEX]):\n"

Test(func_attr, counts)
{
    static const struct {
        const char *name, *a, *b;
        bool equal;
    } cases[] = {
        {"the decorator's and the body's",
         "@pl.function(type=pl.FunctionType.AIV, attrs={\"a\": 1})\n" DEF "    return\n",
         HEAD DEF "    pl.func_attr({\"a\": 1})\n    return\n", true},
        {"another value", HEAD DEF "    pl.func_attr({\"a\": 1})\n    return\n",
         HEAD DEF "    pl.func_attr({\"a\": 2})\n    return\n", false},
        {"none", HEAD DEF "    pl.func_attr({\"a\": 1})\n    return\n", HEAD DEF "    return\n",
         false},
        {"names of parameters",
         HEAD "def k(n: pl.Scalar[pl.INDEX]):\n    pl.func_attr({\"a\": n})\n    return\n",
         HEAD "def k(m: pl.Scalar[pl.INDEX]):\n    pl.func_attr({\"a\": m})\n    return\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(&a, cases[i].name, cases[i].a),
                          *q = parse_good(&a, cases[i].name, cases[i].b);
        cr_expect(ir_equal(p, q) == cases[i].equal, "%s: equal", cases[i].name);
        cr_expect((ir_hash(p) == ir_hash(q)) == cases[i].equal, "%s: hash", cases[i].name);
        arena_free(&a);
    }
}
