/* SPDX-License-Identifier: MIT */
/* What the files of the verifier share. Private to ir/. */
#ifndef IR_VERIFY_INTERNAL_H
#define IR_VERIFY_INTERNAL_H

#include "ir/ir.h"
#include "base/map.h"
#include "ir/ops.h"
#include "ir/rules.h"
#include "ir/space.h"
#include "ir/valid.h"

/* What lanes that share a body ask of it. */
struct verify_body {
    int calls;      /* of functions of the program */
    bool asks_lane; /* pl.tile.get_block_idx() */
};

struct verifier {
    struct arena arena; /* scratch, for messages */
    const struct ir_program *prog;
    const struct ir_func *func;
    struct diag *diag;
    const char *loop;                 /* the innermost one, as written, or NULL */
    unsigned inside;                  /* scopes around the statement, bits of verify_scopes.c */
    struct verify_body body;          /* of the innermost scope, so far */
    struct map producers;             /* variable of func -> the task that makes it */
    struct map launches;              /* task variable -> its last launch */
    enum ir_place place;              /* where the statement at hand stands: one bit */
    const char *scope;                /* the scope that decides place, or NULL: the function does */
    const struct ir_expr *allocation; /* the one that the statement assigns to a single variable */
    struct map allocations;           /* name -> its struct ir_expr, all over the program */
    struct map valid;                 /* variable of func -> its valid part, see ir/valid.h */
    struct map space;                 /* variable of func -> where it lies, see ir/space.h */
    struct map slots;                 /* windows that some domain has */
    VEC(const char *) slot_labels;
    int64_t trips;    /* how often the statement at hand is executed at least, see verify_defer */
    int64_t deferred; /* conditions that the function waits for at least */
    int64_t never;    /* > 0 in a branch that is taken in no run, as its condition is a constant */
};

/* Reports a breach at a span of the program's text; returns false, or true where no run comes to it
 * and the rule is about numbers that a run has. The strings replace the
 * placeholders of the rule's message; NULL ends them. */
bool verify_fail(struct verifier *v, enum ir_rule rule, struct span at, ...)
    __attribute__((sentinel));
const char *verify_number(struct verifier *v, int64_t value);
/* How a message calls what an expression is. */
const char *verify_found(struct verifier *v, const struct ir_expr *e);
const char *verify_type(struct verifier *v, const struct ir_type *t);

/* ---- calls ---- */

/* A call of an operator or a function of the program, without the expressions below it
 * (verify_call.c). */
bool verify_call(struct verifier *v, const struct ir_expr *e);
/* A registered operator beyond its row: everything (verify_ops.c), its arguments as tables state
 * them (verify_args.c), the tuples that address a tensor (verify_regions.c). */
bool verify_op_rules(struct verifier *v, const struct ir_expr *e);
bool verify_arguments(struct verifier *v, const struct ir_expr *e);
bool verify_regions(struct verifier *v, const struct ir_expr *e);
/* The argument is a tuple of integers. */
bool verify_integers(struct verifier *v, const struct ir_call *call, const char *name,
                     const struct ir_expr *e);
/* Every known extent of a shape is 1 or more. */
bool verify_positive(struct verifier *v, const struct ir_call *call, const ir_exprs *shape);
/* The argument of that parameter if the call is one of op and the argument has a shape, or NULL. */
const struct ir_expr *verify_shaped_arg(const struct ir_call *call, const char *op,
                                        const char *argument);
/* The constant extent of a dimension that the argument has; false for x NULL. */
bool verify_extent(const struct ir_expr *x, size_t dimension, int64_t *out);

/* A set of element types, as bits. */
#define VERIFY_DTYPE(t) (1u << IR_##t)
#define ROWS(table)     (sizeof(table) / sizeof *(table))

/* ---- statements ---- */

/* The annotation of an assignment is a type that its call can have (verify_result.c). */
bool verify_result(struct verifier *v, const struct ir_stmt *s);

/* ---- scopes and launches ---- */

/* The tree's name of a scope, a launch, a loop or a hint. */
bool verify_is_form(const char *name);

/* The arguments and keywords of a scope, a launch, a loop or a hint, by the name that the tree has
 * for it (verify_forms.c); true for a name that is none of these. */
bool verify_form(struct verifier *v, const char *name, const ir_exprs *args,
                 const ir_kwargs *kwargs, struct span at);
/* A list of task ids (verify_call.c). */
bool verify_deps(struct verifier *v, const char *form, const struct ir_expr *deps);
/* Where a scope may stand; what is around it afterwards stands in *inside (verify_scopes.c). */
bool verify_scope(struct verifier *v, const struct ir_stmt *s, unsigned *inside);
/* Does the statement at hand stand in pl.split_aiv? */
bool verify_in_halves(const struct verifier *v);
/* The body of a scope that was verified (verify_scopes.c). */
bool verify_scope_body(struct verifier *v, const struct ir_stmt *s);
/* The results of a launch that the statement assigns are its task's (verify_launch.c). */
void verify_launch_results(struct verifier *v, const struct ir_stmt *s);
/* The results of a scope's task are what its body assigns. */
void verify_scope_results(struct verifier *v, const struct ir_stmt *s);
/* A condition that the runtime can decide a launch by. */
bool verify_predicate(struct verifier *v, const char *form, const struct ir_expr *e);
/* Keywords of a launch that its place forbids. */
bool verify_launch_place(struct verifier *v, const struct ir_expr *e);
/* Does the task that makes what the predicate reads stand in deps? */
bool verify_predicate_deps(struct verifier *v, const char *form, const ir_kwargs *kwargs);
/* The directions and dependences among the attributes of a call (verify_launch.c). */
bool verify_call_attrs(struct verifier *v, const struct ir_expr *e);

/* ---- properties ---- */

/* Does the function call itself SSA form? */
bool verify_claims_ssa(const struct ir_func *f);
/* SSA form of v->func (verify_ssa.c). */
bool verify_ssa(struct verifier *v);
/* What strict_ssa= asks of v->func (verify_ssa.c). */
bool verify_strict(struct verifier *v);
/* The whole program (verify_property.c). */
bool verify_has_domains(const struct ir_program *p);
bool verify_domains(struct verifier *v);
/* The slots of all domains; the window that a type refers to is one of them. */
void verify_collect_slots(struct verifier *v);
bool verify_reference(struct verifier *v, const struct ir_type *t, struct span at);
bool verify_contexts(struct verifier *v);

/* ---- shared helpers ---- */

bool verify_is_shaped(const struct ir_type *t);
bool verify_is_integer(const struct ir_type *t);
/* A literal without a type that can stand for no scalar, tensor or tile. */
bool verify_is_shapeless(const struct ir_expr *e);
const ir_exprs *verify_tuple(const struct ir_expr *e);
/* A function of level HOST, orchestrator or not. */
bool verify_is_host(const struct ir_func *f);
/* The expression names a parameter of the function. */
bool verify_is_parameter(const struct ir_func *f, const struct ir_expr *e);
bool verify_is_alloc(const struct ir_expr *e);

#endif
