/* SPDX-License-Identifier: MIT */
/* Trees that passes build: the builders, the walk, and the law for what no text said before. */
#include "tests/ir/helpers.h"

#include "ir/ops.h"

static const struct span nowhere = {0};

static struct ir_expr *index_tuple(struct arena *a, int64_t x, int64_t y)
{
    ir_exprs items = {0};
    vec_push(a, &items, ir_int(a, x, IR_INDEX, nowhere));
    vec_push(a, &items, ir_int(a, y, IR_INDEX, nowhere));
    return ir_tuple(a, items, nowhere);
}

static void append_eval(struct arena *a, ir_block *block, struct ir_expr *e)
{
    struct ir_stmt *s = ir_stmt_new(a, IR_EVAL, nowhere);
    s->eval = e;
    vec_push(a, block, s);
}

static void append_assign(struct arena *a, ir_block *block, const char *name, struct ir_expr *e)
{
    struct ir_stmt *s = ir_stmt_new(a, IR_ASSIGN, nowhere);
    struct ir_var *v = ir_var_new(a, name, e->type, nowhere);
    s->assign.value = e;
    vec_push(a, &s->assign.targets, v);
    vec_push(a, block, s);
}

Test(build, markers)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, "markers", kernel_text(&a, "pass\n"));
    struct ir_func *k = p->funcs.items[0];
    ir_exprs region = {0};
    vec_push(&a, &region, ir_var_ref(&a, k->params.items[2].var, nowhere));
    vec_push(&a, &region, index_tuple(&a, 4, 64));
    vec_push(&a, &region, index_tuple(&a, 0, 0));
    append_eval(&a, &k->body, ir_op_call(&a, "system.cacheinvalid", region, nowhere));
    append_eval(&a, &k->body, ir_op_call(&a, "system.fence", (ir_exprs){0}, nowhere));
    expect_text("markers", printed_body(&a, p),
                "pl.system.cacheinvalid(win, [4, 64], [0, 0])\npl.system.fence()\n");
    expect_round_trip("markers", p);
    arena_free(&a);
}

Test(build, new_variables_of_one_name)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, "variables", kernel_text(&a, "pass\n"));
    struct ir_func *k = p->funcs.items[0];
    ir_exprs args = {0};
    vec_push(&a, &args, ir_var_ref(&a, k->params.items[4].var, nowhere));
    append_assign(&a, &k->body, "n", ir_op_call(&a, "pld.system.rank", args, nowhere));
    append_assign(&a, &k->body, "n", ir_op_call(&a, "pld.system.nranks", args, nowhere));
    expect_text("variables", printed_body(&a, p),
                "n_1: pl.Scalar[pl.INT32] = pld.system.rank(ctx)\n"
                "n_2: pl.Scalar[pl.INT32] = pld.system.nranks(ctx)\n");
    expect_round_trip("variables", p);
    arena_free(&a);
}

/* A variable that a pass left without a type agrees with the one that reading back infers. */
Test(build, variables_without_types)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, "untyped", kernel_text(&a, "y = n\nz = y\n"));
    p->funcs.items[0]->body.items[0]->assign.targets.items[0]->type = NULL;
    expect_text("untyped", printed_body(&a, p), "y = n\nz: pl.Scalar[pl.INT32] = y\n");
    expect_reads_back("untyped", p);
    arena_free(&a);
}

Test(build, windows_of_one_label)
{
    struct arena a = {0};
    const char *text = "def main():\n"
                       "    with pl._dump.comm_domain(slots=[]):\n"
                       "        buf = pld.tensor.alloc_window_buffer(16)\n";
    struct ir_program *p = parse_good(&a, "windows", text);
    struct ir_stmt *scope = p->funcs.items[0]->body.items[0];
    struct ir_expr *slots = ir_kwarg_find(&scope->scope.call->call.kwargs, "slots");
    for (int i = 0; i < 2; i++) {
        struct ir_window_buffer *w = arena_new(&a, struct ir_window_buffer);
        w->name = "buf_window";
        w->base = scope->scope.body.items[0]->assign.targets.items[0];
        w->size = ir_int(&a, 16, IR_INDEX, nowhere);
        vec_push(&a, &slots->items, ir_window_slot(&a, w, nowhere));
    }
    cr_expect(strstr(ir_print(&a, p),
                     "slots=[pl._dump.window_buffer(\"buf_window\", base=\"buf\", size=16, "
                     "load_from_host=False, store_to_host=False), "
                     "pl._dump.window_buffer(\"buf_window_1\", base=\"buf\", size=16, "
                     "load_from_host=False, store_to_host=False)]"));
    expect_round_trip("windows", p);
    arena_free(&a);
}

