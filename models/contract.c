/* SPDX-License-Identifier: MIT */
#include "models/contract.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/ini_table.h"

#define FIELD(f)            offsetof(struct contract, f)
#define COST_KEY(key, name) {"cost", name, INI_DIST, FIELD(cost[key]), "cycles", 0, 0},

static const struct ini_key keys[] = {
    {"model", "doc", INI_TEXT, FIELD(doc), NULL, 0, 0},
    {"semantics", "coherent", INI_BOOL, FIELD(coherent), NULL, 0, 0},
    {"semantics", "writeback", INI_ENUM, FIELD(writeback), "line|word", 0, 0},
    {"semantics", "dcci_unaligned", INI_ENUM, FIELD(dcci_unaligned), "align_down|tail_only", 0, 0},
    {"semantics", "pipe_barrier", INI_ENUM, FIELD(pipe_barrier), "queue_local|scalar_blocking", 0,
     0},
    {"semantics", "dsb_waits", INI_ENUM, FIELD(dsb_waits), "scalar|posted|all_dma", 0, 0},
    {"semantics", "ack", INI_ENUM, FIELD(ack), "destination|egress", 0, 0},
    {"semantics", "fabric", INI_ENUM, FIELD(fabric), "per_path|per_pair|unordered", 0, 0},
    {"semantics", "dma_chunk", INI_INT, FIELD(dma_chunk), "bytes", 32, CONTRACT_MAX_CHUNK},
    {"semantics", "dma_chunk_order", INI_ENUM, FIELD(dma_chunk_order), "ascending|any", 0, 0},
    {"semantics", "eviction", INI_ENUM, FIELD(eviction), "capacity|spontaneous", 0, 0},
    {"semantics", "prefetch", INI_ENUM, FIELD(prefetch), "none|spontaneous", 0, 0},
    {"semantics", "task_entry_invalidate", INI_ENUM, FIELD(task_entry_invalidate),
     "no|yes|before_deps", 0, 0},
    {"semantics", "completion", INI_ENUM, FIELD(completion), "register|memory", 0, 0},
    {"semantics", "st_dev", INI_ENUM, FIELD(st_dev), "memory|register", 0, 0},
    {"semantics", "v2c", INI_ENUM, FIELD(v2c), "reduce|count", 0, 0},
    {"semantics", "ffts_set", INI_ENUM, FIELD(ffts_set), "posted|acked", 0, 0},
    {"semantics", "wait_dev", INI_ENUM, FIELD(wait_dev), "scalar|core", 0, 0},
    {"semantics", "partial_line_dma", INI_ENUM, FIELD(partial_line_dma),
     "byte_exact|read_modify_write", 0, 0},
    {"semantics", "dma_block", INI_ENUM, FIELD(dma_block), "0|32", 0, 0},
    {"geometry", "line", INI_INT, FIELD(line), "bytes", 32, CONTRACT_MAX_LINE},
    {"geometry", "cache_bytes", INI_INT, FIELD(cache_bytes), "bytes", 64, 16 << 20},
    {"geometry", "ways", INI_INT, FIELD(ways), "lines per set", 1, 64},
    {"geometry", "pipe_depth", INI_INT, FIELD(pipe_depth), "operations per pipe", 1, 4096},
    {"geometry", "cores_per_rank", INI_INT, FIELD(cores_per_rank), "cores", 1, 64},
    {"bandwidth", "load_bytes_per_cycle", INI_DOUBLE, FIELD(load_bytes_per_cycle),
     "bytes per cycle", 0.1, 1e6},
    {"bandwidth", "store_bytes_per_cycle", INI_DOUBLE, FIELD(store_bytes_per_cycle),
     "bytes per cycle", 0.1, 1e6},
    {"bandwidth", "peer_bytes_per_cycle", INI_DOUBLE, FIELD(peer_bytes_per_cycle),
     "bytes per cycle", 0.1, 1e6},
    {"bandwidth", "vector_bytes_per_cycle", INI_DOUBLE, FIELD(vector_bytes_per_cycle),
     "bytes per cycle", 0.1, 1e6},
    {"adversary", "slow_agents", INI_DOUBLE, FIELD(slow_agents), "probability", 0, 1},
    {"adversary", "slow_factor", INI_DIST, FIELD(slow_factor), "times", 0, 0},
    COSTS(COST_KEY)};

