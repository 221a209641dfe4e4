/* SPDX-License-Identifier: MIT */
#include "sim/explore/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "sim/internal.h"

enum { MAX_STEPS_AHEAD = 50000, MAX_FORKS = 64 };

/* A core as far as it is known. */
struct shade {
    int pc, dispatch;
    int64_t *regs;
    bool *known;
};

struct forward_walk {
    const struct machine *m;
    int core, steps, forks;
    bool (*fn)(void *ctx, int core, const struct ahead *a);
    void *ctx;
};

static struct shade shade_copy(const struct forward_walk *w, const struct shade *from)
{
    size_t n = (size_t)w->m->cores[w->core].code->nregs + 1;
    struct shade s = {.pc = from->pc, .dispatch = from->dispatch};
    s.regs = malloc(n * sizeof *s.regs);
    s.known = malloc(n * sizeof *s.known);
    if (!s.regs || !s.known)
        abort();
    memcpy(s.regs, from->regs, n * sizeof *s.regs);
    memcpy(s.known, from->known, n * sizeof *s.known);
    return s;
}

static void shade_free(struct shade *s)
{
    free(s->regs);
    free(s->known);
}

static bool value(const struct shade *s, int reg, int64_t imm, int64_t *out)
{
    *out = reg == NO_REG ? imm : s->regs[reg];
    return reg == NO_REG || s->known[reg];
}

static bool address(const struct shade *s, const struct insn *i, uint64_t *out)
{
    *out = (uint64_t)(i->ra == NO_REG ? 0 : s->regs[i->ra]) + (uint64_t)i->imm;
    return i->ra == NO_REG || s->known[i->ra];
}

static void set(struct shade *s, int rd, bool known, int64_t v)
{
    s->regs[rd] = v;
    s->known[rd] = known;
}

static void compute(struct shade *s, const struct insn *i)
{
    int64_t x, y;
    bool known = value(s, i->ra, i->imm2, &x) & value(s, i->rb, i->imm, &y);
    set(s, i->rd, known, alu_eval((enum alu)i->sub, x, y, (enum elem)i->elem, (enum elem)i->elem2));
}

/* A context says where peers' windows are; all else may have changed by then. */
static void load(const struct forward_walk *w, struct shade *s, const struct insn *i)
{
    const struct program *p = w->m->program;
    uint64_t addr;
    bool known = address(s, i, &addr) && gm_rank(addr) < p->nranks;
    const struct region *r = known ? program_region_at(p, gm_offset(addr)) : NULL;
    known = r && r->kind == REGION_CTX && gm_offset(addr) + 8 <= r->offset + r->size;
    set(s, i->rd, known, known ? elem_load(gm_at(w->m, addr), (enum elem)i->elem) : 0);
}

static bool report(const struct forward_walk *w, const struct shade *s, const struct insn *i)
{
    const struct code *code = w->m->cores[w->core].code;
    struct ahead a = {.insn = i};
    if (insn_any(i, CLASS_DMA)) {
        const struct dma *d = &code->dmas[i->aux];
        int64_t addr, rows, cols;
        a.placed = value(s, d->address.reg, d->address.imm, &addr);
        a.addr = (uint64_t)addr;
        bool sized =
            value(s, d->rows.reg, d->rows.imm, &rows) & value(s, d->cols.reg, d->cols.imm, &cols);
        if (sized && rows > 0 && cols > 0)
            a.bytes = (uint64_t)((rows - 1) * d->gm_stride + cols * elem_size(d->elem));
    } else if (!insn_any(i, CLASS_FLAG | CLASS_CROSS)) {
        a.placed = address(s, i, &a.addr);
        a.bytes = (uint64_t)elem_size((enum elem)i->elem);
        a.valued = value(s, i->rb, i->imm2, &a.value);
    }
    return w->fn(w->ctx, w->core, &a);
}

/* The core goes to its next task; false when there is none. */
static bool next_task(const struct forward_walk *w, struct shade *s)
{
    const struct core_desc *desc = &w->m->program->cores[w->core];
    if (++s->dispatch >= desc->ndispatches)
        return false;
    const struct dispatch *d = &desc->dispatches[s->dispatch];
    size_t n = (size_t)desc->code->nregs;
    memset(s->regs, 0, n * sizeof *s->regs);
    memset(s->known, true, n * sizeof *s->known);
    if (d->nargs)
        memcpy(s->regs + d->first_reg, d->args, sizeof *s->regs * (size_t)d->nargs);
    s->pc = d->entry;
    return true;
}

static bool follow(struct forward_walk *w, struct shade *s);

/* Both ways where the condition is unknown. */
static bool branch(struct forward_walk *w, struct shade *s, const struct insn *i)
{
    bool taken = (s->regs[i->ra] != 0) == (i->op == I_BNZ);
    if (!s->known[i->ra] && w->forks < MAX_FORKS) {
        w->forks++;
        struct shade other = shade_copy(w, s);
        other.pc = (int)i->imm;
        bool more = follow(w, &other);
        shade_free(&other);
        if (!more)
            return false;
        taken = false;
    }
    s->pc = taken ? (int)i->imm : s->pc + 1;
    return true;
}

static bool sets_flag(const struct insn *i)
{
    return insn_acts(i) == I_SET_FLAG || insn_acts(i) == I_SET_CROSS;
}

/* False when fn has seen enough. */
static bool follow(struct forward_walk *w, struct shade *s)
{
    const struct code *code = w->m->cores[w->core].code;
    while (w->steps++ < MAX_STEPS_AHEAD) {
        const struct insn *i = &code->insns[s->pc];
        switch (insn_acts(i)) {
        case I_JMP:
            s->pc = (int)i->imm;
            continue;
        case I_BZ:
        case I_BNZ:
            if (!branch(w, s, i))
                return false;
            continue;
        case I_END:
            if (!next_task(w, s))
                return true;
            continue;
        case I_LI:
            set(s, i->rd, true, i->imm);
            break;
        case I_MOV:
            set(s, i->rd, s->known[i->ra], s->regs[i->ra]);
            break;
        case I_ALU:
            compute(s, i);
            break;
        case I_LD:
        case I_LD_DEV:
            load(w, s, i);
            break;
        default:
            if (insn_kind(i)->writes)
                set(s, i->rd, false, 0);
            if ((insn_any(i, CLASS_STORE) || sets_flag(i)) && !report(w, s, i))
                return false;
        }
        s->pc++;
    }
    return true;
}

bool ahead_each(const struct machine *m, int core,
                bool (*fn)(void *ctx, int core, const struct ahead *a), void *ctx)
{
    const struct core *c = &m->cores[core];
    if (c->ended)
        return true;
    struct forward_walk w = {.m = m, .core = core, .fn = fn, .ctx = ctx};
    bool known[c->code->nregs + 1];
    memset(known, true, sizeof known);
    struct shade now = {c->pc, c->dispatch, c->regs, known};
    struct shade s = shade_copy(&w, &now);
    follow(&w, &s);
    shade_free(&s);
    return w.steps <= MAX_STEPS_AHEAD && w.forks < MAX_FORKS;
}
