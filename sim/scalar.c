/* SPDX-License-Identifier: MIT */
/*
 * The scalar unit: one rule per instruction, its guard and its effect (docs/machine.md). Local
 * instructions have no rule here: scalar_advance runs them at once.
 */
#include <string.h>

#include "sim/internal.h"

struct rule {
    bool (*enabled)(const struct machine *m, int core, const struct insn *i);
    void (*effect)(struct machine *m, int core, const struct insn *i);
};

static bool coherent(const struct machine *m)
{
    return m->contract->coherent;
}

static int64_t value_of(const struct core *c, const struct insn *i)
{
    return i->rb == NO_REG ? i->imm2 : c->regs[i->rb];
}

static uint64_t address_of(const struct core *c, const struct insn *i)
{
    return (uint64_t)(i->ra == NO_REG ? 0 : c->regs[i->ra]) + (uint64_t)i->imm;
}

uint64_t machine_effective_address(const struct machine *m, int core)
{
    const struct core *c = &m->cores[core];
    return address_of(c, &c->code->insns[c->pc]);
}

static void fault(struct machine *m, int core, enum verdict v, uint64_t addr, const char *note)
{
    if (m->oracle)
        oracle_fault(m->oracle, m, v, core, m->cores[core].pc, addr, note);
    m->stop = STOP_FAULT;
}

/* Local memory is the core's own rank's; a peer is reached through its window alone. */
bool in_memory(const struct machine *m, int core, const struct insn *i, uint64_t addr,
               uint64_t span)
{
    uint64_t offset = gm_offset(addr), low = 0, high = m->program->gm_bytes;
    int rank = gm_rank(addr);
    bool own = false;
    if (i->region >= 0) {
        const struct region *g = &m->program->regions[i->region];
        low = g->offset;
        high = low + g->size;
        own = g->kind != REGION_WINDOW;
    }
    if (rank < 0 || rank >= m->program->nranks || (own && rank != m->cores[core].rank))
        return false;
    return !span || (offset >= low && offset + span <= high && offset + span >= offset);
}

/* A scalar access must be aligned and stay in its tensor. Marker addresses are not accesses. */
static bool access_ok(struct machine *m, int core, const struct insn *i, uint64_t addr)
{
    uint64_t size = (uint64_t)elem_size((enum elem)i->elem);
    if (!in_memory(m, core, i, addr, size)) {
        oracle_outside(m->oracle, m, core, m->cores[core].pc, addr, 1, 1);
        m->stop = STOP_FAULT;
    } else if (gm_offset(addr) % size) {
        fault(m, core, V_MISALIGNED, addr, "not aligned to its size");
    }
    return m->stop == STOP_NONE;
}

/* ---- loads and stores ---- */

static bool cached_ready(const struct machine *m, int core, const struct insn *i)
{
    uint64_t addr = address_of(&m->cores[core], i);
    if (coherent(m) || gm_rank(addr) >= m->program->nranks ||
        gm_offset(addr) >= m->program->gm_bytes)
        return true; /* the effect reports a bad address */
    return cache_holds(m, core, addr, elem_size((enum elem)i->elem)) ||
           cache_fill_allowed(m, core, addr);
}

static int touch_line(struct machine *m, int core, const struct insn *i, uint64_t addr,
                      uint64_t *hit, uint64_t *miss)
{
    struct cache *c = &m->cores[core].cache;
    if (!cache_holds(m, core, addr, elem_size((enum elem)i->elem))) {
        ++*miss;
        m->stats[core].refills += cache_take_flushed(m, core, addr);
        return cache_fill(m, core, addr);
    }
    ++*hit;
    int slot = cache_find(m, core, addr);
    c->lines[slot].used = ++c->clock;
    return slot;
}

static void judge_load(struct machine *m, int core, uint64_t addr, int size, const uint32_t *got,
                       bool hit)
{
    uint32_t expected[8];
    uint32_t node = oracle_access(m->oracle, core, m->cores[core].pc, ACCESS_READ, false);
    oracle_touch(m->oracle, node, addr, (uint64_t)size, expected);
    oracle_judge(m->oracle, m, node, addr, (uint64_t)size, got, expected, hit);
}

