/* SPDX-License-Identifier: MIT */
/* pl.func_attr({...}) in front of all statements gives a function its attributes
 * (pypto-front-facts 2.1). */
#include "tests/ir/helpers.h"

#define IMPORTS "import pypto.language as pl\nimport pypto.language.distributed as pld\n"
#define HEAD    "@pl.function(type=pl.FunctionType.AIV)\n"
#define DEF     "def k(n: pl.Scalar[pl.INDEX]):\n"

Test(func_attr, reads_and_prints)
{
    static const struct {
        const char *name, *source, *printed;
    } cases[] = {
        {"one", HEAD DEF "    pl.func_attr({\"slot_num\": 2})\n    m = n + 1\n",
         HEAD DEF "    pl.func_attr({\"slot_num\": 2})\n    m: pl.Scalar[pl.INDEX] = n + 1\n"},
        {"several become one",
         HEAD DEF "    pl.func_attr({\"a\": 1})\n    pl.func_attr({\"b\": True, \"c\": \"d\"})\n   "
                  " return\n",
         HEAD DEF "    pl.func_attr({\"a\": 1, \"b\": True, \"c\": 'd'})\n    return\n"},
        {"behind a docstring",
         HEAD DEF "    \"\"\"what\"\"\"\n    pl.func_attr({\"a\": 1})\n    return\n",
         HEAD DEF "    \"\"\"what\"\"\"\n    pl.func_attr({\"a\": 1})\n    return\n"},
        {"nothing else", HEAD DEF "    pl.func_attr({\"a\": 1})\n",
         HEAD DEF "    pl.func_attr({\"a\": 1})\n"},
        {"an abstract body", HEAD DEF "    pl.func_attr({\"a\": 1})\n    ...\n",
         HEAD DEF "    pl.func_attr({\"a\": 1})\n    ...\n"},
        {"names of parameters", HEAD DEF "    pl.func_attr({\"stationary\": n})\n    return\n",
         HEAD DEF "    pl.func_attr({\"stationary\": n})\n    return\n"},
        {"the decorator's",
         "@pl.function(type=pl.FunctionType.AIV, attrs={\"a\": 1})\n" DEF "    return\n",
         HEAD DEF "    pl.func_attr({\"a\": 1})\n    return\n"},
        {"no splitting", HEAD DEF "    pl.func_attr({\"split\": pl.SplitMode.NONE})\n    return\n",
         HEAD DEF "    return\n"},
        {"splitting", HEAD DEF "    pl.func_attr({\"split\": pl.SplitMode.UP_DOWN})\n    return\n",
         HEAD DEF "    pl.func_attr({\"split\": pl.SplitMode.UP_DOWN})\n    return\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct ir_program *p = parse_good(&a, cases[i].name, cases[i].source);
        expect_text(cases[i].name, ir_print(&a, p),
                    arena_printf(&a, IMPORTS "%s", cases[i].printed));
        expect_round_trip(cases[i].name, p);
        arena_free(&a);
    }
}

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

Test(func_attr, errors)
{
    static const struct {
        const char *name, *source, *error;
    } cases[] = {
        {"behind a statement", HEAD DEF "    m = n + 1\n    pl.func_attr({\"a\": 1})\n",
         "4:5: pl.func_attr cannot stand here"},
        {"twice", HEAD DEF "    pl.func_attr({\"a\": 1})\n    pl.func_attr({\"a\": 2})\n",
         "4:19: the attribute 'a' is given twice"},
        {"in both places",
         "@pl.function(type=pl.FunctionType.AIV, attrs={\"a\": 1})\n" DEF
         "    pl.func_attr({\"a\": 1})\n",
         "3:19: the attribute 'a' is given twice"},
        {"no dict", HEAD DEF "    pl.func_attr([1])\n",
         "3:18: attributes are a dict such as {\"key\": value}"},
        {"a keyword's", HEAD DEF "    pl.func_attr({\"auto_scope\": False})\n",
         "3:19: 'auto_scope' is a keyword of @pl.function, no attribute"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        const char *error;
        cr_expect(!parse_text(&a, cases[i].source, &error), "%s", cases[i].name);
        expect_text(cases[i].name, short_error(&a, error), cases[i].error);
        arena_free(&a);
    }
}
