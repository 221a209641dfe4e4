/* SPDX-License-Identifier: MIT */
/*
 * Machine contracts: one hypothesis about the hardware each, read from models/machines/NAME.model.
 *
 * A contract fixes the semantics of docs/machine.md (who waits for what, what orders what), the
 * cache's geometry, and a latency distribution for each transition. Distances in memory are bytes,
 * times are core cycles at 1.85 GHz (hw-facts Units). Every key, its values and its source stand in
 * the a2a3 file.
 */
#ifndef MODELS_CONTRACT_H
#define MODELS_CONTRACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/rng.h"
#include "base/table.h"

enum { CONTRACT_MAX_LINE = 256, CONTRACT_MAX_CHUNK = 4096 };

enum writeback { WRITEBACK_LINE, WRITEBACK_WORD };
enum dcci_unaligned { DCCI_ALIGN_DOWN, DCCI_TAIL_ONLY };
enum pipe_barrier { BARRIER_QUEUE_LOCAL, BARRIER_SCALAR_BLOCKING };
enum dsb_waits { DSB_SCALAR, DSB_POSTED, DSB_ALL_DMA };
enum ack { ACK_DESTINATION, ACK_EGRESS };
enum fabric { FABRIC_PER_PATH, FABRIC_PER_PAIR, FABRIC_UNORDERED };
enum chunk_order { CHUNKS_ASCENDING, CHUNKS_ANY };
enum eviction { EVICTION_CAPACITY, EVICTION_SPONTANEOUS };
enum prefetch { PREFETCH_NONE, PREFETCH_SPONTANEOUS };
enum task_entry { TASK_KEEPS_CACHE, TASK_INVALIDATES, TASK_INVALIDATES_EARLY };
enum completion { COMPLETION_REGISTER, COMPLETION_MEMORY };
enum dma_block { DMA_BLOCK_NONE, DMA_BLOCK_32 };
enum v2c { V2C_REDUCE, V2C_COUNT };
enum ffts_set { FFTS_SET_POSTED, FFTS_SET_ACKED };
enum wait_dev { WAIT_DEV_SCALAR, WAIT_DEV_CORE };
enum st_dev { ST_DEV_MEMORY, ST_DEV_REGISTER };
enum partial_line_dma { PARTIAL_BYTE_EXACT, PARTIAL_READ_MODIFY_WRITE };

/* Rules of the machine that a self-test may break on purpose; a normal run breaks none. */
enum broken_rule {
    BROKEN_DCCI_NOTHING = 1 << 0,
    BROKEN_DCCI_INVALIDATE_ONLY = 1 << 1,
    BROKEN_WRITEBACK_MASKED = 1 << 2,
    BROKEN_DSB_NO_WAIT = 1 << 3,
    BROKEN_BARRIER_NO_DRAIN = 1 << 4,
    BROKEN_FILL_IGNORES_IN_FLIGHT = 1 << 5,
    BROKEN_ATOMIC_FILLS = 1 << 6,
    BROKEN_POLL_NO_DCCI = 1 << 7,
    BROKEN_CHANNEL_ORDER = 1 << 8
};