static void do_ld(struct machine *m, int core, const struct insn *i)
{
    struct core *c = &m->cores[core];
    uint64_t addr = address_of(c, i);
    if (!access_ok(m, core, i, addr))
        return;
    int size = elem_size((enum elem)i->elem);
    const uint8_t *from = gm_at(m, addr);
    const uint32_t *prov = NULL; /* memory's */
    bool hit = false;
    if (!coherent(m) && i->op == I_LD) {
        uint64_t misses = m->stats[core].ld_miss;
        int slot = touch_line(m, core, i, addr, &m->stats[core].ld_hit, &m->stats[core].ld_miss);
        uint64_t at = addr - line_of(m, addr);
        from = slot_data(m, &c->cache, slot) + at;
        prov = m->oracle ? slot_prov(m, &c->cache, slot) + at / (uint64_t)m->grain : NULL;
        hit = m->stats[core].ld_miss == misses;
    }
    if (!(i->flags & INSN_SYNC))
        m->accessed += (uint64_t)size;
    if (m->oracle && !(i->flags & INSN_SYNC))
        judge_load(m, core, addr, size, prov, hit);
    c->regs[i->rd] = elem_load(from, (enum elem)i->elem);
    c->pc++;
}

static uint32_t note_store(struct machine *m, int core, const struct insn *i, uint64_t addr,
                           enum access kind)
{
    uint64_t size = (uint64_t)elem_size((enum elem)i->elem);
    m->accessed += size;
    if (!m->oracle)
        return NODE_INIT;
    uint32_t node = oracle_access(m->oracle, core, m->cores[core].pc, kind, i->flags & INSN_NOTIFY);
    oracle_touch(m->oracle, node, addr, size, NULL);
    return node;
}

/* A message of one scalar store, past the cache. */
static void post_store(struct machine *m, int core, const struct insn *i, uint64_t addr,
                       int64_t value, uint32_t node, bool add)
{
    int size = elem_size((enum elem)i->elem);
    struct message *msg = fabric_message(m, core, PATH_SCALAR, addr, (uint32_t)size);
    msg->add = add;
    msg->apart = i->op == I_ST_DEV && m->contract->st_dev == ST_DEV_REGISTER;
    msg->elem = i->elem;
    elem_store(msg->data, (enum elem)i->elem, value);
    msg->node = node;
    fabric_post(m, msg);
}

static void do_st(struct machine *m, int core, const struct insn *i)
{
    struct core *c = &m->cores[core];
    uint64_t addr = address_of(c, i);
    if (!access_ok(m, core, i, addr))
        return;
    int size = elem_size((enum elem)i->elem);
    uint32_t node = note_store(m, core, i, addr, ACCESS_WRITE);
    m->stats[core].notifies += (i->flags & INSN_NOTIFY) != 0;
    if (coherent(m) || i->op == I_ST_DEV) {
        post_store(m, core, i, addr, value_of(c, i), node, false);
    } else {
        int slot = touch_line(m, core, i, addr, &m->stats[core].st_hit, &m->stats[core].st_miss);
        uint64_t at = addr - line_of(m, addr);
        elem_store(slot_data(m, &c->cache, slot) + at, (enum elem)i->elem, value_of(c, i));
        for (uint64_t w = at / WORD; w <= (at + (uint64_t)size - 1) / WORD; w++)
            c->cache.lines[slot].dirty |= (uint64_t)1 << w;
        for (int u = 0; m->oracle && u < (size + m->grain - 1) / m->grain; u++)
            slot_prov(m, &c->cache, slot)[at / (uint64_t)m->grain + (uint64_t)u] = node;
    }
    c->pc++;
}

