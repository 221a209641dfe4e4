/* SPDX-License-Identifier: MIT */
#include "models/toolchain.h"

#include <string.h>

#include "models/ini_table.h"

#define FIELD(f) offsetof(struct toolchain, f)
#define EXTRA    "none|pipe_v|pipe_mte3|pipe_all"

static const struct ini_key keys[] = {
    {"model", "doc", INI_TEXT, FIELD(doc), NULL, 0, 0},
    {"lowering", "region_cacheinvalid", INI_ENUM, FIELD(region_cacheinvalid),
     "nothing|base_line|every_line", 0, 0},
    {"lowering", "fence", INI_ENUM, FIELD(fence), "fence3|fence_all|dsb", 0, 0},
    {"lowering", "notify_pre_barrier", INI_ENUM, FIELD(notify_pre_barrier), EXTRA, 0, 0},
    {"lowering", "put_pre_barrier", INI_ENUM, FIELD(put_pre_barrier), EXTRA, 0, 0},
    {"lowering", "put_tail_barrier", INI_ENUM, FIELD(put_tail_barrier), EXTRA, 0, 0},
    {"lowering", "get_pre_barrier", INI_ENUM, FIELD(get_pre_barrier), EXTRA, 0, 0},
    {"lowering", "get_tail_barrier", INI_ENUM, FIELD(get_tail_barrier), EXTRA, 0, 0},
    {"lowering", "kernel_entry", INI_ENUM, FIELD(kernel_entry), "none|dcci_all", 0, 0},
    {"lowering", "kernel_tail", INI_ENUM, FIELD(kernel_tail),
     "none|barrier|barrier_dcci|barrier_dcci_dsb", 0, 0},
    {"lowering", "tail_cleans", INI_ENUM, FIELD(tail_cleans), "every_kernel|scalar_stores", 0, 0},
    {"lowering", "runtime_fin", INI_ENUM, FIELD(runtime_fin), "plain|dsb", 0, 0},
    {"lowering", "window_align", INI_ENUM, FIELD(window_align), "32|64", 0, 0},
    {"lowering", "auto_sync", INI_BOOL, FIELD(auto_sync), NULL, 0, 0},
    {"lowering", "auto_sync_gm", INI_ENUM, FIELD(auto_sync_gm), "none|root|root_addptr", 0, 0},
    {"lowering", "auto_sync_scalar", INI_BOOL, FIELD(auto_sync_scalar), NULL, 0, 0},
};

static const struct ini_table table = {"toolchains", ".toolchain", "toolchain profile", keys,
                                       sizeof keys / sizeof *keys};

const struct toolchain *toolchain_load(struct arena *a, const char *dir, const char *name,
                                       struct diag *d)
{
    struct toolchain *t = arena_new(a, struct toolchain);
    t->name = arena_strdup(a, name);
    return ini_table_load(a, &table, dir, name, t, NULL, d) ? t : NULL;
}

size_t toolchain_list(struct arena *a, const char *dir, const char *const **names)
{
    return ini_table_list(a, &table, dir, names);
}

size_t toolchain_describe(struct arena *a, const struct toolchain *t, const struct ini_row **rows)
{
    return ini_table_describe(a, &table, t, rows);
}
