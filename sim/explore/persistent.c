/* SPDX-License-Identifier: MIT */
#include "sim/explore/persistent.h"

#include "sim/explore/leaving.h"
#include "sim/explore/quiet.h"
#include "sim/internal.h"

/* Lines stay until somebody can tell (sim/explore/leaving.h), or until they are asked for. */
static bool lines_stay(const struct machine *m)
{
    return m->contract->eviction == EVICTION_CAPACITY || m->opt.leaves_late;
}

/* Nothing but the scalar unit touches the core's cache. */
static bool private_cache(const struct machine *m, int core)
{
    return m->contract->eviction == EVICTION_CAPACITY && m->named[core].count == 0;
}

/* Scalar-path messages have channels that no pipe of the core feeds, and
 * keep their order in them. */
static bool private_channels(const struct machine *m)
{
    return m->contract->fabric != FABRIC_PER_PAIR || fabric_per_line(m, PATH_DMA);
}

static bool no_store_queued(const struct core *c)
{
    return c->pipes[PIPE_MTE3].count == 0 && c->pipes[PIPE_FIX].count == 0;
}

/* dcci of a line that is absent, clean, or dirty: the last posts a message, which only this unit
 * orders. */
static bool local_dcci(const struct machine *m, int core, uint64_t addr)
{
    if (m->opt.leaves_late)
        return leave_clean_alone(m, core, addr);
    if (!private_cache(m, core))
        return false;
    int slot = cache_find(m, core, addr);
    if (slot == NO_SLOT)
        return true;
    const struct cache_line *l = &m->cores[core].cache.lines[slot];
    return (!l->dirty && !l->delta) || private_channels(m);
}

static bool local_dcci_all(const struct machine *m, int core)
{
    const struct cache *k = &m->cores[core].cache;
    if (m->opt.leaves_late)
        return leave_clean_all_alone(m, core);
    if (!private_cache(m, core))
        return false;
    if (private_channels(m))
        return true;
    for (int i = 0; i < k->nvalid; i++)
        if (k->lines[k->valid[i]].dirty || k->lines[k->valid[i]].delta)
            return false;
    return true;
}

/* The store makes a copy of its line that holds no data, or adds to one that only its unit moves. */
static bool joins_private(const struct machine *m, int core)
{
    return private_cache(m, core) ||
           (m->opt.leaves_late &&
            cache_find(m, core, machine_effective_address(m, core)) == NO_SLOT);
}

/* Where lines leave on their own, those that do so before the end of the run have to arrive before
 * it: what may be a run's last step is not alone. And the end of a task may post a message to
 * memory, in order with those of the pipes. */
static bool end_is_noticed(const struct machine *m, int core)
{
    bool posts = m->contract->completion == COMPLETION_MEMORY && !private_channels(m);
    return (!lines_stay(m) || posts) && may_end_core(m, core);
}

/* The access at core's pc hits a line that only its own unit moves. */
static bool hits_private(const struct machine *m, int core, const struct insn *i)
{
    return private_cache(m, core) &&
           cache_holds(m, core, machine_effective_address(m, core), elem_size((enum elem)i->elem));
}

/* The load at core's pc is from a line that nothing writes: it gives the same wherever it is taken,
 * and whether the line was in the cache is no part of a state. */
static bool of_constants(const struct machine *m, int core)
{
    uint64_t addr = machine_effective_address(m, core);
    return gm_rank(addr) < m->program->nranks && gm_offset(addr) < m->program->gm_bytes &&
           !writable_mask(m->writable, addr);
}

/* The oracle learns of the access when it is issued. */
static bool is_access(const struct insn *i)
{
    return insn_scalar_access(i) || insn_any(i, CLASS_DMA);
}

