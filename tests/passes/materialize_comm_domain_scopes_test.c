/* SPDX-License-Identifier: MIT */
#include "passes/materialize_comm_domain_scopes.h"

#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "tests/passes/host_rig.h"

#define S   "SynthesizeAllReduceSignals"
#define M   "MaterializeCommDomainScopes"
#define S_M S "," M

/* 05, 08: what stands between the passes is a program like any other. */
Test(materialize_comm_domain_scopes, texts_between_the_passes_read_back)
{
    static const char body[] = "buf = pld.alloc_window_buffer(1024)\n"
                               "w = pld.window(buf, [256], dtype=pl.FP32)\n"
                               "self.chip(w, device=0)\n"
                               "y = pld.tensor.allreduce(w, op=0)\n"
                               "return y\n";
    static const struct {
        const char *name, *passes;
    } cases[] = {
        {"05 optional_signal_allreduce_round_trips_before_materialization", ""},
        {"08 synthesized_signal_round_trips_after_materialization", S_M},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        struct diag d = {.arena = &a};
        const struct ir_program *p =
            host_run(&a, cases[i].name, cases[i].passes, host_program(&a, cases[i].name, body));
        const char *text = ir_print(&a, p);
        const struct ir_program *again = ir_parse(&a, source_from_string(&a, "p.py", text), &d);
        cr_assert(again, "%s: %s", cases[i].name, diag_text(&d, &a));
        cr_expect(ir_equal(p, again), "%s: not equal", cases[i].name);
        cr_expect_eq(ir_hash(p), ir_hash(again), "%s: not of the same hash", cases[i].name);
        expect_text(cases[i].name, ir_print(&a, again), text);
        arena_free(&a);
    }
}

/* ---- what text does not show ---- */

static const struct ir_func *main_of(const struct ir_program *p)
{
    return ir_find_func(p, "main");
}

/* The statement of the innermost scope's body that assigns the named variable. */
static const struct ir_stmt *assignment_to(const struct ir_program *p, const char *name)
{
    const ir_block *block = &main_of(p)->body;
    while (block->len == 1 && ir_is_comm_domain(block->items[0]))
        block = &block->items[0]->scope.body;
    const struct ir_stmt *found = NULL;
    vec_foreach (struct ir_stmt *, s, block)
        if ((*s)->kind == IR_ASSIGN && strcmp((*s)->assign.targets.items[0]->name, name) == 0)
            found = *s;
    cr_assert(found, "no assignment to %s", name);
    return found;
}

static const struct ir_window_buffer *window_of(const struct ir_program *p, const char *name)
{
    const struct ir_stmt *s = assignment_to(p, name);
    const struct ir_type *var = s->assign.targets.items[0]->type, *value = s->assign.value->type;
    cr_expect_eq(var->window, value->window, "%s: variable and definition differ", name);
    cr_expect(ir_type_same(var, value), "%s: variable and definition differ in type", name);
    return var->window;
}

static const struct ir_window_buffer *slot(const struct ir_program *p, size_t i)
{
    const struct ir_expr *slots =
        ir_kwarg_find(&main_of(p)->body.items[0]->scope.call->call.kwargs, "slots");
    cr_assert(i < slots->items.len);
    return slots->items.items[i]->type->window;
}

static const char views_of_one_window[] = "buf = pld.alloc_window_buffer(1024)\n"
                                          "w = pld.window(buf, [256], dtype=pl.FP32)\n"
                                          "v = pld.window(buf, [256], dtype=pl.FP32)\n"
                                          "half = pl.tensor.slice(w, [128], [128])\n"
                                          "same = v\n"
                                          "self.pair(w, v, device=0)\n";

