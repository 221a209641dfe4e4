/* SPDX-License-Identifier: MIT */
/* The first difference of two programs: its words and its places (fencebench diff). */
#include "tests/ir/helpers.h"

#include "tests/support.h"

struct difference_case {
    const char *name, *x, *y;
    const char *want; /* "line:column line:column words"; "equal" */
};

static void expect_difference(const struct difference_case *t, const char *x, const char *y)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, t->name, x), *q = parse_good(&a, t->name, y);
    struct ir_difference d = {.arena = &a};
    const char *found = "equal";
    if (!ir_compare(p, q, &d))
        found = arena_printf(&a, "%d:%d %d:%d %s", d.at_a.line, d.at_a.col, d.at_b.line, d.at_b.col,
                             d.words);
    expect_text(t->name, found, t->want);
    cr_expect(ir_equal(p, q) == (d.words == NULL), "%s: ir_equal agrees", t->name);
    arena_free(&a);
}

/* Bodies of one kernel; they start in line 3, column 5. */
static const struct difference_case bodies[] = {
    {"names do not count", "y = n\nz = y\n", "p = n\nq = p\n", "equal"},
    {"spelling does not count", "y = pl.load(x, [0, 0], [1, 64])\n",
     "y = pl.tile.load(x, (0, 0), shapes=[1, 64], valid_shapes=[1, 64])\n", "equal"},
    {"operator", "y = pl.tensor.add(x, x)\n", "y = pl.tensor.sub(x, x)\n",
     "3:9 3:9 operator tensor.add in A, tensor.sub in B"},
    {"operator or function", "y = pl.tensor.add(x, x)\n", "y = pl.test.mystery(x, x)\n",
     "3:9 3:9 operator tensor.add in A, unknown operator test.mystery in B"},
    {"deep value", "pl.m(n, [1, (i, 2)])\n", "pl.m(n, [1, (i, 3)])\n", "3:21 3:21 2 in A, 3 in B"},
    {"type of a literal", "pl.m(1)\n", "pl.m(pl.const(1, pl.INT32))\n",
     "3:10 3:10 1 in A, pl.const(1, pl.INT32) in B"},
    {"one more argument", "pl.m(1)\n", "pl.m(1, n)\n", "3:5 3:5 1 argument in A, 2 in B"},
    {"element of a list", "pl.m([n, 1])\n", "pl.m([n])\n", "3:10 3:10 2 elements in A, 1 in B"},
    {"variable", "y = n\nz = i\npl.m(y, z)\n", "y = n\nz = i\npl.m(y, y)\n",
     "5:13 5:13 'z' of A stands for 'z' of B, but here it is 'y'"},
    {"variable that has a partner", "pl.m(n, n)\n", "pl.m(n, i)\n",
     "3:13 3:13 'n' of A stands for 'n' of B, but here it is 'i'"},
    {"keyword value", "pld.system.wait(sig, [0, 0], 1, cmp=1)\n",
     "pld.system.wait(sig, [0, 0], 1, cmp=0)\n", "3:41 3:41 1 in A, 0 in B"},
    {"keyword name", "pl.m(a=1)\n", "pl.m(b=1)\n", "3:5 3:5 keyword 'a' in A, 'b' in B"},
    {"keyword missing", "pl.m(a=1, b=2)\n", "pl.m(a=1)\n", "3:5 3:5 keyword 'b' in A only"},
    {"attribute missing", "pl.m()\n", "pl.m(attrs={\"k\": 1})\n",
     "3:5 3:5 attribute 'k' in B only"},
    {"annotation", "y: pl.Tile[[4], pl.FP32] = pl.m()\n", "y: pl.Tile[[4], pl.FP16] = pl.m()\n",
     "3:5 3:5 type pl.Tile[[4], pl.FP32] in A, pl.Tile[[4], pl.FP16] in B"},
    {"extent", "y: pl.Tile[[4], pl.FP32] = pl.m()\n", "y: pl.Tile[[5], pl.FP32] = pl.m()\n",
     "3:17 3:17 4 in A, 5 in B"},
    {"kind of statement", "y = n\n", "pl.m(n)\n",
     "3:5 3:5 an assignment in A, a call for its effect in B"},
    {"a statement more", "pl.a()\npl.b()\n", "pl.a()\n",
     "4:5 3:5 a call for its effect in A, where the block of B has ended"},
    {"a statement less in a loop", "for j in pl.range(2):\n    pl.a()\n",
     "for j in pl.range(2):\n    pl.a()\n    y = j\n",
     "4:9 5:9 an assignment in B, where the block of A has ended"},
    {"loop bound", "for j in pl.range(2):\n    pass\n", "for j in pl.range(3):\n    pass\n",
     "3:23 3:23 2 in A, 3 in B"},
    {"kind of loop", "for j in pl.range(2):\n    pass\n", "for j in pl.unroll(2):\n    pass\n",
     "3:5 3:5 pl.range in A, pl.unroll in B"},
    {"carried values", "for j, (a,) in pl.range(2, init_values=(n,)):\n    r = pl.yield_(a)\n",
     "for j in pl.range(2):\n    pass\n", "3:5 3:5 1 initial value in A, 0 in B"},
    {"else", "if b:\n    pass\n", "if b:\n    pass\nelse:\n    pass\n",
     "3:5 3:5 an else branch in B only"},
    {"operator of arithmetic", "y = (i + 1) * i\n", "y = (i - 1) * i\n",
     "3:10 3:10 i + 1 in A, i - 1 in B"},
    {"task of a scope", "with pl.at(level=1) as t:\n    pass\n", "with pl.at(level=1):\n    pass\n",
     "3:5 3:5 the name of a task in A only"},
    {"lanes or scope", "for j in pl.spmd(2):\n    pass\n", "with pl.spmd(2):\n    pass\n",
     "3:5 3:5 a loop over lanes in A, a scope in B"},
    {"long texts are shown around the difference",
     "pl.m('"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaX')\n",
     "pl.m('"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaY')\n",
     "3:10 3:10 ...aaaaaaaaaaaaaaaaaaaaaaaaX' in A, ...aaaaaaaaaaaaaaaaaaaaaaaaY' in B"},
};

