/* SPDX-License-Identifier: MIT */
/* The shipped contracts and profiles hold what docs/machine.md and hw-facts 4.2 say, and draws stay
 * in their ranges. */
#include "models/contract.h"
#include "models/ini_table.h"
#include "models/toolchain.h"
#include "tests/support.h"

enum { ANY = -1 };

static const struct contract *load(struct arena *a, const char *name)
{
    struct diag d = {.arena = a};
    const struct contract *c = contract_load(a, "models", name, &d);
    cr_assert(c, "%s", diag_text(&d, a));
    return c;
}

/* ---- contracts ---- */

/* Semantic keys: coherent, writeback, dcci_unaligned, pipe_barrier, dsb_waits, ack, fabric,
 * dma_chunk_order, eviction, prefetch, task_entry_invalidate, partial_line_dma, completion,
 * st_dev, v2c, ffts_set, wait_dev, dma_block. */
enum { SEMANTICS = 18 };

static void semantics(const struct contract *c, int *out)
{
    const int values[SEMANTICS] = {c->coherent,
                                   c->writeback,
                                   c->dcci_unaligned,
                                   c->pipe_barrier,
                                   c->dsb_waits,
                                   c->ack,
                                   c->fabric,
                                   c->dma_chunk_order,
                                   c->eviction,
                                   c->prefetch,
                                   c->task_entry_invalidate,
                                   c->partial_line_dma,
                                   c->completion,
                                   c->st_dev,
                                   c->v2c,
                                   c->ffts_set,
                                   c->wait_dev,
                                   c->dma_block};
    memcpy(out, values, sizeof values);
}

static const struct {
    const char *name;
    int values[SEMANTICS];
} contract_rows[] = {
    {"sc",
     {1, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY}},
    {"benign",
     {0, WRITEBACK_LINE, DCCI_ALIGN_DOWN, BARRIER_QUEUE_LOCAL, DSB_POSTED, ACK_DESTINATION,
      FABRIC_PER_PATH, CHUNKS_ASCENDING, EVICTION_CAPACITY, PREFETCH_NONE, TASK_INVALIDATES,
      PARTIAL_BYTE_EXACT, COMPLETION_REGISTER, ST_DEV_MEMORY, V2C_REDUCE, FFTS_SET_ACKED,
      WAIT_DEV_SCALAR, DMA_BLOCK_NONE}},
    {"a2a3",
     {0, WRITEBACK_LINE, DCCI_ALIGN_DOWN, BARRIER_QUEUE_LOCAL, DSB_POSTED, ACK_DESTINATION,
      FABRIC_PER_PATH, CHUNKS_ASCENDING, EVICTION_CAPACITY, PREFETCH_NONE, TASK_INVALIDATES,
      PARTIAL_BYTE_EXACT, COMPLETION_REGISTER, ST_DEV_MEMORY, V2C_REDUCE, FFTS_SET_ACKED,
      WAIT_DEV_SCALAR, DMA_BLOCK_NONE}},
    {"a2a3-blocking",
     {0, WRITEBACK_LINE, DCCI_ALIGN_DOWN, BARRIER_SCALAR_BLOCKING, DSB_POSTED, ACK_DESTINATION,
      FABRIC_PER_PATH, CHUNKS_ASCENDING, EVICTION_CAPACITY, PREFETCH_NONE, TASK_INVALIDATES,
      PARTIAL_BYTE_EXACT, COMPLETION_REGISTER, ST_DEV_MEMORY, V2C_REDUCE, FFTS_SET_ACKED,
      WAIT_DEV_SCALAR, DMA_BLOCK_NONE}},
    {"a2a3-fifo",
     {0, WRITEBACK_LINE, DCCI_ALIGN_DOWN, BARRIER_QUEUE_LOCAL, DSB_POSTED, ACK_DESTINATION,
      FABRIC_PER_PAIR, CHUNKS_ASCENDING, EVICTION_CAPACITY, PREFETCH_NONE, TASK_INVALIDATES,
      PARTIAL_BYTE_EXACT, COMPLETION_REGISTER, ST_DEV_MEMORY, V2C_REDUCE, FFTS_SET_ACKED,
      WAIT_DEV_SCALAR, DMA_BLOCK_NONE}},
    {"a2a3-evict",
     {0, WRITEBACK_LINE, DCCI_ALIGN_DOWN, BARRIER_QUEUE_LOCAL, DSB_POSTED, ACK_DESTINATION,
      FABRIC_PER_PATH, CHUNKS_ASCENDING, EVICTION_SPONTANEOUS, PREFETCH_NONE, TASK_INVALIDATES,
      PARTIAL_BYTE_EXACT, COMPLETION_REGISTER, ST_DEV_MEMORY, V2C_REDUCE, FFTS_SET_ACKED,
      WAIT_DEV_SCALAR, DMA_BLOCK_NONE}},
    {"weakest",
     {0, WRITEBACK_LINE, DCCI_ALIGN_DOWN, BARRIER_QUEUE_LOCAL, DSB_POSTED, ACK_DESTINATION,
      FABRIC_UNORDERED, ANY, EVICTION_SPONTANEOUS, PREFETCH_SPONTANEOUS, TASK_INVALIDATES,
      PARTIAL_BYTE_EXACT, COMPLETION_REGISTER, ST_DEV_MEMORY, V2C_REDUCE, FFTS_SET_ACKED,
      WAIT_DEV_SCALAR, DMA_BLOCK_NONE}},
};
enum { CONTRACTS = sizeof contract_rows / sizeof *contract_rows };

