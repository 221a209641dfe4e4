/* SPDX-License-Identifier: MIT */
/*
 * Toolchain profiles: what the compiler's operators become below the kernel language
 * (pypto-facts 6, hw-facts 1.7). Read from models/toolchains/NAME.toolchain.
 */
#ifndef MODELS_TOOLCHAIN_H
#define MODELS_TOOLCHAIN_H

#include <stdbool.h>

#include "base/diag.h"

enum region_cacheinvalid { REGION_NOTHING, REGION_BASE_LINE, REGION_EVERY_LINE };
enum fence_form { FENCE_3, FENCE_ALL, FENCE_DSB };
enum extra_barrier { EXTRA_NONE, EXTRA_PIPE_V, EXTRA_PIPE_MTE3, EXTRA_PIPE_ALL };
enum kernel_entry { ENTRY_NONE, ENTRY_DCCI_ALL };
enum window_align { WINDOWS_AT_32, WINDOWS_AT_64 };
enum sync_gm { SYNC_GM_NONE, SYNC_GM_ROOT, SYNC_GM_ROOT_ADDPTR };
enum kernel_tail { TAIL_NONE, TAIL_BARRIER, TAIL_BARRIER_DCCI, TAIL_BARRIER_DCCI_DSB };
enum tail_cleans { TAIL_CLEANS_ALWAYS, TAIL_CLEANS_AFTER_SCALAR_STORES };
enum runtime_fin { FIN_PLAIN, FIN_DSB };

struct toolchain {
    const char *name;
    const char *doc;
    int region_cacheinvalid, fence;
    int notify_pre_barrier, put_pre_barrier, put_tail_barrier, get_pre_barrier, get_tail_barrier;
    int kernel_entry, kernel_tail, tail_cleans, runtime_fin;
    int window_align; /* enum window_align: slots of a host program's domains */
    bool auto_sync;
    int auto_sync_gm; /* enum sync_gm */
    bool auto_sync_scalar;
};

/* As contract_load, from dir/toolchains/NAME.toolchain. */
const struct toolchain *toolchain_load(struct arena *a, const char *dir, const char *name,
                                       struct diag *d);
size_t toolchain_list(struct arena *a, const char *dir, const char *const **names);

/* As contract_describe. */
struct ini_row;
size_t toolchain_describe(struct arena *a, const struct toolchain *t, const struct ini_row **rows);

#endif
