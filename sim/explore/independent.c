/* SPDX-License-Identifier: MIT */
#include "sim/explore/independent.h"

#include <stdatomic.h>

#include "sim/internal.h"

enum { AGENTS = 64 };
#define EVERYWHERE ((struct extent){0, UINT64_MAX})

bool footprints_known(const struct machine *m)
{
    const struct contract *k = m->contract;
    bool reports = m->dispatched && k->completion == COMPLETION_MEMORY;
    bool stalls = m->cross && k->wait_dev == WAIT_DEV_CORE; /* a step of S stops the pipes */
    return !k->coherent && !k->broken && k->partial_line_dma != PARTIAL_READ_MODIFY_WRITE &&
           k->dma_block == DMA_BLOCK_NONE && !stalls &&
           !reports; /* the end of a task posts one, whatever step brings it */
}

/* ---- agents ---- */

struct agents {
    atomic_uchar *place; /* of each possible agent: its bit + 1, NO_BIT, or 0: not yet met */
    atomic_int met;
    int units, channels, lines; /* agents of the first kinds; lines of memory, of all ranks */
};
enum { NO_BIT = AGENTS + 1 };

struct agents *agents_new(struct arena *a, const struct machine *m)
{
    struct agents *g = arena_new(a, struct agents);
    int ncores = m->program->ncores;
    g->units = ncores * (1 + PIPE_COUNT);
    g->channels = m->nchannels;
    g->lines = m->program->nranks * lines_per_rank(m);
    g->place =
        arena_array(a, atomic_uchar, (size_t)(g->units + g->channels + 2 * ncores * g->lines));
    return g;
}

static int line_number(const struct machine *m, uint64_t addr)
{
    return gm_rank(addr) * lines_per_rank(m) + (int)(gm_offset(addr) / (uint64_t)m->contract->line);
}

static int agent_number(const struct agents *g, const struct machine *m, struct transition t)
{
    int ncores = m->program->ncores, lines = g->units + g->channels;
    switch (t.kind) {
    case T_SCALAR:
        return t.core;
    case T_PIPE:
        return ncores + t.core * PIPE_COUNT + t.pipe;
    case T_DELIVER:
        return g->units + t.index;
    case T_EVICT: /* the line: its slot is no part of a state */
        return lines + t.core * g->lines +
               line_number(m, m->cores[t.core].cache.lines[t.index].tag);
    default:
        return lines + (ncores + t.core) * g->lines +
               line_number(m, m->named[t.core].items[t.index]);
    }
}

uint64_t agent_of(struct agents *g, const struct machine *m, struct transition t)
{
    atomic_uchar *place = &g->place[agent_number(g, m, t)];
    unsigned char now = atomic_load_explicit(place, memory_order_relaxed);
    if (now == 0) {
        int next = atomic_fetch_add(&g->met, 1);
        unsigned char mine = (unsigned char)(next < AGENTS ? next + 1 : NO_BIT);
        /* Who comes second takes the first one's bit; the bit that it drew stays unused. */
        if (atomic_compare_exchange_strong(place, &now, mine))
            now = mine;
        if (next >= AGENTS)
            atomic_store(&g->met, AGENTS);
    }
    return now == NO_BIT ? 0 : (uint64_t)1 << (now - 1);
}

/* ---- extents ---- */

static struct extent bytes_at(uint64_t addr, uint64_t n)
{
    return (struct extent){addr, addr + n};
}

static struct extent line_at(const struct machine *m, uint64_t addr)
{
    return bytes_at(line_of(m, addr), (uint64_t)m->contract->line);
}

static bool overlap(struct extent a, struct extent b)
{
    return a.lo < b.hi && b.lo < a.hi;
}

static struct extent message_extent(const struct message *msg)
{
    if (!msg->masked || !msg->mask)
        return bytes_at(msg->addr, msg->masked ? 0 : msg->len);
    uint64_t first = (uint64_t)__builtin_ctzll(msg->mask);
    uint64_t last = 63 - (uint64_t)__builtin_clzll(msg->mask);
    return bytes_at(msg->addr + first * WORD, (last - first + 1) * WORD);
}

/* ---- footprints ---- */