static void do_st_atomic(struct machine *m, int core, const struct insn *i)
{
    struct core *c = &m->cores[core];
    uint64_t addr = address_of(c, i);
    if (!access_ok(m, core, i, addr))
        return;
    uint32_t node = note_store(m, core, i, addr, ACCESS_ADD);
    m->stats[core].notifies += (i->flags & INSN_NOTIFY) != 0;
    if (coherent(m)) {
        post_store(m, core, i, addr, value_of(c, i), node, true);
        c->pc++;
        return;
    }
    int slot = cache_find(m, core, addr);
    if (slot == NO_SLOT)
        slot = m->contract->broken & BROKEN_ATOMIC_FILLS
                   ? cache_fill(m, core, addr)
                   : cache_allocate(m, core, line_of(m, addr));
    uint64_t word = (addr - line_of(m, addr)) / WORD;
    size_t cell = (size_t)slot * (size_t)m->words + (size_t)word;
    struct cache_line *l = &c->cache.lines[slot];
    if (m->contract->broken & BROKEN_ATOMIC_FILLS) {
        elem_add(slot_data(m, &c->cache, slot) + word * WORD, ELEM_I32, value_of(c, i));
        l->dirty |= (uint64_t)1 << word;
        c->pc++;
        return;
    }
    bool merged = l->delta >> word & 1;
    c->cache.deltas[cell] = (int32_t)((uint32_t)c->cache.deltas[cell] + (uint32_t)value_of(c, i));
    if (m->oracle)
        c->cache.delta_prov[cell] =
            merged ? oracle_sum(m->oracle, c->cache.delta_prov[cell], node) : node;
    l->delta |= (uint64_t)1 << word;
    c->pc++;
}

/* ---- cache maintenance and order ---- */

static void do_dcci(struct machine *m, int core, const struct insn *i)
{
    struct core *c = &m->cores[core];
    uint64_t addr = address_of(c, i);
    m->stats[core].dcci_line++;
    if (!coherent(m))
        cache_dcci(m, core, addr, i->origin == ORIGIN_R1);
    c->pc++;
}

static void do_dcci_all(struct machine *m, int core, const struct insn *i)
{
    m->stats[core].dcci_all[i->origin]++;
    if (!coherent(m))
        cache_dcci_all(m, core, i->origin == ORIGIN_R1);
    m->cores[core].pc++;
}

static bool dsb_ready(const struct machine *m, int core, const struct insn *i)
{
    (void)i;
    const struct contract *k = m->contract;
    const struct core *c = &m->cores[core];
    if (coherent(m))
        return true;
    for (int path = 0; path < PATH_COUNT; path++)
        for (int remote = 0; remote < 2; remote++)
            if (c->in_flight[path][remote] && dsb_waits_for(k, (enum path)path, remote))
                return false;
    return !dsb_waits_for_pipes(k) || pipes_empty(c);
}

static bool barrier_ready(const struct machine *m, int core, const struct insn *i)
{
    const struct core *c = &m->cores[core];
    if (coherent(m))
        return true;
    for (int p = 0; p < PIPE_COUNT; p++)
        if (c->pipes[p].count && barrier_waits_for(m->contract, i->pa, p))
            return false;
    return true;
}

static void do_dsb(struct machine *m, int core, const struct insn *i)
{
    (void)i;
    m->stats[core].dsb++;
    m->stats[core].fences[i->origin]++;
    m->cores[core].pc++;
}

static void do_barrier(struct machine *m, int core, const struct insn *i)
{
    (void)i;
    m->stats[core].barrier++;
    m->cores[core].pc++;
}

/* ---- flags, tiles, pipes ---- */

static bool flag_ready(const struct machine *m, int core, const struct insn *i)
{
    bool up = m->cores[core].flags[i->pa][i->pb][i->imm] > 0;
    if (coherent(m) || i->pb == PIPE_S)
        return up;
    return pipe_has_room(m, core, i->pb);
}

static bool issue_ready(const struct machine *m, int core, const struct insn *i)
{
    int pipe = insn_pipe(m->cores[core].code, i);
    return pipe == PIPE_S || pipe_has_room(m, core, pipe);
}

static void do_issue(struct machine *m, int core, const struct insn *i)
{
    const struct code *c = m->cores[core].code;
    if (i->op == I_TILE_OP && c->tile_ops[i->aux].kind == TILE_RENAME) {
        m->cores[core].pc++;
        return;
    }
    pipe_issue(m, core, insn_pipe(m->cores[core].code, i), i);
    if (!m->stop)
        m->cores[core].pc++;
}

/* Litmus tests ask only how they end. */
static bool judges_flags(const struct machine *m)
{
    return m->oracle && m->opt.kernel;
}

static void do_flag(struct machine *m, int core, const struct insn *i)
{
    struct core *c = &m->cores[core];
    if (judges_flags(m) && i->op == I_SET_FLAG)
        leftover_set_flag(m, core);
    /* A flag from or to S acts when the scalar unit executes it (hw-facts 3.2). */
    if (insn_pipe(c->code, i) != PIPE_S) {
        do_issue(m, core, i);
        return;
    }
    c->flags[i->pa][i->pb][i->imm] += i->op == I_SET_FLAG ? 1 : -1;
    c->pc++;
}

