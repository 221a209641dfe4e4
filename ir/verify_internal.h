/* SPDX-License-Identifier: MIT */
/* What the files of the verifier share. Private to ir/. */
#ifndef IR_VERIFY_INTERNAL_H
#define IR_VERIFY_INTERNAL_H

#include "ir/ir.h"
#include "ir/ops.h"

struct verifier {
    struct arena arena; /* scratch, for messages */
    const struct ir_program *prog;
    const struct ir_func *func;
    struct diag *diag;
    int loops; /* open ones */
};

/* Reports an error at a span of the program's text; returns false. */
bool verify_fail(struct verifier *v, struct span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The checks of a registered operator beyond those of its row. */
bool verify_op_rules(struct verifier *v, const struct ir_expr *e);

/* ---- shared helpers ---- */

bool verify_is_shaped(const struct ir_type *t);
/* The argument of that parameter, or NULL when the call does not give it. */
const struct ir_expr *verify_arg(const struct ir_call *call, const char *param);
const ir_exprs *verify_tuple(const struct ir_expr *e);
bool verify_const(const struct verifier *v, const struct ir_expr *e, int64_t *out);

#endif
