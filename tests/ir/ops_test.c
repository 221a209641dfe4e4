/* SPDX-License-Identifier: MIT */
/* The registry agrees with itself and with the facts (pypto-facts 2). */
#include "tests/ir/helpers.h"

#include "ir/ops.h"

Test(ops, rows_are_consistent)
{
    struct arena a = {0};
    for (size_t i = 0; i < ir_op_count(); i++) {
        const struct ir_op *op = ir_op_at(i);
        size_t total = strlen(op->args), layout[IR_MAX_PARAMS];
        cr_expect(ir_op_find(op->name) == op, "%s: the name is unique", op->name);
        cr_expect(total <= IR_MAX_PARAMS && strspn(op->args, "TDPtsiuvcpxmo*") == total,
                  "%s: kinds", op->name);
        cr_expect(ir_op_layout(op, total, layout), "%s: all parameters may be given", op->name);
        cr_expect(!ir_op_takes(op, total + 1), "%s: no more than the parameters", op->name);
        cr_expect(!ir_op_arg_name(&a, op, total + 1, total), "%s: names as many as kinds",
                  op->name);
        for (size_t n = 0; n < total; n++)
            cr_expect(ir_op_param(op, ir_op_arg_name(&a, op, total, n)) == (int)n,
                      "%s: parameter %zu", op->name, n);
        cr_expect(op->target < (int)total && op->result_arg < (int)(total ? total : 1),
                  "%s: target", op->name);
        cr_expect(op->doc && *op->doc, "%s: doc", op->name);
        for (int k = 0; k < IR_MAX_KWARGS && op->kwargs[k].name; k++) {
            const struct ir_op_kwarg *kw = &op->kwargs[k];
            cr_expect(strchr("ibsden*", kw->kind), "%s: kind of %s", op->name, kw->name);
            cr_expect((kw->kind == 'e' || kw->kind == 'n') == (kw->names != NULL),
                      "%s: names of %s", op->name, kw->name);
            cr_expect(!kw->required || (!kw->default_value && !kw->default_is), "%s: default of %s",
                      op->name, kw->name);
            cr_expect(ir_op_param(op, kw->name) < 0, "%s: %s is a parameter too", op->name,
                      kw->name);
        }
    }
    for (size_t i = 0; i < ir_op_spelling_count; i++)
        cr_expect(ir_op_find(ir_op_spellings[i].name) && !ir_op_find(ir_op_spellings[i].written),
                  "%s", ir_op_spellings[i].written);
    arena_free(&a);
}

/* Arities, targets and effects as the facts list them. */
static const struct {
    const char *op, *arities;
    int target;
    enum ir_effect effect;
    bool incore;
} facts[] = {
    {"pld.system.world_size", "0", -1, IR_EFFECT_HOST, false},
    {"pld.system.get_comm_ctx", "1", -1, IR_EFFECT_PURE, true},
    {"pld.system.rank", "1", -1, IR_EFFECT_PURE, true},
    {"pld.system.nranks", "1", -1, IR_EFFECT_PURE, true},
    {"pld.system.notify", "4", 0, IR_EFFECT_NOTIFY, true},
    {"pld.system.wait", "3", 0, IR_EFFECT_WAIT, true},
    {"pld.system.defer_wait", "3", 0, IR_EFFECT_PURE, true},
    {"pld.tile.remote_load", "4 or 5", -1, IR_EFFECT_READ, true},
    {"pld.tile.remote_store", "4", 1, IR_EFFECT_REMOTE_WRITE, true},
    {"pld.tensor.remote_store", "4", 1, IR_EFFECT_REMOTE_WRITE, true},
    {"pld.tile.put", "4, 5, 7 or 8", 0, IR_EFFECT_REMOTE_WRITE, true},
    {"pld.tensor.put", "3 or 6", 0, IR_EFFECT_REMOTE_WRITE, true},
    {"pld.tile.get", "4, 5, 7 or 8", 0, IR_EFFECT_WRITE, true},
    {"pld.tensor.get", "3 or 6", 0, IR_EFFECT_WRITE, true},
    {"pld.tensor.alloc_window_buffer", "1", -1, IR_EFFECT_HOST, false},
    {"pld.tensor.window", "2", -1, IR_EFFECT_HOST, false},
    {"pld.tensor.allreduce", "1 or 2", 0, IR_EFFECT_COLLECTIVE, true},
    {"pld.tensor.reduce_scatter", "2", 0, IR_EFFECT_COLLECTIVE, true},
    {"pld.tensor.allgather", "3", 1, IR_EFFECT_COLLECTIVE, true},
    {"pld.tensor.broadcast", "2", 0, IR_EFFECT_COLLECTIVE, true},
    {"pld.tensor.barrier", "1", 0, IR_EFFECT_COLLECTIVE, true},
    {"pld.tensor.all_to_all", "3", 1, IR_EFFECT_COLLECTIVE, true},
    {"pld.tensor.all_to_all_v", "5", 1, IR_EFFECT_COLLECTIVE, true},
    {"system.fence", "0", -1, IR_EFFECT_MARKER, true},
    {"system.cacheinvalid", "0 or 3", 0, IR_EFFECT_MARKER, true},
    {"system.bar_v", "0", -1, IR_EFFECT_MARKER, true},
    {"system.bar_m", "0", -1, IR_EFFECT_MARKER, true},
    {"system.bar_all", "0", -1, IR_EFFECT_MARKER, true},
    {"tile.load", "4", -1, IR_EFFECT_READ, true},
    {"tile.store", "3 or 4", 2, IR_EFFECT_WRITE, true},
    {"tensor.read", "2", -1, IR_EFFECT_READ, true},
    {"tensor.write", "3", 0, IR_EFFECT_WRITE, true},
    {"builtin.tensor.allreduce", "2", -1, IR_EFFECT_HOST, false},
};

