/* SPDX-License-Identifier: MIT */
/* Structural equality and hash: what must count and what must not. */
#include "tests/ir/helpers.h"

static const struct {
    const char *name, *x, *y;
    bool equal;
} bodies[] = {
    {"names of variables", "y = n\nz = y\n", "a = n\nb2 = a\n", true},
    {"which variable", "y = n\nz = n\nw = y\n", "y = n\nz = n\nw = z\n", false},
    {"two variables for one", "y = n\nz = y\n", "y = n\nz = n\n", false},
    {"one variable for two", "y = n\ny = n\n", "y = n\nz = n\n", false},
    {"spelling of an operator", "t = pl.load(x, [0, 0], [1, 64])\n",
     "t = pl.tile.load(x, (0, 0), shapes=[1, 64], valid_shapes=[1, 64])\n", true},
    {"annotation of the inferred type", "y = n\n", "y: pl.Scalar[pl.INT32] = n\n", true},
    {"annotation of another type", "y: pl.Scalar[pl.INT64] = n\n", "y: pl.Scalar[pl.INT32] = n\n",
     false},
    {"memory annotations", "y: pl.Tile[[4], pl.FP32, pl.MemRef(\"a\", 0, 1)] = pl.mystery()\n",
     "y: pl.Tile[[4], pl.FP32, pl.MemRef(\"b\", 0, 1)] = pl.mystery()\n", false},
    {"comments", "y = n # yes\n", "y = n\n", true},
    {"literal", "y = 1\n", "y = 2\n", false},
    {"type of a literal", "y = pl.const(1, pl.INT32)\n", "y = 1\n", false},
    {"sign of a float's zero", "y = 0.0\n", "y = -0.0\n", false},
    {"operator", "y = n + 1\n", "y = n - 1\n", false},
    {"operand order", "y = n + 1\n", "y = 1 + n\n", false},
    {"grouping", "y = i - (i - i)\n", "y = (i - i) - i\n", false},
    {"range elision", "for j in pl.range(2):\n    pass\n",
     "for k in pl.range(0, 2, 1):\n    pass\n", true},
    {"kind of loop", "for j in pl.range(2):\n    pass\n", "for j in pl.parallel(2):\n    pass\n",
     false},
    {"keyword value", "pld.system.notify(sig, n, [0, 0], 1, op=0)\n",
     "pld.system.notify(sig, n, [0, 0], 1, op=1)\n", false},
    {"enum or integer", "pld.system.notify(sig, n, [0, 0], 1, op=1)\n",
     "pld.system.notify(sig, n, [0, 0], 1, op=pld.NotifyOp.Set)\n", true},
    {"attributes", "pl.mystery(attrs={\"a\": 1})\n", "pl.mystery(attrs={\"a\": 2})\n", false},
    {"attributes or keyword", "pl.mystery(attrs={\"a\": 1})\n", "pl.mystery(a=1)\n", false},
    {"tuple or list of an unknown operator", "pl.mystery([1])\n", "pl.mystery((1,))\n", false},
    {"a missing branch", "if b:\n    pass\n", "if b:\n    pass\nelse:\n    pass\n", false},
    {"evaluation or assignment", "pl.system.fence()\n", "y = pl.system.fence()\n", false},
    {"one more statement", "pl.system.fence()\n", "pl.system.fence()\npl.system.fence()\n", false},
    {"symbols by name", "y: pl.Tensor[[A, A], pl.FP32] = pl.mystery()\n",
     "y: pl.Tensor[[B, B], pl.FP32] = pl.mystery()\n", true},
    {"two symbols", "y: pl.Tensor[[A, A], pl.FP32] = pl.mystery()\n",
     "y: pl.Tensor[[A, B], pl.FP32] = pl.mystery()\n", false},
};

Test(equal, bodies)
{
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct arena a = {0};
        struct ir_program *x = parse_good(&a, bodies[i].name, kernel_text(&a, bodies[i].x));
        struct ir_program *y = parse_good(&a, bodies[i].name, kernel_text(&a, bodies[i].y));
        bool equal = bodies[i].equal;
        cr_expect(ir_equal(x, y) == equal && ir_equal(y, x) == equal, "%s: expected %s",
                  bodies[i].name, equal ? "equal" : "different");
        /* The hash leaves out types of local variables; everything else in the table it tells
         * apart. */
        bool local_type = strstr(bodies[i].name, "annotation") || strstr(bodies[i].name, "symbols");
        cr_expect((ir_hash(x) == ir_hash(y)) == (equal || local_type), "%s: hash", bodies[i].name);
        arena_free(&a);
    }
}

