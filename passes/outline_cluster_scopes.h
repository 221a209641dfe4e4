/* SPDX-License-Identifier: MIT */
/*
 * OutlineClusterScopes (pypto-front-facts 3.6): with pl.cluster(), in an Opaque, Orchestration or
 * Graph function, becomes a Group, FUNCTION_cluster_N; a pl.spmd in it says in how many blocks that is
 * launched, as the attribute core_num of the call. Another pl.spmd becomes an Spmd function,
 * FUNCTION_spmd_N. A name_hint names either.
 */
#ifndef PASSES_OUTLINE_CLUSTER_SCOPES_H
#define PASSES_OUTLINE_CLUSTER_SCOPES_H

#include "passes/pass.h"

struct ir_program *outline_cluster_scopes(struct arena *a, const struct ir_program *p,
                                          const struct pass_options *o, struct diag *d);

#endif
