/* SPDX-License-Identifier: MIT */
/* What the parser accepts as a tree, and the one error that each sort of bad text gives. */
#include "tests/ir/helpers.h"

#include "base/strbuf.h"
#include "ir/ops.h"

/* ---- errors ---- */

struct error_case {
    const char *name, *text, *error;
};

static void expect_errors(const struct error_case *cases, size_t n, bool bodies)
{
    for (size_t i = 0; i < n; i++) {
        struct arena a = {0};
        const char *error;
        const char *text = bodies ? kernel_text(&a, cases[i].text) : cases[i].text;
        parse_text(&a, text, &error);
        expect_text(cases[i].name, error ? short_error(&a, error) : "(parsed)", cases[i].error);
        arena_free(&a);
    }
}
#define EXPECT_ERRORS(cases, bodies) expect_errors(cases, sizeof(cases) / sizeof *(cases), bodies)

/* Line 3 is the first line of the body, column 5 its first character. */
Test(parse, errors_in_bodies)
{
    static const struct error_case cases[] = {
        {"undefined name", "y = ctxx\n", "3:9: undefined name 'ctxx'; did you mean 'ctx'?"},
        {"undefined name without a neighbour", "y = somethingelse\n",
         "3:9: undefined name 'somethingelse'"},
        {"a loop's variable ends with it", "for j in pl.range(2):\n    pass\ny = j\n",
         "5:9: undefined name 'j'; did you mean 'x'?"},
        {"missing operand", "y = 1 +\n", "3:12: expected an expression, found the end of the line"},
        {"nested names without a launch", "(y, z), t = (1, 2, 3)\n",
         "3:5: names nest only left of pl.submit: (a, b), task = ..."},
        {"two operands", "y = 1 2\n", "3:11: expected the end of the line, found '2'"},
        {"comparison chain", "y = 0 < i < 2\n",
         "3:15: comparisons do not chain: write a < b and b < c"},
        {"conditional expression", "y = 1 if b else 2\n",
         "3:11: conditional expressions are not part of the language; use an if statement"},
        {"keyword as a name", "for = 1\n", "3:9: expected a loop variable, found '='"},
        {"assigning to a keyword", "pl = 1\n",
         "3:5: expected a variable, and 'pl' is a word of the language"},
        {"assigning to an element", "x[i, 0] = 1\n",
         "3:13: only a variable can be assigned to; elements are set with pl.write(...)"},
        {"assigning to an element of a scalar", "n[0] = 1\n",
         "3:10: only a variable can be assigned to; elements are set with pl.write(...)"},
        {"assigning a number to a row", "x[i] = 1\n", "3:12: expected a tensor"},
        {"assigning a tile to a part of a tensor",
         "t = pl.load(x, [0, 0], [1, 64])\nx[0:1, :] = t\n",
         "4:17: a tile goes into a tensor with pl.store(...)"},
        {"assigning a tensor to a part of a tile",
         "t = pl.load(x, [0, 0], [1, 64])\nt[0:1, :] = x[0:1, :]\n",
         "4:17: a part of a tile is assigned a tile: pl.load(...) makes one"},
        {"assigning a part of other extents", "x[0:1, :] = x[0:2, :]\n",
         "3:17: dimension 0 of the source is 2, that of the part 1"},
        {"assigning a part of other dimensions", "x[0:1, :] = x[0]\n",
         "3:17: the source has 1 dimensions, the part 2"},
        {"slice with a step", "y = x[0:4:2, :]\n", "3:14: a slice has no step"},
        {"slice of a number", "y = n[0:1]\n", "3:10: only tensors and tiles have slices"},
        {"more indices than dimensions", "y = x[0, 0, 0]\n", "3:9: 3 indices, but 2 dimensions"},
        {"augmented assignment to an element", "x[0, 0] += 1\n",
         "3:13: augmented assignment is no part of the language: write x = x + ..."},
        {"calling a variable", "n(1)\n", "3:6: this is no function and cannot be called"},
        {"calling nothing", "load(x)\n",
         "3:5: 'load' is no function of this program; operators are called as pl.load(...)"},
        {"member of a variable", "y = x.shape\n", "3:10: only pl, pld and self have members"},
        {"unknown communication operator", "pld.tile.putt(win)\n",
         "3:5: unknown operator 'pld.tile.putt'; did you mean 'pld.tile.put'? [unknown-operator]"},
        {"no such short form", "pld.notify(sig, n, [0, 0], 1, op=0)\n",
         "3:5: unknown operator 'pld.notify'; did you mean 'pld.system.notify'? "
         "[unknown-operator]"},
        {"unknown category", "pld.foo.bar(sig)\n",
         "3:5: unknown operator 'pld.foo.bar'; communication operators are pld.system.*, "
         "pld.tile.* and pld.tensor.* [unknown-operator]"},
        {"unknown enum member", "pld.system.notify(sig, n, [0, 0], 1, op=pld.NotifyOp.Add)\n",
         "3:45: 'pld.NotifyOp.Add' is no member of pld.NotifyOp; did you mean 'pld.NotifyOp.Set'? "
         "[enum-member]"},
        {"member of another enum", "pld.system.notify(sig, n, [0, 0], 1, op=pld.WaitCmp.Ge)\n",
         "3:45: 'pld.WaitCmp.Ge' is no member of pld.NotifyOp, expected one such as "
         "pld.NotifyOp.AtomicAdd [enum-member]"},
        {"parameter given twice", "t = pl.load(x, [0, 0], [1, 64], offsets=[0, 0])\n",
         "3:37: 'offsets' of tile.load is given twice"},
        {"parameter left out", "pld.system.notify(sig, offsets=[0, 0], value=1, op=0)\n",
         "3:5: pld.system.notify lacks its argument 'peer'"},
        {"keyword given twice", "pl.mystery(a=1, a=2)\n", "3:21: 'a' is given twice"},
        {"positional after keyword", "pl.mystery(a=1, 2)\n",
         "3:21: a positional argument cannot follow a keyword argument"},
        {"attrs of another sort", "pl.mystery(attrs=[1])\n",
         "3:22: attrs expects a dict such as {\"key\": value}"},
        {"dict key", "pl.mystery({1: 2})\n", "3:17: expected a string as key, found '1'"},
        {"unclosed call", "pl.mystery(1\n", "3:15: this '(' is never closed"},
        {"mismatched bracket", "pl.mystery(1]\n", "3:17: this bracket closes nothing"},
        {"constant of a variable", "y = pl.const(n, pl.INT32)\n",
         "3:18: pl.const expects a literal number"},
        {"constant without a type", "y = pl.const(1)\n",
         "3:9: pl.const expects a value and an element type"},
        {"integer type of a real", "y = pl.const(1.5, pl.INT32)\n",
         "3:18: pl.const expects an integer for pl.INT32"},
        {"unknown element type", "y: pl.Scalar[pl.INT33] = n\n",
         "3:18: unknown element type 'pl.INT33'; did you mean 'pl.INT32'?"},
        {"shape without brackets", "y: pl.Tensor[4, pl.FP32] = x\n",
         "3:18: expected a shape such as [1, 64], found '4'"},
        {"type is missing", "y: = x\n", "3:8: expected a type, found '='"},
        {"too many names", "y, z = (1, 2, 3)\n",
         "3:5: 2 names on the left, but 3 values on the right"},
        {"indented by accident", "y = 1\n  z = 2\n", "4:7: unexpected indentation"},
        {"nothing after a colon", "if b:\nreturn\n",
         "4:5: expected an indented block, found 'return'"},
        {"dedent to nowhere", "if b:\n    y = 1\n  z = 1\n",
         "5:7: this indentation matches no open block"},
        {"tab", "if b:\n\ty = 1\n", "4:5: tab in the indentation, expected spaces"},
        {"unclosed string", "pl.mystery('abc)\n", "3:16: the string is never closed"},
        {"unclosed long string", "pl.mystery('''abc)\n", "3:16: the string is never closed"},
        {"unknown escape", "pl.mystery('\\q')\n", "3:17: unknown escape in a string"},
        {"stray byte", "y = $\n", "3:9: unexpected character '$'"},
        {"no letter", "y = \xe2\x86\x92\n", "3:9: unexpected byte 0xe2"},
        {"no UTF-8", "y = \xc3(\n", "3:9: unexpected byte 0xc3"},
        {"large integer", "y = 9223372036854775808\n", "3:9: integer does not fit 64 bits"},
        {"huge integer", "y = 99999999999999999999\n", "3:9: integer does not fit 64 bits"},
        {"number and letters", "y = 12ab\n", "3:9: malformed number"},
        {"empty hexadecimal", "y = 0x\n", "3:9: malformed number"},
        {"statement as a value", "y = pl.mystery(pl.yield_(1))\n",
         "3:20: pl.yield_ cannot stand here"},
        {"yield outside", "y = pl.yield_(1)\n",
         "3:9: pl.yield_ stands at the end of a loop body or a branch only"},
        {"yield without names", "for j, (a,) in pl.range(2, init_values=(n,)):\n    pl.yield_(a)\n",
         "4:9: pl.yield_ of values needs names on its left: x = pl.yield_(...) [yield-names]"},
        {"yield is not last",
         "if b:\n    y = pl.yield_(1)\n    pass\nelse:\n    y = pl.yield_(2)\n",
         "5:9: pl.yield_ must be the last statement of its block"},
        {"one branch yields", "if b:\n    y = pl.yield_(1)\nelse:\n    pass\n",
         "4:13: only one branch yields 'y'; both branches must yield it"},
        {"no other branch", "if b:\n    y = pl.yield_(1)\n",
         "4:13: a branch that yields 'y' needs an else that yields it too"},
        {"elif yields alone",
         "if b:\n    pass\nelif n < 1:\n    y = pl.yield_(1)\nelse:\n    y = pl.yield_(2)\n",
         "6:13: only one branch yields 'y'; both branches must yield it"},
        {"elif without a yield",
         "if b:\n    y = pl.yield_(1)\nelif n < 1:\n    pass\nelse:\n    pass\n",
         "4:13: only one branch yields 'y'; both branches must yield it"},
        {"elif without an else", "if b:\n    y = pl.yield_(1)\nelif n < 1:\n    y = pl.yield_(2)\n",
         "6:13: a branch that yields 'y' needs an else that yields it too"},
        {"elif yields another name",
         "if b:\n    y = pl.yield_(1)\nelif n < 1:\n    z = pl.yield_(2)\nelse:\n    z = "
         "pl.yield_(3)\n",
         "6:9: this branch yields 'z', the first one yields 'y'"},
        {"branches yield other names", "if b:\n    y = pl.yield_(1)\nelse:\n    z = pl.yield_(1)\n",
         "6:9: this branch yields 'z', the first one yields 'y'"},
        {"yield without state", "for j in pl.range(2):\n    y = pl.yield_(1)\n",
         "4:13: the loop carries 0 values, but its body yields 1"},
        {"state without parentheses", "for j, a in pl.range(2, init_values=(n,)):\n    pass\n",
         "3:12: expected '(', found 'a'"},
        {"yield in an open parenthesis", "for j in pl.range(2):\n    y = (pl.yield_(1), 2)\n",
         "4:26: expected ')', found ','"},
        {"state of other length", "for j, (a, c) in pl.range(2, init_values=(n,)):\n    pass\n",
         "3:22: 2 iteration variables, but 1 init_values"},
        {"too many bounds", "for j in pl.range(1, 2, 3, 4):\n    pass\n",
         "3:14: a range expects 1 to 3 bounds, found 4"},
        {"unknown loop", "for j in pl.rang(2):\n    pass\n",
         "3:14: unknown loop 'pl.rang'; did you mean 'pl.range'?"},
        {"loop over a value", "for j in x:\n    pass\n",
         "3:14: unknown loop 'x', expected pl.range(...)"},
        {"condition is not first", "for (a,) in pl.while_(init_values=(n,)):\n    y = 1\n",
         "4:9: expected pl.cond(...) as the first line of a pl.while_ loop, found 'y'"},
        {"scope is no call", "with x:\n    pass\n", "3:10: expected a scope such as pl.cluster()"},
    };
    EXPECT_ERRORS(cases, true);
}

