/* SPDX-License-Identifier: MIT */
/*
 * The verifier: is a program well formed, and does it have the properties that a pass establishes
 * (pypto-facts 1.1-1.4, 2, 4.3)? The rules stand in ir/rules.h; each error ends in its rule's name.
 *
 * A program is not changed. Its expressions and statements may be shared, its functions may come
 * from a text or from a pass. One error is reported: of the first statement that has one.
 */
#ifndef IR_VERIFY_H
#define IR_VERIFY_H

#include "ir/ir.h"

/* What holds for a whole program once a pass has run. */
enum ir_property {
    /* Every variable has one definition, which is in force where it is used; what loops carry and
     * branches yield keeps its type (pypto-facts 1.5, convert_to_ssa). A function claims it by a
     * variable whose name ends in __ssa_v and a number, as that pass makes them. */
    IR_PROPERTY_SSA_FORM,
    /* No null scope, slots not empty, no null slot, a window buffer in at most one scope of the
     * program (pypto-facts 4.3). A program claims it by its first communication domain. */
    IR_PROPERTY_COMM_DOMAIN_SCOPES,
    /* Every function but those of level HOST receives one CommCtx for each DistributedTensor, in
     * the same order and behind them, asks for none itself, and is called with all of them
     * (pypto-facts 1.6). Nothing claims it. */
    IR_PROPERTY_DIST_TENSOR_CTX,
    IR_PROPERTY_COUNT
};

struct ir_property_row {
    const char *name; /* "CommDomainScopesMaterialized" */
    const char *doc;  /* one line */
    const char *fact; /* "pypto-facts 4.3" */
};

extern const struct ir_property_row ir_properties[];

/* The property called name, or IR_PROPERTY_COUNT. */
enum ir_property ir_property_find(const char *name);

/*
 * True when p keeps every rule and has the properties that it claims; otherwise false with d
 * filled.
 */
bool verify_program(const struct ir_program *p, struct diag *d);

/* The function has SSA form, claimed or not. */
bool verify_is_ssa(const struct ir_program *p, const struct ir_func *f);

/* True when all of p has the property, claimed or not; otherwise false with d filled. */
bool verify_property(const struct ir_program *p, enum ir_property property, struct diag *d);

#endif
