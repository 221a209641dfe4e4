/* SPDX-License-Identifier: MIT */
#include "isa/lint/reach.h"

#include <stdlib.h>

/* What a value is. */
enum kind {
    NONE,   /* no definition was seen yet */
    NUMBER, /* an integer, or an address as one */
    ANY,    /* a pointer: an offset in the memory of some rank */
    DELTA,  /* the difference of two pointers, which may be of different ranks */
    UNKNOWN
};

/* lo plus a multiple of unit, at most hi; from -FAR or to FAR: there is no bound. A number has
 * by_rank times the rank of the core on top: a pointer to the own rank is one of ONE_RANK. */
struct value {
    enum kind kind;
    int64_t lo, hi, unit, by_rank;
};

enum { SHARP_PASSES = 4 };
static const int64_t FAR = (int64_t)1 << 60, ONE_RANK = (int64_t)1 << GM_RANK_SHIFT;

struct finder {
    const struct program *p;
    const struct core_group *g;
    int low_rank, high_rank; /* of the group's cores */
    struct value *values;    /* per register */
    int32_t *base;           /* per register: it is that one plus above */
    int64_t *above;
    int *defs;          /* per register: how many instructions define it */
    const int *limited; /* per register: the comparison that bounds it, or -1 */
    bool widen;
};

static int64_t clamp(__int128 v)
{
    return v < -FAR ? -FAR : v > FAR ? FAR : (int64_t)v;
}