/* What takes time. Cycles unless the name says otherwise. */
// clang-format off
#define COSTS(X) \
    X(COST_ALU, "alu") /* one local instruction */ \
    X(COST_LD_HIT, "ld_hit") \
    X(COST_ST_HIT, "st_hit") \
    X(COST_MISS_LOCAL, "miss_local") /* line fill from the own rank's memory */ \
    X(COST_MISS_PEER, "miss_peer") /* line fill from a peer's memory */ \
    X(COST_BYPASS_LOAD, "bypass_load") /* ld.dev, own rank; a peer adds COST_MISS_PEER - COST_MISS_LOCAL */ \
    X(COST_BYPASS_STORE, "bypass_store") /* issue of st.dev */ \
    X(COST_DCCI_CLEAN, "dcci_clean") /* dcci of an absent or clean line */ \
    X(COST_DCCI_DIRTY, "dcci_dirty") /* issue of dcci of a dirty line */ \
    X(COST_DCCI_ALL, "dcci_all") /* dcci all, fixed part */ \
    X(COST_DCCI_ALL_VALID, "dcci_all_valid") /* and for each valid line */ \
    X(COST_DCCI_ALL_DIRTY, "dcci_all_dirty") /* and for each dirty line */ \
    X(COST_DSB, "dsb") /* dsb once nothing is outstanding */ \
    X(COST_BARRIER, "barrier") /* barrier of one pipe */ \
    X(COST_BARRIER_ALL, "barrier_all") /* barrier all once every pipe is empty */ \
    X(COST_FLAG, "flag") /* set_flag to wait_flag hand-off */ \
    X(COST_ISSUE, "issue") /* scalar unit appends one operation to a pipe */ \
    X(COST_POLL, "poll") /* one poll iteration besides its line fill */ \
    X(COST_MTE2_LOCAL, "mte2_local") /* start-up of a load from the own rank */ \
    X(COST_MTE2_PEER, "mte2_peer") /* start-up of a load from a peer */ \
    X(COST_MTE3, "mte3") /* start-up of a store (MTE3 and FIX) */ \
    X(COST_VECTOR, "vector") /* start-up of a tile operation */ \
    X(COST_POST_LOCAL, "post_local") /* a posted message to the own rank */ \
    X(COST_POST_PEER_SCALAR, "post_peer_scalar") /* a posted scalar-path message to a peer */ \
    X(COST_POST_PEER_DMA, "post_peer_dma") /* a posted DMA message to a peer */ \
    X(COST_SKEW, "skew") /* start of a core, after the first */ \
    X(COST_DISPATCH, "dispatch") /* between two submissions of the host */ \
    X(COST_GROUP, "group") /* within which the ranks of one grouped submission are released */ \
    X(COST_EVICT, "evict") /* gap between spontaneous evictions of a core */ \
    X(COST_PREFETCH, "prefetch") /* gap between spontaneous prefetches of a core */
// clang-format on
enum cost { COSTS(ENUM_ROW) COST_COUNT };

enum dist_kind { DIST_FIXED, DIST_UNIFORM, DIST_TAIL, DIST_LOG };

/* fixed n | uniform a b | tail a b p n (uniform a b, plus n with probability p) | log a b
 * (log-uniform). */
struct dist {
    enum dist_kind kind;
    double a, b, p, n;
};

struct contract {
    const char *name;
    const char *doc;
    /* semantics */
    bool coherent;
    int writeback, dcci_unaligned, pipe_barrier, dsb_waits, ack, fabric;
    int dma_chunk; /* bytes of one posted DMA message at the most */
    int dma_chunk_order, eviction, prefetch, partial_line_dma;
    int task_entry_invalidate, completion, st_dev;
    int v2c, ffts_set, wait_dev, dma_block;
    unsigned broken; /* enum broken_rule, set by self-tests only */
    /* geometry */
    int line, cache_bytes, ways, pipe_depth, cores_per_rank;
    /* costs */
    struct dist cost[COST_COUNT];
    double slow_agents; /* probability that an agent is slow for a whole run, under the adversary */
    struct dist slow_factor; /* by this factor */
    double load_bytes_per_cycle, store_bytes_per_cycle, peer_bytes_per_cycle,
        vector_bytes_per_cycle;
};

/* "miss_local" for COST_MISS_LOCAL: the key of the [cost] section. */
const char *contract_cost_name(enum cost c);

/*
 * Loads a contract by name (searched in dir/machines/NAME.model) or by path (a name with a slash or
 * the suffix .model). NULL with d filled when there is no such file, a key is unknown or twice, or
 * a value is out of range.
 */
const struct contract *contract_load(struct arena *a, const char *dir, const char *name,
                                     struct diag *d);

/* Names of the contracts in dir/machines, sorted, the standard ones first. */
size_t contract_list(struct arena *a, const char *dir, const char *const **names);

/* Every key of a contract as text, in the order of the table (models/ini_table.h); the count is
 * returned. */
struct ini_row;
size_t contract_describe(struct arena *a, const struct contract *c, const struct ini_row **rows);

/* One draw; never negative. */
uint64_t dist_draw(const struct dist *dist, struct rng *r);

#endif
