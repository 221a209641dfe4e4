/* SPDX-License-Identifier: MIT */
#include "sim/explore/leaving.h"

#include "sim/explore/independent.h"
#include "sim/internal.h"
#include "sim/oracle_internal.h"

bool leaving_can_wait(const struct machine *m)
{
    const struct contract *k = m->contract;
    bool shared = k->fabric == FABRIC_PER_PAIR && !fabric_per_line(m, PATH_DMA);
    return footprints_known(m) && k->eviction == EVICTION_SPONTANEOUS &&
           k->prefetch == PREFETCH_NONE && !shared;
}

/* ---- what the unit is about to do ---- */

static bool is_written_back(const struct cache_line *l)
{
    return l->dirty || l->delta;
}

/* An access through the cache. */
static bool accesses(const struct machine *m, int core, uint64_t line)
{
    const struct insn *i = machine_at(m, core);
    return i && (i->op == I_LD || i->op == I_ST || i->op == I_ST_ATOMIC) &&
           line_of(m, machine_effective_address(m, core)) == line;
}

/* A clean of a line by its address, or the one that a wait begins with. */
static bool cleans_at_address(const struct insn *i)
{
    return i->op == I_DCCI || i->op == I_POLL;
}

/* All lines. A task that waits for another does not clean yet, or has done so. */
static bool cleans_all(const struct machine *m, int core)
{
    const struct insn *i = machine_at(m, core);
    return i->op == I_DCCI_ALL ||
           (i->op == I_TASK && m->contract->task_entry_invalidate != TASK_KEEPS_CACHE &&
            m->cores[core].poll_phase == POLL_DCCI && scalar_enabled(m, core));
}

/* A clean by an address drops all of its line. */
static bool drops_whole(const struct machine *m, uint64_t addr)
{
    return m->contract->dcci_unaligned != DCCI_TAIL_ONLY || addr == line_of(m, addr);
}

/* ---- channels of scalar messages ---- */

static bool one_channel(const struct machine *m, uint64_t x, uint64_t y)
{
    return fabric_per_line(m, PATH_SCALAR) ? line_of(m, x) == line_of(m, y)
                                           : gm_rank(x) == gm_rank(y);
}

/* A message that would arrive before the line's. The line could as well leave alone behind it: that
 * is a step of the machine, too, but one more to explore. */
static bool message_in_front(const struct machine *m, int core, uint64_t line)
{
    for (const struct message *msg = m->cores[core].newest; msg; msg = msg->older)
        if (msg->path == PATH_SCALAR && !msg->apart && one_channel(m, msg->addr, line))
            return true;
    return false;
}

/* Another line of the core would be written back into the channel of this one. */
static bool shares_channel(const struct machine *m, int core, uint64_t line)
{
    const struct cache *k = &m->cores[core].cache;
    for (int i = 0; i < k->nvalid; i++) {
        const struct cache_line *l = &k->lines[k->valid[i]];
        if (l->tag != line && is_written_back(l) && one_channel(m, l->tag, line))
            return true;
    }
    return false;
}

static bool is_dirty_at(const struct machine *m, int core, uint64_t addr)
{
    int slot = cache_find(m, core, addr);
    return slot != NO_SLOT && is_written_back(&m->cores[core].cache.lines[slot]);
}

/* The unit's next step posts a message behind that of the line, or begins the line anew. */
static bool posts_behind(const struct machine *m, int core, uint64_t line)
{
    const struct insn *i = machine_at(m, core);
    if (!i)
        return false;
    if (cleans_all(m, core))
        return shares_channel(m, core, line);
    if (i->op != I_ST_DEV && i->op != I_ST_ATOMIC && !cleans_at_address(i))
        return false;
    uint64_t addr = machine_effective_address(m, core);
    bool own = line_of(m, addr) == line;
    if (cleans_at_address(i))
        return own ? !drops_whole(m, addr)
                   : is_dirty_at(m, core, addr) && one_channel(m, addr, line);
    return i->op == I_ST_DEV ? one_channel(m, addr, line) : own;
}

/* The unit's next step does to the line what its leaving does. */
static bool cleans_now(const struct machine *m, int core, uint64_t line)
{
    const struct insn *i = machine_at(m, core);
    if (!i)
        return false;
    return cleans_all(m, core) ||
           (cleans_at_address(i) && line_of(m, machine_effective_address(m, core)) == line);
}

/* ---- who else can tell ---- */

static bool dirty_elsewhere(const struct machine *m, int core, uint64_t line)
{
    for (int c = 0; c < m->program->ncores; c++)
        if (c != core && is_dirty_at(m, c, line))
            return true;
    return false;
}

