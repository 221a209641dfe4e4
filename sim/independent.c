/* SPDX-License-Identifier: MIT */
#include "sim/independent.h"

#include "sim/internal.h"

enum { AGENTS = 64 };

bool footprints_known(const struct machine *m)
{
    const struct contract *k = m->contract;
    return !k->coherent && !k->broken && k->partial_line_dma != PARTIAL_READ_MODIFY_WRITE;
}

/* Evictions and prefetches have none: the cache slot of a line is no part of a state. */
uint64_t agent_of(const struct machine *m, struct transition t)
{
    int ncores = m->program->ncores, n = AGENTS;
    if (t.kind == T_SCALAR)
        n = t.core;
    else if (t.kind == T_PIPE)
        n = ncores + t.core * PIPE_COUNT + t.pipe;
    else if (t.kind == T_DELIVER)
        n = ncores * (1 + PIPE_COUNT) + t.index;
    return n < AGENTS ? (uint64_t)1 << n : 0;
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

/* Where the contract lets scalar-path and DMA messages share a channel, both orders are one. */
static unsigned posting(const struct machine *m, unsigned order)
{
    bool apart = m->contract->fabric == FABRIC_PER_PATH;
    return PART_OUTSTANDING | (apart ? order : PART_SCALAR_ORDER | PART_DMA_ORDER);
}

static void scalar_footprint(const struct machine *m, struct footprint *f)
{
    const struct core *c = &m->cores[f->core];
    const struct insn *i = machine_at(m, f->core);
    uint64_t addr = machine_effective_address(m, f->core);
    int size = elem_size((enum elem)i->elem);
    f->writes = PART_UNIT;
    switch (i->op) {
    case I_LD:
    case I_ST:
        if (!cache_holds(m, f->core, addr, size))
            f->gm_reads = line_at(m, addr);
        break;
    case I_LD_DEV:
        f->gm_reads = bytes_at(addr, (uint64_t)size);
        break;
    case I_POLL:
        if (c->poll_phase == POLL_READ)
            f->gm_reads = line_at(m, addr);
        f->writes |= posting(m, PART_SCALAR_ORDER);
        break;
    case I_ST_DEV:
    case I_DCCI:
    case I_DCCI_ALL:
    case I_TASK:
        f->writes |= posting(m, PART_SCALAR_ORDER);
        break;
    case I_DSB:
        f->reads = PART_OUTSTANDING | PART_PIPES;
        break;
    case I_BARRIER:
        f->reads = PART_PIPES;
        break;
    case I_ST_ATOMIC:
    case I_MTE2: /* joins the end of a queue; registers are read now */
    case I_MTE3:
    case I_FIX:
        break;
    default:
        f->writes |= PART_PIPES;
    }
}

static void pipe_footprint(const struct machine *m, int pipe, struct footprint *f)
{
    const struct pipe_op *op = machine_head(m, f->core, pipe);
    const struct code *code = m->cores[f->core].code;
    const struct insn *i = &code->insns[op->insn];
    f->writes = PART_PIPES;
    if (i->op == I_MTE3 || i->op == I_FIX)
        f->writes |= posting(m, PART_DMA_ORDER);
    if (i->op != I_MTE2)
        return;
    uint64_t row = (uint64_t)op->cols * (uint64_t)elem_size(code->dmas[i->aux].elem);
    f->gm_reads = op->rows == 1 ? bytes_at(op->addr, row) : (struct extent){0, UINT64_MAX};
}

static void evict_footprint(const struct machine *m, int slot, struct footprint *f)
{
    const struct cache_line *l = &m->cores[f->core].cache.lines[slot];
    f->writes = PART_UNIT;
    if (l->dirty || l->delta)
        f->writes |= posting(m, PART_SCALAR_ORDER);
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
    *f = (struct footprint){.core = t.core, .agent = agent_of(m, t)};
    f->spontaneous = t.kind == T_EVICT || t.kind == T_PREFETCH;
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
        f->writes = PART_UNIT;
        f->gm_reads = line_at(m, m->named[t.core][t.index]);
        break;
    }
}

bool independent(const struct footprint *a, const struct footprint *b)
{
    if (overlap(a->gm_writes, b->gm_reads) || overlap(a->gm_reads, b->gm_writes))
        return false;
    if (overlap(a->gm_writes, b->gm_writes) && !(a->adds && b->adds))
        return false;
    if ((a->spontaneous && b->may_end_run) || (a->may_end_run && b->spontaneous))
        return false;
    if (a->core != b->core)
        return true;
    unsigned both = a->writes & b->writes & ~(unsigned)PART_OUTSTANDING;
    return !both && !(a->writes & b->reads) && !(a->reads & b->writes);
}
