/* SPDX-License-Identifier: MIT */
/*
 * Numbers of the scalar unit. Integers are kept in 64 bits, sign-extended from their own width; floats
 * as the bits of their type, computed as fp32 (isa/arithmetic.h).
 */
#include <string.h>

#include "pto/lower.h"

/* The number in the table's row of op. */
int lower_detail(const struct pto_op *op)
{
    static const struct {
        const char *name;
        int detail;
    } details[] = {
#define PTO_OP(name, groups, pipe, reads, writes, lowering, detail) {name, detail},
#include "pto/ops_table.h"
#undef PTO_OP
    };
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        if (!strcmp(details[i].name, op->name))
            return details[i].detail;
    return 0;
}

struct operand lower_convert(struct lower *l, struct operand x, enum elem from, enum elem to)
{
    if (from == to)
        return x;
    if (x.reg == NO_REG)
        return imm_operand(alu_eval(ALU_CVT, x.imm, 0, from, to));
    struct insn i = build_insn(&l->build, I_ALU);
    i.sub = ALU_CVT;
    i.elem = (uint8_t)from;
    i.elem2 = (uint8_t)to;
    i.ra = x.reg;
    i.imm2 = x.imm;
    i.rd = build_reg(&l->build, NULL);
    build_emit(&l->build, i);
    return reg_operand(i.rd);
}

static bool elem_of_value(struct lower *l, const struct pto_value *v, enum elem *out)
{
    return lower_need_elem(l, v->type->elem ? v->type->elem : v->type->text, v->span, out);
}

static bool result_elem(struct lower *l, const struct pto_op *op, enum elem *out)
{
    return op->results.len ? elem_of_value(l, op->results.items[0], out)
                           : lower_error(l, op->span, "'%s' has no result", op->spelled);
}

static bool pair(struct lower *l, const struct pto_op *op, struct operand *x, struct operand *y)
{
    if (op->operands.len < 1 || op->operands.len > 2)
        return lower_error(l, op->span, "'%s' takes one or two operands", op->spelled);
    *y = imm_operand(0);
    return lower_number(l, &op->operands.items[0], x) &&
           (op->operands.len < 2 || lower_number(l, &op->operands.items[1], y));
}

bool lower_constant_op(struct lower *l, const struct pto_op *op)
{
    enum elem e;
    if (op->results.len && op->results.items[0]->type->kind == PTO_OTHER) {
        lower_new(l, op->results.items[0]); /* nobody computes with it */
        return true;
    }
    if (!op->attrs.len || !result_elem(l, op, &e))
        return lower_error(l, op->span, "expected a number");
    const struct pto_attr *a = &op->attrs.items[0];
    int64_t bits = a->number;
    if (elem_is_float(e) && a->kind == PTO_FLOAT && !strchr(a->text, 'x')) {
        double x;
        memcpy(&x, &a->number, sizeof x);
        float narrow = (float)x;
        uint32_t word;
        memcpy(&word, &narrow, sizeof word);
        bits = alu_eval(ALU_CVT, word, 0, ELEM_F32, e);
    } else if (a->kind != PTO_INT && a->kind != PTO_BOOL && a->kind != PTO_FLOAT) {
        return lower_error(l, a->span, "expected a number");
    }
    return lower_set_number(l, op, imm_operand(bits));
}

/* Of the bits of its type, without a sign. */
static struct operand as_unsigned(struct lower *l, struct operand x, enum elem e)
{
    int bits = 8 * elem_size(e);
    return bits == 64 ? x : build_alu(&l->build, ALU_AND, x, imm_operand(((int64_t)1 << bits) - 1));
}

/* A shift of 64 bits that brings zeros in. */
static struct operand shift_right(struct lower *l, struct operand x, struct operand by, enum elem e)
{
    x = as_unsigned(l, x, e);
    struct operand r = build_alu(&l->build, ALU_SHR, x, by);
    if (elem_size(e) < 8 || by.reg != NO_REG || by.imm < 1 || by.imm > 63)
        return r;
    return build_alu(&l->build, ALU_AND, r, imm_operand(INT64_MAX >> (by.imm - 1)));
}

static bool names_unsigned(const char *name)
{
    size_t n = strlen(name);
    return n > 2 && !strcmp(name + n - 2, "ui");
}

/* Whether a result can leave its type, and comes back at its other end. */
static bool may_leave(enum alu alu)
{
    return alu == ALU_ADD || alu == ALU_SUB || alu == ALU_MUL || alu == ALU_SHL ||
           alu == ALU_TRUNCDIV || alu == ALU_ABS;
}

bool lower_integer(struct lower *l, const struct pto_op *op)
{
    struct operand x, y;
    enum elem e;
    enum alu alu = (enum alu)lower_detail(op);
    if (!pair(l, op, &x, &y) || !result_elem(l, op, &e))
        return false;
    if (!strcmp(op->name, "arith.shrui"))
        return lower_set_number(l, op, lower_convert(l, shift_right(l, x, y, e), ELEM_I64, e));
    if (names_unsigned(op->name)) {
        x = as_unsigned(l, x, e);
        y = as_unsigned(l, y, e);
    }
    struct operand r = build_alu(&l->build, alu, x, y);
    bool narrow = elem_size(e) < 8 && strcmp(op->results.items[0]->type->text, "i1") != 0;
    if (narrow && (may_leave(alu) || names_unsigned(op->name)))
        r = lower_convert(l, r, ELEM_I64, e);
    return lower_set_number(l, op, r);
}

