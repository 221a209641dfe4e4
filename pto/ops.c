/* SPDX-License-Identifier: MIT */
#include "pto/ops.h"

#include <string.h>

static const struct pto_op_kind kinds[] = {
#define PTO_OP(name, groups, ...) {name, groups},
#include "pto/ops_table.h"
#undef PTO_OP
};

/* Newer, older and dotted names (pto-facts 1.5, 1.6). */
static const struct {
    const char *spelled, *name;
} spellings[] = {
    {"pto.load", "pto.load_scalar"},
    {"pto.store", "pto.store_scalar"},
    {"pto.tstore_fp", "pto.tstore.fp"},
    {"pto.cmo.invalidate", "pto.cmo.cacheinvalid"},
    {"pto.fence.release", "pto.fence.barrier_all"},
    {"func.return", "return"},
    {"builtin.module", "module"},
};

/* Whose braces, where they follow at once, are regions. */
static const char *const with_regions[] = {
    "module",    "func.func",          "scf.for",          "scf.if",
    "scf.while", "pto.section.vector", "pto.section.cube", "pto.fusion_region",
};

const struct pto_op_kind *pto_op_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    return NULL;
}

const char *pto_op_name(const char *spelled)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (!strcmp(spelled, spellings[i].spelled))
            return spellings[i].name;
    return spelled;
}

bool pto_op_has_regions(const char *name)
{
    for (size_t i = 0; i < sizeof with_regions / sizeof *with_regions; i++)
        if (!strcmp(name, with_regions[i]))
            return true;
    return false;
}

int pto_op_groups(struct arena *a, const struct pto_op_kind *k, const char **names)
{
    int n = 0;
    for (const char *s = k->groups; *s && n < PTO_MAX_GROUPS; s += strspn(s, " ")) {
        size_t len = strcspn(s, " ");
        bool front = len == 1 && *s == '-';
        names[n++] = front ? "" : arena_strndup(a, s, len);
        s += len;
    }
    return n;
}
