/* SPDX-License-Identifier: MIT */
/*
 * The rules that a program of the kernel language must keep, one row each (pypto-facts 1.1-1.4, 2,
 * 4.3). Every message that reports a breach is the row's message and ends in the row's name in
 * brackets, so that a reader can look it up in docs/rules.md.
 */
#ifndef IR_RULES_H
#define IR_RULES_H

#include "base/arena.h"

// clang-format off
enum ir_rule {
    /* while a text is read: the tree cannot hold what breaks them */
    IR_RULE_UNKNOWN_OPERATOR, IR_RULE_ENUM_MEMBER, IR_RULE_YIELD_NAMES, IR_RULE_ALLOC_EXPLICIT_NAME,
    IR_RULE_STATIC_ASSERT,
    /* an operator's row of the registry */
    IR_RULE_OP_PLACEMENT, IR_RULE_OP_ARITY,
    IR_RULE_ARGUMENT_KIND, IR_RULE_ARGUMENT_TUPLE, IR_RULE_TUPLE_INTEGERS,
    IR_RULE_KEYWORD_UNKNOWN, IR_RULE_KEYWORD_REQUIRED, IR_RULE_KEYWORD_VALUE, IR_RULE_KEYWORD_RANGE,
    IR_RULE_KEYWORD_TWICE, IR_RULE_KEYWORD_PLACE,
    /* arguments of an operator against constants and against each other */
    IR_RULE_ARGUMENT_RANK, IR_RULE_ARGUMENT_DTYPE, IR_RULE_ARGUMENT_EXTENT, IR_RULE_ARGUMENT_STATIC,
    IR_RULE_SAME_DTYPE, IR_RULE_SAME_RANK, IR_RULE_SAME_EXTENT, IR_RULE_DISTINCT_BUFFERS,
    /* tuples that address a tensor */
    IR_RULE_REGION_RANK, IR_RULE_REGION_NEGATIVE, IR_RULE_REGION_BOUNDS, IR_RULE_REGION_EXTENT,
    IR_RULE_VALID_NEGATIVE, IR_RULE_VALID_EXCEEDS,
    /* single operators */
    IR_RULE_ATOMIC_DTYPE, IR_RULE_TAIL_PADDING, IR_RULE_REMOTE_LOAD_LAYOUT, IR_RULE_VIEW_LAYOUT, IR_RULE_REMOTE_STORE_LEADING,
    IR_RULE_DEFER_WAIT_CMP, IR_RULE_DEFER_WAIT_EXPECTED, IR_RULE_DEFER_WAIT_SIGNAL, IR_RULE_DEFER_WAIT_LIMIT,
    IR_RULE_TRANSFER_WHOLE, IR_RULE_STAGE_PAIR, IR_RULE_STAGE_SIZE,
    IR_RULE_CHUNK_PIPELINE, IR_RULE_CHUNK_MISSING,
    IR_RULE_REDUCE_SCATTER_SUM, IR_RULE_ROWS_PER_RANK,
    IR_RULE_EMPTY_SHAPE,
    IR_RULE_ALLOC_NAME, IR_RULE_ALLOC_SHAPE, IR_RULE_ALLOC_BYTES, IR_RULE_ALLOC_SIZE,
    IR_RULE_ALLOC_ASSIGNMENT, IR_RULE_ALLOC_DUPLICATE,
    /* calls of functions */
    IR_RULE_CALL_FUNCTION, IR_RULE_CALL_ARITY, IR_RULE_CALL_ARGUMENT, IR_RULE_CALL_DEVICE, IR_RULE_SUBMIT_DEPS,
    IR_RULE_CALL_ATTRIBUTE, IR_RULE_CALL_EXTENT,
    /* scopes and launches */
    IR_RULE_FORM_ARITY, IR_RULE_SCOPE_PLACE, IR_RULE_SCOPE_TASK, IR_RULE_SCOPE_AUTO, IR_RULE_SPMD_BODY,
    IR_RULE_PREDICATE, IR_RULE_PREDICATE_DEPS,
    /* statements and functions */
    IR_RULE_LOOP_EXIT, IR_RULE_LOOP_BOUND, IR_RULE_LOOP_STEP, IR_RULE_CONDITION, IR_RULE_TUPLE_INDEX,
    IR_RULE_CARRIED_COUNT, IR_RULE_BRANCH_YIELDS, IR_RULE_YIELD_PLACE, IR_RULE_RETURN_COUNT,
    IR_RULE_SCALAR_OUTPUT, IR_RULE_TUPLE_PARAMETER, IR_RULE_FUNCTION_LEVEL, IR_RULE_DIMENSION, IR_RULE_RESULT_TYPE,
    /* properties of whole programs, ir/verify.h */
    IR_RULE_SSA_SINGLE, IR_RULE_SSA_USE, IR_RULE_SSA_CARRIED, IR_RULE_SSA_BRANCHES,
    IR_RULE_SCOPE_NULL, IR_RULE_SCOPE_EMPTY, IR_RULE_SLOT_NULL, IR_RULE_SLOT_SHARED, IR_RULE_SCOPE_DEVICES,
    IR_RULE_WINDOW_REFERENCE,
    IR_RULE_CTX_PARAMETER, IR_RULE_CTX_ORDER, IR_RULE_CTX_ARGUMENT, IR_RULE_CTX_LOCAL,
    IR_RULE_COUNT
};
// clang-format on

struct ir_rule_row {
    const char *name;    /* "op-arity", as messages end in it */
    const char *group;   /* which part of the language it is about */
    const char *fact;    /* the section of pypto-facts that it rests on */
    const char *message; /* with <placeholders>, which a report replaces in order */
};

extern const struct ir_rule_row ir_rules[];

/* The row called name, or NULL. */
const struct ir_rule_row *ir_rule_find(const char *name);

/*
 * A message, in arena a: each placeholder replaced by the next of strings, as many as there are, and
 * the name behind it in brackets.
 */
char *ir_rule_fill(struct arena *a, const char *message, const char *name, va_list strings);

/* The message of a breach of that rule. */
char *ir_rule_text(struct arena *a, enum ir_rule rule, va_list strings);

#endif
