/* SPDX-License-Identifier: MIT */
/*
 * MaterializeDistTensorCtx (pypto-facts 1.5, 1.6, 6): the communication context of a window becomes
 * a parameter. A function below level HOST with DistributedTensor parameters gets one pld.CommCtx
 * parameter for each, <tensor>_ctx, behind the others and in the same order; each call of it passes
 * as many arguments more, and as many pl.adir.scalar in arg_directions.
 *
 * What is passed: the caller's own context parameter when the argument is a window parameter of the
 * caller or another name of one (an assignment, a view, what a store, a call or a loop gives back);
 * in a host orchestrator otherwise w_ctx = pld.system.get_comm_ctx(w), bound just before the
 * statement. Below HOST, get_comm_ctx(w) is replaced by the parameter.
 *
 * A function that has its contexts already is left as it is, and so are the calls of it: the pass
 * is idempotent.
 */
#ifndef PASSES_MATERIALIZE_DIST_TENSOR_CTX_H
#define PASSES_MATERIALIZE_DIST_TENSOR_CTX_H

#include "passes/pass.h"

/*
 * Errors, with the name of the rule in brackets:
 *   ctx-count      a function has some context parameters, but not one for each window
 *   ctx-lineage    below HOST, a window is no window parameter of the function
 *   ctx-place      a context would have to be bound anew in each round of a while condition
 *   one-context    branches, or assignments in different blocks, give one name to two windows
 *   loop-context   a loop starts with one window and carries on with another
 */
struct ir_program *materialize_dist_tensor_ctx(struct arena *a, const struct ir_program *p,
                                               const struct pass_options *o, struct diag *d);

#endif
