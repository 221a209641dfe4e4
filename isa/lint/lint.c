/* SPDX-License-Identifier: MIT */
#include "isa/lint/lint.h"

#include "isa/lint/internal.h"

static const char *const rule_names[] = {LINT_RULES(NAME_ROW)};

const char *lint_rule_name(enum lint_rule r)
{
    return rule_names[r];
}

/* ---- findings ---- */

static void report(struct lint *l, enum lint_rule rule, const struct fact *f)
{
    if (!l->reporting)
        return;
    for (size_t n = l->found.len; n-- > 0 && l->found.items[n].at == l->pc;)
        if (l->found.items[n].rule == rule && l->found.items[n].access == f->access)
            return;
    bool partial = rule == LINT_CLEAN && f->partial >= 0;
    struct lint_finding x = {.rule = partial ? LINT_ONE_LINE : rule,
                             .sure = !partial || f->base != NO_REG || !f->vague,
                             .core = l->groups[l->group].cores[0],
                             .access = f->access,
                             .at = l->pc,
                             .partial = partial ? f->partial : -1,
                             .region = l->code->insns[f->access].region};
    vec_push(l->a, &l->found, x);
}

/* ---- where ---- */

/* A number of a rank is another rank's, unless cores of several ranks run the code. */
static bool same_rank_possible(const struct lint *l, int x, int y)
{
    if (x == RANK_ANY || y == RANK_ANY || x == y)
        return true;
    if (x == RANK_PEER || y == RANK_PEER)
        return x != RANK_OWN && y != RANK_OWN;
    return (x == RANK_OWN || y == RANK_OWN) && l->groups[l->group].ncores > 1;
}

static bool meets(const struct lint *l, const struct fact *f, const struct reach *r)
{
    return f->set && f->lo < r->hi && r->lo < f->hi && same_rank_possible(l, f->rank, r->rank);
}

/* Of two ranks, there is one peer. */
static bool surely_same_rank(const struct lint *l, int x, int y)
{
    return x == y && x != RANK_ANY && (x != RANK_PEER || l->p->nranks == 2);
}

/* ---- what an instruction needs ---- */

enum event {
    EVENT_LD,
    EVENT_ST,
    EVENT_LD_DEV,
    EVENT_ST_DEV,
    EVENT_DMA_LOAD,
    EVENT_DMA_STORE,
    EVENT_RELEASE, /* others go on from here: a notify, a flag between cores, a task's end */
    EVENT_END,     /* memory is looked at */
    EVENT_COUNT
};

enum { NOTHING = LINT_RULE_COUNT, IN_LINE = 1 << 4 };

/* The marker that is missing when a fact is still so; IN_LINE: of any word of the same lines
 * (docs/semantics.md; pto-facts 6.3). */
#define N NOTHING
#define D LINT_DRAIN
#define F LINT_FENCE
#define C LINT_CLEAN
#define I LINT_INVALIDATE
#define L IN_LINE
static const uint8_t needs[EVENT_COUNT][FACT_KINDS] = {
    /*                   load   mte3   fix    posted dirty  cleaned cached old */
    [EVENT_LD] = {N, D, D, F, N, N, N, I | L},
    [EVENT_ST] = {D, D | L, D | L, F | L, N, N, N, I | L},
    [EVENT_LD_DEV] = {N, D, D, F, C, F, N, N},
    [EVENT_ST_DEV] = {D, D, D, F, C | L, N, N, N},
    [EVENT_DMA_LOAD] = {N, D, D, F, C, F, N, N},
    [EVENT_DMA_STORE] = {D, D, D, N, C | L, F | L, N, N},
    [EVENT_RELEASE] = {D, D, D, F, C, F, N, N},
    [EVENT_END] = {N, N, N, N, C, N, N, N},
};
#undef N
#undef D
#undef F
#undef C
#undef I
#undef L

