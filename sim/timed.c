/* SPDX-License-Identifier: MIT */
/*
 * The timed driver: an event queue. An agent (a scalar unit, a pipe, a channel) whose next
 * transition is enabled has one event, at the cycle in which that transition takes effect; an agent
 * whose transition is not enabled is parked until a step that may enable it. What may enable what:
 *
 *     a step of a core      its own scalar unit and pipes
 *     a delivery            the sender (dsb, line fills) and every core that polls that rank's memory
 *     the end of a task     every core that stands before one
 *     any step of a core    of a program with flags between cores: every core that waits for one;
 *                           there a delivery wakes the sender's pipes too
 *                           (in a coherent machine, where posts apply at once: every step)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "sim/driver.h"
#include "base/stop.h"
#include "sim/internal.h"

enum { AGENTS_PER_CORE = 1 + PIPE_COUNT, NO_EVENT = 0 };

enum timer_kind { TIMER_NONE, TIMER_EVICT, TIMER_PREFETCH };

struct event {
    uint64_t time, order; /* equal times fire in the order of their making */
    uint64_t start;
    struct transition t;
    uint8_t timer;
};

struct timed_agent {
    bool scheduled;
    uint64_t parked_at;
    double factor; /* by which the adversary slows it; 1: not at all */
};

/* A core's messages share a factor by path and by whether they leave the rank. */
struct posts {
    double factor[PATH_COUNT][2];
};

struct timed {
    struct machine *m;
    const struct contract *k;
    const struct drive_options *o;
    struct drive_result *result;
    struct rng rng;
    struct event *heap;
    int nheap, cap, pending; /* pending: events that are no timers */
    uint64_t order, now;
    struct timed_agent *agents;
    struct posts *posts;
    uint64_t *local_before; /* per core: local instructions already paid for */
    uint64_t *channel_free; /* per channel: arrival of its last message */
    uint64_t *release;      /* per submission of the host and rank: when its tasks may start */
    int32_t *polled; /* per rank: 1 + the first core that was parked at a poll of its memory */
    int32_t *next_polling; /* per core: the next one, by number; in the same form */
    uint64_t end, look;    /* when the run ended, and when memory is looked at; 0: not yet */
};

const char *spent_name(enum spent s)
{
    static const char *const names[] = {SPENT_KINDS(NAME_ROW)};
    return names[s];
}

struct step step_make(const struct machine *m, struct transition t, uint64_t start, uint64_t end)
{
    struct step s = {.t = t, .start = start, .end = end, .insn = -1};
    if (t.kind == T_SCALAR) {
        s.insn = m->cores[t.core].pc;
    } else if (t.kind == T_PIPE) {
        s.insn = machine_head(m, t.core, t.pipe)->insn;
    } else if (t.kind == T_DELIVER) {
        const struct message *msg = m->channels[t.index].head;
        s.insn = msg->insn;
        s.addr = msg->addr;
        s.len = msg->len;
    }
    return s;
}

/* ---- heap ---- */

static bool earlier(const struct event *x, const struct event *y)
{
    return x->time != y->time ? x->time < y->time : x->order < y->order;
}

static void push(struct timed *d, struct event e)
{
    if (d->nheap == d->cap) {
        d->cap = d->cap ? d->cap * 2 : 64;
        d->heap = realloc(d->heap, sizeof *d->heap * (size_t)d->cap);
        if (!d->heap)
            abort();
    }
    e.order = ++d->order;
    d->pending += e.timer == TIMER_NONE;
    int i = d->nheap++;
    for (; i > 0 && earlier(&e, &d->heap[(i - 1) / 2]); i = (i - 1) / 2)
        d->heap[i] = d->heap[(i - 1) / 2];
    d->heap[i] = e;
}

