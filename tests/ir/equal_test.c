/* SPDX-License-Identifier: MIT */
/* Structural equality and hash: what must count and what must not. */
#include "tests/ir/helpers.h"
#include "tests/ir/random_program.h"

#define ROWS(more)     "pl.Tile[[4, 64], pl.FP32" more "]"
#define CREATED(space) "pl.tile.create([4, 64], dtype=pl.FP32, target_memory=pl.Mem." space ")\n"
#define FILLED         "pl.tile.gather_row(a, x, [0, 0], [0, 0], [1, 64])\n"

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
    {"annotation: another MemRef",
     "y: pl.Tile[[4], pl.FP32, pl.MemRef(\"a\", 0, 1)] = pl.test.mystery()\n",
     "y: pl.Tile[[4], pl.FP32, pl.MemRef(\"b\", 0, 1)] = pl.test.mystery()\n", true},
    {"annotation: with and without a MemRef",
     "y: pl.Tensor[[4], pl.FP32, pl.MemRef(\"a\", 0, 1)[i]] = pl.test.mystery()\n",
     "y: pl.Tensor[[4], pl.FP32] = pl.test.mystery()\n", true},
    {"annotation: another memory space",
     "y: pl.Tile[[4, 8], pl.FP32, pl.Mem.Vec] = pl.test.mystery()\n",
     "y: pl.Tile[[4, 8], pl.FP32, pl.Mem.Mat] = pl.test.mystery()\n", false},
    {"annotation: the memory space that the operator says",
     "y: pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec] = pl.load(x, [0, 0], [1, 64])\n",
     "y: pl.Tile[[1, 64], pl.FP32] = pl.load(x, [0, 0], [1, 64])\n", true},
    {"annotation: another than the operator says",
     "y: pl.Tile[[1, 64], pl.FP32, pl.Mem.Mat] = pl.load(x, [0, 0], [1, 64])\n",
     "y: pl.Tile[[1, 64], pl.FP32] = pl.load(x, [0, 0], [1, 64])\n", false},
    {"annotation: a memory space that no operator says",
     "y: pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec] = pl.test.mystery()\n",
     "y: pl.Tile[[1, 64], pl.FP32] = pl.test.mystery()\n", false},
    {"annotation: the memory space of a tile that is changed in place",
     "a: " ROWS(", pl.Mem.Mat") " = " CREATED("Mat") "y: " ROWS(", pl.Mem.Mat") " = " FILLED,
     "a = " CREATED("Mat") "y = " FILLED, true},
    {"annotation: the memory space of a tile that is changed in place: two that differ",
     "a = " CREATED("Mat") "y: " ROWS(", pl.Mem.Mat") " = " FILLED,
     "a = " CREATED("Mat") "y: " ROWS(", pl.Mem.Vec") " = " FILLED, false},
    {"a tile that is changed in place and lies elsewhere", "a = " CREATED("Mat") "y = " FILLED,
     "a = " CREATED("Vec") "y = " FILLED, false},
    {"annotation: the memory space of what branches yield",
     "if b:\n    y: pl.Tile[[4], pl.FP32, pl.Mem.Vec] = pl.yield_(pl.test.mystery())\n"
     "else:\n    y: pl.Tile[[4], pl.FP32, pl.Mem.Vec] = pl.yield_(pl.test.mystery())\n",
     "if b:\n    y: pl.Tile[[4], pl.FP32] = pl.yield_(pl.test.mystery())\n"
     "else:\n    y: pl.Tile[[4], pl.FP32] = pl.yield_(pl.test.mystery())\n",
     true},
    {"annotation: a view that says what is so anyway",
     "y: pl.Tile[[8, 1], pl.FP32, pl.TileView(valid_shape=[8, 1], "
     "blayout=pl.TileLayout.col_major, pad=pl.PadValue.null)] = pl.test.mystery()\n",
     "y: pl.Tile[[8, 1], pl.FP32] = pl.test.mystery()\n", true},
    {"annotation: a layout that the shape does not imply",
     "y: pl.Tile[[8, 2], pl.FP32, pl.TileView(blayout=pl.TileLayout.col_major)] = "
     "pl.test.mystery()\n",
     "y: pl.Tile[[8, 2], pl.FP32] = pl.test.mystery()\n", false},
    {"annotation: a layout that the memory implies",
     "y: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc, pl.TileView(blayout=pl.TileLayout.col_major, "
     "slayout=pl.TileLayout.row_major, fractal=1024)] = pl.test.mystery()\n",
     "y: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.test.mystery()\n", true},
    {"annotation: a part that is valid",
     "y: pl.Tile[[1, 16], pl.FP32, pl.TileView(valid_shape=[1, 9])] = pl.test.mystery()\n",
     "y: pl.Tile[[1, 16], pl.FP32] = pl.test.mystery()\n", false},
    {"annotation: padding",
     "y: pl.Tile[[1, 16], pl.FP32, pl.TileView(pad=pl.PadValue.zero)] = pl.test.mystery()\n",
     "y: pl.Tile[[1, 16], pl.FP32, pl.TileView(pad=pl.PadValue.min)] = pl.test.mystery()\n", false},
    {"annotation: a tensor's default view",
     "y: pl.Tensor[[4], pl.FP32, pl.TensorView(layout=pl.TensorLayout.ND)] = pl.test.mystery()\n",
     "y: pl.Tensor[[4], pl.FP32] = pl.test.mystery()\n", true},
    {"annotation: a tensor's strides",
     "y: pl.Tensor[[4], pl.FP32, pl.TensorView(stride=[2], layout=pl.TensorLayout.ND)] = "
     "pl.test.mystery()\n",
     "y: pl.Tensor[[4], pl.FP32] = pl.test.mystery()\n", false},
    {"annotation: a layout alone is a view",
     "y: pl.Tensor[[4, 4], pl.FP32, pl.TensorLayout.DN] = pl.test.mystery()\n",
     "y: pl.Tensor[[4, 4], pl.FP32, pl.TensorView(layout=pl.TensorLayout.DN)] = "
     "pl.test.mystery()\n",
     true},
    {"comments", "y = n # yes\n", "y = n\n", true},
    {"literal", "y = 1\n", "y = 2\n", false},
    {"a constant of type INDEX or INT64", "y = i + 1\n", "y = i + pl.const(1, pl.INT64)\n", true},
    {"but not in a list", "pl.test.mystery([1])\n", "pl.test.mystery([pl.const(1, pl.INT64)])\n",
     false},
    {"a loop that counts in INDEX or INT64", "for j in pl.range(4):\n    pl.test.mystery(j)\n",
     "for j in pl.range(0, pl.const(4, pl.INT64)):\n    pl.test.mystery(j)\n", true},
    {"but not its variable in a list", "for j in pl.range(4):\n    pl.test.mystery([j])\n",
     "for j in pl.range(pl.const(0, pl.INT64), pl.const(4, pl.INT64)):\n    pl.test.mystery([j])\n",
     false},
    {"nor what is computed from it", "for j in pl.range(4):\n    pl.test.mystery(j * j)\n",
     "for j in pl.range(pl.const(0, pl.INT64), pl.const(4, pl.INT64)):\n    pl.test.mystery(j * "
     "j)\n",
     false},
    {"a constant in a dimension", "y: pl.Tensor[[4], pl.FP32] = pl.test.mystery()\n",
     "y: pl.Tensor[[pl.const(4, pl.INT64)], pl.FP32] = pl.test.mystery()\n", true},
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
    {"attributes", "pl.test.mystery(attrs={\"a\": 1})\n", "pl.test.mystery(attrs={\"a\": 2})\n",
     false},
    {"order of keywords", "pl.test.mystery(a=1, b=n)\n", "pl.test.mystery(b=n, a=1)\n", true},
    {"order of attributes", "pl.test.mystery(attrs={\"a\": n, \"b\": i})\n",
     "pl.test.mystery(attrs={\"b\": i, \"a\": n})\n", true},
    {"order of attributes: which variable", "pl.test.mystery(n, attrs={\"a\": n, \"b\": i})\n",
     "pl.test.mystery(n, attrs={\"b\": n, \"a\": i})\n", false},
    {"an integer or a truth value", "pl.test.mystery(a=1)\n", "pl.test.mystery(a=True)\n", false},
    {"attributes of a loop", "for j in pl.range(4, attrs={\"a\": 1}):\n    pass\n",
     "for j in pl.range(4):\n    pass\n", false},
    {"a loop without attributes", "for j in pl.range(4, attrs={}):\n    pass\n",
     "for j in pl.range(4):\n    pass\n", true},
    {"stages of a pipeline", "for j in pl.pipeline(4, stage=2):\n    pass\n",
     "for j in pl.pipeline(4, stage=3):\n    pass\n", false},
    {"hint of a scope", "with pl.at(level=pl.Level.CORE_GROUP, name_hint=\"a\"):\n    pass\n",
     "with pl.at(level=pl.Level.CORE_GROUP, name_hint=\"b\"):\n    pass\n", false},
    {"attributes or keyword", "pl.test.mystery(attrs={\"a\": 1})\n", "pl.test.mystery(a=1)\n",
     false},
    {"tuple or list of an unknown operator", "pl.test.mystery([1])\n", "pl.test.mystery((1,))\n",
     false},
    {"a missing branch", "if b:\n    pass\n", "if b:\n    pass\nelse:\n    pass\n", false},
    {"evaluation or assignment", "pl.system.fence()\n", "y = pl.system.fence()\n", false},
    {"one more statement", "pl.system.fence()\n", "pl.system.fence()\npl.system.fence()\n", false},
    {"symbols by name", "y: pl.Tensor[[A, A], pl.FP32] = pl.test.mystery()\n",
     "y: pl.Tensor[[B, B], pl.FP32] = pl.test.mystery()\n", true},
    {"two symbols", "y: pl.Tensor[[A, A], pl.FP32] = pl.test.mystery()\n",
     "y: pl.Tensor[[A, B], pl.FP32] = pl.test.mystery()\n", false},
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
        /* The hash leaves out types of local variables and of results; everything else in the
         * table it tells apart. */
        bool local_type = strstr(bodies[i].name, "annotation") ||
                          strstr(bodies[i].name, "symbols") || strstr(bodies[i].name, "but not") ||
                          strstr(bodies[i].name, "nor what");
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
    {"level and role of an InCore function",
     "@pl.function(type=pl.FunctionType.InCore)\ndef f():\n    pass\n",
     "@pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, "
     "role=pl.Role.SubWorker)\ndef f():\n    pass\n",
     true},
    {"level and role of an orchestrator",
     "@pl.function(type=pl.FunctionType.Orchestration)\ndef f():\n    pass\n",
     "@pl.function(role=pl.Role.Orchestrator, level=pl.Level.CHIP, "
     "type=pl.FunctionType.Orchestration)\ndef f():\n    pass\n",
     true},
    {"level of a core", "@pl.function(type=pl.FunctionType.AIV)\ndef f():\n    pass\n",
     "@pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV)\ndef f():\n    pass\n", true},
    {"level and role of a group",
     "@pl.function(type=pl.FunctionType.Group, role=pl.Role.SubWorker)\ndef f():\n    pass\n",
     "@pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP)\ndef f():\n    pass\n",
     true},
    {"other names of a level", "@pl.function(level=pl.Level.NODE)\ndef f():\n    pass\n",
     "@pl.function(level=pl.Level.HOST)\ndef f():\n    pass\n", true},
    {"an Opaque function keeps what is written",
     "@pl.function(level=pl.Level.CHIP)\ndef f():\n    pass\n",
     "@pl.function(type=pl.FunctionType.Opaque)\ndef f():\n    pass\n", false},
    {"a role", "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef f():\n    pass\n",
     "@pl.function(level=pl.Level.HOST)\ndef f():\n    pass\n", false},
    {"Opaque is what is not written",
     "@pl.function(type=pl.FunctionType.Opaque)\ndef f():\n    pass\n",
     "@pl.function()\ndef f():\n    pass\n", true},
    {"strict_ssa is no part",
     "@pl.function(type=pl.FunctionType.InCore, strict_ssa=True)\ndef f():\n    pass\n",
     "@pl.function(type=pl.FunctionType.InCore)\ndef f():\n    pass\n", true},
    {"auto_scope=True",
     "@pl.function(type=pl.FunctionType.Orchestration, auto_scope=True)\ndef f():\n    pass\n",
     "@pl.function(type=pl.FunctionType.Orchestration)\ndef f():\n    pass\n", true},
    {"auto_scope=False",
     "@pl.function(type=pl.FunctionType.Orchestration, auto_scope=False)\ndef f():\n    pass\n",
     "@pl.function(type=pl.FunctionType.Orchestration)\ndef f():\n    pass\n", false},
    {"auto_scope=False is an attribute", "@pl.function(auto_scope=False)\ndef f():\n    pass\n",
     "@pl.function(attrs={\"auto_scope\": False})\ndef f():\n    pass\n", true},
    {"no split",
     "@pl.function(type=pl.FunctionType.AIC, attrs={\"split\": pl.SplitMode.NONE})\ndef f():\n    "
     "pass\n",
     "@pl.function(type=pl.FunctionType.AIC)\ndef f():\n    pass\n", true},
    {"a split",
     "@pl.function(type=pl.FunctionType.AIC, attrs={\"split\": pl.SplitMode.UP_DOWN})\ndef f():\n  "
     "  pass\n",
     "@pl.function(type=pl.FunctionType.AIC)\ndef f():\n    pass\n", false},
    {"order of attributes", "@pl.function(attrs={\"a\": 1, \"b\": 2})\ndef f():\n    pass\n",
     "@pl.function(attrs={\"b\": 2, \"a\": 1})\ndef f():\n    pass\n", true},
    {"an attribute", "@pl.function(attrs={\"a\": 1})\ndef f():\n    pass\n",
     "@pl.function(attrs={\"a\": 2})\ndef f():\n    pass\n", false},
    {"order of functions", "def f():\n    y = 1\ndef g():\n    y = 2\n",
     "def g():\n    y = 2\ndef f():\n    y = 1\n", true},
    {"which function", "def f():\n    y = 1\ndef g():\n    y = 2\n",
     "def g():\n    y = 1\ndef f():\n    y = 2\n", false},
    {"a constant by its value", "N = 4\ndef f(x: pl.Tensor[[N], pl.FP32]):\n    y = N\n",
     "def f(x: pl.Tensor[[4], pl.FP32]):\n    y = 4\n", true},
    {"a symbol that is not used", "N = pl.dynamic(\"N\")\ndef f():\n    pass\n",
     "def f():\n    pass\n", true},
    {"symbols of two functions",
     "def f(x: pl.Tensor[[N], pl.FP32]):\n    pass\ndef g(x: pl.Tensor[[N], pl.FP32]):\n    pass\n",
     "def f(x: pl.Tensor[[N], pl.FP32]):\n    pass\ndef g(x: pl.Tensor[[M], pl.FP32]):\n    pass\n",
     false},
    {"MemRef of a parameter",
     "def f(x: pl.Tensor[[4], pl.FP32, pl.MemRef(\"mem_ddr_0\", 0, 16)]):\n    pass\n",
     "def f(x: pl.Tensor[[4], pl.FP32]):\n    pass\n", true},
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