Test(ops, rows_follow_the_facts)
{
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        struct arena a = {0};
        const struct ir_op *op = ir_op_find(facts[i].op);
        cr_assert(op, "%s is registered", facts[i].op);
        expect_text(facts[i].op, ir_op_arities(&a, op), facts[i].arities);
        cr_expect(op->target == facts[i].target, "%s: target %d", facts[i].op, op->target);
        cr_expect(op->effect == facts[i].effect, "%s: effect %d", facts[i].op, op->effect);
        cr_expect(ir_op_in_core(op) == facts[i].incore, "%s: in core", facts[i].op);
        arena_free(&a);
    }
}

Test(ops, enum_values_follow_the_facts)
{
    static const struct ir_enum_member members[] = {
        {"pld.NotifyOp.AtomicAdd", 0}, {"pld.NotifyOp.Set", 1},    {"pld.WaitCmp.Eq", 0},
        {"pld.WaitCmp.Ge", 1},         {"pl.AtomicType.None_", 0}, {"pl.AtomicType.Add", 1},
        {"pld.AtomicType.None_", 0},   {"pld.AtomicType.Add", 1},  {"pld.ReduceOp.Sum", 0},
        {"pld.ReduceOp.Max", 1},       {"pld.ReduceOp.Min", 2},    {"pld.ReduceOp.Prod", 3},
        {"pl.PipeType.MTE1", 0},       {"pl.PipeType.MTE2", 1},    {"pl.PipeType.MTE3", 2},
        {"pl.PipeType.M", 3},          {"pl.PipeType.V", 4},       {"pl.PipeType.S", 5},
        {"pl.PipeType.FIX", 6},        {"pl.PipeType.ALL", 7},
    };
    cr_expect(ir_enum_count == sizeof members / sizeof *members);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const struct ir_enum_member *m = ir_enum_find(members[i].name);
        cr_expect(m && m->value == members[i].value, "%s", members[i].name);
    }
    cr_expect(!ir_enum_find("pld.NotifyOp.Or"));
}

Test(ops, which_argument_is_which)
{
    static const struct {
        const char *op;
        size_t n, i;
        const char *name; /* NULL: no such argument */
        char kind;
    } cases[] = {
        {"pld.tile.put", 4, 3, "stage", 't'},         {"pld.tile.put", 5, 4, "stage2", 't'},
        {"pld.tile.put", 7, 4, "dst_offsets", 'u'},   {"pld.tile.put", 8, 4, "stage2", 't'},
        {"pld.tile.put", 8, 7, "shape", 'u'},         {"pld.tile.put", 6, 0, NULL, '\0'},
        {"system.cacheinvalid", 3, 0, "tensor", 'T'}, {"system.cacheinvalid", 1, 0, NULL, '\0'},
        {"tile.mrgsort_format2", 3, 2, "tmp", 't'},   {"tile.mrgsort_format2", 4, 2, "src2", 't'},
        {"tensor.slice", 4, 3, "valid_shape", 'u'},
    };
    struct arena a = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ir_op *op = ir_op_find(cases[i].op);
        const char *name = ir_op_arg_name(&a, op, cases[i].n, cases[i].i);
        expect_text(cases[i].op, name ? name : "none", cases[i].name ? cases[i].name : "none");
        cr_expect(ir_op_arg_kind(op, cases[i].n, cases[i].i) == cases[i].kind, "%s: kind",
                  cases[i].op);
    }
    arena_free(&a);
}

/* What stands for a parameter that text leaves out. */
Test(ops, defaults_of_parameters)
{
    static const struct {
        const char *op;
        size_t i;
        bool has;
        int repeated;
    } cases[] = {
        {"tile.load", 3, true, 2},
        {"tile.load", 2, false, 0},
        {"tile.store", 3, false, 0},
        {"system.aic_initialize_pipe", 0, true, -1},
        {"system.aiv_initialize_pipe", 1, true, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int repeated = 0;
        int64_t value = 0;
        bool has = ir_op_default(ir_op_find(cases[i].op), cases[i].i, &repeated, &value);
        cr_expect(has == cases[i].has && repeated == cases[i].repeated && value == 0, "%s: %zu",
                  cases[i].op, cases[i].i);
    }
}

Test(ops, element_types)
{
    for (int t = 1; t < IR_DTYPE_COUNT; t++)
        cr_expect(ir_dtype_parse(ir_dtype_name((enum ir_dtype)t)) == (enum ir_dtype)t);
    cr_expect(ir_dtype_parse("INT33") == IR_DTYPE_NONE);
    cr_expect(ir_dtype_bits(IR_INT4) == 4 && ir_dtype_bits(IR_BF16) == 16 &&
              ir_dtype_bits(IR_INDEX) == 64 && ir_dtype_bits(IR_BOOL) == 8 &&
              ir_dtype_bits(IR_TASK_ID) == 64);
    cr_expect(ir_dtype_is_float(IR_BF16) && !ir_dtype_is_float(IR_INT32));
    cr_expect(ir_dtype_is_signed(IR_INT8) && !ir_dtype_is_signed(IR_UINT8));
}