bool lower_float(struct lower *l, const struct pto_op *op)
{
    struct operand x, y;
    enum elem e;
    if (!pair(l, op, &x, &y) || !result_elem(l, op, &e))
        return false;
    x = lower_convert(l, x, e, ELEM_F32);
    y = lower_convert(l, y, e, ELEM_F32);
    struct operand r = build_alu(&l->build, (enum alu)lower_detail(op), x, y);
    return lower_set_number(l, op, lower_convert(l, r, ELEM_F32, e));
}

static const struct {
    const char *name;
    enum alu on_int, on_float;
    bool without_sign;
} predicates[] = {
    {"eq", ALU_EQ, ALU_FEQ, false},  {"ne", ALU_NE, ALU_FNE, false},
    {"slt", ALU_LT, ALU_FLT, false}, {"sle", ALU_LE, ALU_FLE, false},
    {"sgt", ALU_GT, ALU_FGT, false}, {"sge", ALU_GE, ALU_FGE, false},
    {"ult", ALU_LT, ALU_FLT, true},  {"ule", ALU_LE, ALU_FLE, true},
    {"ugt", ALU_GT, ALU_FGT, true},  {"uge", ALU_GE, ALU_FGE, true},
};

/* arith.cmpi slt, and arith.cmpf olt; in the generic form a number. */
static int predicate_of(const struct pto_op *op)
{
    const char *word = op->words.len ? op->words.items[0] : "";
    const struct pto_attr *number = pto_find_attr(op, "predicate");
    if (number && number->kind == PTO_INT && !strcmp(op->name, "arith.cmpi"))
        return number->number >= 0 && number->number < 10 ? (int)number->number : -1;
    word += !strcmp(op->name, "arith.cmpf") && *word;
    int n = sizeof predicates / sizeof *predicates;
    for (int i = 0; i < n; i++)
        if (!strcmp(word, predicates[i].name) || (i > 1 && !strcmp(word, predicates[i].name + 1)))
            return i;
    return -1;
}

bool lower_compare(struct lower *l, const struct pto_op *op)
{
    struct operand x, y;
    enum elem e;
    int p = predicate_of(op);
    if (p < 0)
        return lower_error(l, op->span, "this comparison is not run");
    if (!pair(l, op, &x, &y) || !op->operands.items[0].value ||
        !elem_of_value(l, op->operands.items[0].value, &e))
        return false;
    if (lower_detail(op)) {
        x = lower_convert(l, x, e, ELEM_F32);
        y = lower_convert(l, y, e, ELEM_F32);
        return lower_set_number(l, op, build_alu(&l->build, predicates[p].on_float, x, y));
    }
    if (predicates[p].without_sign) {
        x = as_unsigned(l, x, e);
        y = as_unsigned(l, y, e);
    }
    return lower_set_number(l, op, build_alu(&l->build, predicates[p].on_int, x, y));
}

/* y + (x - y) * c: bits of any type. */
static struct operand choose(struct lower *l, struct operand c, struct operand x, struct operand y)
{
    struct builder *b = &l->build;
    if (c.reg == NO_REG)
        return c.imm ? x : y;
    struct operand d = build_alu(b, ALU_MUL, build_alu(b, ALU_SUB, x, y), c);
    return build_alu(b, ALU_ADD, d, y);
}

bool lower_select(struct lower *l, const struct pto_op *op)
{
    struct operand c, x, y;
    if (op->operands.len != 3 || !op->results.len)
        return lower_error(l, op->span, "'%s' takes three operands", op->spelled);
    if (!lower_number(l, &op->operands.items[0], &c))
        return false;
    const struct slot *first = map_get(&l->slots, op->operands.items[1].value);
    if (first && first->kind == SLOT_POINTER) {
        const struct slot *other = lower_slot(l, op, "", 2, SLOT_POINTER);
        if (!other)
            return false;
        struct slot *s = lower_new(l, op->results.items[0]);
        *s = *first;
        x = build_alu(&l->build, ALU_ADD, reg_operand(first->op.reg), imm_operand(first->op.imm));
        y = build_alu(&l->build, ALU_ADD, reg_operand(other->op.reg), imm_operand(other->op.imm));
        s->op = choose(l, c, x, y);
        s->region = first->region == other->region ? first->region : -1;
        if (first->use.root != other->use.root)
            s->use.root = NO_REG;
        return true;
    }
    return lower_number(l, &op->operands.items[1], &x) &&
           lower_number(l, &op->operands.items[2], &y) &&
           lower_set_number(l, op, choose(l, c, x, y));
}

bool lower_cast(struct lower *l, const struct pto_op *op)
{
    struct operand x, y;
    enum elem from, to;
    if (!pair(l, op, &x, &y) || !op->operands.items[0].value ||
        !elem_of_value(l, op->operands.items[0].value, &from) || !result_elem(l, op, &to))
        return false;
    if (lower_detail(op))
        x = as_unsigned(l, x, from);
    bool narrower = elem_size(to) < elem_size(from);
    if (elem_is_float(from) || elem_is_float(to) || narrower)
        x = lower_convert(l, x, from, to);
    if (!strcmp(op->results.items[0]->type->text, "i1"))
        x = build_alu(&l->build, ALU_AND, x, imm_operand(1));
    return lower_set_number(l, op, x);
}