static struct event pop(struct timed *d)
{
    struct event top = d->heap[0], last = d->heap[--d->nheap];
    int i = 0;
    for (int child; (child = 2 * i + 1) < d->nheap; i = child) {
        if (child + 1 < d->nheap && earlier(&d->heap[child + 1], &d->heap[child]))
            child++;
        if (!earlier(&d->heap[child], &last))
            break;
        d->heap[i] = d->heap[child];
    }
    d->heap[i] = last;
    d->pending -= top.timer == TIMER_NONE;
    return top;
}

/* ---- latencies ---- */

static uint64_t draw(struct timed *d, enum cost c)
{
    return dist_draw(&d->k->cost[c], &d->rng);
}

static bool is_peer(const struct timed *d, int core, uint64_t addr)
{
    return gm_rank(addr) != d->m->cores[core].rank;
}

static uint64_t miss_cost(struct timed *d, int core, uint64_t addr)
{
    return draw(d, is_peer(d, core, addr) ? COST_MISS_PEER : COST_MISS_LOCAL);
}

static uint64_t dcci_all_cost(struct timed *d, int core)
{
    const struct cache *c = &d->m->cores[core].cache;
    uint64_t dirty = 0;
    for (int i = 0; i < c->nvalid; i++)
        dirty += c->lines[c->valid[i]].dirty || c->lines[c->valid[i]].delta;
    return draw(d, COST_DCCI_ALL) + draw(d, COST_DCCI_ALL_VALID) * (uint64_t)c->nvalid +
           draw(d, COST_DCCI_ALL_DIRTY) * dirty;
}

static uint64_t dcci_cost(struct timed *d, int core, uint64_t addr)
{
    int slot = cache_find(d->m, core, addr);
    const struct cache_line *l = slot == NO_SLOT ? NULL : &d->m->cores[core].cache.lines[slot];
    return draw(d, l && (l->dirty || l->delta) ? COST_DCCI_DIRTY : COST_DCCI_CLEAN);
}

static enum spent spent_in(const struct program *p, const struct insn *i)
{
    switch (i->op) {
    case I_TASK:
        return p->nsteps ? SPENT_TASK : SPENT_DCCI;
    case I_DCCI:
    case I_DCCI_ALL:
        return SPENT_DCCI;
    case I_DSB:
        return SPENT_DSB;
    case I_BARRIER:
        return SPENT_BARRIER;
    case I_POLL:
    case I_POLL_DEV:
        return SPENT_POLL;
    case I_WAIT_FLAG:
    case I_WAIT_CROSS:
        return SPENT_FLAG;
    case I_LD:
    case I_ST:
        return SPENT_MISS;
    default:
        return SPENT_SCALAR;
    }
}

/* In early dispatch that is the first of two steps. */
static bool task_invalidates(const struct machine *m, int core)
{
    return m->contract->task_entry_invalidate != TASK_KEEPS_CACHE &&
           m->cores[core].poll_phase == POLL_DCCI;
}

static uint64_t bypass_cost(struct timed *d, int core, uint64_t addr)
{
    return draw(d, COST_BYPASS_LOAD) + (is_peer(d, core, addr) ? draw(d, COST_MISS_PEER) : 0);
}

/* As of a poll through the cache: an iteration that has begun fails first. */
static uint64_t poll_dev_cost(struct timed *d, int core, uint64_t addr, bool waited)
{
    return draw(d, COST_POLL) + bypass_cost(d, core, addr) +
           (waited ? rng_below(&d->rng, bypass_cost(d, core, addr) + 1) : 0);
}