/* 31: the slot, the views, and whatever is the same storage, share one object. */
Test(materialize_comm_domain_scopes, multi_view_per_alloc_shares_wb_instance)
{
    static const char name[] = "31 multi_view_per_alloc_shares_wb_instance";
    static const char *const vars[] = {"w", "v", "half", "same"};
    struct arena a = {0};
    const struct ir_program *p = host_run(&a, name, M, host_program(&a, name, views_of_one_window));
    const struct ir_window_buffer *window = slot(p, 0);
    for (size_t i = 0; i < sizeof vars / sizeof vars[0]; i++)
        cr_expect_eq(window_of(p, vars[i]), window, "%s", vars[i]);
    cr_expect_eq(window->base, assignment_to(p, "buf")->assign.targets.items[0]);
    cr_expect_eq(window->size, assignment_to(p, "buf")->assign.value->call.args.items[0]);
    cr_expect(!window->load_from_host && !window->store_to_host);
    expect_text(name, window->name, "buf");
    arena_free(&a);
}

/* A use refers to the variable that took the view's place. */
Test(materialize_comm_domain_scopes, uses_follow_the_view)
{
    static const char name[] = "uses_follow_the_view";
    struct arena a = {0};
    const struct ir_program *before = host_program(&a, name, views_of_one_window);
    const struct ir_program *p = host_run(&a, name, M, before);
    const ir_block *body = &main_of(p)->body.items[0]->scope.body;
    const struct ir_expr *arg = body->items[5]->eval->call.args.items[0];
    cr_expect_eq(arg->var, assignment_to(p, "w")->assign.targets.items[0]);
    cr_expect_neq(arg->var, assignment_to(before, "w")->assign.targets.items[0]);
    cr_expect_eq(arg->type->window, slot(p, 0));
    arena_free(&a);
}

/* An annotation that says more than the definition: only the variable can name the window. */
Test(materialize_comm_domain_scopes, definition_of_another_type_is_kept)
{
    static const char name[] = "definition_of_another_type_is_kept";
    struct arena a = {0};
    const struct ir_program *p = host_run(
        &a, name, M,
        host_program(&a, name,
                     "buf = pld.alloc_window_buffer(1024)\n"
                     "w: pld.DistributedTensor[[256], pl.FP32, pl.TensorView(stride=[1])] = "
                     "pld.tensor.window(buf, [256], dtype=pl.FP32)\n"
                     "self.chip(w, device=0)\n"));
    const struct ir_stmt *s = assignment_to(p, "w");
    cr_expect_eq(s->assign.targets.items[0]->type->window, slot(p, 0));
    cr_expect_null(s->assign.value->type->window);
    arena_free(&a);
}

/* 32: what is dispatched, and what runs on a core, is shared with the program given. */
Test(materialize_comm_domain_scopes, chip_orch_param_types_keep_window_buffer_nullopt)
{
    static const char name[] = "32 chip_orch_param_types_keep_window_buffer_nullopt";
    struct arena a = {0};
    const struct ir_program *before = host_program(&a, name, views_of_one_window);
    const struct ir_program *p = host_run(&a, name, M, before);
    for (size_t i = 0; i < p->funcs.len; i++) {
        const struct ir_func *f = p->funcs.items[i];
        cr_expect((f == before->funcs.items[i]) == (strcmp(f->name, "main") != 0), "%s", f->name);
        vec_foreach (struct ir_param, param, &f->params)
            cr_expect_null(param->var->type->window, "%s of %s", param->var->name, f->name);
    }
    arena_free(&a);
}

/* 36: every other case is applied twice too; here the second run meets two nested scopes. */
Test(materialize_comm_domain_scopes, idempotent)
{
    static const char name[] = "36 idempotent";
    struct arena a = {0};
    const struct ir_program *once =
        host_run(&a, name, M,
                 host_program(&a, name,
                              "a = pld.alloc_window_buffer(1024)\n"
                              "b = pld.alloc_window_buffer(1024)\n"
                              "w = pld.window(a, [256], dtype=pl.FP32)\n"
                              "v = pld.window(b, [256], dtype=pl.FP32)\n"
                              "self.chip(w, device=0)\n"
                              "self.chip(v, device=1)\n"));
    const struct ir_program *twice = host_run(&a, name, M, once);
    cr_expect_eq(main_of(once), main_of(twice));
    cr_expect(ir_equal(once, twice));
    expect_text(name, ir_print(&a, twice), ir_print(&a, once));
    arena_free(&a);
}