#define SCOPE(slots, first, second)                                                                \
    "def main():\n"                                                                                \
    "    with pl._dump.comm_domain(slots=[" slots "]):\n"                                          \
    "        a = pld.tensor.alloc_window_buffer(16)\n"                                             \
    "        b = pld.tensor.alloc_window_buffer(16)\n"                                             \
    "        x: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(\"" first                  \
    "\")] = pl.m(a)\n"                                                                             \
    "        y: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(\"" second                 \
    "\")] = pl.m(b)\n"
#define SLOT(label, base) "pl._dump.window_buffer(\"" label "\", base=\"" base "\", size=16)"

static const struct {
    const char *name, *x, *y;
    bool equal;
} texts[] = {
    {"labels of windows", SCOPE(SLOT("u", "a") ", " SLOT("v", "b"), "u", "v"),
     SCOPE(SLOT("s", "a") ", " SLOT("t", "b"), "s", "t"), true},
    {"which window", SCOPE(SLOT("u", "a") ", " SLOT("v", "b"), "u", "v"),
     SCOPE(SLOT("u", "a") ", " SLOT("v", "b"), "u", "u"), false},
    {"base of a window", SCOPE(SLOT("u", "a") ", " SLOT("v", "b"), "u", "v"),
     SCOPE(SLOT("u", "b") ", " SLOT("v", "a"), "u", "v"), false},
    {"name of a function", "def f():\n    pass\n", "def g():\n    pass\n", false},
    {"name of a program", "class A:\n    def f():\n        pass\n",
     "class B:\n    def f():\n        pass\n", true},
    {"docstring", "def f():\n    \"\"\"a\"\"\"\n", "def f():\n    \"\"\"b\"\"\"\n", true},
    {"type of a function", "@pl.function(type=pl.FunctionType.AIC)\ndef f():\n    pass\n",
     "@pl.function(type=pl.FunctionType.AIV)\ndef f():\n    pass\n", false},
    {"direction", "def f(x: pl.Out[pl.Tensor[[4], pl.FP32]]):\n    pass\n",
     "def f(x: pl.InOut[pl.Tensor[[4], pl.FP32]]):\n    pass\n", false},
    {"kind of tensor", "def f(x: pl.Tensor[[4], pl.FP32]):\n    pass\n",
     "def f(x: pld.DistributedTensor[[4], pl.FP32]):\n    pass\n", false},
    {"extent", "def f(x: pl.Tensor[[4], pl.FP32]):\n    pass\n",
     "def f(x: pl.Tensor[[5], pl.FP32]):\n    pass\n", false},
    {"return type", "def f() -> pl.Ptr:\n    pass\n", "def f():\n    pass\n", false},
    {"value of a constant", "N = 4\ndef f(x: pl.Tensor[[N], pl.FP32]):\n    pass\n",
     "N = 5\ndef f(x: pl.Tensor[[N], pl.FP32]):\n    pass\n", false},
    {"constant or symbol", "N = 4\ndef f(x: pl.Tensor[[N], pl.FP32]):\n    pass\n",
     "N = pl.dynamic(\"N\")\ndef f(x: pl.Tensor[[N], pl.FP32]):\n    pass\n", false},
};

Test(equal, programs)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena a = {0};
        struct ir_program *x = parse_good(&a, texts[i].name, texts[i].x);
        struct ir_program *y = parse_good(&a, texts[i].name, texts[i].y);
        cr_expect(ir_equal(x, y) == texts[i].equal, "%s: expected %s", texts[i].name,
                  texts[i].equal ? "equal" : "different");
        cr_expect(!texts[i].equal || ir_hash(x) == ir_hash(y), "%s: hash", texts[i].name);
        expect_round_trip(texts[i].name, x);
        arena_free(&a);
    }
}

Test(equal, itself)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, "itself", kernel_text(&a, "y = n\n"));
    cr_expect(ir_equal(p, p));
    arena_free(&a);
}