/* A transfer of a pipe finds a queued fact in order already: what it still needs. */
static int in_order(enum event e, int kind)
{
    return e == EVENT_DMA_LOAD && kind != LOAD_QUEUED ? LINT_FENCE : NOTHING;
}

/* Every fact that meets r. pipe: of a transfer. */
static void check(struct lint *l, enum event e, const struct reach *r, int pipe)
{
    struct reach lines = lines_of(l, *r);
    for (int p = 0; p < l->size.npieces; p++) {
        if (!in_piece(l, p, &lines))
            continue;
        for (int side = 0; side < SIDES; side++)
            for (int k = 0; k < FACT_KINDS; k++) {
                const struct fact *f = &l->now.pieces[p].facts[side][k];
                int need = needs[e][k] & (IN_LINE - 1);
                bool whole = needs[e][k] & IN_LINE || k >= CACHED;
                struct reach of = {.lo = f->lo, .hi = f->hi, .rank = f->rank};
                struct fact lined = *f;
                of = lines_of(l, of);
                lined.lo = whole ? of.lo : f->lo;
                lined.hi = whole ? of.hi : f->hi;
                if (need == NOTHING || !meets(l, &lined, whole ? &lines : r))
                    continue;
                if (k < QUEUED_KINDS && pipe < PIPE_S && f->before >> pipe & 1)
                    need = in_order(e, k);
                if (need != NOTHING)
                    report(l, (enum lint_rule)need, f);
            }
    }
}

/* ---- what others learn ---- */

/* The signal is kept behind it on its way. */
static bool behind_signal(const struct lint *l, const struct fact *f, int kind,
                          const struct reach *to)
{
    if (!to || !surely_same_rank(l, f->rank, to->rank))
        return false;
    bool register_path =
        insn_acts(&l->code->insns[f->access]) == I_ST_DEV && l->k->st_dev == ST_DEV_REGISTER;
    return kind == CLEANED  ? l->k->fabric != FABRIC_UNORDERED && !register_path
           : kind == POSTED ? l->k->fabric == FABRIC_PER_PAIR
                            : false;
}

/* What a flag between cores says of what its own pipe has done: by contract it waits for that to
 * arrive on the own rank. */
static int told_by_pipe(const struct lint *l, const struct fact *f, int kind, int pipe)
{
    bool acked = l->k->ffts_set == FFTS_SET_ACKED && f->rank == RANK_OWN;
    int by = insn_pipe(l->code, &l->code->insns[f->access]);
    if (kind == POSTED)
        return acked && by == pipe ? NOTHING : LINT_FENCE;
    if (kind >= QUEUED_KINDS || !(f->before >> pipe & 1))
        return needs[EVENT_RELEASE][kind];
    return kind == LOAD_QUEUED || (acked && by == pipe) ? NOTHING : LINT_FENCE;
}

/* The signal is for this core alone, which has its rank for itself. */
static bool to_itself(const struct lint *l, const struct reach *to)
{
    bool alone = to && to->rank == RANK_OWN && !l->polls_peers;
    for (int h = 0; h < l->ngroups && alone; h++)
        alone = h == l->group || !(l->ranks[h] & l->ranks[l->group]);
    return alone;
}

/* to: where the signal goes, or NULL; pipe: that sets a flag between cores, or the scalar unit. */
static void release(struct lint *l, const struct reach *to, int pipe)
{
    for (int p = 0; p < l->size.npieces && !to_itself(l, to); p++)
        for (int side = 0; side < SIDES; side++)
            for (int k = 0; k < FACT_KINDS; k++) {
                const struct fact *f = &l->now.pieces[p].facts[side][k];
                bool matters = k == LOAD_QUEUED ? l->overwritten[p][side] : l->touched[p][side];
                if (!f->set || !matters || behind_signal(l, f, k, to))
                    continue;
                int need = pipe < PIPE_S ? told_by_pipe(l, f, k, pipe) : needs[EVENT_RELEASE][k];
                if (need != NOTHING)
                    report(l, (enum lint_rule)need, f);
            }
}

