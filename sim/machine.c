/* SPDX-License-Identifier: MIT */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

#include "sim/internal.h"

enum { DEFAULT_MAX_LOCAL = 10 * 1000 * 1000 };

static void core_new(struct machine *m, struct core *c, const struct core_desc *desc)
{
    struct arena *a = &m->arena;
    const struct contract *k = m->contract;
    c->code = desc->code;
    c->rank = desc->rank;
    c->regs = arena_array(a, int64_t, (size_t)c->code->nregs + 1);
    c->tiles = arena_alloc(a, (size_t)c->code->tile_bytes + 1);
    c->tile_state = arena_array(a, struct tile_state, (size_t)c->code->ntiles + 1);
    for (int p = 0; p < PIPE_COUNT; p++)
        c->pipes[p].ops = arena_array(a, struct pipe_op, (size_t)k->pipe_depth);
    struct cache *cache = &c->cache;
    size_t slots = (size_t)(k->cache_bytes / k->line);
    cache->sets = (int)slots / k->ways;
    cache->slots = (int)slots;
    cache->flushed = arena_array(a, uint64_t, slots);
    cache->tags = arena_array(a, uint64_t, slots);
    cache->lines = arena_array(a, struct cache_line, slots);
    cache->data = arena_alloc(a, slots * (size_t)k->line);
    cache->deltas = arena_array(a, int32_t, slots * (size_t)m->words);
    cache->valid = arena_array(a, int32_t, slots + 1);
    if (m->oracle) {
        cache->prov = arena_array(a, uint32_t, slots * (size_t)m->units);
        cache->delta_prov = arena_array(a, uint32_t, slots * (size_t)m->words);
    }
    for (size_t s = 0; s < slots; s++)
        cache->lines[s].place = NO_SLOT;
}

static const struct load_lines *find_lines(struct arena *a, const struct program *p,
                                           const struct writable *w, bool prefetches)
{
    struct load_lines *lines = arena_array(a, struct load_lines, (size_t)p->ncores);
    for (int c = 0; prefetches && c < p->ncores; c++)
        lines[c] = load_lines_of(a, p, w, c);
    return lines;
}

static uint64_t page_bytes(const struct machine *m, uint64_t page)
{
    uint64_t left = m->program->gm_bytes - page * GM_PAGE;
    return left < GM_PAGE ? left : GM_PAGE;
}

static uint64_t gm_pages(const struct machine *m)
{
    return (m->program->gm_bytes + GM_PAGE - 1) / GM_PAGE;
}

/* Fresh memory is zero: all of it that is not to be counts as written. */
static void note_initial(struct machine *m, int rank)
{
    static const uint8_t zero[GM_PAGE];
    for (uint64_t page = 0; page < gm_pages(m); page++)
        if (memcmp(m->program->gm_init[rank] + page * GM_PAGE, zero, page_bytes(m, page)))
            m->written[rank][page / 64] |= (uint64_t)1 << page % 64;
}

static void memory_new(struct machine *m)
{
    const struct program *p = m->program;
    m->gm = arena_array(&m->arena, uint8_t *, (size_t)p->nranks);
    m->written = arena_array(&m->arena, uint64_t *, (size_t)p->nranks);
    m->prov = arena_array(&m->arena, struct node_map, (size_t)p->nranks);
    for (int r = 0; r < p->nranks; r++) {
        m->gm[r] = arena_alloc(&m->arena, p->gm_bytes);
        m->written[r] = arena_array(&m->arena, uint64_t, gm_pages(m) / 64 + 1);
        note_initial(m, r);
        if (m->oracle)
            m->prov[r] = oracle_memory(m->oracle, &m->arena);
    }
}

/* What was not written since is as it was in the beginning. */
static void memory_reset(struct machine *m, int rank)
{
    uint64_t *written = m->written[rank];
    for (uint64_t i = 0; i < gm_pages(m) / 64 + 1; i++)
        for (; written[i]; written[i] &= written[i] - 1) {
            uint64_t page = i * 64 + (uint64_t)__builtin_ctzll(written[i]), at = page * GM_PAGE;
            memcpy(m->gm[rank] + at, m->program->gm_init[rank] + at, page_bytes(m, page));
        }
}

