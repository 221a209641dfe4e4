/* SPDX-License-Identifier: MIT */
#include "sim/tile_order.h"

#include "base/vec.h"
#include "sim/internal.h"

/* The pipes and the scalar unit; and bits of a struct tile_use. */
enum { UNITS = PIPE_COUNT + 1, TILES = 64 };

/* How many operations of each unit come before a point. */
struct clock {
    uint32_t of[UNITS];
};

/* Queued, and what its issue comes after. */
struct queued {
    const struct insn *insn;
    struct clock issued;
};

typedef VEC(struct queued) queue;
typedef VEC(struct clock) sets;

/* Of a flag: what the sets that are not taken come after. */
struct flag {
    sets sets;
    size_t taken;
};

/* The last operation of each unit that read a tile, and the last that wrote it; 0: none. */
struct tile_uses {
    uint32_t read[UNITS], wrote[UNITS];
};

struct core_order {
    const struct code *code;
    struct clock clocks[UNITS]; /* what the next operation of each unit comes after */
    queue queues[PIPE_COUNT];
    size_t heads[PIPE_COUNT];
    struct flag flags[UNITS][UNITS][MAX_FLAG_IDS];
    struct tile_uses uses[TILES];
    uint64_t mixed;
};

struct tile_order {
    struct arena *arena;
    const struct contract *contract;
    struct core_order *cores;
};

struct tile_order *tile_order_new(struct arena *a, const struct program *p,
                                  const struct contract *k)
{
    struct tile_order *t = arena_new(a, struct tile_order);
    *t = (struct tile_order){a, k, arena_array(a, struct core_order, (size_t)p->ncores)};
    for (int c = 0; c < p->ncores; c++)
        t->cores[c].code = p->cores[c].code;
    return t;
}

uint64_t tile_order_mixed(const struct tile_order *t, int core)
{
    return t->cores[core].mixed;
}

static uint64_t tile_bit(const struct code *code, int tile)
{
    return (uint64_t)1 << tile_home(code->tiles, tile) % TILES;
}

struct tile_use tile_use_of(const struct code *code, const struct insn *i)
{
    struct tile_use use = {0};
    if (insn_acts(i) == I_TILE_OP) {
        const struct tile_op *t = &code->tile_ops[i->aux];
        for (int s = 0; s < t->nsrc; s++)
            use.reads |= tile_bit(code, t->src[s]);
        use.writes = tile_bit(code, t->dst);
    } else if (insn_any(i, CLASS_DMA)) {
        const struct dma *d = &code->dmas[i->aux];
        uint64_t bit = d->immediate ? 0 : tile_bit(code, d->tile);
        *(insn_any(i, CLASS_LOAD) ? &use.writes : &use.reads) = bit;
    } else if (insn_any(i, CLASS_TILE)) {
        use.reads = use.writes = tile_bit(code, i->aux);
    }
    return use;
}

static void join(struct clock *c, const struct clock *other)
{
    for (int u = 0; u < UNITS; u++)
        c->of[u] = c->of[u] > other->of[u] ? c->of[u] : other->of[u];
}

static bool all_before(const uint32_t *last, const struct clock *c)
{
    for (int u = 0; u < UNITS; u++)
        if (last[u] > c->of[u])
            return false;
    return true;
}

/* An operation of the unit uses its tiles. */
static void use_tiles(struct core_order *c, int unit, struct tile_use use)
{
    struct clock *now = &c->clocks[unit];
    uint32_t number = ++now->of[unit];
    for (uint64_t left = use.reads | use.writes; left; left &= left - 1) {
        int t = __builtin_ctzll(left);
        uint64_t bit = (uint64_t)1 << t;
        struct tile_uses *uses = &c->uses[t];
        bool writes = use.writes & bit;
        if (!all_before(uses->wrote, now) || (writes && !all_before(uses->read, now)))
            c->mixed |= bit;
        *(writes ? &uses->wrote[unit] : &uses->read[unit]) = number;
    }
}

static struct flag *flag_of(struct core_order *c, const struct insn *i)
{
    return &c->flags[i->pa][i->pb][i->imm];
}

/* False when the flag is not up. */
static bool take_flag(struct core_order *c, int unit, const struct insn *i)
{
    struct flag *f = flag_of(c, i);
    if (f->taken == f->sets.len)
        return false;
    join(&c->clocks[unit], &f->sets.items[f->taken++]);
    return true;
}

/* The head of the pipe; false when it waits. */
static bool perform(struct tile_order *t, struct core_order *c, int pipe)
{
    const struct queued *q = &c->queues[pipe].items[c->heads[pipe]];
    struct clock *now = &c->clocks[pipe];
    join(now, &q->issued);
    if (insn_acts(q->insn) == I_WAIT_FLAG && !take_flag(c, pipe, q->insn))
        return false;
    if (insn_acts(q->insn) == I_SET_FLAG)
        vec_push(t->arena, &flag_of(c, q->insn)->sets, *now);
    use_tiles(c, pipe, tile_use_of(c->code, q->insn));
    c->heads[pipe]++;
    return true;
}

static void run_pipes(struct tile_order *t, struct core_order *c)
{
    for (bool more = true; more;) {
        more = false;
        for (int p = 0; p < PIPE_COUNT; p++)
            while (c->heads[p] < c->queues[p].len && perform(t, c, p))
                more = true;
    }
}

/* It waits for the pipes: by contract not where one pipe alone is meant. */
static void pass_barrier(struct tile_order *t, struct core_order *c, const struct insn *i)
{
    for (int p = 0; p < PIPE_COUNT; p++)
        if (barrier_waits_for(t->contract, i->pa, p))
            join(&c->clocks[PIPE_S], &c->clocks[p]);
}

void tile_order_step(struct tile_order *t, int core, const struct insn *i)
{
    struct core_order *c = &t->cores[core];
    struct clock *now = &c->clocks[PIPE_S];
    int unit = insn_any(i, CLASS_TILE | CLASS_DMA | CLASS_FLAG) ? insn_pipe(c->code, i) : PIPE_S;
    if (unit != PIPE_S) {
        vec_push(t->arena, &c->queues[unit], (struct queued){i, *now});
        run_pipes(t, c);
    } else if (insn_acts(i) == I_BARRIER) {
        pass_barrier(t, c, i);
    } else if (insn_acts(i) == I_WAIT_FLAG) {
        take_flag(c, PIPE_S, i);
    } else if (insn_acts(i) == I_SET_FLAG) {
        vec_push(t->arena, &flag_of(c, i)->sets, *now);
        run_pipes(t, c);
    } else {
        use_tiles(c, PIPE_S, tile_use_of(c->code, i));
    }
}