/* ---- order ---- */

static void reverse(void *items, size_t n, size_t size)
{
    for (size_t i = 0; i < n / 2; i++)
        for (size_t b = 0; b < size; b++) {
            char *x = (char *)items + i * size + b, *y = (char *)items + (n - 1 - i) * size + b,
                 z = *x;
            *x = *y;
            *y = z;
        }
}

static bool reverse_call(const struct ir_expr *e, void *ctx)
{
    size_t *changed = ctx;
    if (e->kind == IR_CALL) {
        reverse(e->call.kwargs.items, e->call.kwargs.len, sizeof *e->call.kwargs.items);
        reverse(e->call.attrs.items, e->call.attrs.len, sizeof *e->call.attrs.items);
        *changed += e->call.kwargs.len > 1 || e->call.attrs.len > 1;
    }
    return true;
}

/* Turns functions, decorators and the keywords of statements at top level around. */
static size_t reverse_order(struct ir_program *p)
{
    size_t changed = p->funcs.len > 1;
    reverse(p->funcs.items, p->funcs.len, sizeof *p->funcs.items);
    vec_foreach (struct ir_func *, it, &p->funcs) {
        struct ir_func *f = *it;
        reverse(f->decorator.items, f->decorator.len, sizeof *f->decorator.items);
        changed += f->decorator.len > 1;
        vec_foreach (struct ir_stmt *, s, &f->body) {
            if ((*s)->kind == IR_ASSIGN)
                ir_walk_expr((*s)->assign.value, reverse_call, &changed);
            if ((*s)->kind == IR_EVAL)
                ir_walk_expr((*s)->eval, reverse_call, &changed);
        }
    }
    return changed;
}

Test(equal, order_does_not_count)
{
    enum { SEEDS = 500, CHANGED_AT_LEAST = 300 };
    size_t changed = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct arena a = {0};
        const char *name = arena_printf(&a, "seed %lu", (unsigned long)seed);
        const char *text = random_program(&a, seed);
        struct ir_program *x = parse_good(&a, name, text), *y = parse_good(&a, name, text);
        changed += reverse_order(y) > 0;
        cr_expect(ir_equal(x, y) && ir_equal(y, x), "%s: equal", name);
        cr_expect(ir_hash(x) == ir_hash(y), "%s: hash", name);
        arena_free(&a);
    }
    cr_expect(changed >= CHANGED_AT_LEAST, "only %zu programs had an order", changed);
}

Test(equal, itself)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, "itself", kernel_text(&a, "y = n\n"));
    cr_expect(ir_equal(p, p));
    arena_free(&a);
}
