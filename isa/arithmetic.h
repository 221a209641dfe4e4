/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic on elements, of the scalar unit and of tiles. A value is its bits: those of an integer
 * sign-extended to 64, those of a float in the lowest. fp16 and bf16 compute in fp32 and round to
 * nearest even. Integers of tiles wrap to their width, the scalar unit's are of 64 bits; an integer
 * divided by 0 is 0.
 */
#ifndef ISA_ARITHMETIC_H
#define ISA_ARITHMETIC_H

#include <stdbool.h>
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

bool elem_is_float(enum elem e);

enum alu {
#define ALU(id, ...) ALU_##id,
#include "isa/alu.h"
#undef ALU
    ALU_COUNT
};
const char *alu_name(enum alu a);
/* A comparison of integers: its result is 0 or 1. */
bool alu_compares(enum alu a);
/* Result of one arithmetic instruction; from and to matter to ALU_CVT only. */
int64_t alu_eval(enum alu op, int64_t a, int64_t b, enum elem from, enum elem to);

enum tile_op_kind {
#define TILE(id, ...) TILE_##id,
#include "isa/tiles.h"
#undef TILE
    TILE_OP_COUNT
};

/* How a tile operation makes its elements. */
enum tile_form {
    FORM_OWN,     /* by rules of its own */
    FORM_CONVERT, /* from the same place of the source */
    FORM_FILL,    /* a is the scalar, b the column */
    FORM_BINARY,  /* a and b are of two sources */
    FORM_SCALAR,  /* b is the scalar */
    FORM_UNARY,
    FORM_PLACES, /* of one source, where the other one says */
    FORM_ROWS,   /* one of each row, from left to right: a is what is there, b one more */
    FORM_OPAQUE  /* a fixed function of all bits and the name */
};

/* Operands besides tiles. */
enum tile_takes {
    TAKES_SCALAR = 1 << 0,
    TAKES_PLACE = 1 << 1,  /* rows, cols: where a part begins */
    TAKES_EXTENTS = 1 << 2 /* rows, cols: the valid part of the source */
};

/* How a cast from a float makes an integer, as the kernel language numbers it (pypto-ops-facts 1.3). */
enum cast_mode { CAST_NONE, CAST_RINT, CAST_ROUND, CAST_FLOOR, CAST_CEIL, CAST_TRUNC, CAST_ODD };

struct tile_op_row {
    const char *name;
    const char *op; /* of the kernel language, without "tile.", or NULL */
    uint8_t form, takes;
};
extern const struct tile_op_row tile_op_rows[];
/* One element of a kind that works element by element: of elements of type from one of type to. */
int64_t tile_element(enum tile_op_kind k, int64_t a, int64_t b, enum elem from, enum elem to);

#endif