/* It posts messages into part. A channel leads to one line, or to all of a rank. */
static void add_posts(const struct machine *m, struct footprint *f, enum path path,
                      struct extent part)
{
    f->writes |= PART_OUTSTANDING;
    if (part.hi == UINT64_MAX)
        f->posts[path] = EVERYWHERE;
    else if (fabric_per_line(m, path))
        f->posts[path] = (struct extent){line_of(m, part.lo), line_at(m, part.hi - 1).hi};
    else
        f->posts[path] =
            (struct extent){gm_addr(gm_rank(part.lo), 0), gm_addr(gm_rank(part.lo) + 1, 0)};
}

/* What stores into its own line, or hits it, posts nothing; all else that touches the cache may, as a
 * clean does, or may not fill while a message to the line is on its way. */
static bool posts_now(const struct insn *i)
{
    return i->op != I_LD && i->op != I_ST && i->op != I_ST_ATOMIC;
}

/* An access through the cache reads memory where the line is not there; atomic adds and cleans never
 * do, and a poll only when it has dropped the line. */
static bool reads_memory(const struct machine *m, int core, const struct insn *i, uint64_t addr)
{
    switch (i->op) {
    case I_ST_ATOMIC:
    case I_DCCI:
    case I_ST_DEV:
        return false;
    case I_POLL:
        return m->cores[core].poll_phase == POLL_READ;
    default:
        return !cache_holds(m, core, addr, elem_size((enum elem)i->elem));
    }
}

/* What the access at core's pc does to its line, or to all of them. */
static void cache_footprint(const struct machine *m, const struct insn *i, struct footprint *f)
{
    bool word = insn_kind(i)->address == ADDRESS_WORD || insn_kind(i)->address == ADDRESS_LINE;
    uint64_t addr = word ? machine_effective_address(m, f->core) : 0;
    if (i->op == I_LD_DEV) {
        f->gm_reads = bytes_at(addr, (uint64_t)elem_size((enum elem)i->elem));
        return;
    }
    f->cache = word ? line_at(m, addr) : EVERYWHERE;
    if (!word && i->op != I_DCCI_ALL && i->op != I_TASK) { /* nothing is known of it */
        f->gm_reads = f->gm_writes = EVERYWHERE;
        f->reads = f->writes = PART_UNIT | PART_OUTSTANDING | PART_PIPES;
    }
    if (word && reads_memory(m, f->core, i, addr))
        f->gm_reads = f->cache;
    if (posts_now(i))
        add_posts(m, f, PATH_SCALAR, f->cache);
}

/* A core without a lane shares its flags with all of its rank; a flag that all cores of a kind set
 * is one of all clusters. */
static void cross_footprint(const struct machine *m, const struct insn *i, struct footprint *f)
{
    const struct core_desc *c = &m->program->cores[f->core];
    f->cross = (uint32_t)1 << i->imm;
    f->rank = c->rank;
    f->cluster = c->lane == LANE_NONE || (i->op == I_SET_CROSS && i->sub == CROSS_ALL)
                     ? EVERY_CLUSTER
                     : c->cluster;
}

/* A wait is held up by another's step, and takes what only it takes. */
static bool sets_now(const struct insn *i)
{
    return i->op == I_WAIT_CROSS || i->pa == PIPE_S;
}

static void scalar_footprint(const struct machine *m, struct footprint *f)
{
    const struct insn *i = machine_at(m, f->core);
    f->writes |= PART_UNIT;
    if (insn_any(i, CLASS_CROSS)) {
        if (sets_now(i))
            cross_footprint(m, i, f);
    } else if (i->op == I_POLL_DEV)
        f->gm_reads = bytes_at(machine_effective_address(m, f->core), WORD);
    else if (i->op == I_BARRIER)
        f->reads = PART_PIPES;
    else if (insn_any(i, CLASS_ORDER) && !insn_any(i, CLASS_CACHED))
        f->reads = PART_OUTSTANDING | PART_PIPES;
    else if (insn_any(i, CLASS_FLAG | CLASS_TILE))
        f->writes |= PART_PIPES;
    else if (!insn_any(i, CLASS_DMA)) /* a transfer joins the end of a queue */
        cache_footprint(m, i, f);
    /* Nothing is prefetched for a core that has ended. */
    if (m->contract->prefetch == PREFETCH_SPONTANEOUS && may_end_core(m, f->core))
        f->cache = EVERYWHERE;
}

