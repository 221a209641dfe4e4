/* SPDX-License-Identifier: MIT */
/* The rows of the operator registry, and short names for the files that hold them. Private to
 * ir/ops*.c. */
#ifndef IR_OPS_ROWS_H
#define IR_OPS_ROWS_H

#include "ir/ops.h"

/* Each ends in a row without a name. */
extern const struct ir_op ir_ops_comm[], ir_ops_system[], ir_ops_tile[], ir_ops_tensor[];

/* clang-format off */
#define PURE   IR_EFFECT_PURE
#define READ   IR_EFFECT_READ
#define WRITE  IR_EFFECT_WRITE
#define SILENT IR_EFFECT_SILENT_WRITE
#define REMOTE IR_EFFECT_REMOTE_WRITE
#define MARKER IR_EFFECT_MARKER
#define LANE   IR_EFFECT_LANE
#define HOST   IR_EFFECT_HOST
#define COLL   IR_EFFECT_COLLECTIVE

#define NONE IR_PIPE_NONE
#define S    IR_PIPE_S
#define V    IR_PIPE_V
#define MTE1 IR_PIPE_MTE1
#define MTE2 IR_PIPE_MTE2
#define MTE3 IR_PIPE_MTE3
#define M    IR_PIPE_M
#define FIX  IR_PIPE_FIX

/* A result: shape rule, the argument that it reads, rule of the element type. */
#define R(rule)           IR_RESULT_##rule, -1, IR_ELEM_STATED
#define RA(rule, arg)     IR_RESULT_##rule, (arg), IR_ELEM_STATED
#define RD(rule, arg, dt) IR_RESULT_##rule, (arg), IR_ELEM_##dt

#define KW(n, k, ...) {.name = (n), .kind = (k), ##__VA_ARGS__}

/* Keywords that several rows share. */
#define DTYPE          KW("dtype", 'd', .required = true, .positional = true)
#define DTYPE_ELSE(is) KW("dtype", 'd', .positional = true, .default_is = (is))
#define ATOMIC         KW("atomic", 'e', .names = "pl.AtomicType")
#define MEMORY         KW("target_memory", '*', .positional = true, .default_is = "pl.Mem.Vec")
#define CLAMP          KW("clamp", 'b', .positional = true)
#define PRECISE        KW("high_precision", 'b', .positional = true)
#define PAD            KW("pad_value", '*', .positional = true, .default_is = "pl.PadValue.zero")
#define CMP_TYPE       KW("cmp_type", 'n', .names = "eq,ne,lt,le,gt,ge", .positional = true)
#define CAST_MODE      KW("mode", 'n', .names = "none,rint,round,floor,ceil,trunc,odd", .default_value = 2, .positional = true)
#define REDUCE_OP      KW("op", 'e', .names = "pld.ReduceOp")
#define CHUNKS         KW("chunk_rows", 'i'), KW("chunk_cols", 'i'), KW("pipeline", 'b')
#define TRANSPOSES     KW("a_trans", 'b', .positional = true), KW("b_trans", 'b', .positional = true)
#define FOUND \
    KW("cmp_mode", 'n', .names = "eq,ne,lt,le,gt,ge"), KW("offset", 'i'), KW("out_cols", 'i', .required = true), \
    KW("count_dtype", 'd', .default_is = "pl.INT32")
#define MASK  KW("mask_pattern", 'i', .required = true, .positional = true)
/* clang-format on */

#endif
