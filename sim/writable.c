/* SPDX-License-Identifier: MIT */
#include "sim/writable.h"

enum { WORD_BYTES = 4 };

struct scan {
    struct arena *a;
    const struct program *p;
    struct writable *w;
    bool checked;
};

static void mark_word(const struct scan *s, uint64_t addr)
{
    struct writable *w = s->w;
    uint64_t number = gm_offset(addr) / (uint64_t)w->line;
    if (gm_rank(addr) >= w->nranks || number >= w->lines)
        return; /* a bad address: the run stops there */
    uint64_t *mask = &w->masks[(uint64_t)gm_rank(addr) * w->lines + number];
    uint64_t bit = (uint64_t)1 << gm_offset(addr) % (uint64_t)w->line / WORD_BYTES;
    if (*mask & bit)
        return;
    *mask |= bit;
    vec_push(s->a, &w->words, addr & ~(uint64_t)(WORD_BYTES - 1));
}

static void mark_bytes(const struct scan *s, uint64_t addr, uint64_t bytes)
{
    uint64_t first = addr & ~(uint64_t)(WORD_BYTES - 1);
    for (uint64_t at = first; at < addr + bytes; at += WORD_BYTES)
        mark_word(s, at);
}

/* The region on every rank; all memory when there is none. */
static void mark_region(const struct scan *s, int region)
{
    uint64_t offset = region < 0 ? 0 : s->p->regions[region].offset;
    uint64_t size = region < 0 ? s->p->gm_bytes : s->p->regions[region].size;
    for (int r = 0; r < s->p->nranks; r++)
        mark_bytes(s, gm_addr(r, offset), size);
}

static void mark_transfer(const struct scan *s, const struct code *c, const struct insn *i)
{
    const struct dma *d = &c->dmas[i->aux];
    bool literal = d->address.reg == NO_REG && d->rows.reg == NO_REG && d->cols.reg == NO_REG;
    if (d->immediate && d->address.reg == NO_REG)
        mark_bytes(s, (uint64_t)d->address.imm, (uint64_t)elem_size(d->elem));
    else if (literal && d->rows.imm == 1)
        mark_bytes(s, (uint64_t)d->address.imm, (uint64_t)(d->cols.imm * elem_size(d->elem)));
    else
        mark_region(s, s->checked ? i->region : -1);
}

static void mark_insn(const struct scan *s, const struct code *c, const struct insn *i)
{
    if (!insn_any(i, CLASS_STORE))
        return;
    if (insn_any(i, CLASS_DMA))
        mark_transfer(s, c, i);
    else if (i->ra == NO_REG)
        mark_bytes(s, (uint64_t)i->imm, (uint64_t)elem_size((enum elem)i->elem));
    else
        mark_region(s, i->region);
}

struct writable *writable_new(struct arena *a, const struct program *p, int line, bool checked)
{
    struct writable *w = arena_new(a, struct writable);
    *w = (struct writable){.nranks = p->nranks,
                           .line = line,
                           .lines = (p->gm_bytes + (uint64_t)line - 1) / (uint64_t)line};
    w->masks = arena_array(a, uint64_t, w->lines * (uint64_t)p->nranks);
    struct scan s = {a, p, w, checked};
    for (int c = 0; c < p->ncores; c++) {
        const struct code *code = p->cores[c].code;
        if (c > 0 && code == p->cores[c - 1].code)
            continue;
        for (int n = 0; n < code->count; n++)
            mark_insn(&s, code, &code->insns[n]);
    }
    return w;
}

bool writable_any(const struct writable *w, uint64_t addr, int size)
{
    uint64_t at = gm_offset(addr) % (uint64_t)w->line, last = at + (uint64_t)size - 1;
    uint64_t words = (~(uint64_t)0 >> (63 - last / WORD_BYTES)) & ~(uint64_t)0 << at / WORD_BYTES;
    return (writable_mask(w, addr) & words) != 0;
}
