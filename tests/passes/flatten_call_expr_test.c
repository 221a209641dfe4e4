/* SPDX-License-Identifier: MIT */
#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/rewrite.h"
#include "tests/ir/random_program.h"
#include "tests/passes/transform_rig.h"

static const char pass_name[] = "FlattenCallExpr";

/* ---- the note ---- */

static void collect(void *ctx, const struct source *src, struct span at, const char *text)
{
    strbuf_addf(ctx, "%s:%d:%d+%d: %s\n", src->name, at.line, at.col, at.len, text);
}

Test(flatten, note_of_a_while_condition)
{
    static const char note[] = "FlattenCallExpr: a call in the condition of a while loop is "
                               "evaluated once, before the loop, and not again in each round";
    static const struct {
        const char *body, *place;
    } cases[] = {
        {"    while pl.tensor.read(x, [0]) < n:\n        pl.tensor.write(x, [1], n)\n",
         "t.py:5:11+14: "},
        {"    while n < 3:\n        pl.tensor.write(x, [1], pl.tensor.read(x, [0]))\n", NULL},
        {"    if pl.tensor.read(x, [0]) < n:\n        pl.tensor.write(x, [1], n)\n", NULL},
    };
    static const char head[] = "import pypto.language as pl\n\n"
                               "@pl.function(type=pl.FunctionType.InCore)\n"
                               "def k(x: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INT32]):\n";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        struct strbuf said = strbuf_make(&a);
        struct pass_options o = PASS_OPTIONS_DEFAULT;
        o.note = collect;
        o.note_ctx = &said;
        const struct pass *pass = pass_find(pass_name, &d);
        const struct ir_program *p =
            transform_parse(&a, cases[i].body, arena_printf(&a, "%s%s", head, cases[i].body));
        cr_assert(pass && pass->run(&a, p, &o, &d));
        expect_text(cases[i].body, said.text,
                    cases[i].place ? arena_printf(&a, "%s%s\n", cases[i].place, note) : "");
        arena_free(&a);
    }
}

/* ---- random programs ---- */

/* What the compiler calls the property NoNestedCall: no call is an argument, an operand or a whole
 * condition, bound, returned or yielded value. */
static bool is_plain_call(const struct ir_expr *e)
{
    return e->kind == IR_CALL && e->call.callee != IR_CALLEE_SUBMIT;
}

static bool is_flat(const struct ir_expr *e);

static bool are_flat(const ir_exprs *list, bool calls_allowed)
{
    vec_foreach (struct ir_expr *, e, list)
        if (!is_flat(*e) || (!calls_allowed && is_plain_call(*e)))
            return false;
    return true;
}

static bool is_flat_operand(const struct ir_expr *e)
{
    return !is_plain_call(e) && is_flat(e);
}

/* Keywords and attributes are not looked at: they stay. */
static bool is_flat(const struct ir_expr *e)
{
    switch (e->kind) {
    case IR_CALL:
        return are_flat(&e->call.args, false);
    case IR_TUPLE:
    case IR_LIST:
        return are_flat(&e->items, true);
    case IR_GETITEM:
        return is_flat(e->getitem.base);
    case IR_BINARY:
        return is_flat_operand(e->binary.lhs) && is_flat_operand(e->binary.rhs);
    case IR_UNARY:
        return is_flat_operand(e->unary.operand);
    case IR_CAST:
        return is_flat_operand(e->cast.operand);
    default:
        return true;
    }
}

static bool count_calls(const struct ir_expr *e, void *ctx)
{
    *(size_t *)ctx += e->kind == IR_CALL;
    return true;
}

/* Initial values and a scope's call stay as well. */
static enum walk is_nested(const struct ir_stmt *s, void *ctx)
{
    (void)ctx;
    bool flat = true;
    switch (s->kind) {
    case IR_ASSIGN:
        flat = is_flat(s->assign.value);
        break;
    case IR_EVAL:
        flat = is_flat(s->eval);
        break;
    case IR_IF:
        flat = is_flat_operand(s->if_.cond);
        break;
    case IR_FOR:
        flat = is_flat_operand(s->for_.start) && is_flat_operand(s->for_.stop) &&
               is_flat_operand(s->for_.step);
        break;
    case IR_WHILE:
        flat = is_flat_operand(s->while_.cond);
        break;
    case IR_YIELD:
        flat = are_flat(&s->yield.values, false);
        break;
    case IR_RETURN:
        flat = are_flat(&s->return_.values, false);
        break;
    default:
        break;
    }
    return flat ? WALK_INTO : WALK_FOUND;
}

static enum walk count_stmt_calls(const struct ir_stmt *s, void *calls)
{
    pass_walk_stmt(s, count_calls, calls);
    return WALK_INTO;
}

static size_t calls_of(const struct ir_program *p)
{
    size_t calls = 0;
    vec_foreach (struct ir_func *, f, &p->funcs)
        pass_find_stmt(&(*f)->body, count_stmt_calls, &calls);
    return calls;
}

static void expect_flat(const char *name, const struct ir_program *before,
                        const struct ir_program *after)
{
    vec_foreach (struct ir_func *, f, &after->funcs)
        cr_expect(!pass_find_stmt(&(*f)->body, is_nested, NULL), "%s: %s has a nested call", name,
                  (*f)->name);
    cr_expect_eq(calls_of(before), calls_of(after), "%s: as many calls as before", name);
}

Test(flatten, random_programs)
{
    enum { SEEDS = 2000, CHANGED_AT_LEAST = 200 };
    size_t changed = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const char *name = arena_printf(&a, "seed %lu", (unsigned long)seed);
        struct pass_options o = PASS_OPTIONS_DEFAULT;
        const struct pass *pass = pass_find(pass_name, &d);
        const struct source *text = source_from_string(&a, "r.py", random_program(&a, seed));
        const struct ir_program *p = ir_parse(&a, text, &d);
        const struct ir_program *flat =
            p && verify_program(p, &d) ? pass->run(&a, p, &o, &d) : NULL;
        if (flat) {
            expect_flat(name, p, flat);
            const struct ir_program *again = pass->run(&a, flat, &o, &d);
            cr_expect(again && ir_equal(flat, again), "%s: twice is once", name);
            changed += !ir_equal(p, flat);
        }
        arena_free(&a);
    }
    cr_expect(changed >= CHANGED_AT_LEAST, "only %zu programs had a nested call", changed);
}