struct machine *machine_new(const struct program *p, const struct contract *k,
                            struct machine_options o)
{
    struct machine *m = calloc(1, sizeof *m);
    if (!m)
        abort();
    m->program = p;
    m->contract = k;
    m->opt = o;
    if (!m->opt.max_local)
        m->opt.max_local = DEFAULT_MAX_LOCAL;
    m->oracle = o.oracle;
    m->grain = p->grain;
    m->words = k->line / WORD;
    m->units = k->line / p->grain;
    m->chunk =
        k->fabric == FABRIC_UNORDERED || k->dma_chunk_order == CHUNKS_ANY ? k->line : k->dma_chunk;
    m->cores = arena_array(&m->arena, struct core, (size_t)p->ncores);
    m->stats = arena_array(&m->arena, struct core_stats, (size_t)p->ncores);
    for (int i = 0; i < p->ncores; i++)
        core_new(m, &m->cores[i], &p->cores[i]);
    memory_new(m);
    m->cross = cross_ids(p);
    for (int c = 0; c < p->ncores; c++)
        m->dispatched |= p->cores[c].dispatches != NULL;
    m->nchannels = fabric_channel_count(m);
    m->core_channels = m->nchannels / p->ncores;
    m->channels = arena_array(&m->arena, struct channel, (size_t)m->nchannels);
    m->active = arena_array(&m->arena, int32_t, (size_t)m->nchannels);
    for (int c = 0; c < m->nchannels; c++)
        m->channels[c].active = NO_SLOT;
    if (!o.sampled || machine_prefetches(m))
        m->writable = writable_new(&m->arena, p, k->line, o.kernel);
    m->named = o.named && machine_prefetches(m)
                   ? o.named
                   : find_lines(&m->arena, p, m->writable, machine_prefetches(m));
    return m;
}

const struct load_lines *machine_load_lines(struct arena *a, const struct program *p,
                                            const struct contract *c, bool kernel)
{
    if (c->coherent || c->prefetch != PREFETCH_SPONTANEOUS)
        return NULL;
    return find_lines(a, p, writable_new(a, p, c->line, kernel), true);
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    for (int c = 0; c < m->program->ncores; c++)
        for (int p = 0; p < PIPE_COUNT; p++)
            pipe_queue_clear(m, &m->cores[c].pipes[p]);
    arena_free(&m->arena);
    free(m);
}

static void core_reset(struct machine *m, int core)
{
    struct core *c = &m->cores[core];
    c->pc = c->task = 0;
    c->dispatch = c->reported = 0;
    c->ended = c->started = false;
    c->adds = false;
    c->poll_phase = POLL_DCCI;
    const struct core_desc *desc = &m->program->cores[core];
    if (desc->dispatches) {
        scalar_take_task(m, core);
    } else {
        memset(c->regs, 0, sizeof *c->regs * (size_t)c->code->nregs);
        if (desc->nargs)
            memcpy(c->regs, desc->args, sizeof *c->regs * (size_t)desc->nargs);
    }
    memset(c->tiles, 0, (size_t)c->code->tile_bytes);
    for (int t = 0; t < c->code->ntiles; t++)
        c->tile_state[t] = (struct tile_state){.writer = -1, .latest = -1};
    cache_reset(m, &c->cache);
    for (int p = 0; p < PIPE_COUNT; p++)
        pipe_queue_clear(m, &c->pipes[p]);
    memset(c->flags, 0, sizeof c->flags);
    memset(c->cross, 0, sizeof c->cross);
    fabric_clear(m, core);
    m->stats[core] = (struct core_stats){0};
}

void machine_reset(struct machine *m)
{
    const struct program *p = m->program;
    m->stop = STOP_NONE;
    m->transitions = m->accessed = 0;
    if (m->oracle)
        oracle_reset(m->oracle, m);
    for (int r = 0; r < p->nranks; r++) {
        memory_reset(m, r);
        if (m->oracle)
            oracle_init_memory(m->oracle, &m->prov[r]);
    }
    for (int c = 0; c < p->ncores; c++)
        core_reset(m, c);
    for (int c = 0; c < p->ncores; c++)
        scalar_advance(m, c);
}

/* A line that is absent, or holds only deltas, can be filled ahead of need. */
static bool prefetch_enabled(const struct machine *m, int core, int index)
{
    if (m->cores[core].ended)
        return false;
    uint64_t line = m->named[core].items[index];
    bool present = cache_holds(m, core, line, m->contract->line);
    return !present && cache_fill_allowed(m, core, line);
}

bool transition_writes_back(const struct machine *m, struct transition t)
{
    if (t.kind != T_EVICT)
        return false;
    const struct cache_line *l = &m->cores[t.core].cache.lines[t.index];
    return l->dirty || l->delta;
}

static bool lines_leave(const struct machine *m)
{
    return !m->contract->coherent && m->contract->eviction == EVICTION_SPONTANEOUS;
}