Test(models, contracts_hold_their_hypotheses)
{
    struct arena a = {0};
    for (int i = 0; i < CONTRACTS; i++) {
        const struct contract *c = load(&a, contract_rows[i].name);
        int actual[SEMANTICS];
        semantics(c, actual);
        expect_text("name", c->name, contract_rows[i].name);
        cr_expect(c->doc && *c->doc && c->broken == 0, "%s: documented, whole", c->name);
        for (int k = 0; k < SEMANTICS; k++)
            cr_expect(contract_rows[i].values[k] == ANY || contract_rows[i].values[k] == actual[k],
                      "%s: semantic key %d is %d", c->name, k, actual[k]);
        cr_expect(c->line == 64 && c->dma_chunk % c->line == 0 && c->cores_per_rank == 1,
                  "%s: geometry", c->name);
    }
    arena_free(&a);
}

/* hw-facts 2 and 3.1. */
Test(models, a2a3_has_the_published_geometry)
{
    struct arena a = {0};
    const struct contract *c = load(&a, "a2a3");
    cr_expect(c->cache_bytes == 32 * 1024 && c->ways == 4 && c->pipe_depth == 32);
    cr_expect(c->dma_chunk == 512);
    arena_free(&a);
}

static double highest(const struct dist *d)
{
    return d->kind == DIST_FIXED ? d->a : d->b;
}

/* The ranges of hw-facts 4.2; dcci of the whole cache: of its total. */
static const struct {
    enum cost cost;
    double low, high;
} cost_rows[] = {
    {COST_LD_HIT, 2, 8},
    {COST_MISS_LOCAL, 100, 650},
    {COST_MISS_PEER, 800, 2800},
    {COST_DCCI_CLEAN, 10, 60},
    {COST_DCCI_DIRTY, 20, 100},
    {COST_DCCI_ALL, 30, 1850},
    {COST_DCCI_ALL_VALID, 1, 1},
    {COST_DCCI_ALL_DIRTY, 8, 8},
    {COST_DSB, 10, 60},
    {COST_BARRIER, 5, 30},
    {COST_BARRIER_ALL, 20, 100},
    {COST_FLAG, 10, 60},
    {COST_MTE2_LOCAL, 100, 600},
    {COST_MTE2_PEER, 740, 2800},
    {COST_MTE3, 100, 600},
    {COST_POST_PEER_SCALAR, 500, 1850},
    {COST_POST_PEER_DMA, 500, 1850},
};

Test(models, a2a3_draws_from_the_ranges_of_the_facts)
{
    struct arena a = {0};
    const struct contract *c = load(&a, "a2a3");
    for (size_t i = 0; i < sizeof cost_rows / sizeof *cost_rows; i++) {
        const struct dist *d = &c->cost[cost_rows[i].cost];
        cr_expect(d->a >= cost_rows[i].low && highest(d) <= cost_rows[i].high, "%s: %g to %g",
                  contract_cost_name(cost_rows[i].cost), d->a, highest(d));
    }
    cr_expect(c->peer_bytes_per_cycle >= 10 && c->peer_bytes_per_cycle <= 30);
    arena_free(&a);
}