/* Cycles of the scalar step at core's pc; waited: it was parked before. */
static uint64_t scalar_cost(struct timed *d, int core, bool waited)
{
    const struct machine *m = d->m;
    const struct insn *i = machine_at(m, core);
    int address = insn_kind(i)->address;
    bool named = address == ADDRESS_WORD || address == ADDRESS_LINE;
    uint64_t addr = named ? machine_effective_address(m, core) : 0;
    switch (i->op) {
    case I_LD:
    case I_ST:
        if (m->contract->coherent || cache_holds(m, core, addr, elem_size((enum elem)i->elem)))
            return draw(d, i->op == I_LD ? COST_LD_HIT : COST_ST_HIT);
        return miss_cost(d, core, addr);
    case I_LD_DEV:
        return bypass_cost(d, core, addr);
    case I_ST_DEV:
        return draw(d, COST_BYPASS_STORE);
    case I_ST_ATOMIC:
        return draw(d, COST_ST_HIT);
    case I_DCCI:
        return dcci_cost(d, core, addr);
    case I_DCCI_ALL:
        return dcci_all_cost(d, core);
    case I_TASK:
        return task_invalidates(m, core) ? dcci_all_cost(d, core) : 0;
    case I_DSB:
        return draw(d, COST_DSB);
    case I_BARRIER:
        return draw(d, i->pa == PIPE_ALL ? COST_BARRIER_ALL : COST_BARRIER);
    case I_POLL:
        if (m->cores[core].poll_phase == POLL_DCCI && !m->contract->coherent)
            return dcci_cost(d, core, addr);
        /* The value came in the middle of an iteration: that one fails, the next succeeds. */
        return draw(d, COST_POLL) + miss_cost(d, core, addr) +
               (waited ? rng_below(&d->rng, miss_cost(d, core, addr) + 1) : 0);
    case I_POLL_DEV:
        return poll_dev_cost(d, core, addr, waited);
    case I_WAIT_CROSS:
        return draw(d, COST_FLAG);
    case I_TILE_LD:
    case I_TILE_ST:
        return draw(d, COST_LD_HIT);
    default:
        return draw(d, COST_ISSUE);
    }
}

static uint64_t transfer_cost(struct timed *d, int core, const struct insn *i,
                              const struct pipe_op *op)
{
    const struct dma *t = &d->m->cores[core].code->dmas[i->aux];
    double bytes = (double)op->rows * op->cols * elem_size(t->elem);
    bool peer = is_peer(d, core, op->addr);
    bool load = insn_any(i, CLASS_LOAD);
    double rate = load ? d->k->load_bytes_per_cycle : d->k->store_bytes_per_cycle;
    if (peer && d->k->peer_bytes_per_cycle < rate)
        rate = d->k->peer_bytes_per_cycle;
    enum cost start = !load ? COST_MTE3 : peer ? COST_MTE2_PEER : COST_MTE2_LOCAL;
    return draw(d, start) + (uint64_t)(bytes / rate);
}

static uint64_t pipe_cost(struct timed *d, int core, int pipe)
{
    const struct code *code = d->m->cores[core].code;
    const struct pipe_op *op = machine_head(d->m, core, pipe);
    const struct insn *i = &code->insns[op->insn];
    if (i->op == I_SET_FLAG || i->op == I_SET_CROSS)
        return 1;
    if (i->op == I_WAIT_FLAG)
        return draw(d, COST_FLAG);
    if (i->op != I_TILE_OP)
        return transfer_cost(d, core, i, op);
    const struct tile *t = &code->tiles[code->tile_ops[i->aux].dst];
    return draw(d, COST_VECTOR) + (uint64_t)((double)t->rows * t->cols * elem_size(t->elem) /
                                             d->k->vector_bytes_per_cycle);
}

/* ---- scheduling ---- */

static struct transition agent_transition(int core, int agent)
{
    return agent == 0
               ? (struct transition){.kind = T_SCALAR, .core = core}
               : (struct transition){.kind = T_PIPE, .core = core, .pipe = (uint8_t)(agent - 1)};
}

/* Local instructions since the last step take their time before the next one. */
static uint64_t local_cost(struct timed *d, int core)
{
    uint64_t n = d->m->stats[core].insns - d->local_before[core];
    d->local_before[core] = d->m->stats[core].insns;
    return n ? n * draw(d, COST_ALU) : 0;
}