Test(parse, errors_in_modules)
{
    static const struct error_case cases[] = {
        {"empty", "", "t.py: error: the file holds no function\n"},
        {"only a constant", "N = 4\n", "t.py: error: the file holds no function\n"},
        {"a statement", "return\n",
         "1:1: expected a class, a function or NAME = constant, found 'return'"},
        {"indented module", "  N = 4\n",
         "1:3: expected a class, a function or NAME = constant, found an indented block"},
        {"constant twice", "N = 4\nN = 5\n", "2:1: 'N' is defined twice"},
        {"no constant", "N = pl.mystery(4)\n", "1:5: expected a constant or pl.dynamic(\"N\")"},
        {"two programs", "class A:\n    pass\nclass B:\n    pass\n",
         "3:7: a file holds one program, and 'B' is a second one"},
        {"statement in a class", "class A:\n    x = 1\n", "2:5: expected a function, found 'x'"},
        {"other decorator", "@pl.jat\ndef f():\n    pass\n",
         "1:1: unknown decorator '@pl.jat', expected @pl.function"},
        {"function type", "@pl.function(type=pl.FunctionType.InCor)\ndef f():\n    pass\n",
         "1:19: unknown function type 'pl.FunctionType.InCor'; did you mean "
         "'pl.FunctionType.InCore'?"},
        {"two functions", "def f():\n    pass\ndef f():\n    pass\n",
         "3:5: two functions are named 'f'"},
        {"two parameters", "def f(a: pl.Ptr, a: pl.Ptr):\n    pass\n",
         "1:18: two parameters are named 'a'"},
        {"parameter without a type", "def f(a):\n    pass\n", "1:7: parameter 'a' needs a type"},
        {"default value", "def f(a: pl.Ptr = 1):\n    pass\n",
         "1:17: expected ',' or ')', found '='"},
        {"no body", "def f():\n", "2:1: expected an indented block, found the end of the file"},
        {"window without its base",
         "def f():\n    with pl._dump.comm_domain(slots=[pl._dump.window_buffer(\"w\", "
         "base=\"buf\")]):\n        pass\n",
         "2:71: no variable 'buf' in this function"},
        {"window twice",
         "def f():\n    pl.x(pl._dump.window_buffer(\"w\"), pl._dump.window_buffer(\"w\"))\n",
         "2:62: window buffer \"w\" is defined twice"},
        {"the body before a bad header",
         "def k(n: pl.Scalar[pl.INT32]):\n    y = other\ndef k(n: pl.Oops[M]):\n    pass\n",
         "2:9: undefined name 'other'"},
        {"the body before what no token is", "def k():\n    y = other\ndef l():\n    y = $\n",
         "2:9: undefined name 'other'"},
        {"the header before a bad body", "def k(n):\n    y = z\ndef l():\n    y = z\n",
         "1:7: parameter 'n' needs a type"},
        {"a parameter is none of the next body's names",
         "def k(n: pl.Scalar[pl.INT32]):\n    pass\ndef l():\n    y = n\n",
         "4:9: undefined name 'n'"},
        {"no colon, and a body", "def k()\n    pass\ndef l():\n    y = z\n",
         "1:8: expected ':', found the end of the line"},
    };
    EXPECT_ERRORS(cases, false);
}