static void pipe_footprint(const struct machine *m, int pipe, struct footprint *f)
{
    const struct pipe_op *op = machine_head(m, f->core, pipe);
    const struct code *code = m->cores[f->core].code;
    const struct insn *i = &code->insns[op->insn];
    f->writes = PART_PIPES;
    if (insn_any(i, CLASS_CROSS))
        cross_footprint(m, i, f);
    if (!insn_any(i, CLASS_DMA))
        return;
    uint64_t row = (uint64_t)op->cols * (uint64_t)elem_size(code->dmas[i->aux].elem);
    struct extent gm = op->rows == 1 && row ? bytes_at(op->addr, row) : EVERYWHERE;
    if (insn_any(i, CLASS_LOAD))
        f->gm_reads = gm;
    else
        add_posts(m, f, PATH_DMA, gm);
}

static void evict_footprint(const struct machine *m, int slot, struct footprint *f)
{
    const struct cache_line *l = &m->cores[f->core].cache.lines[slot];
    f->cache = line_at(m, l->tag);
    if (l->dirty || l->delta)
        add_posts(m, f, PATH_SCALAR, f->cache);
}

/* One thing at the most is left to be done before the run ends: a core, a queued operation or a
 * message. */
static bool nearly_ended(const struct machine *m)
{
    int left = 0;
    for (int c = 0; c < m->program->ncores && left <= 1; c++) {
        left += !m->cores[c].ended;
        for (int p = 0; p < PIPE_COUNT; p++)
            left += m->cores[c].pipes[p].count;
    }
    for (int i = 0; i < m->nactive && left <= 1; i++)
        left += m->channels[m->active[i]].head->next ? 2 : 1;
    return left <= 1;
}

static bool lines_move(const struct contract *k)
{
    return k->eviction == EVICTION_SPONTANEOUS || k->prefetch == PREFETCH_SPONTANEOUS;
}

void footprint_of(const struct machine *m, struct transition t, struct footprint *f)
{
    const struct message *msg;
    *f = (struct footprint){.core = t.core,
                            .paths_meet = m->contract->fabric == FABRIC_PER_PAIR,
                            .spontaneous = transition_spontaneous(t)};
    f->may_end_run = !f->spontaneous && lines_move(m->contract) && nearly_ended(m);
    switch (t.kind) {
    case T_SCALAR:
        scalar_footprint(m, f);
        break;
    case T_PIPE:
        pipe_footprint(m, t.pipe, f);
        break;
    case T_DELIVER: /* takes from the front of a queue that others only lengthen */
        msg = m->channels[t.index].head;
        f->gm_writes = message_extent(msg);
        f->adds = msg->add && msg->elem == ELEM_I32;
        break;
    case T_EVICT:
        evict_footprint(m, t.index, f);
        break;
    case T_PREFETCH:
        f->cache = f->gm_reads = line_at(m, m->named[t.core].items[t.index]);
        break;
    }
}

/* ---- independence ---- */

static bool memory_conflict(const struct footprint *a, const struct footprint *b)
{
    return overlap(a->gm_writes, b->gm_reads) || overlap(a->gm_reads, b->gm_writes) ||
           (overlap(a->gm_writes, b->gm_writes) && !(a->adds && b->adds));
}

static bool order_conflict(const struct footprint *a, const struct footprint *b)
{
    for (int x = 0; x < PATH_COUNT; x++)
        for (int y = 0; y < PATH_COUNT; y++)
            if ((x == y || a->paths_meet) && overlap(a->posts[x], b->posts[y]))
                return true;
    return false;
}

static bool core_conflict(const struct footprint *a, const struct footprint *b)
{
    unsigned both = a->writes & b->writes & ~(unsigned)PART_OUTSTANDING;
    return both || (a->writes & b->reads) || (a->reads & b->writes) ||
           overlap(a->cache, b->cache) || order_conflict(a, b);
}

static bool cross_conflict(const struct footprint *a, const struct footprint *b)
{
    bool apart =
        a->cluster != b->cluster && a->cluster != EVERY_CLUSTER && b->cluster != EVERY_CLUSTER;
    return (a->cross & b->cross) && a->rank == b->rank && !apart;
}

bool independent(const struct footprint *a, const struct footprint *b)
{
    bool end_conflict = (a->spontaneous && b->may_end_run) || (a->may_end_run && b->spontaneous);
    return !end_conflict && !memory_conflict(a, b) && !cross_conflict(a, b) &&
           (a->core != b->core || !core_conflict(a, b));
}