Test(compare, bodies)
{
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct arena a = {0};
        expect_difference(&bodies[i], kernel_text(&a, bodies[i].x), kernel_text(&a, bodies[i].y));
        arena_free(&a);
    }
}

#define SCOPE(slot, type)                                                                          \
    "def main():\n"                                                                                \
    "    with pl._dump.comm_domain(slots=[pl._dump.window_buffer(" slot ")]):\n"                   \
    "        a = pld.tensor.alloc_window_buffer(16)\n"                                             \
    "        b = pld.tensor.alloc_window_buffer(16)\n"                                             \
    "        x: " type " = pl.m(a)\n"
#define DIST "pld.DistributedTensor[[4], pl.FP32"
#define REF  ", pl._dump.window_ref(\"w\")]"

static const struct difference_case programs[] = {
    {"name of a function", "def f():\n    pass\n", "def g():\n    pass\n",
     "1:5 1:5 function 'f' in A, 'g' in B"},
    {"number of functions", "def f():\n    pass\n", "def f():\n    pass\ndef g():\n    pass\n",
     "0:0 3:5 function 'g' in B only"},
    {"type of a function", "@pl.function(type=pl.FunctionType.AIC)\ndef f():\n    pass\n",
     "@pl.function(type=pl.FunctionType.AIV)\ndef f():\n    pass\n",
     "2:5 2:5 function type AIC in A, AIV in B"},
    {"decorator", "@pl.function(level=pl.Level.HOST)\ndef f():\n    pass\n",
     "@pl.function(level=pl.Level.CHIP)\ndef f():\n    pass\n",
     "1:20 1:20 pl.Level.HOST in A, pl.Level.CHIP in B"},
    {"direction", "def f(x: pl.Out[pl.Tensor[[4], pl.FP32]]):\n    pass\n",
     "def f(x: pl.Tensor[[4], pl.FP32]):\n    pass\n",
     "1:7 1:7 parameter 'x' is Out in A, In in B"},
    {"number of parameters", "def f(x: pl.Ptr, y: pl.Ptr):\n    pass\n",
     "def f(x: pl.Ptr):\n    pass\n", "1:5 1:5 2 parameters in A, 1 in B"},
    {"kind of tensor", "def f(x: pl.Tensor[[4], pl.FP32]):\n    pass\n",
     "def f(x: pld.DistributedTensor[[4], pl.FP32]):\n    pass\n",
     "1:7 1:7 type pl.Tensor[[4], pl.FP32] in A, pld.DistributedTensor[[4], pl.FP32] in B"},
    {"return type", "def f() -> pl.Ptr:\n    pass\n", "def f():\n    pass\n",
     "1:5 1:5 a return type in A only"},
    {"abstract", "def f():\n    ...\n", "def f():\n    pass\n",
     "1:5 1:5 an abstract body in A only"},
    {"value of a constant", "N = 4\ndef f():\n    x = N\n", "N = 5\ndef f():\n    x = N\n",
     "3:9 3:9 4 in A, 5 in B"},
    {"constant or symbol", "N = 4\ndef f():\n    x = N\n",
     "N = pl.dynamic(\"N\")\ndef f():\n    x = N\n", "3:9 3:9 4 in A, N in B"},
    {"function by name", "def f():\n    pass\ndef g():\n    x = 1\n",
     "def g():\n    x = 2\ndef f():\n    pass\n", "4:9 2:9 1 in A, 2 in B"},
    {"labels of windows", SCOPE("\"w\", base=\"a\", size=16", DIST REF),
     "def main():\n"
     "    with pl._dump.comm_domain(slots=[pl._dump.window_buffer(7, base=\"a\", size=16)]):\n"
     "        a = pld.tensor.alloc_window_buffer(16)\n"
     "        b = pld.tensor.alloc_window_buffer(16)\n"
     "        x: " DIST ", pl._dump.window_ref(7)] = pl.m(a)\n",
     "equal"},
    {"size of a window", SCOPE("\"w\", base=\"a\", size=16", DIST REF),
     SCOPE("\"w\", base=\"a\", size=32", DIST REF), "2:81 2:81 16 in A, 32 in B"},
    {"base of a window", SCOPE("\"w\", base=\"a\", size=16", DIST REF),
     SCOPE("\"w\", base=\"b\", size=16", DIST REF),
     "3:9 3:9 'a' of A stands for 'b' of B, but here it is 'a'"},
    {"flag of a window", SCOPE("\"w\", base=\"a\", load_from_host=True", DIST REF),
     SCOPE("\"w\", base=\"a\"", DIST REF), "2:38 2:38 load_from_host in A only"},
    {"reference to a window", SCOPE("\"w\", base=\"a\"", DIST REF),
     SCOPE("\"w\", base=\"a\"", DIST "]"), "5:9 5:9 a reference to window 'a' in A only"},
};

Test(compare, programs)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        expect_difference(&programs[i], programs[i].x, programs[i].y);
}

Test(compare, names_the_function)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, "p", "def f():\n    pass\ndef g():\n    return 1\n");
    struct ir_program *q = parse_good(&a, "q", "def f():\n    pass\ndef g():\n    return 2\n");
    struct ir_difference d = {.arena = &a};
    cr_expect(!ir_compare(p, q, &d));
    expect_text("function", d.func, "g");
    arena_free(&a);
}