static int64_t gcd(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static struct value number(int64_t lo, int64_t hi)
{
    return (struct value){NUMBER, clamp(lo), clamp(hi), lo != hi, 0};
}

static const struct value any_number = {NUMBER, -((int64_t)1 << 60), (int64_t)1 << 60, 1, 0};
static const struct value unknown = {.kind = UNKNOWN};

static bool known(const struct value *v)
{
    return v->kind != NONE && v->kind != UNKNOWN;
}

static bool constant(const struct value *v)
{
    return v->kind == NUMBER && v->lo == v->hi && !v->by_rank;
}

/* Which part of by_rank tells the rank that a pointer is to; the rest is bytes or a plain
 * number. */
static int64_t ranks_of(int64_t by_rank)
{
    return (by_rank + ONE_RANK / 2) >> GM_RANK_SHIFT;
}

static int64_t bytes_by_rank(int64_t by_rank)
{
    return by_rank - ranks_of(by_rank) * ONE_RANK;
}

/* The number without its bytes by rank: one of all cores of the group. */
static struct value over_ranks(const struct finder *f, struct value v)
{
    int64_t each = v.kind == NUMBER ? bytes_by_rank(v.by_rank) : 0;
    if (!each)
        return v;
    int64_t a = each * f->low_rank, b = each * f->high_rank;
    v.lo = clamp((__int128)v.lo + (a < b ? a : b));
    v.hi = clamp((__int128)v.hi + (a < b ? b : a));
    v.unit = f->low_rank == f->high_rank ? v.unit : gcd(v.unit, each);
    v.by_rank -= each;
    return v;
}

static struct value join(const struct finder *f, struct value x, struct value y)
{
    if (!known(&x))
        return x.kind == NONE ? y : x;
    if (!known(&y))
        return y.kind == NONE ? x : y;
    if (x.by_rank != y.by_rank) {
        x = over_ranks(f, x);
        y = over_ranks(f, y);
    }
    if (x.kind != y.kind || x.by_rank != y.by_rank)
        return unknown;
    struct value out = {x.kind, x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi,
                        gcd(gcd(x.unit, y.unit), x.lo - y.lo), x.by_rank};
    if (f->widen && out.lo < x.lo)
        out.lo = -FAR, out.unit = 1;
    if (f->widen && out.hi > x.hi)
        out.hi = FAR;
    return out;
}

/* ---- arithmetic ---- */

static enum kind sum_kind(enum kind x, enum kind y)
{
    if (x == NUMBER || y == NUMBER)
        return x == NUMBER ? y : x;
    if (x == DELTA || y == DELTA)
        return x == DELTA && y == DELTA ? DELTA : ANY;
    return UNKNOWN;
}

static struct value added(struct value x, struct value y, enum kind kind, int sign)
{
    int64_t lo = sign > 0 ? y.lo : -y.hi, hi = sign > 0 ? y.hi : -y.lo;
    return (struct value){kind, clamp((__int128)x.lo + lo), clamp((__int128)x.hi + hi),
                          gcd(x.unit, y.unit), x.by_rank + sign * y.by_rank};
}

/* Told as what it may be for any rank: of the same offset, or difference of offsets. */
static struct value of_any_rank(const struct finder *f, struct value v)
{
    if (v.kind != NUMBER)
        return v;
    v = over_ranks(f, v);
    int64_t offset = v.lo == v.hi ? (int64_t)gm_offset((uint64_t)v.lo) : v.lo;
    v.hi += offset - v.lo;
    v.lo = offset;
    v.by_rank = 0;
    return v;
}

static struct value sum(const struct finder *f, struct value x, struct value y)
{
    enum kind kind = sum_kind(x.kind, y.kind);
    if (kind != NUMBER) { /* a pointer to the own rank plus a difference is one to any */
        bool pointer = ranks_of(x.by_rank) || ranks_of(y.by_rank);
        kind = kind == DELTA && pointer ? ANY : kind;
        x = of_any_rank(f, x);
        y = of_any_rank(f, y);
    }
    return kind == UNKNOWN ? unknown : added(x, y, kind, 1);
}

/* A pointer less another one is a difference; numbers take care of themselves. */
static struct value difference(const struct finder *f, struct value x, struct value y)
{
    if (x.kind == NUMBER && y.kind == NUMBER)
        return added(x, y, NUMBER, -1);
    bool far = y.kind == NUMBER && (ranks_of(y.by_rank) || y.lo >= ONE_RANK);
    enum kind kind = y.kind == ANY || far ? (x.kind == DELTA ? UNKNOWN : DELTA)
                     : y.kind == DELTA    ? (x.kind == DELTA ? DELTA : ANY)
                                          : x.kind;
    return kind == UNKNOWN ? unknown : added(of_any_rank(f, x), of_any_rank(f, y), kind, -1);
}

static struct value scaled(struct value x, int64_t by)
{
    int64_t a = clamp((__int128)x.lo * by), b = clamp((__int128)x.hi * by);
    return (struct value){x.kind, a < b ? a : b, a < b ? b : a, clamp((__int128)x.unit * by),
                          clamp((__int128)x.by_rank * by)};
}

static struct value divided(const struct finder *f, struct value x, int64_t by)
{
    if (x.by_rank % by == 0 && x.lo == x.hi && x.lo % by == 0)
        return (struct value){x.kind, x.lo / by, x.lo / by, 0, x.by_rank / by};
    x = over_ranks(f, x);
    if (x.by_rank)
        return any_number;
    return (struct value){x.kind, x.lo / by - (x.lo < 0), x.hi / by + (x.hi > 0), 1, 0};
}

/* Of a number whose bits above the mask are the same on all ranks the rest is what it was. */
static struct value masked(const struct finder *f, struct value x, int64_t mask)
{
    struct value all = over_ranks(f, x);
    if (mask < 0 && (-mask & (-mask - 1)) == 0) /* aligned down */
        return (struct value){all.kind, all.lo & mask, all.hi & mask, all.lo == all.hi ? 0 : -mask,
                              all.by_rank};
    if (mask < 0 || all.kind != NUMBER)
        return any_number;
    bool low_bits = ((mask + 1) & mask) == 0;
    if (all.by_rank || all.lo < 0 || !low_bits || (all.lo & ~mask) != (all.hi & ~mask))
        return number(0, mask);
    int64_t high = all.lo & ~mask;
    x.lo -= high;
    x.hi -= high;
    return x;
}

/* A number of fewer bits: what is above them is gone, where it is the same on all ranks. */
static struct value narrowed(const struct finder *f, struct value x, enum elem to)
{
    struct value all = over_ranks(f, x);
    int bits = 8 * elem_size(to);
    if (bits >= 64 || all.kind != NUMBER || all.by_rank || all.lo <= -FAR || all.hi >= FAR)
        return x;
    int64_t half = to == ELEM_U8 ? 0 : (int64_t)1 << (bits - 1), above = (all.lo + half) >> bits;
    if ((all.hi + half) >> bits != above)
        return any_number;
    x.lo -= above * ((int64_t)1 << bits);
    x.hi -= above * ((int64_t)1 << bits);
    return x;
}

/* The few operations that addresses are made of; any other gives a number. */
static struct value arithmetic(const struct finder *f, enum alu op, struct value x, struct value y,
                               enum elem to)
{
    if (x.kind == NONE || y.kind == NONE)
        return (struct value){.kind = NONE};
    if (alu_compares(op))
        return number(0, 1);
    if (x.kind == UNKNOWN || (y.kind == UNKNOWN && op != ALU_CVT))
        return unknown;
    bool by = constant(&y), bytes = x.kind != ANY;
    struct value a = over_ranks(f, x), b = over_ranks(f, y);
    bool plain = a.kind == NUMBER && b.kind == NUMBER && !a.by_rank && !b.by_rank;
    switch (op) {
    case ALU_ADD:
        return sum(f, x, y);
    case ALU_SUB:
        return difference(f, x, y);
    case ALU_MUL:
        return by && bytes                        ? scaled(x, y.lo)
               : constant(&x) && y.kind == NUMBER ? scaled(y, x.lo)
                                                  : any_number;
    case ALU_SHL:
        return by && bytes && y.lo >= 0 && y.lo < 32 ? scaled(x, (int64_t)1 << y.lo) : any_number;
    case ALU_FLOORDIV:
    case ALU_TRUNCDIV:
        return by && bytes && y.lo > 0 ? divided(f, x, y.lo) : any_number;
    case ALU_SHR:
        return plain && by && y.lo >= 0 && y.lo < 60 && a.lo >= 0
                   ? number(a.lo >> y.lo, a.hi >> y.lo)
                   : any_number;
    case ALU_AND:
        return by ? masked(f, x, y.lo) : any_number;
    case ALU_MOD:
        return by && y.lo > 0 ? number(0, y.lo - 1) : any_number;
    case ALU_MIN:
        return plain ? number(a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi) : any_number;
    case ALU_MAX:
        return plain ? number(a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi) : any_number;
    case ALU_CVT:
        return x.kind == NUMBER && elem_is_float(to) ? any_number : narrowed(f, x, to);
    default:
        return any_number;
    }
}

/* ---- what a register begins with ---- */

static int rank_of_core(const struct finder *f, int k)
{
    return f->p->cores[f->g->cores[k]].rank;
}

/* The offset lies in the memory of windows and tensors. */
static bool in_memory(const struct finder *f, int64_t v)
{
    return gm_rank((uint64_t)v) < f->p->nranks &&
           program_region_at(f->p, gm_offset((uint64_t)v)) != NULL;
}

/* One value of each core of the group: as a number plus so much a rank, or the range of all. */
static struct value fitted(const struct finder *f, const int64_t *list)
{
    int n = f->g->ncores, first = rank_of_core(f, 0);
    struct value all = {.kind = NONE};
    if (n == 1) {
        bool own = gm_rank((uint64_t)list[0]) == first && first > 0 && in_memory(f, list[0]);
        return own ? (struct value){NUMBER, (int64_t)gm_offset((uint64_t)list[0]),
                                    (int64_t)gm_offset((uint64_t)list[0]), 0, ONE_RANK}
                   : number(list[0], list[0]);
    }
    int64_t step = 0;
    for (int k = 1; k < n; k++)
        if (rank_of_core(f, k) != first)
            step = (list[k] - list[0]) / (rank_of_core(f, k) - first);
    bool fits = true;
    for (int k = 0; k < n; k++) {
        fits &= list[k] == list[0] + (rank_of_core(f, k) - first) * step;
        all = join(f, all, number(list[k], list[k]));
    }
    int64_t zero = list[0] - first * step;
    return fits ? (struct value){NUMBER, zero, zero, 0, step} : all;
}

static void add_argument(struct finder *f, int reg, struct value v)
{
    f->values[reg] = join(f, f->values[reg], v);
    f->defs[reg]++;
}

/* Tasks of a host differ in their arguments; a pointer of theirs is one to the own rank. */
static void task_arguments(struct finder *f, int core)
{
    const struct core_desc *desc = &f->p->cores[core];
    for (int d = 0; d < desc->ndispatches; d++) {
        const struct dispatch *t = &desc->dispatches[d];
        for (int i = 0; i < t->nargs; i++) {
            int64_t v = t->args[i], offset = (int64_t)gm_offset((uint64_t)v);
            bool own = gm_rank((uint64_t)v) == desc->rank && in_memory(f, v);
            add_argument(f, t->first_reg + i,
                         own ? (struct value){NUMBER, offset, offset, 0, ONE_RANK} : number(v, v));
        }
    }
}

static void core_arguments(struct finder *f)
{
    const struct core_group *g = f->g;
    int nargs = f->p->cores[g->cores[0]].nargs;
    int64_t list[g->ncores];
    for (int i = 0; i < nargs; i++) {
        for (int k = 0; k < g->ncores; k++)
            list[k] = f->p->cores[g->cores[k]].args[i];
        add_argument(f, i, fitted(f, list));
    }
    for (int k = 0; k < g->ncores; k++)
        task_arguments(f, g->cores[k]);
}

/* ---- loads: communication contexts are the only memory whose words are known ---- */

static const struct region *context_at(const struct program *p, int64_t lo, int64_t hi)
{
    for (int i = 0; i < p->nregions; i++) {
        const struct region *g = &p->regions[i];
        if (g->kind == REGION_CTX && lo >= (int64_t)g->offset &&
            hi <= (int64_t)(g->offset + g->size))
            return g;
    }
    return NULL;
}

static void bound_by(const struct region *g, int64_t *lo, int64_t *hi)
{
    int64_t first = (int64_t)g->offset, end = (int64_t)(g->offset + g->size);
    *lo = *lo < first ? first : *lo > end ? end : *lo;
    *hi = *hi > end ? end : *hi < first ? first : *hi;
}

static int64_t word_at(const struct finder *f, int k, int64_t at)
{
    return elem_load(f->p->gm_init[rank_of_core(f, k)] + at, ELEM_I64);
}

/* One word of each rank's own context, at an offset that may depend on the rank. */
static struct value own_word(const struct finder *f, int64_t at, int64_t by_rank)
{
    int64_t list[f->g->ncores], word = elem_size(ELEM_I64);
    for (int k = 0; k < f->g->ncores; k++) {
        int64_t here = at + by_rank * rank_of_core(f, k);
        if (!context_at(f->p, here, here + word))
            return unknown;
        list[k] = word_at(f, k, here);
    }
    return fitted(f, list);
}

/* Some word of a context. Windows have the same offset on every rank, so that of pointers to one
 * the offset is known. */
static struct value some_word(const struct finder *f, int64_t lo, int64_t hi)
{
    int64_t word = elem_size(ELEM_I64), offset = 0;
    bool pointers = lo + word <= hi;
    struct value all = {.kind = NONE};
    for (int64_t at = lo; at + word <= hi; at += word)
        for (int k = 0; k < f->g->ncores; k++) {
            int64_t v = word_at(f, k, at);
            offset = at == lo && k == 0 ? (int64_t)gm_offset((uint64_t)v) : offset;
            pointers &= (int64_t)gm_offset((uint64_t)v) == offset && in_memory(f, v);
            all = join(f, all, number(v, v));
        }
    return pointers ? (struct value){ANY, offset, offset, 0, 0} : all.kind == NONE ? unknown : all;
}

static struct value loaded(const struct finder *f, const struct insn *i)
{
    struct value at = i->ra == NO_REG ? number(i->imm, i->imm) : f->values[i->ra];
    if (at.kind == NONE || i->elem != ELEM_I64)
        return at.kind == NONE ? at : any_number;
    if (at.kind != NUMBER)
        return unknown;
    int64_t more = i->ra == NO_REG ? 0 : i->imm, word = elem_size(ELEM_I64);
    bool own = ranks_of(at.by_rank) == 1 || f->g->ncores == 1;
    if (own && at.lo == at.hi)
        return own_word(f, (int64_t)gm_offset((uint64_t)(at.lo + more)), bytes_by_rank(at.by_rank));
    at = over_ranks(f, at);
    int64_t lo = clamp((__int128)at.lo + more), hi = clamp((__int128)at.hi + more + word);
    if (i->region >= 0 && f->p->regions[i->region].kind == REGION_CTX)
        bound_by(&f->p->regions[i->region], &lo, &hi);
    return own && context_at(f->p, lo, hi) ? some_word(f, lo, hi) : unknown;
}

/* ---- registers ---- */

static struct value operand(const struct finder *f, int reg, int64_t imm)
{
    return reg == NO_REG ? number(imm, imm) : f->values[reg];
}

static struct value result(const struct finder *f, const struct insn *i)
{
    switch (insn_acts(i)) {
    case I_LI:
        return number(i->imm, i->imm);
    case I_MOV:
        return operand(f, i->ra, 0);
    case I_ALU:
        return arithmetic(f, (enum alu)i->sub, operand(f, i->ra, i->imm2),
                          operand(f, i->rb, i->imm), (enum elem)i->elem2);
    case I_LD:
    case I_LD_DEV:
        return loaded(f, i);
    default:
        return any_number;
    }
}

/* A register that counts up to a limit: [i < limit; leave if not; ...; i += step; back]. */
static void find_limits(const struct code *c, int *limited)
{
    for (int pc = 0; pc < c->count; pc++) {
        const struct insn *back = &c->insns[pc], *step = back - 1;
        if (insn_acts(back) != I_JMP || back->imm >= pc || pc < 1 || insn_acts(step) != I_ALU)
            continue;
        const struct insn *test = &c->insns[back->imm], *leave = test + 1;
        if (step->sub == ALU_ADD && step->rb == NO_REG && step->imm > 0 && step->ra == step->rd &&
            insn_acts(test) == I_ALU && test->sub == ALU_LT && test->ra == step->rd &&
            insn_acts(leave) == I_BZ && leave->ra == test->rd)
            limited[step->rd] = (int)back->imm;
    }
}

/* A counter goes beyond its limit by less than a step, once; it is there at once, to settle
 * soon. */
static struct value limit(const struct finder *f, const struct insn *i, struct value v)
{
    int test = i->rd < 0 ? -1 : f->limited[i->rd];
    if (test < 0 || v.kind != NUMBER || v.by_rank || insn_acts(i) != I_ALU || i->ra != i->rd)
        return v;
    struct value most = operand(f, f->g->code->insns[test].rb, f->g->code->insns[test].imm);
    most = over_ranks(f, most);
    if (most.kind != NUMBER || most.by_rank || most.hi >= FAR)
        return v;
    v.hi = most.hi - 1 + i->imm > v.lo ? most.hi - 1 + i->imm : v.lo;
    v.unit = v.lo == v.hi ? 0 : i->imm;
    return v;
}

static bool one_pass(struct finder *f)
{
    const struct code *c = f->g->code;
    bool changed = false;
    for (int pc = 0; pc < c->count; pc++) {
        const struct insn *i = &c->insns[pc];
        if (!insn_kind(i)->writes)
            continue;
        struct value old = f->values[i->rd];
        struct value v = limit(f, i, result(f, i));
        struct value now = join(f, old, v);
        changed |= old.kind != now.kind || old.lo != now.lo || old.hi != now.hi ||
                   old.unit != now.unit || old.by_rank != now.by_rank;
        f->values[i->rd] = now;
    }
    return changed;
}

/* A register that is set at one place only is told by another one and a number on top. */
static void find_bases(struct finder *f)
{
    const struct code *c = f->g->code;
    for (int r = 0; r < c->nregs; r++)
        f->base[r] = r;
    for (int pc = 0; pc < c->count; pc++) {
        const struct insn *i = &c->insns[pc];
        bool adds = insn_acts(i) == I_ALU && i->sub == ALU_ADD && i->ra != NO_REG;
        if (!insn_kind(i)->writes || f->defs[i->rd] != 1 || i->ra == NO_REG ||
            f->defs[i->ra] != 1 || !(adds || insn_acts(i) == I_MOV))
            continue;
        struct value more = adds ? operand(f, i->rb, i->imm) : number(0, 0);
        if (!constant(&more))
            continue;
        f->base[i->rd] = f->base[i->ra];
        f->above[i->rd] = f->above[i->ra] + more.lo;
    }
}

/* ---- accesses ---- */

/* Of a pointer that is told by the own rank: its rank is c + m * own. */
static int rank_of(const struct finder *f, const struct value *v)
{
    int64_t c = v->lo >> GM_RANK_SHIFT, m = ranks_of(v->by_rank);
    if (f->p->nranks == 1)
        return RANK_OWN;
    if (v->kind != NUMBER || v->lo < 0 || (v->hi >> GM_RANK_SHIFT) != c)
        return RANK_ANY;
    bool own = true, never = true;
    for (int k = 0; k < f->g->ncores; k++) {
        bool here = c + m * rank_of_core(f, k) == rank_of_core(f, k);
        own &= here;
        never &= !here;
    }
    return own ? RANK_OWN : m == 0 ? (int)c : never ? RANK_PEER : RANK_ANY;
}

/* Of `bytes` from the address on; the region bounds what is not known. */
static struct reach reach_of(const struct finder *f, const struct insn *i, struct operand at,
                             int64_t bytes)
{
    struct value v = over_ranks(f, operand(f, at.reg, at.imm));
    int64_t more = at.reg == NO_REG ? 0 : at.imm;
    struct reach r = {
        .base = NO_REG, .rank = RANK_ANY, .lo = 0, .hi = (int64_t)f->p->gm_bytes, .unit = 1};
    const struct region *g = i->region < 0 ? NULL : &f->p->regions[i->region];
    if (v.kind == ANY || v.kind == NUMBER) {
        r.rank = f->p->nranks == 1 ? RANK_OWN : v.kind == ANY ? RANK_ANY : rank_of(f, &v);
        bool one = v.kind == NUMBER && (v.lo >> GM_RANK_SHIFT) == (v.hi >> GM_RANK_SHIFT);
        int64_t home = one ? v.lo >> GM_RANK_SHIFT << GM_RANK_SHIFT : 0;
        r.lo = clamp((__int128)v.lo - home + more);
        r.hi = clamp((__int128)v.hi - home + more + bytes);
        r.unit = v.unit;
    }
    if (at.reg != NO_REG && f->defs[at.reg]) {
        r.base = f->base[at.reg];
        r.s_lo = f->above[at.reg] + more;
        r.s_hi = r.s_lo + bytes;
    }
    if (g && (r.lo < (int64_t)g->offset || r.hi > (int64_t)(g->offset + g->size))) {
        bound_by(g, &r.lo, &r.hi);
        r.unit = 1;
    }
    if (g && g->kind != REGION_WINDOW)
        r.rank = RANK_OWN;
    return r;
}

static int64_t most_of(const struct finder *f, struct operand o)
{
    struct value v = over_ranks(f, operand(f, o.reg, o.imm));
    return v.kind == NUMBER && !v.by_rank && v.hi >= 0 ? v.hi : FAR;
}

static struct reach transfer(const struct finder *f, const struct insn *i)
{
    const struct dma *d = &f->g->code->dmas[i->aux];
    __int128 size = elem_size(d->elem);
    if (!d->immediate) {
        __int128 rows = most_of(f, d->rows), cols = most_of(f, d->cols);
        size = (rows > 0 ? rows - 1 : 0) * d->gm_stride + cols * size;
    }
    struct reach r = reach_of(f, i, d->address, clamp(size));
    if (d->gm_stride < 0) { /* rows go down: all of the region */
        r.lo = i->region < 0 ? 0 : (int64_t)f->p->regions[i->region].offset;
        r.base = NO_REG;
    }
    return r;
}

/* ---- a loop over lines: p = first & -line; do dcci p, p += line while p < end ---- */

static bool is_region_loop(const struct code *c, int pc)
{
    const struct insn *i = &c->insns[pc];
    if (pc < 1 || pc + 3 >= c->count || insn_acts(i) != I_DCCI || i->ra == NO_REG)
        return false;
    const struct insn *first = i - 1, *step = i + 1, *test = i + 2, *back = i + 3;
    return (insn_acts(first) == I_LI || insn_acts(first) == I_MOV) && first->rd == i->ra &&
           insn_acts(step) == I_ALU && step->sub == ALU_ADD && step->rd == i->ra &&
           step->ra == i->ra && step->rb == NO_REG && insn_acts(test) == I_ALU &&
           test->sub == ALU_LT && test->ra == i->ra && insn_acts(back) == I_BNZ &&
           back->ra == test->rd && back->imm == pc;
}

/* The instruction that defines a register which is defined once, or NULL. */
static const struct insn *only_definition(const struct finder *f, int pc, int reg)
{
    const struct code *c = f->g->code;
    for (int n = pc; reg != NO_REG && f->defs[reg] == 1 && n >= 0 && n > pc - 16; n--)
        if (insn_kind(&c->insns[n])->writes && c->insns[n].rd == reg)
            return &c->insns[n];
    return NULL;
}

static struct reach region_loop(const struct finder *f, int pc)
{
    const struct insn *i = &f->g->code->insns[pc], *first = i - 1, *test = i + 2;
    struct value begin = over_ranks(f, operand(f, first->ra, first->imm)),
                 end = over_ranks(f, operand(f, test->rb, test->imm));
    bool exact = begin.kind != UNKNOWN && begin.kind == end.kind && begin.lo == begin.hi &&
                 end.lo == end.hi && begin.by_rank == end.by_rank;
    struct reach r = {.base = NO_REG, .rank = rank_of(f, &begin), .unit = exact ? 0 : 1};
    r.lo = exact ? (int64_t)gm_offset((uint64_t)begin.lo) : 0;
    r.hi = exact ? r.lo + end.lo - begin.lo : (int64_t)f->p->gm_bytes;
    const struct insn *down = only_definition(f, pc, first->ra);
    bool from = down && insn_acts(down) == I_ALU && down->sub == ALU_AND && down->ra != NO_REG;
    if (from && test->rb != NO_REG && f->base[test->rb] == f->base[down->ra]) {
        r.base = f->base[down->ra];
        r.s_lo = f->above[down->ra];
        r.s_hi = f->above[test->rb];
    }
    return r;
}

struct reach *reach_find(struct arena *a, const struct program *p, const struct core_group *g)
{
    const struct code *c = g->code;
    size_t nregs = (size_t)c->nregs + 1;
    int *limited = arena_array(a, int, nregs);
    struct finder f = {.p = p, .g = g, .limited = limited};
    f.values = arena_array(a, struct value, nregs);
    f.base = arena_array(a, int32_t, nregs);
    f.above = arena_array(a, int64_t, nregs);
    f.defs = arena_array(a, int, nregs);
    for (size_t r = 0; r < nregs; r++)
        limited[r] = -1;
    f.low_rank = f.high_rank = rank_of_core(&f, 0);
    for (int k = 1; k < g->ncores; k++) {
        int rank = rank_of_core(&f, k);
        f.low_rank = rank < f.low_rank ? rank : f.low_rank;
        f.high_rank = rank > f.high_rank ? rank : f.high_rank;
    }
    core_arguments(&f);
    for (int pc = 0; pc < c->count; pc++)
        if (insn_kind(&c->insns[pc])->writes)
            f.defs[c->insns[pc].rd]++;
    for (int r = 0; r < c->nregs; r++)
        if (!f.defs[r])
            f.values[r] = number(0, 0);
    find_limits(c, limited);
    for (int pass = 0; one_pass(&f); pass++)
        f.widen = pass >= SHARP_PASSES;
    find_bases(&f);
    struct reach *out = arena_array(a, struct reach, (size_t)c->count + 1);
    for (int pc = 0; pc < c->count; pc++) {
        const struct insn *i = &c->insns[pc];
        int address = insn_kind(i)->address;
        struct operand at = {i->ra, i->imm};
        if (address == ADDRESS_DMA)
            out[pc] = transfer(&f, i);
        else if (address == ADDRESS_WORD || address == ADDRESS_LINE)
            out[pc] =
                reach_of(&f, i, at, address == ADDRESS_LINE ? 1 : elem_size((enum elem)i->elem));
        else
            out[pc] = (struct reach){.nowhere = true, .base = NO_REG};
        if (pc >= 3 && is_region_loop(c, pc - 3))
            out[pc] = region_loop(&f, pc - 3);
    }
    return out;
}
