/* SPDX-License-Identifier: MIT */
/*
 * What the files of MaterializeCommDomainScopes share: one host orchestrator, its window buffers
 * and what its variables stand for (pypto-facts 4.2). Private to the pass.
 *
 * The *lineage* of a window buffer are its Ptr variable, the views of it (pld.tensor.window) and
 * whatever the registry says is the same storage: views of a view, and the results of operators
 * that return the operand that they write; and what loops carry and branches yield, as long as it
 * is one window buffer all the time.
 */
#ifndef PASSES_COMM_DOMAIN_INTERNAL_H
#define PASSES_COMM_DOMAIN_INTERNAL_H

#include "ir/ir.h"
#include "base/map.h"

/* The devices that a window buffer lives on. */
struct device_set {
    bool all;
    VEC(int64_t) list; /* ascending, without repetition; not used when all is set */
};

struct window_alloc {
    struct ir_var *var;   /* the Ptr variable */
    const char *name;     /* the logical one: of name=, else of var */
    struct ir_expr *size; /* in bytes */
    struct span span;
    size_t views;
    struct device_set devices; /* of all dispatches that take a view */
    struct ir_window_buffer *window;
};

/* What a variable stands for. */
struct window_binding {
    struct ir_expr *value;      /* its definition; NULL for none, or more than one */
    struct window_alloc *alloc; /* whose lineage it belongs to, or NULL */
    struct ir_var *retyped;     /* the variable that takes its place, once asked for */
};

struct comm_host {
    struct arena *arena;
    const struct ir_program *prog;
    const struct ir_func *func;
    struct diag *diag;
    VEC(struct window_alloc *) allocs; /* in text order */
    struct map bindings;               /* struct ir_var * -> struct window_binding * */
    struct map mixed;                  /* carried variables that stand for several things */
    bool again;                        /* mixed has grown: what is known is wrong */
};

/* ---- comm_domain_collect.c ---- */

/* Fills allocs and bindings from the function's body. False with the diag filled. */
bool comm_domain_collect(struct comm_host *h);
/* Is it a call of pld.tensor.alloc_window_buffer? */
bool comm_domain_is_alloc(const struct ir_expr *e);
/* The window buffer that e is storage of, or NULL. */
struct window_alloc *comm_domain_alloc_of(const struct comm_host *h, const struct ir_expr *e);
bool comm_domain_const(const struct comm_host *h, const struct ir_expr *e, int64_t *out);
bool comm_domain_is_world_size(const struct comm_host *h, const struct ir_expr *e);
/* Is it a call or a launch of a chip orchestrator, or of a builtin collective? The latter stand in
 * programs that were lowered and printed without their scopes (1.4). */
bool comm_domain_is_dispatch(const struct comm_host *h, const struct ir_expr *e);
/* The device that a dispatch names, or NULL. */
const struct ir_expr *comm_domain_device(const struct ir_call *call);

/* ---- comm_domain_dispatch.c ---- */

/* Finds the devices of each window buffer from the dispatches and collectives of body. False with
 * the diag filled. */
bool comm_domain_scan(struct comm_host *h, const ir_block *body);

bool device_set_equal(const struct device_set *a, const struct device_set *b);
bool device_set_is_empty(const struct device_set *set);

/* ---- comm_domain_scope.c ---- */

/* body with its views bound to window buffers, inside of the scopes that allocate those. */
bool comm_domain_wrap(struct comm_host *h, ir_block *body);

#endif
