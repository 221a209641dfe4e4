/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic on elements, of the scalar unit and of tiles. A value is its bits: those of an integer
 * sign-extended to 64, those of a float in the lowest. fp16 and bf16 compute in fp32 and round to
 * nearest even. Integers of tiles wrap to their width, the scalar unit's are of 64 bits; an integer
 * divided by 0 is 0.
 */
#ifndef ISA_ARITHMETIC_H
#define ISA_ARITHMETIC_H

#include <stdint.h>

/* Element types that tile arithmetic and scalar accesses know. */
enum elem {
    ELEM_I8,
    ELEM_U8,
    ELEM_I16,
    ELEM_I32,
    ELEM_I64,
    ELEM_F16,
    ELEM_BF16,
    ELEM_F32,
    ELEM_COUNT
};
int elem_size(enum elem e);
const char *elem_name(enum elem e);
/* The number that an element in memory stands for. */
double elem_value(const void *p, enum elem e);
int64_t elem_load(const void *p, enum elem e);
void elem_store(void *p, enum elem e, int64_t bits);
/* *p += bits, in the element's arithmetic. */
void elem_add(void *p, enum elem e, int64_t bits);
/* To the element's width, sign-extended for signed integers. */
int64_t elem_wrap(int64_t bits, enum elem e);
int64_t elem_convert(int64_t bits, enum elem from, enum elem to);

enum alu {
    ALU_ADD,
    ALU_SUB,
    ALU_MUL,
    ALU_FLOORDIV,
    ALU_MOD,
    ALU_MIN,
    ALU_MAX,
    ALU_AND,
    ALU_OR,
    ALU_XOR,
    ALU_SHL,
    ALU_SHR,
    ALU_EQ,
    ALU_NE,
    ALU_LT,
    ALU_LE,
    ALU_GT,
    ALU_GE,
    ALU_LAND,
    ALU_LOR,
    ALU_LXOR,
    ALU_NEG,
    ALU_NOT,
    ALU_BITNOT,
    ALU_ABS,
    ALU_FADD,
    ALU_FSUB,
    ALU_FMUL,
    ALU_FDIV,
    ALU_FMIN,
    ALU_FMAX,
    ALU_FEQ,
    ALU_FNE,
    ALU_FLT,
    ALU_FLE,
    ALU_FGT,
    ALU_FGE,
    ALU_FNEG,
    ALU_FABS, /* on fp32 bits */
    ALU_CVT,  /* ra's bits of elem -> elem2 */
    ALU_COUNT
};
const char *alu_name(enum alu a);
/* Result of one arithmetic instruction; from and to matter to ALU_CVT only. */
int64_t alu_eval(enum alu op, int64_t a, int64_t b, enum elem from, enum elem to);

enum tile_op_kind {
    TILE_COPY,
    TILE_RESHAPE,
    TILE_RENAME, /* nothing: another shape of the same memory, which the assembler takes for work of
                    the scalar unit (pypto-ops-facts 1.4) */
    TILE_FILL,
    TILE_RAMP, /* the scalar and on, along each row */
    TILE_RAMP_DOWN,
    TILE_FILLPAD, /* what is not valid of the source becomes the scalar */
    TILE_PART,    /* of the source, what lies from (rows, cols) on */
    TILE_INSERT,  /* the second source over the first one, which is the result, from there on */
    TILE_ADD,
    TILE_SUB,
    TILE_MUL,
    TILE_DIV,
    TILE_MAX,
    TILE_MIN,
    TILE_ADDS,
    TILE_SUBS,
    TILE_MULS,
    TILE_DIVS,
    TILE_MAXS,
    TILE_MINS,
    TILE_NEG,
    TILE_ABS,
    TILE_RELU,
    TILE_CAST,
    TILE_ROW_SUM,
    TILE_ROW_MAX,
    TILE_ROW_MIN,
    TILE_UNINTERPRETED, /* a fixed function of the operand bits and name */
    TILE_ACCUMULATE,    /* likewise; of all operands but the first one where the scalar is not 0 */
    TILE_OP_COUNT
};
const char *tile_op_name(enum tile_op_kind k);
/* One element of a kind with two operands, or of a reduction: what is there, and one more. */
int64_t tile_combine(enum tile_op_kind k, int64_t a, int64_t b, enum elem e);
/* One element of a kind with one operand. */
int64_t tile_unary(enum tile_op_kind k, int64_t a, enum elem from, enum elem to);

#endif