/* After the run's end nobody can tell whether a clean line is still there. */
static bool evict_enabled(const struct machine *m, struct transition t)
{
    return lines_leave(m) && m->cores[t.core].cache.lines[t.index].place != NO_SLOT &&
           (transition_writes_back(m, t) || !machine_at_end(m));
}

bool transition_enabled(const struct machine *m, struct transition t)
{
    if (m->stop)
        return false;
    switch (t.kind) {
    case T_SCALAR:
        return scalar_enabled(m, t.core);
    case T_PIPE:
        return pipe_head_enabled(m, t.core, t.pipe);
    case T_DELIVER:
        return m->channels[t.index].head != NULL;
    case T_EVICT:
        return evict_enabled(m, t);
    case T_PREFETCH:
        return prefetch_enabled(m, t.core, t.index);
    default:
        return false;
    }
}

void machine_fire(struct machine *m, struct transition t)
{
    m->transitions++;
    m->acting = t.kind == T_SCALAR     ? m->cores[t.core].pc
                : t.kind == T_PREFETCH ? BY_PREFETCH
                                       : BY_EVICTION;
    m->after_end = t.kind == T_EVICT && machine_at_end(m);
    m->applied = -1;
    switch (t.kind) {
    case T_SCALAR:
        scalar_step(m, t.core);
        scalar_advance(m, t.core);
        break;
    case T_PIPE:
        pipe_step(m, t.core, t.pipe);
        break;
    case T_DELIVER:
        fabric_deliver(m, t.index);
        break;
    case T_EVICT:
        m->stats[t.core].evictions++;
        cache_clean_drop(m, t.core, t.index);
        break;
    case T_PREFETCH:
        m->stats[t.core].prefetches++;
        cache_fill(m, t.core, m->named[t.core].items[t.index]);
        break;
    }
}

/* Of the scalar unit and the pipes. */
static int core_enabled(const struct machine *m, int core, struct transition *out)
{
    int n = 0;
    if (scalar_enabled(m, core))
        out[n++] = (struct transition){.kind = T_SCALAR, .core = core};
    for (int p = 0; p < PIPE_COUNT; p++)
        if (m->cores[core].pipes[p].count && pipe_head_enabled(m, core, p))
            out[n++] = (struct transition){.kind = T_PIPE, .core = core, .pipe = (uint8_t)p};
    return n;
}

static int evictions_enabled(const struct machine *m, int core, bool at_end, struct transition *out,
                             int max)
{
    const struct cache *cache = &m->cores[core].cache;
    int n = 0;
    for (int i = 0; i < cache->nvalid && n < max; i++) {
        struct transition t = {.kind = T_EVICT, .core = core, .index = cache->valid[i]};
        if (!at_end || transition_writes_back(m, t))
            out[n++] = t;
    }
    return n;
}

int machine_enabled(const struct machine *m, struct transition *out, int max)
{
    int n = 0;
    bool at_end = machine_at_end(m), evicts = lines_leave(m);
    if (m->stop || (at_end && !evicts))
        return 0;
    for (int c = 0; c < m->program->ncores; c++) {
        struct transition own[1 + PIPE_COUNT];
        for (int i = 0, count = core_enabled(m, c, own); i < count && n < max; i++)
            out[n++] = own[i];
        if (evicts)
            n += evictions_enabled(m, c, at_end, out + n, max - n);
        for (int i = 0; i < m->named[c].count && n < max; i++)
            if (prefetch_enabled(m, c, i))
                out[n++] = (struct transition){.kind = T_PREFETCH, .core = c, .index = i};
    }
    /* The active list's order depends on the past; the channel numbers do not. */
    int order[m->nactive + 1];
    fabric_order(m, order);
    for (int i = 0; i < m->nactive && n < max; i++)
        out[n++] = (struct transition){
            .kind = T_DELIVER, .index = order[i], .core = m->channels[order[i]].head->core};
    return n;
}

bool machine_final(const struct machine *m, const struct transition *t, int n)
{
    bool stuck = true;
    for (int i = 0; i < n && stuck; i++)
        stuck = transition_spontaneous(t[i]) && !transition_writes_back(m, t[i]);
    return stuck || machine_at_end(m);
}

bool machine_at_end(const struct machine *m)
{
    if (m->stop) /* what came to its end is not the program */
        return false;
    for (int c = 0; c < m->program->ncores; c++)
        if (!m->cores[c].ended || !pipes_empty(&m->cores[c]))
            return false;
    return fabric_only_after_end(m);
}