Test(parse, the_whole_error)
{
    struct arena a = {0};
    const char *error;
    parse_text(&a, "def f():\n    pld.tile.putt(1)\n", &error);
    expect_text("text", error,
                "t.py:2:5: error: unknown operator 'pld.tile.putt'; did you mean 'pld.tile.put'? "
                "[unknown-operator]\n"
                "    2 |     pld.tile.putt(1)\n"
                "      |     ^~~~~~~~~~~~~\n");
    arena_free(&a);
}

/* ---- limits ---- */

static const char *repeated(struct arena *a, const char *before, const char *open, size_t n,
                            const char *middle, const char *close, const char *after)
{
    struct strbuf b = strbuf_make(a);
    strbuf_add(&b, before);
    for (size_t i = 0; i < n; i++)
        strbuf_add(&b, open);
    strbuf_add(&b, middle);
    for (size_t i = 0; i < n; i++)
        strbuf_add(&b, close);
    strbuf_add(&b, after);
    return b.text;
}

static const char *nested_blocks(struct arena *a, int n)
{
    struct strbuf b = strbuf_make(a);
    for (int i = 0; i < n; i++) {
        strbuf_pad(&b, ' ', (size_t)i);
        strbuf_add(&b, "if b:\n");
    }
    strbuf_pad(&b, ' ', (size_t)n);
    strbuf_add(&b, "pass\n");
    return b.text;
}

