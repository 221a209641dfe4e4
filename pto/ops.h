/* SPDX-License-Identifier: MIT */
/* The table of operations (pto/ops_table.h) for the reader: names and groups. */
#ifndef PTO_OPS_H
#define PTO_OPS_H

#include "pto/tree.h"

enum { PTO_MAX_GROUPS = 8 };

struct pto_op_kind {
    const char *name;
    const char
        *groups; /* of operands in the generic form, in their order; the last one takes the rest */
};

/* NULL: the table has no such row. */
const struct pto_op_kind *pto_op_find(const char *name);
/* The one name of what has two. */
const char *pto_op_name(const char *spelled);
/* Braces behind it hold operations. */
bool pto_op_has_regions(const char *name);
/* The groups' names, in arena a; "-" stands for operands in front of all groups. */
int pto_op_groups(struct arena *a, const struct pto_op_kind *k, const char **names);

#endif