static uint64_t *release_of(const struct timed *d, int step, int rank)
{
    return &d->release[step * d->m->program->nranks + rank];
}

/* A task starts when the host has released it, however long ago its core came free; without a host
 * all are released at the start. */
static uint64_t earliest(const struct timed *d, int core, int agent)
{
    const struct core_desc *desc = &d->m->program->cores[core];
    const struct insn *i = agent == 0 && desc->dispatches ? machine_at(d->m, core) : NULL;
    uint64_t release = 0;
    if (i && i->op == I_TASK && d->m->program->nsteps)
        release = *release_of(d, desc->dispatches[d->m->cores[core].dispatch].step, desc->rank);
    return release > d->now ? release : d->now;
}

/* The rank whose memory core polls where it stands, or -1. */
static int rank_polled(const struct timed *d, int core)
{
    const struct insn *i = machine_at(d->m, core);
    return i && (i->op == I_POLL || i->op == I_POLL_DEV)
               ? gm_rank(machine_effective_address(d->m, core))
               : -1;
}

/* Cores leave the list when it is gone through and they are elsewhere. */
static void note_poll(struct timed *d, int core)
{
    int rank = rank_polled(d, core);
    if (rank < 0)
        return;
    int32_t *at = &d->polled[rank];
    while (*at && *at - 1 < core)
        at = &d->next_polling[*at - 1];
    if (*at == core + 1)
        return;
    d->next_polling[core] = *at;
    *at = core + 1;
}

static void park(struct timed *d, int core, int agent, uint64_t since)
{
    d->agents[core * AGENTS_PER_CORE + agent].parked_at = since + 1;
    if (agent == 0)
        note_poll(d, core);
}

static void try_agent(struct timed *d, int core, int agent)
{
    struct timed_agent *a = &d->agents[core * AGENTS_PER_CORE + agent];
    struct transition t = agent_transition(core, agent);
    if (a->scheduled)
        return;
    if (!transition_enabled(d->m, t)) {
        if (!a->parked_at)
            park(d, core, agent, d->now);
        return;
    }
    bool waited = a->parked_at && a->parked_at - 1 < d->now;
    uint64_t latency = agent == 0 ? local_cost(d, core) + scalar_cost(d, core, waited)
                                  : pipe_cost(d, core, agent - 1);
    latency = (uint64_t)((double)latency * a->factor);
    uint64_t start = waited ? a->parked_at - 1 : d->now;
    a->scheduled = true;
    a->parked_at = 0;
    push(d, (struct event){.time = earliest(d, core, agent) + latency, .start = start, .t = t});
}

static void try_core(struct timed *d, int core)
{
    try_agent(d, core, 0);
    for (int pipe = 0; pipe < PIPE_COUNT; pipe++)
        if (d->m->cores[core].pipes[pipe].count) /* an empty pipe waits for nothing */
            try_agent(d, core, 1 + pipe);
}

static void schedule_delivery(struct timed *d, const struct message *msg)
{
    push(d, (struct event){.time = msg->arrival,
                           .start = d->now,
                           .t = {.kind = T_DELIVER, .core = msg->core, .index = msg->channel}});
}

static void set_arrival(struct timed *d, struct message *msg)
{
    bool peer = gm_rank(msg->addr) != d->m->cores[msg->core].rank;
    enum cost c = msg->apart              ? COST_BYPASS_STORE
                  : !peer                 ? COST_POST_LOCAL
                  : msg->path == PATH_DMA ? COST_POST_PEER_DMA
                                          : COST_POST_PEER_SCALAR;
    double factor = d->posts[msg->core].factor[msg->path][peer];
    uint64_t at = d->now + (uint64_t)((double)draw(d, c) * factor),
             *free_at = &d->channel_free[msg->channel];
    if (at < *free_at)
        at = *free_at;
    if (peer)
        at += (uint64_t)((double)msg->len / d->k->peer_bytes_per_cycle);
    *free_at = msg->arrival = at + 1; /* 0 means not yet set */
    if (d->m->channels[msg->channel].head == msg)
        schedule_delivery(d, msg);
}