/* Operators whose printed form needs care, in every combination of two. */
Test(build, operators_in_operators)
{
    for (int outer = 0; outer < IR_BINARY_COUNT; outer++) {
        for (int inner = 0; inner < IR_BINARY_COUNT * 2; inner++) {
            struct arena a = {0};
            struct ir_program *p = parse_good(&a, "operators", kernel_text(&a, "y = i ^ 1\n"));
            struct ir_stmt *s = p->funcs.items[0]->body.items[0];
            struct ir_expr *leaf = s->assign.value->binary.lhs;
            struct ir_expr *in = ir_expr_new(&a, IR_BINARY, nowhere),
                           *out = ir_expr_new(&a, IR_BINARY, nowhere);
            in->binary.op = (enum ir_binary_op)(inner / 2);
            out->binary.op = (enum ir_binary_op)outer;
            in->binary.lhs = in->binary.rhs = leaf;
            out->binary.lhs = inner % 2 ? in : ir_int(&a, -1, IR_INDEX, nowhere);
            out->binary.rhs = inner % 2 ? leaf : in;
            s->assign.value = out;
            s->assign.targets.items[0]->type = NULL;
            /* `^` between integers is the bitwise one: a logical one between them has no text. And
             * a truth is an operand of nothing but and and or. */
            bool truth = ir_binary_is_truth(in->binary.op);
            bool text = out->binary.op == IR_AND || out->binary.op == IR_OR || !truth;
            if (text && in->binary.op != IR_XOR && out->binary.op != IR_XOR)
                expect_reads_back(ir_print_expr(&a, out), p);
            arena_free(&a);
        }
    }
}

static bool count_variables(const struct ir_expr *e, void *ctx)
{
    *(int *)ctx += e->kind == IR_VAR;
    return true;
}

static bool stop_at_call(const struct ir_expr *e, void *ctx)
{
    *(int *)ctx += 1;
    return e->kind != IR_CALL;
}

Test(build, walk)
{
    struct arena a = {0};
    const char *body = "y = pl.test.mystery([n, (i,)], -n, pl.cast(i, pl.INT32), k=b, "
                       "attrs={\"d\": [i + n, x[i]]})\n";
    struct ir_program *p = parse_good(&a, "walk", kernel_text(&a, body));
    const struct ir_expr *e = p->funcs.items[0]->body.items[0]->assign.value;
    int variables = 0, visited = 0;
    cr_expect(ir_walk_expr(e, count_variables, &variables) && variables == 9);
    cr_expect(!ir_walk_expr(e, stop_at_call, &visited) && visited == 1, "parents come first");
    arena_free(&a);
}

/* Names are found in a table; functions that were put in place by hand are found all the same. */
Test(build, functions_and_constants_by_name)
{
    struct arena a = {0};
    struct ir_program *p = parse_good(&a, "names",
                                      "N = pl.dynamic(\"N\")\ndef f(x: pl.Tensor[[N, M], "
                                      "pl.FP32]):\n    pass\ndef g():\n    pass\n");
    const ir_exprs *shape = &p->funcs.items[0]->params.items[0].var->type->shape;
    int64_t value = 0;
    cr_expect(!ir_const_int(shape->items[0], &value) && !ir_const_int(shape->items[1], &value));
    for (size_t i = 0; i < shape->len; i++)
        cr_expect(ir_is_module_var(p, shape->items[i]->var));
    cr_expect(!ir_is_module_var(p, p->funcs.items[0]->params.items[0].var));
    cr_expect(ir_find_func(p, "f") == p->funcs.items[0]);
    cr_expect(ir_find_func(p, "g") == p->funcs.items[1]);
    cr_expect(ir_find_func(p, "h") == NULL);
    struct ir_func h = *p->funcs.items[1], *f = p->funcs.items[0];
    h.name = "h";
    p->funcs.items[0] = &h;
    p->funcs.items[1] = f;
    cr_expect(ir_find_func(p, "h") == &h && ir_find_func(p, "f") == f);
    cr_expect(ir_find_func(p, "g") == NULL);
    arena_free(&a);
}