static void do_tile_scalar(struct machine *m, int core, const struct insn *i)
{
    struct core *c = &m->cores[core];
    const struct tile *t = &c->code->tiles[i->aux];
    int64_t index = (i->ra == NO_REG ? 0 : c->regs[i->ra]) + i->imm;
    if (index < 0 || index > (int64_t)(t->rows - 1) * tile_pitch(t) + t->cols - 1) {
        oracle_outside_tile(m->oracle, m, core, c->pc, i->aux, index, 1, 1);
        m->stop = STOP_FAULT;
        return;
    }
    int home = tile_home(c->code->tiles, i->aux);
    struct tile_state *s = &c->tile_state[home];
    const int64_t *loops = m->oracle ? oracle_loops(m->oracle, core, c->pc) : NULL;
    if (m->oracle && s->done != s->issued)
        oracle_tile(m->oracle, m, core, c->pc, home, s->issued, loops);
    uint8_t *cell = c->tiles + t->offset + index * elem_size(t->elem);
    if (i->op == I_TILE_LD) {
        c->regs[i->rd] = elem_load(cell, t->elem);
    } else {
        elem_store(cell, t->elem, value_of(c, i));
        tile_written(s, ++s->issued, c->pc, loops);
    }
    c->pc++;
}

/* ---- TWAIT: dcci of the cell's line, refill, compare (hw-facts 1.2) ---- */

bool machine_poll_satisfied(const struct machine *m, int core, int32_t *memory, int32_t *expected)
{
    const struct core *c = &m->cores[core];
    const struct insn *i = &c->code->insns[c->pc];
    uint64_t addr = address_of(c, i);
    const uint8_t *from = gm_at(m, addr);
    if (m->contract->broken & BROKEN_POLL_NO_DCCI && !coherent(m) && i->op == I_POLL) {
        int slot = cache_find(m, core, addr);
        if (slot != NO_SLOT && c->cache.lines[slot].valid)
            from = slot_data(m, &c->cache, slot) + (addr - line_of(m, addr));
    }
    *memory = (int32_t)elem_load(from, ELEM_I32);
    *expected = (int32_t)value_of(c, i);
    return cmp_holds((enum cmp)i->sub, *memory, *expected);
}

static bool address_valid(const struct machine *m, int core, const struct insn *i, uint64_t addr)
{
    return gm_offset(addr) % WORD == 0 && in_memory(m, core, i, addr, WORD);
}

static bool poll_ready(const struct machine *m, int core, const struct insn *i)
{
    const struct core *c = &m->cores[core];
    uint64_t addr = address_of(c, i);
    if (!address_valid(m, core, i, addr) || (c->poll_phase == POLL_DCCI && !coherent(m)))
        return true;
    int32_t memory, expected;
    return (coherent(m) || cache_fill_allowed(m, core, addr)) &&
           machine_poll_satisfied(m, core, &memory, &expected);
}

static void do_poll(struct machine *m, int core, const struct insn *i)
{
    struct core *c = &m->cores[core];
    uint64_t addr = address_of(c, i);
    if (!access_ok(m, core, i, addr))
        return;
    bool keeps_line = m->contract->broken & BROKEN_POLL_NO_DCCI;
    if (c->poll_phase == POLL_DCCI && !coherent(m)) {
        if (!keeps_line)
            cache_dcci(m, core, addr, false);
        c->poll_phase = POLL_READ;
        return;
    }
    m->stats[core].polls++;
    if (!coherent(m)) {
        /* What is there now was filled by a failed iteration or a
         * prefetch: the next dcci drops it. */
        if (!keeps_line)
            cache_dcci(m, core, addr, false);
        cache_fill(m, core, addr);
    }
    if (m->oracle)
        oracle_acquire(m->oracle, core, c->pc, prov_of(m, addr));
    c->poll_phase = POLL_DCCI;
    c->pc++;
}

/* The soft syncall's: the same past the cache, which it leaves alone (pypto-ops-facts 3.5). */
static bool poll_dev_ready(const struct machine *m, int core, const struct insn *i)
{
    int32_t memory, expected;
    return !address_valid(m, core, i, address_of(&m->cores[core], i)) ||
           machine_poll_satisfied(m, core, &memory, &expected);
}