/* What others may write is old where it is in the cache, or can come into it on its own. */
static void acquire(struct lint *l)
{
    for (int p = 0; p < l->size.npieces; p++)
        for (int side = 0; side < SIDES; side++) {
            struct fact *facts = l->now.pieces[p].facts[side];
            if (!l->written[p][side])
                continue;
            fact_merge(&facts[OLD], &facts[CACHED]);
            fact_merge(&facts[OLD], &l->named[p].facts[side][CACHED]);
        }
}

/* ---- effects ---- */

static void raise_in(struct lint *l, int kind, const struct reach *r)
{
    for (int p = 0; p < l->size.npieces; p++)
        if (in_piece(l, p, r))
            fact_raise(&l->now.pieces[p].facts[side_of(r)][kind], r, l->pc);
}

/* Facts of the kinds from first to last that meet the lines of r. */
static bool pending(const struct lint *l, const struct reach *r, int first, int last)
{
    struct reach lines = lines_of(l, *r);
    for (int p = 0; p < l->size.npieces; p++)
        for (int side = 0; in_piece(l, p, &lines) && side < SIDES; side++)
            for (int k = first; k <= last; k++) {
                const struct fact *f = &l->now.pieces[p].facts[side][k];
                struct fact lined = *f;
                lined.lo = line_down(l, f->lo);
                lined.hi = line_down(l, f->hi + l->k->line - 1);
                if (meets(l, &lined, &lines))
                    return true;
            }
    return false;
}

/* The line comes from memory, where this core's own stores may not be yet. */
static void fill(struct lint *l, const struct reach *r)
{
    raise_in(l, CACHED, r);
    if (pending(l, r, MTE3_QUEUED, POSTED))
        raise_in(l, OLD, r);
}

/* A store past the cache leaves what the cache has of it behind. */
static void pass_cache(struct lint *l, const struct reach *r)
{
    struct reach lines = lines_of(l, *r);
    for (int p = 0; p < l->size.npieces; p++)
        for (int side = 0; in_piece(l, p, &lines) && side < SIDES; side++) {
            struct fact *facts = l->now.pieces[p].facts[side];
            struct fact both[] = {facts[CACHED], l->named[p].facts[side][CACHED]};
            for (int n = 0; n < 2; n++) {
                struct fact lined = both[n];
                lined.lo = line_down(l, lined.lo);
                lined.hi = line_down(l, lined.hi + l->k->line - 1);
                if (meets(l, &lined, &lines))
                    fact_merge(&facts[OLD], &both[n]);
            }
        }
}

/* What dcci handles: the line of an address, or the lines of a region. */
struct cover {
    struct reach at;
    bool known; /* lo and hi of it are */
};

static struct cover cover_of(const struct lint *l, struct reach r, bool region)
{
    struct cover c = {r, r.unit == 0};
    int64_t line = l->k->line;
    if (region)
        return c;
    bool tail = l->k->dcci_unaligned == DCCI_TAIL_ONLY, aligned = r.unit % line == 0;
    int64_t into = aligned ? r.lo - line_down(l, r.lo) : 0;
    c.at.lo = tail ? r.lo : line_down(l, r.lo);
    c.at.hi = line_down(l, r.lo) + line;
    c.at.s_lo = r.s_lo - (tail ? 0 : into);
    /* Where the line begins is not known: an element at the address is all in it. */
    c.at.s_hi = r.s_lo + (aligned ? line - into : elem_size(ELEM_I64));
    return c;
}

static bool covers(const struct lint *l, const struct cover *c, const struct fact *f)
{
    const struct reach *r = &c->at;
    bool same_base = f->base != NO_REG && f->base == r->base;
    if (same_base && f->s_lo >= r->s_lo && f->s_hi <= r->s_hi)
        return true;
    bool same_rank = same_base || surely_same_rank(l, f->rank, r->rank);
    return c->known && same_rank && f->lo >= r->lo && f->hi <= r->hi;
}