/* Messages that the last step of core posted, oldest first. */
static void schedule_posts(struct timed *d, int core)
{
    struct message *first = NULL;
    for (struct message *msg = d->m->cores[core].newest; msg && !msg->arrival; msg = msg->older)
        first = msg;
    for (struct message *msg = first; msg; msg = msg->newer)
        set_arrival(d, msg);
}

/* ---- spontaneous evictions and prefetches ---- */

static void start_timers(struct timed *d, int core)
{
    if (d->k->coherent)
        return;
    if (d->k->eviction == EVICTION_SPONTANEOUS)
        push(d, (struct event){.time = d->now + draw(d, COST_EVICT),
                               .t = {.core = core},
                               .timer = TIMER_EVICT});
    if (d->m->named[core].count)
        push(d, (struct event){.time = d->now + draw(d, COST_PREFETCH),
                               .t = {.core = core},
                               .timer = TIMER_PREFETCH});
}

static bool choose_spontaneous(struct timed *d, struct event *e)
{
    const struct cache *c = &d->m->cores[e->t.core].cache;
    if (e->timer == TIMER_EVICT) {
        if (!c->nvalid)
            return false;
        e->t.kind = T_EVICT;
        e->t.index = c->valid[rng_below(&d->rng, (uint64_t)c->nvalid)];
    } else {
        e->t.kind = T_PREFETCH;
        e->t.index = (int32_t)rng_below(&d->rng, (uint64_t)d->m->named[e->t.core].count);
    }
    return transition_enabled(d->m, e->t);
}

/* ---- the loop ---- */

static void account(struct timed *d, const struct event *e)
{
    if (!d->result->time)
        return;
    struct core_time *time = &d->result->time[e->t.core];
    if (e->t.kind == T_PIPE) {
        const struct insn *i =
            &d->m->cores[e->t.core].code->insns[machine_head(d->m, e->t.core, e->t.pipe)->insn];
        if (i->op != I_WAIT_FLAG)
            time->pipe_busy[e->t.pipe] += e->time - e->start;
    } else if (e->t.kind == T_SCALAR) {
        time->cycles[spent_in(d->m->program, machine_at(d->m, e->t.core))] += e->time - e->start;
    }
}

static void report_step(struct timed *d, const struct event *e)
{
    if (!d->o->on_step)
        return;
    struct step s = step_make(d->m, e->t, e->start, e->time);
    d->o->on_step(d->o->ctx, d->m, &s);
}

/* The scalar units that stand at such an instruction. */
static void wake_at(struct timed *d, enum insn_op op)
{
    for (int c = 0; c < d->m->program->ncores; c++) {
        const struct insn *i = machine_at(d->m, c);
        if (i && i->op == op)
            try_agent(d, c, 0);
    }
}

/* A poll depends on the memory that it reads and on its core's own messages. */
static void wake_polls(struct timed *d)
{
    int rank = d->m->applied;
    if (rank < 0)
        return;
    for (int32_t *at = &d->polled[rank]; *at;) {
        int core = *at - 1;
        if (rank_polled(d, core) != rank) {
            *at = d->next_polling[core];
            continue;
        }
        try_agent(d, core, 0);
        at = &d->next_polling[core];
    }
}

/* reports: what was delivered tells of the end of a task. */
static void wake(struct timed *d, const struct event *e, bool reports)
{
    if (e->t.kind != T_DELIVER) {
        schedule_posts(d, e->t.core);
        try_core(d, e->t.core);
        if (d->k->coherent) /* what it wrote is in memory already */
            wake_polls(d);
        if (d->m->cross) /* it may have set a flag */
            wake_at(d, I_WAIT_CROSS);
        return;
    }
    struct message *next = d->m->channels[e->t.index].head;
    if (next)
        schedule_delivery(d, next);
    if (d->m->cross) /* a set that waits for what its pipe has stored */
        try_core(d, e->t.core);
    else
        try_agent(d, e->t.core, 0);
    wake_polls(d);
    if (reports)
        wake_at(d, I_TASK);
}