static bool scalar_alone(const struct machine *m, int core, const struct insn *i)
{
    const struct core *c = &m->cores[core];
    bool constants = insn_scalar_access(i) && insn_any(i, CLASS_LOAD) && of_constants(m, core);
    if (end_is_noticed(m, core) || (m->opt.races && is_access(i) && !constants))
        return false;
    switch (i->op) {
    case I_SET_FLAG:
    case I_WAIT_FLAG:
    case I_MTE2:
    case I_MTE3:
    case I_FIX:
    case I_BARRIER:
        return true;
    case I_SET_CROSS: /* joins a queue; what it tells was settled before it */
    case I_TILE_OP:
        return insn_pipe(c->code, i) != PIPE_S;
    case I_DSB: /* a store still queued, or a line that leaves, could be posted first and hold it */
        return no_store_queued(c) && lines_stay(m);
    case I_TASK:
        return m->contract->task_entry_invalidate ? local_dcci_all(m, core)
                                                  : private_cache(m, core) || m->opt.leaves_late;
    case I_LD:
        return constants || hits_private(m, core, i);
    case I_LD_DEV:
        return constants;
    case I_ST:
        return hits_private(m, core, i);
    case I_ST_ATOMIC:
        return joins_private(m, core);
    case I_DCCI:
        return local_dcci(m, core, machine_effective_address(m, core));
    case I_DCCI_ALL:
        return local_dcci_all(m, core);
    case I_POLL: /* its first half is a dcci */
        return c->poll_phase == POLL_DCCI &&
               local_dcci(m, core, machine_effective_address(m, core));
    default:
        return false;
    }
}

/* Lines stay where they are until somebody asks for them, and it is known who still will. */
static bool foreseen(const struct machine *m)
{
    const struct contract *k = m->contract;
    return m->oracle && oracle_follows(m->oracle) && lines_stay(m) &&
           k->prefetch == PREFETCH_NONE && !k->coherent;
}

/* Flags only count, and each is awaited at one place. What a pipe does may be the last step of a
 * run. */
static bool pipe_alone(const struct machine *m, int core, int pipe)
{
    const struct pipe_op *op = machine_head(m, core, pipe);
    if (insn_any(&m->cores[core].code->insns[op->insn], CLASS_FLAG))
        return lines_stay(m);
    return foreseen(m) && quiet_operation(m, core, pipe);
}

static bool delivery_alone(const struct machine *m, struct transition *t)
{
    int order[m->nactive + 1], n = foreseen(m) ? m->nactive : 0;
    if (n)
        fabric_order(m, order);
    for (int i = 0; i < n; i++) {
        const struct message *msg = m->channels[order[i]].head;
        *t = (struct transition){.kind = T_DELIVER, .core = msg->core, .index = order[i]};
        if (quiet_delivery(m, msg))
            return true;
    }
    return false;
}

static bool core_alone(const struct machine *m, int core, struct transition *t)
{
    const struct core *c = &m->cores[core];
    *t = (struct transition){.kind = T_SCALAR, .core = core};
    if (!c->ended && scalar_alone(m, core, machine_at(m, core)) && transition_enabled(m, *t))
        return true;
    for (int p = 0; p < PIPE_COUNT; p++) {
        if (!c->pipes[p].count || !pipe_alone(m, core, p))
            continue;
        *t = (struct transition){.kind = T_PIPE, .core = core, .pipe = (uint8_t)p};
        if (transition_enabled(m, *t))
            return true;
    }
    return false;
}

/* A coherent machine's steps act on memory at once; a broken rule may be one that this rests on; and
 * where a wait stops a core's pipes, coming to it is no matter of the scalar unit alone. */
static bool any_alone(const struct machine *m)
{
    bool stalls = m->cross && m->contract->wait_dev == WAIT_DEV_CORE;
    return !m->contract->coherent && !m->contract->broken && !stalls;
}

bool persistent_step(const struct machine *m, struct transition *t)
{
    for (int c = 0; any_alone(m) && c < m->program->ncores; c++)
        if (core_alone(m, c, t))
            return true;
    return any_alone(m) && delivery_alone(m, t);
}

bool persistent_step_after(const struct machine *m, int core, struct transition *t)
{
    if (m->dispatched || foreseen(m))
        return persistent_step(m, t);
    return any_alone(m) && core_alone(m, core, t);
}