/* Where lines come on their own, one that does so before the core's own store has landed is old. */
static bool may_come_back(const struct lint *l, int piece)
{
    bool waits = false;
    for (int side = 0; side < SIDES; side++)
        for (int k = MTE3_QUEUED; k <= CLEANED; k++)
            waits |= k != DIRTY && l->now.pieces[piece].facts[side][k].set;
    return waits && l->k->prefetch == PREFETCH_SPONTANEOUS;
}

/* c NULL: all lines. */
static void clean(struct lint *l, const struct cover *c)
{
    for (int p = 0; p < l->size.npieces; p++) {
        if (c && !in_piece(l, p, &c->at))
            continue;
        bool back = may_come_back(l, p);
        for (int side = 0; side < SIDES; side++) {
            struct fact *facts = l->now.pieces[p].facts[side];
            if (facts[DIRTY].set && (!c || covers(l, c, &facts[DIRTY]))) {
                facts[DIRTY].partial = -1;
                fact_merge(&facts[CLEANED], &facts[DIRTY]);
                facts[DIRTY] = (struct fact){0};
            } else if (facts[DIRTY].set && same_rank_possible(l, facts[DIRTY].rank, c->at.rank)) {
                facts[DIRTY].partial =
                    insn_acts(&l->code->insns[l->pc]) == I_POLL ? facts[DIRTY].partial : l->pc;
            }
            if (!c || covers(l, c, &facts[CACHED]))
                facts[CACHED] = (struct fact){0};
            if (!back && (!c || covers(l, c, &facts[OLD])))
                facts[OLD] = (struct fact){0};
        }
    }
}

/* Pipes as bits: all that they had to do is done. */
static void drain(struct lint *l, unsigned pipes)
{
    static const uint8_t by[QUEUED_KINDS] = {PIPE_MTE2, PIPE_MTE3, PIPE_FIX};
    for (int p = 0; p < l->size.npieces; p++)
        for (int side = 0; side < SIDES; side++)
            for (int k = 0; k < QUEUED_KINDS; k++) {
                struct fact *facts = l->now.pieces[p].facts[side];
                if (!facts[k].set || !(pipes >> by[k] & 1 || facts[k].before >> PIPE_S & 1))
                    continue;
                if (k != LOAD_QUEUED) {
                    facts[k].before = 0;
                    fact_merge(&facts[POSTED], &facts[k]);
                }
                facts_dequeue(&l->now, l->size, p, side, k);
            }
}

/* Messages have arrived; those to other ranks by contract. */
static void fence(struct lint *l)
{
    if (l->k->dsb_waits == DSB_ALL_DMA)
        drain(l, ~0u);
    for (int p = 0; p < l->size.npieces; p++)
        for (int side = 0; side < SIDES; side++) {
            struct fact *facts = l->now.pieces[p].facts[side];
            if (side == SIDE_OTHER && l->k->ack == ACK_EGRESS)
                continue;
            facts[CLEANED] = (struct fact){0};
            if (l->k->dsb_waits != DSB_SCALAR)
                facts[POSTED] = (struct fact){0};
        }
}

static void queue(struct lint *l, const struct reach *r, int kind, int pipe)
{
    for (int p = 0; p < l->size.npieces; p++)
        if (in_piece(l, p, r))
            facts_queue(&l->now, l->size, p, side_of(r), kind, r, l->pc, pipe);
}

/* ---- instructions ---- */

static void scalar_access(struct lint *l, const struct insn *i, const struct reach *r)
{
    bool load = insn_any(i, CLASS_LOAD), cached = insn_any(i, CLASS_CACHED);
    if (i->flags & INSN_NOTIFY)
        release(l, r, PIPE_S);
    if (!(load && i->flags & INSN_SYNC))
        check(l,
              cached ? (load ? EVENT_LD : EVENT_ST)
              : load ? EVENT_LD_DEV
                     : EVENT_ST_DEV,
              r, PIPE_S);
    if (cached && insn_acts(i) != I_ST_ATOMIC)
        fill(l, r);
    if (!load)
        raise_in(l, cached ? DIRTY : CLEANED, r);
    if (!load && !cached)
        pass_cache(l, r);
}