static void fire(struct timed *d, const struct event *e)
{
    account(d, e);
    report_step(d, e);
    struct core *c = &d->m->cores[e->t.core];
    int ended = c->dispatch;
    bool reports = e->t.kind == T_DELIVER && d->m->channels[e->t.index].head->ended;
    machine_fire(d->m, e->t);
    if (d->result->time && c->ended && !d->result->time[e->t.core].end)
        d->result->time[e->t.core].end = e->time;
    wake(d, e, reports);
    if (c->dispatch != ended) /* others may wait for the end of the task */
        wake_at(d, I_TASK);
}

static void handle(struct timed *d, struct event e)
{
    d->now = e.time;
    if (e.timer != TIMER_NONE) {
        e.start = e.time;
        if (choose_spontaneous(d, &e))
            fire(d, &e);
        if (d->pending || d->m->cores[e.t.core].cache.nvalid) {
            e.time = d->now + draw(d, e.timer == TIMER_EVICT ? COST_EVICT : COST_PREFETCH) + 1;
            /* Once nothing else can happen, evictions go on until the caches are empty, prefetches
             * stop. */
            if (d->pending || e.timer == TIMER_EVICT)
                push(d, e);
        }
        return;
    }
    if (e.t.kind == T_DELIVER && !transition_enabled(d->m, e.t))
        return; /* a self-test's broken channel order brought another message first */
    if (e.t.kind != T_DELIVER) {
        int agent = e.t.kind == T_SCALAR ? 0 : 1 + e.t.pipe;
        struct timed_agent *a = &d->agents[e.t.core * AGENTS_PER_CORE + agent];
        a->scheduled = false;
        if (!transition_enabled(d->m, e.t)) { /* a polled value that went away again */
            park(d, e.t.core, agent, e.start);
            return;
        }
    }
    fire(d, &e);
}

static double draw_factor(struct timed *d, struct rng *rng)
{
    if (!d->o->adversary || rng_unit(rng) >= d->k->slow_agents)
        return 1;
    double factor = (double)dist_draw(&d->k->slow_factor, rng);
    return factor < 1 ? 1 : factor;
}

static void draw_factors(struct timed *d)
{
    struct rng rng = rng_make(d->o->seed, 4);
    for (int c = 0; c < d->m->program->ncores; c++) {
        for (int agent = 0; agent < AGENTS_PER_CORE; agent++)
            d->agents[c * AGENTS_PER_CORE + agent].factor = draw_factor(d, &rng);
        for (int path = 0; path < PATH_COUNT; path++)
            for (int peer = 0; peer < 2; peer++)
                d->posts[c].factor[path][peer] = draw_factor(d, &rng);
    }
}

/* Several ranks have tasks of the submission: it is a grouped one. */
static bool is_group(const struct program *p, int step)
{
    int rank = -1;
    for (int c = 0; c < p->ncores; c++)
        for (int k = 0; k < p->cores[c].ndispatches; k++) {
            if (p->cores[c].dispatches[k].step != step)
                continue;
            if (rank >= 0 && rank != p->cores[c].rank)
                return true;
            rank = p->cores[c].rank;
        }
    return false;
}

/*
 * When the host makes each submission, and when each rank has it. The gap between two and the
 * spread of a group are the contract's; in a searching run both are scaled down by a factor on a
 * log scale, so that tasks meet in every way (as rr's chaos mode does: some bugs need a long stall
 * and others a short one). Where the caller sets the gap, a group has no spread.
 */