static void do_poll_dev(struct machine *m, int core, const struct insn *i)
{
    struct core *c = &m->cores[core];
    uint64_t addr = address_of(c, i);
    if (!access_ok(m, core, i, addr))
        return;
    m->stats[core].polls++;
    if (m->oracle)
        oracle_acquire(m->oracle, core, c->pc, prov_of(m, addr));
    c->pc++;
}

/* ---- flags between cores (sim/cross.c) ---- */

static void do_set_cross(struct machine *m, int core, const struct insn *i)
{
    struct core *c = &m->cores[core];
    if (i->pa != PIPE_S) {
        do_issue(m, core, i);
        return;
    }
    cross_set(m, core, c->pc, m->oracle ? oracle_signal(m->oracle, core, c->pc) : NODE_NONE);
    c->pc++;
}

static bool cross_ready(const struct machine *m, int core, const struct insn *i)
{
    return cross_up(m, core, (int)i->imm);
}

static void do_wait_cross(struct machine *m, int core, const struct insn *i)
{
    cross_take(m, core, (int)i->imm);
    m->cores[core].pc++;
}

/* ---- tasks ---- */

static const struct dispatch *dispatch_of(const struct machine *m, int core)
{
    const struct core_desc *desc = &m->program->cores[core];
    return desc->dispatches ? &desc->dispatches[m->cores[core].dispatch] : NULL;
}

/* Early dispatch: the cache is cleaned and invalidated before the task waits. */
static bool dispatched_early(const struct machine *m, int core)
{
    const struct dispatch *d = dispatch_of(m, core);
    return m->contract->task_entry_invalidate == TASK_INVALIDATES_EARLY && !(d && d->picked_late);
}

static bool invalidates_early(const struct machine *m, int core)
{
    return dispatched_early(m, core) && !coherent(m) && m->cores[core].poll_phase == POLL_DCCI;
}

static bool task_ready(const struct machine *m, int core, const struct insn *i)
{
    (void)i;
    const struct dispatch *d = dispatch_of(m, core);
    for (int k = 0; d && k < d->nafter && !invalidates_early(m, core); k++)
        if (m->cores[d->after[k].core].reported <= d->after[k].index)
            return false;
    return true;
}

static void do_task(struct machine *m, int core, const struct insn *i)
{
    struct core *c = &m->cores[core];
    const struct dispatch *d = dispatch_of(m, core);
    if (invalidates_early(m, core)) {
        cache_dcci_all(m, core, false);
        c->poll_phase = POLL_READ;
        return;
    }
    if (judges_flags(m) && !d) /* another task of the same text ends here */
        leftover_end(m, core);
    for (int k = 0; m->oracle && d && k < d->nafter; k++)
        oracle_task_start(m->oracle, core, c->pc, d->after[k]);
    if (m->oracle)
        oracle_task_begin(m->oracle, core);
    c->task = (int)i->imm;
    if (m->contract->task_entry_invalidate != TASK_KEEPS_CACHE && !dispatched_early(m, core) &&
        !coherent(m))
        cache_dcci_all(m, core, false);
    c->poll_phase = POLL_DCCI;
    c->pc++;
}

void scalar_take_task(struct machine *m, int core)
{
    struct core *c = &m->cores[core];
    const struct core_desc *desc = &m->program->cores[core];
    c->ended = c->dispatch >= desc->ndispatches;
    if (c->ended)
        return;
    const struct dispatch *d = &desc->dispatches[c->dispatch];
    memset(c->regs, 0, sizeof *c->regs * (size_t)c->code->nregs);
    if (d->nargs)
        memcpy(c->regs + d->first_reg, d->args, sizeof *c->regs * (size_t)d->nargs);
    c->pc = d->entry;
}

static void end_task(struct machine *m, int core)
{
    struct core *c = &m->cores[core];
    const struct dispatch *d = dispatch_of(m, core);
    if (judges_flags(m))
        leftover_end(m, core);
    if (!d) {
        c->ended = true;
        return;
    }
    if (m->oracle && d->awaited)
        oracle_task_end(m->oracle, core, c->dispatch);
    c->dispatch++;
    if (m->contract->completion == COMPLETION_REGISTER)
        c->reported = c->dispatch;
    else if (d->awaited)
        fabric_report_end(m, core);
    scalar_take_task(m, core);
}