Test(parse, nesting_is_bounded)
{
    struct arena a = {0};
    struct {
        const char *name, *body, *error; /* NULL: it parses */
    } cases[] = {
        {"150 parentheses", repeated(&a, "y = ", "(", 150, "1", ")", "\n"), NULL},
        {"300 parentheses", repeated(&a, "y = ", "(", 300, "1", ")", "\n"),
         "3:208: nested deeper than 200 levels"},
        {"a million brackets", repeated(&a, "y = ", "[", 1000000, "1", "]", "\n"),
         "3:208: nested deeper than 200 levels"},
        {"150 minus signs", repeated(&a, "y = ", "- ", 150, "n", "", "\n"), NULL},
        {"100000 minus signs", repeated(&a, "y = ", "- ", 100000, "n", "", "\n"),
         "3:4009: the statement has more than 2000 operators"},
        {"1000 terms", repeated(&a, "y = 1", "", 1000, "", " + 1", "\n"), NULL},
        {"100000 terms", repeated(&a, "y = 1", "", 100000, "", " + 1", "\n"),
         "3:8011: the statement has more than 2000 operators"},
        {"100000 powers", repeated(&a, "y = 1", "", 100000, "", " ** 1", "\n"),
         "3:10011: the statement has more than 2000 operators"},
        {"100 blocks", nested_blocks(&a, 100), NULL},
        {"250 blocks", nested_blocks(&a, 250), "202:207: nested deeper than 200 levels"},
        {"100000 elements", repeated(&a, "y = [", "", 100000, "", "1, ", "]\n"), NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *error;
        struct ir_program *p = parse_text(&a, kernel_text(&a, cases[i].body), &error);
        if (cases[i].error)
            expect_text(cases[i].name, error ? short_error(&a, error) : "(parsed)", cases[i].error);
        else if (p)
            expect_round_trip(cases[i].name, p);
        else
            cr_expect(false, "%s: %s", cases[i].name, error);
    }
    arena_free(&a);
}

Test(parse, long_signatures)
{
    struct arena a = {0};
    struct strbuf b = strbuf_make(&a);
    strbuf_add(&b, "@pl.function(type=pl.FunctionType.AIV)\ndef k(");
    for (int i = 0; i < 120; i++)
        strbuf_addf(
            &b,
            "%sx_inline%d__ssa_v0: pl.Tensor[[T_DYN, 4096], pl.BF16, pl.MemRef(\"mem_ddr_%d\", "
            "pl.const(0, pl.INT64), 0)]",
            i ? ", " : "", i, i);
    strbuf_add(&b, "):\n    return\n");
    struct ir_program *p = parse_good(&a, "long", b.text);
    cr_expect(b.len > 10000 && p->funcs.items[0]->params.len == 120);
    cr_expect(p->implicit_symbols.len == 1, "one variable for each name");
    expect_round_trip("long", p);
    arena_free(&a);
}

/* ---- the tree ---- */

static const struct ir_stmt *statement(const struct ir_program *p, size_t i)
{
    return p->funcs.items[0]->body.items[i];
}

Test(parse, assignments_to_a_name_are_one_variable)
{
    struct arena a = {0};
    struct ir_program *p =
        parse_good(&a, "names", kernel_text(&a, "y = n\nif b:\n    y = -n\nz = y\n"));
    struct ir_var *y = statement(p, 0)->assign.targets.items[0];
    cr_expect(statement(p, 1)->if_.then_body.items[0]->assign.targets.items[0] == y);
    cr_expect(statement(p, 2)->assign.value->var == y);
    arena_free(&a);
}

Test(parse, branch_results_are_one_variable)
{
    struct arena a = {0};
    const char *body = "if b:\n    y = pl.yield_(n)\nelse:\n    y = pl.yield_(n)\nz = y\n";
    struct ir_program *p = parse_good(&a, "phi", kernel_text(&a, body));
    cr_assert(statement(p, 0)->if_.results.len == 1);
    cr_expect(statement(p, 1)->assign.value->var == statement(p, 0)->if_.results.items[0]);
    arena_free(&a);
}

Test(parse, loops_bind_fresh_variables)
{
    struct arena a = {0};
    const char *body = "for j in pl.range(2):\n    pass\nfor j in pl.range(2):\n    pass\n";
    struct ir_program *p = parse_good(&a, "loops", kernel_text(&a, body));
    const struct ir_stmt *first = statement(p, 0);
    cr_expect(first->for_.var != statement(p, 1)->for_.var);
    cr_expect(first->for_.start->integer.value == 0 && first->for_.step->integer.value == 1);
    arena_free(&a);
}

Test(parse, slots_and_types_share_one_window)
{
    struct arena a = {0};
    struct ir_program *p =
        parse_good(&a, "windows",
                   "def main():\n"
                   "    with pl._dump.comm_domain(name='d', slots=[pl._dump.window_buffer(\"w\", "
                   "base=\"buf\", size=n)]):\n"
                   "        n = 16\n"
                   "        buf = pld.tensor.alloc_window_buffer(n)\n"
                   "        w: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(\"w\")] = "
                   "pld.tensor.window(buf, [4], dtype=pl.FP32)\n");
    const struct ir_stmt *scope = statement(p, 0);
    const ir_block *body = &scope->scope.body;
    const struct ir_expr *slots = ir_kwarg_find(&scope->scope.call->call.kwargs, "slots");
    struct ir_window_buffer *window = slots->items.items[0]->type->window;
    cr_expect(body->items[2]->assign.targets.items[0]->type->window == window);
    cr_expect(window->base == body->items[1]->assign.targets.items[0]);
    cr_expect(window->size->var == body->items[0]->assign.targets.items[0],
              "the size is a variable of the body");
    arena_free(&a);
}

Test(parse, functions_and_globals)
{
    struct arena a = {0};
    struct ir_program *p =
        parse_good(&a, "program",
                   "# pypto.program: demo\n"
                   "N = 4\nM = N * 2\nEPS = 1e-3\nDT = pl.FP16\nNR = pl.dynamic(\"NR\")\n"
                   "@pl.program\n"
                   "class Demo:\n"
                   "    @pl.function(type=pl.FunctionType.AIC)\n"
                   "    def k(x: pl.Out[pl.Tensor[[M, NR], DT]]):\n"
                   "        y = EPS\n"
                   "    @pl.function(type=pl.FunctionType.Orchestration)\n"
                   "    def main(self, x: pl.Tensor[[M, NR], DT]):\n"
                   "        self.k(x=x, device=0)\n");
    int64_t m = 0;
    struct ir_func *k = ir_find_func(p, "k"), *main_func = ir_find_func(p, "main");
    cr_assert(k && main_func && !ir_find_func(p, "other"));
    expect_text("header", p->header, "demo");
    expect_text("class", p->name, "Demo");
    cr_expect(ir_func_is_incore(k) && !ir_func_is_incore(main_func));
    cr_expect(!k->has_self && main_func->has_self);
    cr_expect(k->params.items[0].direction == IR_OUT &&
              main_func->params.items[0].direction == IR_IN);
    cr_expect(k->params.items[0].var->type->dtype == IR_FP16, "a name for an element type");
    cr_expect(ir_const_int(k->params.items[0].var->type->shape.items[0], &m) && m == 8);
    cr_expect(!ir_const_int(k->params.items[0].var->type->shape.items[1], &m),
              "a symbol has no value");
    const struct ir_call *call = ir_leaf_call(main_func->body.items[0]);
    cr_assert(call && call->callee == IR_CALLEE_USER);
    cr_expect(call->args.len == 1 && call->kwargs.len == 1, "x= is a parameter, device= is not");
    arena_free(&a);
}

Test(parse, constants_evaluate)
{
    static const struct {
        const char *text;
        bool known;
        int64_t value;
    } cases[] = {
        {"7 // 2", true, 3},
        {"-7 // 2", true, -4},
        {"-7 % 3", true, 2},
        {"7 % -3", true, -2},
        {"1 // 0", false, 0},
        {"1 % 0", false, 0},
        {"2 ** 10", true, 1024},
        {"2 ** -1", false, 0},
        {"(-1) ** 1001", true, -1},
        {"2 ** 64", false, 0},
        {"1 << 62", true, 1L << 62},
        {"1 << 63", false, 0},
        {"-8 >> 1", true, -4},
        {"9223372036854775807 + 1", false, 0},
        {"6 / 2", false, 0},
        {"pl.min(3, 4)", true, 3},
        {"abs(-3)", true, 3},
        {"~0", true, -1},
        {"3 < 4", true, 1},
        {"not 0", true, 1},
        {"pl.cast(300, pl.INT8)", false, 0},
        {"pl.cast(-128, pl.INT8)", true, -128},
        {"pl.cast(3, pl.FP32)", false, 0},
        {"i", false, 0},
        {"5 & 6 | 8 ^ 1", true, 13},
        {"True", true, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        char *body = arena_printf(&a, "y = %s\n", cases[i].text);
        struct ir_program *p = parse_good(&a, cases[i].text, kernel_text(&a, body));
        int64_t value = 0;
        bool known = ir_const_int(statement(p, 0)->assign.value, &value);
        cr_expect(known == cases[i].known && (!known || value == cases[i].value), "%s: %d %ld",
                  cases[i].text, known, (long)value);
        arena_free(&a);
    }
}

Test(parse, call_values)
{
    struct arena a = {0};
    const char *body = "pld.system.notify(sig, n, [0, 0], 1, op=pld.NotifyOp.Set)\n"
                       "pld.tensor.put(win, n, x, atomic=pld.AtomicType.Add, chunk_rows=2)\n"
                       "pl.tile.mystery(1)\n";
    struct ir_program *p = parse_good(&a, "values", kernel_text(&a, body));
    const struct ir_call *notify = ir_leaf_call(statement(p, 0)),
                         *put = ir_leaf_call(statement(p, 1));
    cr_expect(ir_call_int(notify, "op") == 1);
    cr_expect(notify->args.items[2]->kind == IR_TUPLE,
              "offsets are a tuple however they are written");
    cr_expect(ir_call_int(put, "atomic") == 1 && ir_call_int(put, "chunk_rows") == 2);
    cr_expect(ir_call_int(put, "chunk_cols") == 0 && ir_call_int(put, "pipeline") == 0,
              "defaults of the row");
    cr_expect(ir_leaf_call(statement(p, 2))->callee == IR_CALLEE_UNKNOWN);
    arena_free(&a);
}

Test(parse, what_looks_like_program_and_is_none)
{
    static const struct {
        const char *name, *text, *expected;
    } cases[] = {
        {"golden functions and main are none",
         "@pl.jit\ndef e(x: pl.Tensor[[4], pl.FP32]):\n    pass\ndef golden(x):\n    pass\n", ""},
        {"what a program calls is its own",
         "@pl.jit.incore\ndef k():\n    pass\n@pl.jit\ndef e():\n    k()\n", ""},
        {"nobody calls it", "@pl.jit.incore\ndef k():\n    pass\n@pl.jit\ndef e():\n    pass\n",
         "'k' (line 2: nothing calls it)"},
        {"its header speaks of the language",
         "def h(x: pl.Tensor[[4], pl.FP32]):\n    pass\n@pl.jit\ndef e():\n    pass\n",
         "'h' (line 1: no decorator)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct ir_file *f =
            ir_file_read(&a, source_from_string(&a, "case", cases[i].text), &d);
        cr_assert(f, "%s", cases[i].name);
        expect_text(cases[i].name, f->left_out, cases[i].expected);
        arena_free(&a);
    }
}