static void transfer(struct lint *l, const struct insn *i, const struct reach *r)
{
    int pipe = insn_pipe(l->code, i);
    bool load = insn_any(i, CLASS_LOAD);
    check(l, load ? EVENT_DMA_LOAD : EVENT_DMA_STORE, r, pipe);
    queue(l, r, load ? LOAD_QUEUED : pipe == PIPE_FIX ? FIX_QUEUED : MTE3_QUEUED, pipe);
    if (!load)
        pass_cache(l, r);
}

static void poll(struct lint *l, const struct insn *i, const struct reach *r)
{
    bool cached = insn_any(i, CLASS_CACHED);
    struct cover line = cover_of(l, *r, false);
    if (cached)
        clean(l, &line);
    acquire(l);
    if (cached)
        raise_in(l, CACHED, r);
}

static void flag(struct lint *l, const struct insn *i)
{
    if (insn_acts(i) == I_SET_FLAG) {
        facts_set_flag(&l->now, l->size, l->flags[l->pc], i->pa);
        return;
    }
    facts_wait_flag(&l->now, l->size, l->flags[l->pc], i->pb);
    drain(l, 0);
}

static void barrier(struct lint *l, const struct insn *i)
{
    if (i->pa == PIPE_ALL)
        drain(l, ~0u);
    else if (l->k->pipe_barrier == BARRIER_SCALAR_BLOCKING)
        drain(l, 1u << i->pa);
}

static void task(struct lint *l, const struct task *t)
{
    int entry = l->k->task_entry_invalidate;
    if (entry == TASK_INVALIDATES_EARLY)
        clean(l, NULL);
    if (t->waits)
        acquire(l);
    if (entry == TASK_INVALIDATES)
        clean(l, NULL);
}

static void end(struct lint *l, const struct task *t)
{
    if (t->awaited)
        release(l, NULL, PIPE_S);
    for (int p = 0; t->last && p < l->size.npieces; p++)
        for (int side = 0; side < SIDES; side++)
            if (l->now.pieces[p].facts[side][DIRTY].set)
                report(l, LINT_CLEAN, &l->now.pieces[p].facts[side][DIRTY]);
}

/* Facts are told by what a register held until now. */
static void forget_base(struct lint *l, int reg)
{
    for (int p = 0; p < l->size.npieces; p++)
        for (int side = 0; side < SIDES; side++)
            for (int k = DIRTY; k < FACT_KINDS; k++)
                if (l->now.pieces[p].facts[side][k].base == reg)
                    l->now.pieces[p].facts[side][k].base = NO_REG;
}

static void apply(struct lint *l, const struct insn *i)
{
    const struct reach *r = &l->reach[l->pc];
    struct cover c;
    switch (insn_acts(i)) {
    case I_POLL:
    case I_POLL_DEV:
        poll(l, i, r);
        break;
    case I_WAIT_CROSS:
        acquire(l);
        break;
    case I_SET_CROSS:
        release(l, NULL, i->pa);
        break;
    case I_DCCI:
        c = cover_of(l, *r, false);
        clean(l, &c);
        break;
    case I_DCCI_ALL:
        clean(l, NULL);
        break;
    case I_DSB:
        fence(l);
        break;
    case I_BARRIER:
        barrier(l, i);
        break;
    case I_SET_FLAG:
    case I_WAIT_FLAG:
        flag(l, i);
        break;
    case I_TASK:
        task(l, &l->tasks[l->pc]);
        break;
    case I_END:
        end(l, &l->tasks[l->pc]);
        break;
    case I_BNZ: /* the end of a loop over the lines of a region */
        c = cover_of(l, *r, true);
        if (!r->nowhere)
            clean(l, &c);
        break;
    default:
        if (insn_any(i, CLASS_DMA))
            transfer(l, i, r);
        else if (insn_scalar_access(i))
            scalar_access(l, i, r);
    }
    if (insn_kind(i)->writes && l->is_base[i->rd])
        forget_base(l, i->rd);
}

