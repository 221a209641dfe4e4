/* SPDX-License-Identifier: MIT */
/*
 * Names that passes make: BASE__QUALIFIER_ROLE_vN, where each part behind the base may be missing
 * (pypto-front-facts 3.3). Roles are ssa, iter, rv, phi, tile, tmp, out, store and idx.
 */
#ifndef IR_NAMES_H
#define IR_NAMES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/map.h"

/* The base and qualifier of name with another role and number. */
const char *ir_version_name(struct arena *a, const char *name, const char *role, unsigned version);

/* name with its role, or ssa when it has none, and the first number behind its own under which used
 * has nothing. */
const char *ir_fresh_version(struct arena *a, const char *name, const struct map *used);

/* The base of a name: what stands in front of "__". */
const char *ir_base_name(struct arena *a, const char *name);

/* The name has a role and a number, or one of them. */
bool ir_is_version_name(const char *name);

/* Of a variable that nothing defines: the name ends in __FREE_VAR. */
bool ir_is_free_name(const char *name);

/* What a report calls a variable of that name: without what SSA form and ConvertTensorToTileOps put
 * behind a name, which is how the author of a file knows it. */
const char *ir_shown_name(struct arena *a, const char *name);

#endif