static void draw_releases(struct timed *d)
{
    enum { DECADES = 6 };
    struct rng rng = rng_make(d->o->seed, 5);
    double scale = d->o->adversary ? pow(10, -DECADES * rng_unit(&rng)) : 1;
    bool drawn = d->o->dispatch_skew == SKEW_OF_CONTRACT;
    uint64_t at = 0;
    for (int s = 0; s < d->m->program->nsteps; s++) {
        double spread = drawn && is_group(d->m->program, s)
                            ? scale * (double)dist_draw(&d->k->cost[COST_GROUP], &rng)
                            : 0;
        for (int r = 0; r < d->m->program->nranks; r++)
            *release_of(d, s, r) = at + (spread > 0 ? (uint64_t)(spread * rng_unit(&rng)) : 0);
        at += drawn ? (uint64_t)(scale * (double)dist_draw(&d->k->cost[COST_DISPATCH], &rng))
                    : (uint64_t)d->o->dispatch_skew;
    }
}

static struct timed timed_new(struct machine *m, const struct drive_options *o,
                              struct drive_result *result)
{
    struct timed d = {
        .m = m, .k = m->contract, .o = o, .result = result, .rng = rng_make(o->seed, 1)};
    d.agents = calloc((size_t)(m->program->ncores * AGENTS_PER_CORE), sizeof *d.agents);
    d.local_before = calloc((size_t)m->program->ncores, sizeof *d.local_before);
    d.channel_free = calloc((size_t)m->nchannels, sizeof *d.channel_free);
    d.posts = calloc((size_t)m->program->ncores, sizeof *d.posts);
    d.release = calloc((size_t)(m->program->nsteps * m->program->nranks) + 1, sizeof *d.release);
    d.polled = calloc((size_t)m->program->nranks, sizeof *d.polled);
    d.next_polling = calloc((size_t)m->program->ncores, sizeof *d.next_polling);
    if (!d.polled || !d.next_polling || !d.agents || !d.local_before || !d.channel_free ||
        !d.posts || !d.release)
        abort();
    draw_factors(&d);
    draw_releases(&d);
    return d;
}

/* While something is to come, but for the event at hand, the run has not ended.
 * Memory is looked at some time after the run's end: where lines leave on their own, at any time
 * about as long as a line may take to do so. */
static void note_end(struct timed *d)
{
    if (d->look || d->pending > 1 || !machine_at_end(d->m))
        return;
    d->end = d->look = d->now;
    if (!d->k->coherent && d->k->eviction == EVICTION_SPONTANEOUS)
        d->look += draw(d, COST_EVICT);
}

/* The lanes of a cluster are started together (pypto-ops-facts 3.1). */
static bool starts_with_last(const struct program *p, int core)
{
    const struct core_desc *c = &p->cores[core], *last = core ? c - 1 : c;
    return core && c->lane != LANE_NONE && last->lane != LANE_NONE && c->rank == last->rank &&
           c->cluster == last->cluster;
}

void drive_timed(struct machine *m, const struct drive_options *o, struct drive_result *result)
{
    struct timed d = timed_new(m, o, result);
    for (int c = 0; c < m->program->ncores; c++) {
        if (!starts_with_last(m->program, c))
            d.now = draw(&d, COST_SKEW);
        if (result->time)
            result->time[c].start = d.now;
        try_core(&d, c);
        start_timers(&d, c);
    }
    d.now = 0;
    result->timed_out = false;
    while (d.nheap && !m->stop) {
        if (o->max_transitions && m->transitions >= o->max_transitions) {
            result->timed_out = !machine_at_end(m);
            break;
        }
        result->stopped = stop_wanted();
        if (result->stopped)
            break;
        struct event e = pop(&d);
        note_end(&d);
        if (d.look && e.time > d.look)
            break;
        handle(&d, e);
    }
    note_end(&d);
    result->transitions = m->transitions;
    result->cycles = d.end ? d.end : d.now;
    free(d.heap);
    free(d.agents);
    free(d.posts);
    free(d.release);
    free(d.local_before);
    free(d.channel_free);
    free(d.polled);
    free(d.next_polling);
}