Test(models, benign_is_a2a3_without_jitter_and_with_a_large_cache)
{
    struct arena a = {0};
    const struct contract *b = load(&a, "benign"), *c = load(&a, "a2a3");
    for (int k = 0; k < COST_COUNT; k++)
        if (k != COST_EVICT && k != COST_PREFETCH)
            cr_expect(b->cost[k].kind == DIST_FIXED && b->cost[k].a <= highest(&c->cost[k]), "%s",
                      contract_cost_name((enum cost)k));
    cr_expect(b->cache_bytes > c->cache_bytes && b->slow_agents == 0 && c->slow_agents > 0);
    arena_free(&a);
}

Test(models, a_variant_changes_nothing_else)
{
    static const char *const variants[] = {"a2a3-blocking", "a2a3-fifo", "a2a3-evict", "weakest"};
    struct arena a = {0};
    const struct contract *c = load(&a, "a2a3");
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const struct contract *v = load(&a, variants[i]);
        cr_expect(!memcmp(v->cost, c->cost, sizeof c->cost), "%s: costs", v->name);
        cr_expect(v->cache_bytes == c->cache_bytes && v->ways == c->ways &&
                      v->pipe_depth == c->pipe_depth && v->dma_chunk == c->dma_chunk,
                  "%s: geometry", v->name);
    }
    arena_free(&a);
}

Test(models, contracts_are_listed_with_the_standard_ones_first)
{
    struct arena a = {0};
    const char *const *names;
    size_t n = contract_list(&a, "models", &names);
    cr_assert(n >= CONTRACTS);
    for (size_t i = 0; i < n; i++) {
        if (i < CONTRACTS)
            expect_text("contract", names[i], contract_rows[i].name);
        cr_expect(i <= CONTRACTS || strcmp(names[i - 1], names[i]) < 0, "%s is sorted", names[i]);
        load(&a, names[i]);
    }
    cr_expect(contract_list(&a, "no-such-folder", &names) == 0);
    arena_free(&a);
}

Test(models, a_contract_can_be_loaded_by_its_path)
{
    struct arena a = {0};
    const struct contract *c = load(&a, "models/machines/a2a3-fifo.model");
    expect_text("name", c->name, "a2a3-fifo");
    cr_expect(c->fabric == FABRIC_PER_PAIR);
    arena_free(&a);
}

Test(models, costs_have_distinct_names)
{
    expect_text("COST_MISS_LOCAL", contract_cost_name(COST_MISS_LOCAL), "miss_local");
    expect_text("COST_DCCI_ALL_VALID", contract_cost_name(COST_DCCI_ALL_VALID), "dcci_all_valid");
    for (int i = 0; i < COST_COUNT; i++)
        for (int k = 0; k < i; k++)
            cr_expect(strcmp(contract_cost_name((enum cost)i), contract_cost_name((enum cost)k)),
                      "%d and %d", i, k);
}

/* ---- toolchain profiles ---- */

static const struct {
    const char *name;
    int region, fence, notify, gm;
    bool scalar;
} toolchain_rows[] = {
    {"ptoas-0.50", REGION_NOTHING, FENCE_3, EXTRA_PIPE_ALL, SYNC_GM_ROOT, false},
    {"ptoas-0.52", REGION_BASE_LINE, FENCE_3, EXTRA_PIPE_ALL, SYNC_GM_ROOT, false},
    {"ptoas-0.57", REGION_BASE_LINE, FENCE_ALL, EXTRA_NONE, SYNC_GM_ROOT_ADDPTR, true},
    {"proposed", REGION_EVERY_LINE, FENCE_ALL, EXTRA_NONE, SYNC_GM_ROOT_ADDPTR, true},
    {"proposed-drain", REGION_EVERY_LINE, FENCE_ALL, EXTRA_PIPE_ALL, SYNC_GM_ROOT_ADDPTR, true},
};