static const struct ini_table table = {"machines", ".model", "machine contract", keys,
                                       sizeof keys / sizeof *keys};

const char *contract_cost_name(enum cost c)
{
    for (size_t i = 0; i < table.key_count; i++)
        if (keys[i].kind == INI_DIST && keys[i].offset == FIELD(cost[c]))
            return keys[i].name;
    return "?";
}

static bool power_of_two(int n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static bool check_geometry(const struct contract *c, const struct ini_place *places, struct diag *d)
{
    const struct {
        bool ok;
        size_t offset;
        const char *name, *expected;
        int value, of;
    } rules[] = {
        {power_of_two(c->line), FIELD(line), "line", "a power of two", c->line, 0},
        {c->line && c->dma_chunk % c->line == 0, FIELD(dma_chunk), "dma_chunk",
         "a multiple of line = %d", c->dma_chunk, c->line},
        {c->line && c->cache_bytes % (c->line * c->ways) == 0, FIELD(cache_bytes), "cache_bytes",
         "a multiple of line x ways = %d", c->cache_bytes, c->line * c->ways},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].ok)
            continue;
        size_t row = 0;
        while (keys[row].offset != rules[i].offset)
            row++;
        char expected[64];
        snprintf(expected, sizeof expected, rules[i].expected, rules[i].of);
        return diag_error(d, places[row].source, places[row].span, "%s = %d: expected %s",
                          rules[i].name, rules[i].value, expected);
    }
    return true;
}

const struct contract *contract_load(struct arena *a, const char *dir, const char *name,
                                     struct diag *d)
{
    struct contract *c = arena_new(a, struct contract);
    struct ini_place places[sizeof keys / sizeof *keys];
    if (!ini_table_load(a, &table, dir, name, c, places, d) || !check_geometry(c, places, d))
        return NULL;
    const char *base = strrchr(name, '/');
    c->name = arena_strdup(a, base ? base + 1 : name);
    char *suffix = strstr(c->name, ".model");
    if (suffix)
        c->name = arena_strndup(a, c->name, (size_t)(suffix - c->name));
    return c;
}

size_t contract_list(struct arena *a, const char *dir, const char *const **names)
{
    static const char *const standard[] = {"sc",        "benign",     "a2a3",   "a2a3-blocking",
                                           "a2a3-fifo", "a2a3-evict", "weakest"};
    enum { STANDARD = sizeof standard / sizeof *standard };
    const char *const *found;
    size_t n = ini_table_list(a, &table, dir, &found), out = 0;
    const char **sorted = arena_array(a, const char *, n + 1);
    bool *taken = arena_array(a, bool, n + 1);
    for (size_t s = 0; s < STANDARD; s++)
        for (size_t i = 0; i < n; i++)
            if (!strcmp(standard[s], found[i])) {
                sorted[out++] = found[i];
                taken[i] = true;
            }
    for (size_t i = 0; i < n; i++)
        if (!taken[i])
            sorted[out++] = found[i];
    *names = sorted;
    return out;
}

size_t contract_describe(struct arena *a, const struct contract *c, const struct ini_row **rows)
{
    return ini_table_describe(a, &table, c, rows);
}

uint64_t dist_draw(const struct dist *dist, struct rng *r)
{
    double x = dist->a;
    switch (dist->kind) {
    case DIST_FIXED:
        break;
    case DIST_UNIFORM:
        x += rng_unit(r) * (dist->b - dist->a);
        break;
    case DIST_TAIL:
        x += rng_unit(r) * (dist->b - dist->a);
        if (rng_unit(r) < dist->p)
            x += dist->n;
        break;
    case DIST_LOG:
        x = dist->a * exp(rng_unit(r) * log(dist->b / dist->a));
        break;
    }
    return (uint64_t)(x + 0.5);
}