static bool queued_for(const struct machine *m, uint64_t line)
{
    uint64_t end = line + (uint64_t)m->contract->line;
    for (int c = 0; c < m->program->ncores; c++)
        for (int p = 0; p < PIPE_COUNT; p++)
            for (int i = 0; i < m->cores[c].pipes[p].count; i++) {
                const struct pipe_queue *q = &m->cores[c].pipes[p];
                const struct pipe_op *op = &q->ops[(q->head + i) % m->contract->pipe_depth];
                if (insn_any(&m->cores[c].code->insns[op->insn], CLASS_DMA) &&
                    course_meets(m->oracle, op->node, line, end))
                    return true;
            }
    return false;
}

static bool in_flight_to(const struct machine *m, uint64_t line)
{
    uint64_t end = line + (uint64_t)m->contract->line;
    for (int c = 0; c < m->program->ncores; c++)
        for (const struct message *msg = m->cores[c].newest; msg; msg = msg->older)
            if (msg->addr < end && line < msg->addr + msg->len)
                return true;
    return false;
}

/* No core touches the line any more, and nothing is on its way to it. A copy that is dirty elsewhere
 * is on its way as well: the later of the two may bring what undoes the other. */
static bool done_with(const struct machine *m, int core, uint64_t line)
{
    const struct oracle *o = m->oracle;
    for (int c = 0; c < m->program->ncores; c++)
        if (course_touches(o->course, c, line, o->cores[c].epoch, UINT32_MAX) & ~COURSE_DROPS)
            return false;
    return !dirty_elsewhere(m, core, line) && !in_flight_to(m, line) && !queued_for(m, line);
}

/* Memory has got a word of the line otherwise than the copy: its arrival may find a lost write. */
static bool may_lose(const struct machine *m, int core, const struct cache_line *l)
{
    const struct cache *k = &m->cores[core].cache;
    const uint32_t *copy = slot_prov(m, k, (int)(l - k->lines));
    int per_word = WORD / m->grain;
    for (int u = 0; u < m->units; u++) {
        uint32_t there = prov_of(m, l->tag + (uint64_t)(u * m->grain));
        if ((l->valid >> u / per_word & 1) && there != copy[u] &&
            m->oracle->nodes[there].kind != NODE_KIND_INIT)
            return true;
    }
    return l->delta;
}

/* ---- lines that leave ---- */

static enum leave clean_leaves(const struct machine *m, int core, const struct cache_line *l)
{
    const struct insn *i = machine_at(m, core);
    if (!i || !writable_mask(m->writable, l->tag))
        return LEAVES_LATER;
    /* A clean of the line's tail alone has left some of it. */
    if (i->op == I_POLL && m->cores[core].poll_phase == POLL_READ && cleans_now(m, core, l->tag))
        return LEAVES_ALONE;
    if (!accesses(m, core, l->tag))
        return LEAVES_LATER;
    return i->op == I_ST_ATOMIC || cache_fill_allowed(m, core, l->tag) ? LEAVES_WITH_ACCESS
                                                                       : LEAVES_LATER;
}

static enum leave dirty_leaves(const struct machine *m, int core, const struct cache_line *l,
                               bool idle)
{
    bool in_front = message_in_front(m, core, l->tag);
    if (machine_at_end(m))
        return in_front ? LEAVES_LATER : LEAVES_AND_ARRIVES;
    if (posts_behind(m, core, l->tag))
        return LEAVES_ALONE;
    /* A program with a course hangs only after a finding; should it be idle, its lines still leave. */
    bool for_the_end = !idle && done_with(m, core, l->tag) && !may_lose(m, core, l);
    if (in_front || cleans_now(m, core, l->tag) || for_the_end)
        return LEAVES_LATER;
    return LEAVES_AND_ARRIVES;
}

enum leave leave_of(const struct machine *m, struct transition t, bool idle)
{
    const struct cache_line *l = &m->cores[t.core].cache.lines[t.index];
    return is_written_back(l) ? dirty_leaves(m, t.core, l, idle) : clean_leaves(m, t.core, l);
}

struct transition leave_next(const struct machine *m, struct transition t, enum leave leave)
{
    if (leave == LEAVES_WITH_ACCESS)
        return (struct transition){.kind = T_SCALAR, .core = t.core};
    return (struct transition){
        .kind = T_DELIVER, .core = t.core, .index = m->cores[t.core].newest->channel};
}

bool leave_clean_alone(const struct machine *m, int core, uint64_t addr)
{
    return !is_dirty_at(m, core, addr) ||
           (drops_whole(m, addr) && !shares_channel(m, core, line_of(m, addr)));
}

bool leave_clean_all_alone(const struct machine *m, int core)
{
    const struct cache *k = &m->cores[core].cache;
    for (int i = 0; i < k->nvalid; i++) {
        const struct cache_line *l = &k->lines[k->valid[i]];
        if (is_written_back(l) && shares_channel(m, core, l->tag))
            return false;
    }
    return true;
}