/* ---- ways through the code ---- */

static void flow_to(struct lint *l, struct block *b)
{
    if (!b->reached) {
        b->in = facts_new(&l->scratch, l->size);
        facts_copy(&b->in, &l->now, l->size);
        b->reached = b->due = true;
        return;
    }
    b->due |= facts_join(&b->in, &l->now, l->size);
}

static void follow(struct lint *l, int leader)
{
    facts_copy(&l->now, &l->blocks[leader].in, l->size);
    for (l->pc = leader;; l->pc++) {
        const struct insn *i = &l->code->insns[l->pc];
        apply(l, i);
        if (insn_any(i, CLASS_BRANCH))
            flow_to(l, &l->blocks[i->imm]);
        if (insn_acts(i) == I_END)
            flow_to(l, &l->between);
        if (insn_acts(i) == I_END || insn_acts(i) == I_JMP || l->pc + 1 == l->code->count)
            return;
        if (l->leader[l->pc + 1]) {
            flow_to(l, &l->blocks[l->pc + 1]);
            return;
        }
    }
}

static void start(struct lint *l, const struct facts *from)
{
    const struct core_group *g = &l->groups[l->group];
    facts_copy(&l->now, from, l->size);
    for (int n = 0; n < g->ncores; n++) {
        const struct core_desc *desc = &l->p->cores[g->cores[n]];
        if (!desc->dispatches)
            flow_to(l, &l->blocks[0]);
        for (int d = 0; d < desc->ndispatches; d++)
            if (n == 0 || d >= l->p->cores[g->cores[n - 1]].ndispatches ||
                desc->dispatches[d].entry != l->p->cores[g->cores[n - 1]].dispatches[d].entry)
                flow_to(l, &l->blocks[desc->dispatches[d].entry]);
    }
}

/* Until nothing changes; nested loops settle from the inside. */
static void settle(struct lint *l)
{
    struct facts nothing = facts_new(&l->scratch, l->size);
    start(l, &nothing);
    for (bool more = true; more;) {
        more = false;
        for (int pc = 0; pc < l->code->count; pc++) {
            if (!l->leader[pc] || !l->blocks[pc].due)
                continue;
            l->blocks[pc].due = false;
            follow(l, pc);
            more = true;
        }
        if (l->between.due) {
            l->between.due = false;
            if (l->p->cores[l->groups[l->group].cores[0]].dispatches)
                start(l, &l->between.in);
        }
    }
    l->reporting = true;
    for (int pc = 0; pc < l->code->count; pc++)
        if (l->leader[pc] && l->blocks[pc].reached)
            follow(l, pc);
    l->reporting = false;
}

/* ---- all together ---- */

/* Cores that run the same code as different parts of their rank have the same findings. */
static void drop_repeated(struct lint *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->found.len; i++) {
        const struct lint_finding *x = &l->found.items[i];
        bool seen = false;
        for (size_t n = 0; n < kept && l->ngroups > 1 && !seen; n++) {
            const struct lint_finding *y = &l->found.items[n];
            seen = x->rule == y->rule && x->access == y->access && x->at == y->at &&
                   l->p->cores[x->core].code == l->p->cores[y->core].code;
        }
        if (!seen)
            l->found.items[kept++] = *x;
    }
    l->found.len = kept;
}

struct lint_report lint_program(struct arena *a, const struct program *p, const struct contract *k)
{
    struct lint l = {.a = a, .p = p, .k = k};
    if (k->coherent)
        return (struct lint_report){0};
    lint_prepare(&l);
    for (int g = 0; g < l.ngroups; g++) {
        lint_prepare_group(&l, g);
        settle(&l);
    }
    drop_repeated(&l);
    arena_free(&l.scratch);
    return (struct lint_report){l.found.items, (int)l.found.len};
}