static bool always(const struct machine *m, int core, const struct insn *i)
{
    (void)m, (void)core, (void)i;
    return true;
}

static const struct rule rules[I_OP_COUNT] = {
    [I_LD] = {cached_ready, do_ld},
    [I_ST] = {cached_ready, do_st},
    [I_ST_ATOMIC] = {always, do_st_atomic},
    [I_LD_DEV] = {always, do_ld},
    [I_ST_DEV] = {always, do_st},
    [I_DCCI] = {always, do_dcci},
    [I_DCCI_ALL] = {always, do_dcci_all},
    [I_DSB] = {dsb_ready, do_dsb},
    [I_BARRIER] = {barrier_ready, do_barrier},
    [I_SET_FLAG] = {issue_ready, do_flag},
    [I_WAIT_FLAG] = {flag_ready, do_flag},
    [I_POLL] = {poll_ready, do_poll},
    [I_POLL_DEV] = {poll_dev_ready, do_poll_dev},
    [I_SET_CROSS] = {issue_ready, do_set_cross},
    [I_WAIT_CROSS] = {cross_ready, do_wait_cross},
    [I_TILE_LD] = {always, do_tile_scalar},
    [I_TILE_ST] = {always, do_tile_scalar},
    [I_MTE2] = {issue_ready, do_issue},
    [I_MTE3] = {issue_ready, do_issue},
    [I_FIX] = {issue_ready, do_issue},
    [I_TILE_OP] = {issue_ready, do_issue},
    [I_TASK] = {task_ready, do_task},
};

bool scalar_enabled(const struct machine *m, int core)
{
    const struct core *c = &m->cores[core];
    if (c->ended || m->stop)
        return false;
    const struct insn *i = &c->code->insns[c->pc];
    return rules[i->op].enabled(m, core, i);
}

void scalar_step(struct machine *m, int core)
{
    const struct core *c = &m->cores[core];
    const struct insn *i = &c->code->insns[c->pc];
    m->stats[core].scalar_steps++;
    rules[i->op].effect(m, core, i);
}

/* ---- local instructions ---- */

/* Executes i, which no other core can notice; false when i is not of that kind. */
static bool step_local(struct core *c, const struct insn *i)
{
    switch (insn_acts(i)) {
    case I_NOP:
        break;
    case I_LI:
        c->regs[i->rd] = i->imm;
        break;
    case I_SET_ATOMIC:
        c->adds = i->imm != 0;
        break;
    case I_MOV:
        c->regs[i->rd] = c->regs[i->ra];
        break;
    case I_ALU:
        c->regs[i->rd] = alu_eval((enum alu)i->sub, i->ra == NO_REG ? i->imm2 : c->regs[i->ra],
                                  i->rb == NO_REG ? i->imm : c->regs[i->rb], (enum elem)i->elem,
                                  (enum elem)i->elem2);
        break;
    case I_JMP:
        c->pc = (int)i->imm - 1;
        break;
    case I_BZ:
        if (!c->regs[i->ra])
            c->pc = (int)i->imm - 1;
        break;
    case I_BNZ:
        if (c->regs[i->ra])
            c->pc = (int)i->imm - 1;
        break;
    default:
        return false;
    }
    c->pc++;
    return true;
}

/* A branch may lead to the end. */
bool may_end_core(const struct machine *m, int core)
{
    const struct insn *next = machine_at(m, core) + 1;
    while (insn_any(next, CLASS_LOCAL) && !insn_any(next, CLASS_BRANCH))
        next++;
    return insn_any(next, CLASS_BRANCH) || insn_acts(next) == I_END;
}

void scalar_advance(struct machine *m, int core)
{
    struct core *c = &m->cores[core];
    uint64_t steps = 0;
    while (!c->ended && !m->stop) {
        const struct insn *i = &c->code->insns[c->pc];
        if (i->op == I_END)
            end_task(m, core);
        else if (!step_local(c, i))
            break;
        else if (++steps > m->opt.max_local)
            fault(m, core, V_TIMEOUT, 0, "an endless loop without memory accesses");
    }
    m->stats[core].insns += steps;
}
