/* SPDX-License-Identifier: MIT */
/* Expressions: integers in registers, floats as fp32 bits, constants folded where the operands are
 * known. */
#include <string.h>

#include "base/table.h"
#include "ir/print.h"
#include "codegen/internal.h"

static struct value int_value(struct operand o)
{
    return (struct value){.kind = VAL_INT, .op = o};
}

static struct value float_value(struct operand o)
{
    return (struct value){.kind = VAL_FLOAT, .op = o};
}

static int64_t float_bits(double x)
{
    float f = (float)x;
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

bool elem_of_dtype(enum ir_dtype t, enum elem *out)
{
    switch (t) {
    case IR_INT8:
        *out = ELEM_I8;
        return true;
    case IR_UINT8:
    case IR_BOOL:
    case IR_FP8:
    case IR_FP8E4M3FN:
    case IR_FP8E5M2:
    case IR_FP8E8M0:
    case IR_HF8:
        *out = ELEM_U8;
        return true;
    case IR_INT16:
    case IR_UINT16:
        *out = ELEM_I16;
        return true;
    case IR_INT32:
    case IR_UINT32:
        *out = ELEM_I32;
        return true;
    case IR_INT64:
    case IR_UINT64:
    case IR_INDEX:
        *out = ELEM_I64;
        return true;
    case IR_FP16:
        *out = ELEM_F16;
        return true;
    case IR_BF16:
        *out = ELEM_BF16;
        return true;
    case IR_FP32:
        *out = ELEM_F32;
        return true;
    default:
        return false;
    }
}

bool gen_elem(struct gen *g, enum ir_dtype t, struct span at, enum elem *out)
{
    return elem_of_dtype(t, out) ||
           gen_error(g, at, "the machine has no elements of type %s", ir_dtype_name(t));
}

static struct operand convert(struct gen *g, struct operand o, enum elem from, enum elem to)
{
    if (from == to)
        return o;
    if (o.reg == NO_REG)
        return imm_operand(alu_eval(ALU_CVT, o.imm, 0, from, to));
    struct insn i = gen_insn(g, I_ALU);
    i.sub = ALU_CVT;
    i.ra = o.reg;
    i.elem = (uint8_t)from;
    i.elem2 = (uint8_t)to;
    i.rd = gen_reg(g, NULL);
    gen_emit(g, i);
    return reg_operand(i.rd);
}

struct operand gen_to_elem(struct gen *g, struct value v, enum elem to)
{
    if (v.kind == VAL_INT && !elem_is_float(to))
        return v.op; /* stores take the low bytes */
    return convert(g, v.op, v.kind == VAL_FLOAT ? ELEM_F32 : ELEM_I64, to);
}

struct value gen_from_elem(struct gen *g, int reg, enum elem from)
{
    if (elem_is_float(from))
        return float_value(convert(g, reg_operand(reg), from, ELEM_F32));
    return int_value(reg_operand(reg));
}

/* ---- operators ---- */

/* Integers are divided as compiled code divides them, towards zero; what Simplify knows at compile time is
 * rounded down (pypto-front-facts 3.8), as the compiler does. */
static const struct {
    enum alu on_int, on_float;
} binary_ops[] = {
    [IR_ADD] = {ALU_ADD, ALU_FADD},       [IR_SUB] = {ALU_SUB, ALU_FSUB},
    [IR_MUL] = {ALU_MUL, ALU_FMUL},       [IR_FLOORDIV] = {ALU_TRUNCDIV, ALU_COUNT},
    [IR_MOD] = {ALU_TRUNCMOD, ALU_COUNT}, [IR_TRUEDIV] = {ALU_TRUNCDIV, ALU_FDIV},
    [IR_POW] = {ALU_COUNT, ALU_COUNT},    [IR_EQ] = {ALU_EQ, ALU_FEQ},
    [IR_NE] = {ALU_NE, ALU_FNE},          [IR_LT] = {ALU_LT, ALU_FLT},
    [IR_LE] = {ALU_LE, ALU_FLE},          [IR_GT] = {ALU_GT, ALU_FGT},
    [IR_GE] = {ALU_GE, ALU_FGE},          [IR_AND] = {ALU_LAND, ALU_COUNT},
    [IR_OR] = {ALU_LOR, ALU_COUNT},       [IR_XOR] = {ALU_LXOR, ALU_COUNT},
    [IR_BITAND] = {ALU_AND, ALU_COUNT},   [IR_BITOR] = {ALU_OR, ALU_COUNT},
    [IR_BITXOR] = {ALU_XOR, ALU_COUNT},   [IR_SHL] = {ALU_SHL, ALU_COUNT},
    [IR_SHR] = {ALU_SHR, ALU_COUNT},      [IR_MIN] = {ALU_MIN, ALU_FMIN},
    [IR_MAX] = {ALU_MAX, ALU_FMAX},
};
ROW_EACH(binary_ops, IR_BINARY_COUNT);

enum alu alu_of_binary(enum ir_binary_op op)
{
    return binary_ops[op].on_int;
}

enum alu alu_of_unary(enum ir_unary_op op)
{
    static const enum alu ints[] = {
        [IR_NEG] = ALU_NEG, [IR_NOT] = ALU_NOT, [IR_BITNOT] = ALU_BITNOT, [IR_ABS] = ALU_ABS};
    ROW_EACH(ints, IR_UNARY_COUNT);
    return ints[op];
}

static bool is_scalar(struct value v)
{
    return v.kind == VAL_INT || v.kind == VAL_FLOAT;
}

static struct operand to_float(struct gen *g, struct value v)
{
    return convert(g, v.op, v.kind == VAL_FLOAT ? ELEM_F32 : ELEM_I64, ELEM_F32);
}

static struct value gen_binary(struct gen *g, const struct ir_expr *e)
{
    struct value x = gen_expr(g, e->binary.lhs, NULL), y = gen_expr(g, e->binary.rhs, NULL);
    if (g->d->failed)
        return none;
    if (!is_scalar(x) || !is_scalar(y)) {
        gen_error(g, e->span, "expected scalars on both sides of the operator");
        return none;
    }
    enum ir_binary_op op = e->binary.op;
    bool on_float = x.kind == VAL_FLOAT || y.kind == VAL_FLOAT;
    enum alu alu = on_float ? binary_ops[op].on_float : alu_of_binary(op);
    if (alu == ALU_COUNT) {
        gen_error(g, e->span, "the scalar unit has no such operator for %s operands",
                  on_float ? "float" : "integer");
        return none;
    }
    bool divides = op == IR_FLOORDIV || op == IR_MOD || op == IR_TRUEDIV;
    if (!on_float && divides && y.op.reg == NO_REG && y.op.imm == 0) {
        gen_error(g, e->span, "division by zero");
        return none;
    }
    if (!on_float)
        return int_value(gen_alu(g, alu, x.op, y.op));
    struct operand r = gen_alu(g, alu, to_float(g, x), to_float(g, y));
    return ir_binary_is_truth(op) ? int_value(r) : float_value(r);
}

static struct value gen_unary(struct gen *g, const struct ir_expr *e)
{
    struct value x = gen_expr(g, e->unary.operand, NULL);
    if (g->d->failed)
        return none;
    if (x.kind == VAL_INT)
        return int_value(gen_alu(g, alu_of_unary(e->unary.op), x.op, imm_operand(0)));
    if (x.kind == VAL_FLOAT && (e->unary.op == IR_NEG || e->unary.op == IR_ABS))
        return float_value(
            gen_alu(g, e->unary.op == IR_NEG ? ALU_FNEG : ALU_FABS, x.op, imm_operand(0)));
    gen_error(g, e->span, "the scalar unit has no such operator for this operand");
    return none;
}

static struct value gen_cast(struct gen *g, const struct ir_expr *e)
{
    struct value x = gen_expr(g, e->cast.operand, NULL);
    enum elem to;
    if (g->d->failed || !gen_elem(g, e->cast.dtype, e->span, &to))
        return none;
    if (!is_scalar(x)) {
        gen_error(g, e->span, "expected a scalar to cast");
        return none;
    }
    if (elem_is_float(to))
        return float_value(convert(g, convert(g, to_float(g, x), ELEM_F32, to), to, ELEM_F32));
    if (x.kind == VAL_FLOAT)
        return int_value(convert(g, x.op, ELEM_F32, to));
    return int_value(to == ELEM_I64 ? x.op : convert(g, x.op, ELEM_I64, to));
}

struct value gen_pair_item(struct value pair, int64_t i)
{
    return (struct value){.kind = VAL_TILE, .tile = i ? pair.second : pair.tile};
}

static struct value gen_getitem(struct gen *g, const struct ir_expr *e)
{
    struct value pair = gen_expr(g, e->getitem.base, NULL);
    if (!g->d->failed && (pair.kind != VAL_PAIR || e->getitem.index < 0 || e->getitem.index > 1))
        gen_error(g, e->span, "a core cannot take this value apart");
    return g->d->failed ? none : gen_pair_item(pair, e->getitem.index);
}

struct value gen_expr(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    struct var_slot *slot;
    switch (e->kind) {
    case IR_VAR:
        slot = gen_slot(g, e->var);
        if (!slot->bound && ir_is_free_var(e->var))
            gen_error(g, e->span, "nothing defines '%s': the compiler lost its value",
                      e->var->shown);
        if (!slot->bound)
            gen_error(g, e->span, "'%s' has no value here; bind it with --arg %s=EXPRESSION",
                      e->var->shown, e->var->shown);
        return slot->value;
    case IR_INT:
        return int_value(imm_operand(e->integer.value));
    case IR_FLOAT:
        return float_value(imm_operand(float_bits(e->real.value)));
    case IR_BOOLEAN:
        return int_value(imm_operand(e->boolean));
    case IR_BINARY:
        return gen_binary(g, e);
    case IR_UNARY:
        return gen_unary(g, e);
    case IR_CAST:
        return gen_cast(g, e);
    case IR_CALL:
        return gen_call(g, e, target);
    case IR_GETITEM:
        return gen_getitem(g, e);
    default:
        gen_error(g, e->span, "expected a value that a core can compute");
        return none;
    }
}

bool gen_int(struct gen *g, const struct ir_expr *e, struct operand *out)
{
    struct value v = gen_expr(g, e, NULL);
    if (!g->d->failed && v.kind != VAL_INT)
        return gen_error(g, e->span, "expected an integer");
    *out = v.op;
    return !g->d->failed;
}

bool gen_const(struct gen *g, const struct ir_expr *e, const char *what, int64_t *out)
{
    struct operand o = {NO_REG, 0};
    *out = 0;
    if (!gen_int(g, e, &o))
        return false;
    if (o.reg != NO_REG)
        return gen_error(g, e->span, "%s must be known at compile time", what);
    *out = o.imm;
    return true;
}

/* ---- tiles ---- */

enum { MAX_TILE_ELEMENTS = 1 << 24 };

bool gen_tile_extents(struct gen *g, const struct ir_type *t, struct span at, int *rows, int *cols)
{
    int64_t extent = 1, r = 1, c = 1;
    for (size_t i = 0; i < t->shape.len; i++) {
        if (!gen_const(g, t->shape.items[i], "the extent of a tile", &extent))
            return false;
        int64_t room = MAX_TILE_ELEMENTS / (r * c);
        if (extent < 1 || extent > room)
            return gen_error(g, at, "a tile of this shape does not fit a core");
        if (i + 1 < t->shape.len)
            r *= extent;
        else
            c = extent;
    }
    *rows = (int)r;
    *cols = (int)c;
    return true;
}

/* What the function's text says of the variable, or else of the value. */
static enum ir_space space_of(const struct gen *g, const struct ir_expr *e, const struct ir_var *v)
{
    enum ir_space s = v ? ir_space_of_var(&g->space, v) : IR_SPACE_NONE;
    return s != IR_SPACE_NONE ? s : ir_space_of(&g->space, e);
}

int gen_result_tile(struct gen *g, const struct ir_expr *e, const struct ir_var *target)
{
    enum elem elem;
    int rows = 1, cols = 1;
    const struct ir_type *t = e->type;
    if (!t || t->kind != IR_TYPE_TILE) {
        gen_error(g, e->span, "the type of this tile is not known; annotate the variable");
        return 0;
    }
    if (!gen_elem(g, t->dtype, e->span, &elem) || !gen_tile_extents(g, t, e->span, &rows, &cols))
        return 0;
    const struct var_slot *slot = target ? gen_slot(g, target) : NULL;
    if (slot && slot->bound && slot->value.kind == VAL_TILE) {
        const struct tile *old = &g->tiles.items[slot->value.tile];
        if (old->rows == rows && old->cols == cols && old->elem == elem)
            return slot->value.tile;
    }
    return gen_tile(g, target ? target->shown : arena_printf(g->arena, "t%zu", g->tiles.len), rows,
                    cols, elem, space_of(g, e, target));
}

void gen_tile_op(struct gen *g, enum tile_op_kind kind, const char *name, enum pipe pipe, int dst,
                 const int *src, int nsrc, struct operand scalar)
{
    struct tile_op op = {
        .kind = kind, .name = name, .pipe = pipe, .dst = dst, .nsrc = nsrc, .scalar = scalar};
    for (int s = 0; s < nsrc; s++)
        op.src[s] = src[s];
    vec_push(g->arena, &g->tile_ops, op);
    struct insn i = gen_insn(g, I_TILE_OP);
    i.aux = (int32_t)g->tile_ops.len - 1;
    gen_emit(g, i);
}
