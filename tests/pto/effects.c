/* SPDX-License-Identifier: MIT */
#include "tests/pto/effects.h"

#include <string.h>

#include "base/strbuf.h"

static bool is_address(const struct program *p, const struct insn *i)
{
    return i->op == I_LD && (i->region < 0 || p->regions[i->region].kind == REGION_CTX);
}

static void add_operand(struct strbuf *b, struct operand o)
{
    if (o.reg == NO_REG)
        strbuf_addf(b, " %lld", (long long)o.imm);
    else
        strbuf_addf(b, " n");
}

static void add_transfer(struct strbuf *b, const struct code *c, const struct insn *i)
{
    const struct dma *d = &c->dmas[i->aux];
    const struct tile *t = &c->tiles[d->tile];
    strbuf_addf(b, " %s, tile %s%s", elem_name(d->elem), elem_name(t->elem),
                d->atomic_add ? ", adds" : "");
    /* As the tile has them. A part of a tensor with a dynamic extent may be clamped to it. */
    if (d->rows.reg == NO_REG && d->cols.reg == NO_REG)
        strbuf_addf(b, ", %lld x %lld", (long long)(d->turned ? d->cols : d->rows).imm,
                    (long long)(d->turned ? d->rows : d->cols).imm);
}

static void add_insn(struct strbuf *b, const struct program *p, const struct code *c,
                     const struct insn *i, bool regions)
{
    strbuf_addf(b, "%s", insn_op_name((enum insn_op)i->op));
    if (i->op == I_BARRIER)
        strbuf_addf(b, " %s", pipe_name((enum pipe)i->pa));
    if (insn_any(i, CLASS_FLAG))
        strbuf_addf(b, " %s>%s", pipe_name((enum pipe)i->pa), pipe_name((enum pipe)i->pb));
    if (insn_any(i, CLASS_FLAG | CLASS_CROSS))
        strbuf_addf(b, " id %lld", (long long)i->imm);
    if (i->op == I_TILE_OP)
        strbuf_addf(b, " %s of %d", pipe_name(c->tile_ops[i->aux].pipe), c->tile_ops[i->aux].nsrc);
    if (insn_any(i, CLASS_LOAD | CLASS_STORE) && regions && i->region >= 0)
        strbuf_addf(b, " %s", p->regions[i->region].name);
    if (insn_any(i, CLASS_DMA))
        add_transfer(b, c, i);
    else if (insn_any(i, CLASS_LOAD | CLASS_STORE))
        strbuf_addf(b, " %s", elem_name((enum elem)i->elem));
    if (insn_all(i, CLASS_LOAD | CLASS_ORDER)) {
        strbuf_addf(b, " %s", cmp_name((enum cmp)i->sub));
        add_operand(b, (struct operand){i->rb, i->imm2});
    }
    strbuf_addf(b, "\n");
}

const char *task_effects_at(struct arena *a, const struct program *p, int task, bool regions)
{
    const struct code *c = p->cores[0].code;
    struct strbuf b = strbuf_make(a);
    int at = 0;
    while (at < c->count && (c->insns[at].op != I_TASK || c->insns[at].imm != task))
        at++;
    if (at == c->count)
        return NULL;
    for (at++; at < c->count && !insn_any(&c->insns[at], CLASS_TASK); at++)
        if (!insn_any(&c->insns[at], CLASS_LOCAL) && !is_address(p, &c->insns[at]))
            add_insn(&b, p, c, &c->insns[at], regions);
    return b.len ? b.text : "";
}

const char *task_effects(struct arena *a, const struct program *p, const char *task, bool regions)
{
    for (int i = 0; i < p->ntasks; i++)
        if (!strcmp(p->tasks[i], task))
            return task_effects_at(a, p, i, regions);
    return NULL;
}