Test(models, toolchains_hold_what_their_versions_do)
{
    struct arena a = {0};
    for (size_t i = 0; i < sizeof toolchain_rows / sizeof *toolchain_rows; i++) {
        struct diag d = {.arena = &a};
        const struct toolchain *t = toolchain_load(&a, "models", toolchain_rows[i].name, &d);
        cr_assert(t, "%s", diag_text(&d, &a));
        expect_text("name", t->name, toolchain_rows[i].name);
        cr_expect(t->region_cacheinvalid == toolchain_rows[i].region &&
                      t->fence == toolchain_rows[i].fence &&
                      t->notify_pre_barrier == toolchain_rows[i].notify,
                  "%s: markers", t->name);
        cr_expect(t->put_pre_barrier == EXTRA_PIPE_ALL && t->put_tail_barrier == EXTRA_PIPE_ALL &&
                      t->get_pre_barrier == EXTRA_PIPE_ALL && t->get_tail_barrier == EXTRA_PIPE_ALL,
                  "%s: put and get", t->name);
        cr_expect(t->auto_sync_gm == toolchain_rows[i].gm &&
                      t->auto_sync_scalar == toolchain_rows[i].scalar,
                  "%s: what is synchronised", t->name);
        cr_expect(t->tail_cleans == TAIL_CLEANS_ALWAYS && t->runtime_fin == FIN_PLAIN, "%s: ends",
                  t->name);
        cr_expect(t->kernel_entry == ENTRY_NONE && t->kernel_tail == TAIL_BARRIER_DCCI_DSB &&
                      t->window_align == WINDOWS_AT_32 && t->auto_sync && t->doc && *t->doc,
                  "%s: kernels", t->name);
    }
    arena_free(&a);
}

Test(models, toolchains_are_listed_and_load)
{
    struct arena a = {0};
    const char *const *names;
    size_t n = toolchain_list(&a, "models", &names);
    cr_assert(n >= sizeof toolchain_rows / sizeof *toolchain_rows);
    for (size_t i = 0; i < n; i++) {
        struct diag d = {.arena = &a};
        cr_expect(toolchain_load(&a, "models", names[i], &d), "%s", diag_text(&d, &a));
        cr_expect(i == 0 || strcmp(names[i - 1], names[i]) < 0, "%s is sorted", names[i]);
    }
    arena_free(&a);
}

Test(models, enum_text)
{
    struct arena a = {0};
    expect_text("first", ini_enum_text(&a, "line|word", 0), "line");
    expect_text("last", ini_enum_text(&a, "line|word", 1), "word");
    expect_text("none", ini_enum_text(&a, "line|word", 2), "?");
    arena_free(&a);
}

/* ---- draws ---- */

/* Of many draws: all in [low, high], and so many percent (+- 3) above a mark. */
static const struct {
    const char *name;
    struct dist dist;
    uint64_t low, high, mark;
    int percent_above;
} draw_rows[] = {
    {"fixed", {DIST_FIXED, 7, 0, 0, 0}, 7, 7, 7, 0},
    {"fixed zero", {DIST_FIXED, 0, 0, 0, 0}, 0, 0, 0, 0},
    {"uniform", {DIST_UNIFORM, 100, 300, 0, 0}, 100, 300, 200, 50},
    {"uniform, lower quarter", {DIST_UNIFORM, 100, 300, 0, 0}, 100, 300, 150, 75},
    {"uniform of one value", {DIST_UNIFORM, 5, 5, 0, 0}, 5, 5, 5, 0},
    {"tail, the rare case", {DIST_TAIL, 100, 200, 0.25, 1000}, 100, 1200, 1000, 25},
    {"tail never", {DIST_TAIL, 100, 200, 0, 1000}, 100, 200, 150, 50},
    {"tail always", {DIST_TAIL, 100, 200, 1, 1000}, 1100, 1200, 1150, 50},
    {"log, half the draws below the geometric mean", {DIST_LOG, 10, 1000, 0, 0}, 10, 1000, 100, 50},
};

Test(models, draws_stay_in_their_ranges)
{
    enum { DRAWS = 20000 };
    for (size_t i = 0; i < sizeof draw_rows / sizeof *draw_rows; i++) {
        struct rng r = rng_make(1, 1), again = rng_make(1, 1);
        int above = 0, outside = 0, unequal = 0;
        for (int k = 0; k < DRAWS; k++) {
            uint64_t x = dist_draw(&draw_rows[i].dist, &r);
            unequal += x != dist_draw(&draw_rows[i].dist, &again);
            outside += x < draw_rows[i].low || x > draw_rows[i].high;
            above += x > draw_rows[i].mark;
        }
        int percent = (above * 100 + DRAWS / 2) / DRAWS;
        cr_expect(outside == 0 && unequal == 0, "%s: %d outside, %d unequal", draw_rows[i].name,
                  outside, unequal);
        cr_expect(percent >= draw_rows[i].percent_above - 3 &&
                      percent <= draw_rows[i].percent_above + 3,
                  "%s: %d percent above", draw_rows[i].name, percent);
    }
}
