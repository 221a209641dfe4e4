/* SPDX-License-Identifier: MIT */
#include "sim/explore/liveness.h"

#include "sim/internal.h"

enum { MASK_BITS = 64 };
#define ALL_BITS (~(uint64_t)0)

/* Of one core: for each pc masks of lines and registers. */
struct core_live {
    uint64_t *lines, *registers; /* NULL: everything matters */
};

struct liveness {
    VEC(uint64_t) lines; /* those that loads and stores name; the bit of each is its index */
    struct core_live *cores;
};

/* ---- what an instruction does ---- */

/* A load or a store that the cache serves. */
static bool is_access(const struct insn *i)
{
    return insn_scalar_access(i) && insn_any(i, CLASS_CACHED);
}

/* Branches, tasks and tiles are not followed, nor are lines in registers. */
static bool followed(const struct insn *i)
{
    if (insn_any(i, CLASS_BRANCH | CLASS_TILE | CLASS_TASK))
        return insn_acts(i) == I_END;
    return i->ra == NO_REG || !insn_any(i, CLASS_CACHED);
}

/* The core may stand there for ever, in a final state that is a deadlock. What a load, a store or a
 * clean waits for is delivered some time. */
static bool may_block(const struct insn *i)
{
    return insn_any(i, CLASS_ORDER | CLASS_FLAG | CLASS_CROSS | CLASS_DMA);
}

static uint64_t bit_of(int reg)
{
    return reg >= 0 && reg < MASK_BITS ? (uint64_t)1 << reg : 0;
}

static uint64_t registers_read(const struct code *c, const struct insn *i)
{
    unsigned reads = insn_kind(i)->reads;
    uint64_t own = (reads & REG_RA ? bit_of(i->ra) : 0) | (reads & REG_RB ? bit_of(i->rb) : 0);
    if (!insn_any(i, CLASS_DMA))
        return own;
    const struct dma *d = &c->dmas[i->aux];
    return own | bit_of(d->address.reg) | bit_of(d->rows.reg) | bit_of(d->cols.reg) |
           bit_of(d->value.reg);
}

static uint64_t register_written(const struct insn *i)
{
    return insn_kind(i)->writes ? bit_of(i->rd) : 0;
}

static uint64_t line_bit(const struct liveness *l, uint64_t line)
{
    for (size_t i = 0; i < l->lines.len && i < MASK_BITS; i++)
        if (l->lines.items[i] == line)
            return (uint64_t)1 << i;
    return 0;
}

/* Lines that are dropped before the instruction looks at them. */
static uint64_t lines_dropped(const struct liveness *l, const struct machine *m,
                              const struct insn *i)
{
    uint64_t addr = (uint64_t)i->imm, line = line_of(m, addr);
    if (insn_acts(i) == I_DCCI_ALL)
        return ALL_BITS;
    /* Of an unaligned address the contract may drop no more than the tail. */
    bool whole = m->contract->dcci_unaligned != DCCI_TAIL_ONLY || addr == line;
    bool drops = insn_acts(i) == I_DCCI || insn_acts(i) == I_POLL;
    return drops && whole ? line_bit(l, line) : 0;
}

/* What is cached and is no clean looks at its line; a poll does where its clean may leave some. */
static uint64_t lines_used(const struct liveness *l, const struct machine *m, const struct insn *i)
{
    bool tail = m->contract->dcci_unaligned == DCCI_TAIL_ONLY && insn_acts(i) == I_POLL;
    return is_access(i) || tail ? line_bit(l, line_of(m, (uint64_t)i->imm)) : 0;
}

/* ---- from the end to the start ---- */

static void analyse(struct liveness *l, const struct machine *m, int core, uint64_t observed,
                    struct arena *a)
{
    const struct code *c = m->cores[core].code;
    struct core_live *k = &l->cores[core];
    for (int pc = 0; pc < c->count; pc++)
        if (!followed(&c->insns[pc]))
            return;
    k->lines = arena_array(a, uint64_t, (size_t)c->count + 1);
    k->registers = arena_array(a, uint64_t, (size_t)c->count + 1);
    k->registers[c->count] = observed;
    for (int pc = c->count - 1; pc >= 0; pc--) {
        const struct insn *i = &c->insns[pc];
        k->lines[pc] = k->lines[pc + 1];
        k->registers[pc] = k->registers[pc + 1];
        k->lines[pc] = (k->lines[pc] & ~lines_dropped(l, m, i)) | lines_used(l, m, i);
        k->registers[pc] = (k->registers[pc] & ~register_written(i)) | registers_read(c, i);
        if (may_block(i))
            k->registers[pc] |= observed;
    }
}

static void name_line(struct liveness *l, const struct machine *m, const struct insn *i,
                      struct arena *a)
{
    uint64_t line = line_of(m, (uint64_t)i->imm);
    if (i->ra == NO_REG && (is_access(i) || insn_acts(i) == I_POLL) && !line_bit(l, line))
        vec_push(a, &l->lines, line);
}

struct liveness *liveness_new(struct arena *a, const struct machine *m, const uint64_t *observed)
{
    const struct program *p = m->program;
    struct liveness *l = arena_new(a, struct liveness);
    l->cores = arena_array(a, struct core_live, (size_t)p->ncores);
    for (int c = 0; c < p->ncores; c++)
        for (int pc = 0; pc < m->cores[c].code->count; pc++)
            name_line(l, m, &m->cores[c].code->insns[pc], a);
    /* An oracle looks at more; a broken rule may be one that this rests on. */
    if (m->oracle || m->contract->broken || m->contract->coherent || l->lines.len > MASK_BITS)
        return l;
    for (int c = 0; c < p->ncores; c++)
        if (!p->cores[c].ndispatches)
            analyse(l, m, c, observed ? observed[c] : ALL_BITS, a);
    return l;
}

bool live_line(const struct liveness *l, const struct machine *m, int core, uint64_t addr)
{
    const struct core *c = &m->cores[core];
    if (!l->cores[core].lines)
        return true;
    return (l->cores[core].lines[c->pc] & line_bit(l, line_of(m, addr))) != 0;
}

uint64_t live_registers(const struct liveness *l, const struct machine *m, int core)
{
    const uint64_t *registers = l->cores[core].registers;
    return registers ? registers[m->cores[core].pc] : ALL_BITS;
}