/* 40, 41: the verifier's property holds of a result, and not of one whose slot stands in a second
 * scope as well. */
Test(materialize_comm_domain_scopes, verifier_sees_the_scopes)
{
    static const char name[] = "verifier_sees_the_scopes";
    struct arena a = {0};
    struct diag good = {.arena = &a}, bad = {.arena = &a};
    const struct ir_program *p = host_run(&a, name, M, host_program(&a, name, views_of_one_window));
    cr_expect(verify_property(p, IR_PROPERTY_COMM_DOMAIN_SCOPES, &good),
              "40 verifier_passes_on_pass_output: %s", diag_text(&good, &a));

    struct ir_func *f = ir_find_func(p, "main");
    const struct ir_expr *slots =
        ir_kwarg_find(&f->body.items[0]->scope.call->call.kwargs, "slots");
    ir_block twice = {0};
    vec_push(&a, &twice,
             ir_comm_domain(&a, "comm_d1", NULL, 0, slots->items, f->body, f->body.items[0]->span));
    f->body = twice;
    cr_expect_not(verify_property(p, IR_PROPERTY_COMM_DOMAIN_SCOPES, &bad));
    expect_text(
        "41 verifier_flags_duplicate_slot_across_scopes", bad.message,
        "window buffer 'buf' is a slot of communication domain comm_d1 and of communication "
        "domain comm_d0 [slot-shared]");
    arena_free(&a);
}

/* ---- rules that no file of a case can show ---- */

#define BUF_W                                                                                      \
    "buf = pld.alloc_window_buffer(1024)\n"                                                        \
    "w = pld.window(buf, [256], dtype=pl.FP32)\n"

Test(materialize_comm_domain_scopes, as_many_devices_as_a_domain_lists)
{
    static const char name[] = "1024 devices";
    struct arena a = {0};
    const struct ir_program *p = host_run(
        &a, name, M,
        host_program(&a, name, BUF_W "for r in pl.range(1024):\n    self.chip(w, device=r)\n"));
    const struct ir_expr *listed =
        ir_kwarg_find(&ir_find_func(p, "main")->body.items[0]->scope.call->call.kwargs, "devices");
    cr_assert_eq(listed->items.len, 1024u);
    for (size_t i = 0; i < listed->items.len; i++)
        cr_expect_eq(listed->items.items[i]->integer.value, (int64_t)i);
    arena_free(&a);
}

/* The verifier wants logical names to be unique in the whole program, the pass in a domain only. */
Test(materialize_comm_domain_scopes, one_logical_name_in_two_domains)
{
    static const char name[] = "one logical name in two domains";
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct pass_options o = PASS_OPTIONS_DEFAULT;
    const struct ir_program *p = host_program(&a, name,
                                              "a = pl._dump.alloc_window_buffer(1024, name='buf')\n"
                                              "b = pl._dump.alloc_window_buffer(1024, name='buf')\n"
                                              "w = pld.window(a, [256], dtype=pl.FP32)\n"
                                              "v = pld.window(b, [256], dtype=pl.FP32)\n"
                                              "self.chip(w, device=0)\n"
                                              "self.chip(v, device=1)\n");
    cr_expect(materialize_comm_domain_scopes(&a, p, &o, &d), "%s", diag_text(&d, &a));
    arena_free(&a);
}

/* The pass manager sees to it that SynthesizeAllReduceSignals comes first; so does the pass. */
Test(materialize_comm_domain_scopes, implicit_allreduce)
{
    struct arena a = {0};
    struct diag d = {.arena = &a};
    const struct pass_options o = PASS_OPTIONS_DEFAULT;
    const struct ir_program *p = host_program(
        &a, "implicit", BUF_W "self.chip(w, device=0)\npld.tensor.allreduce(w, op=0)\n");
    cr_expect_null(materialize_comm_domain_scopes(&a, p, &o, &d));
    expect_text("implicit", d.message,
                "pld.tensor.allreduce lacks its argument 'signal'; " S
                " must run before this pass [collective-operand]");
    arena_free(&a);
}
