/* SPDX-License-Identifier: MIT */
/* What a program uses: instructions, registers, pipes, and how large its values can be. */
#include "litmus/promela/internal.h"

enum { PML_BYTE_MAX = 255, PML_SHORT_MAX = 32767 };

/* ---- instructions ---- */

bool pml_active(const struct insn *i)
{
    return !(i->flags & INSN_REMOVED);
}

bool pml_dma(const struct insn *i)
{
    return insn_any(i, CLASS_DMA);
}

bool pml_adds(const struct pml *p, int core, int at)
{
    const struct code *code = p->program->cores[core].code;
    const struct insn *i = &code->insns[at];
    while (--at >= 0)
        if (pml_active(&code->insns[at]) && code->insns[at].op == I_SET_ATOMIC)
            break;
    return code->dmas[i->aux].atomic_add || (at >= 0 && code->insns[at].imm);
}

/* ---- registers and tiles that matter ---- */

static bool is_observed(const struct pml *p, int core, enum litmus_cond_kind kind, int reg)
{
    vec_foreach (const struct litmus_cond *, c, &p->test->observed)
        if ((*c)->kind == kind && (*c)->core == core && (*c)->reg == reg)
            return true;
    return false;
}

bool pml_register_used(const struct pml *p, int core, int reg)
{
    const struct code *code = p->program->cores[core].code;
    for (int i = 0; i < code->count; i++) {
        const struct insn *x = &code->insns[i];
        const struct dma *dma = pml_dma(x) ? &code->dmas[x->aux] : NULL;
        if (pml_active(x) && (dma ? dma->immediate && dma->value.reg == reg : x->rb == reg))
            return true;
    }
    return is_observed(p, core, LITMUS_REG, reg);
}

bool pml_tile_used(const struct pml *p, int core, int tile)
{
    const struct code *code = p->program->cores[core].code;
    for (int i = 0; i < code->count; i++) {
        const struct insn *x = &code->insns[i];
        bool stores = insn_all(x, CLASS_STORE | CLASS_DMA);
        if (pml_active(x) && stores && !code->dmas[x->aux].immediate &&
            code->dmas[x->aux].tile == tile)
            return true;
    }
    return is_observed(p, core, LITMUS_TILE, tile);
}

bool pml_pipe_used(const struct pml *p, int core, int pipe)
{
    const struct code *code = p->program->cores[core].code;
    for (int i = 0; i < code->count && !p->contract->coherent; i++)
        if (pml_active(&code->insns[i]) && insn_pipe(code, &code->insns[i]) == pipe)
            return true;
    return false;
}

/* ---- values ---- */

/* The largest magnitude that a word can have: a store sets a literal, an initial or a copied value;
 * an add adds a literal, or the content of a register, once. */
struct value_range {
    double most, sum, doublings;
    bool negative;
};

static void note_value(struct value_range *r, bool add, bool from_register, int64_t literal)
{
    if (from_register) {
        r->doublings += add;
        return;
    }
    double size = literal < 0 ? -(double)literal : (double)literal;
    r->negative |= literal < 0;
    if (add)
        r->sum += size;
    else
        r->most = size > r->most ? size : r->most;
}

static void note_stored(struct value_range *r, const struct pml *p, int core, int at)
{
    const struct code *c = p->program->cores[core].code;
    const struct insn *i = &c->insns[at];
    if (i->op == I_ALU) /* the target of syncall.soft: the counter and the total at the most */
        note_value(r, true, i->rb != NO_REG, i->imm);
    if (!insn_any(i, CLASS_STORE))
        return;
    if (!pml_dma(i)) {
        note_value(r, i->op == I_ST_ATOMIC, i->rb != NO_REG, i->imm2);
        return;
    }
    const struct dma *d = &c->dmas[i->aux];
    note_value(r, pml_adds(p, core, at), !d->immediate || d->value.reg != NO_REG, d->value.imm);
}

const char *pml_word_type(const struct pml *p)
{
    struct value_range r = {0};
    vec_foreach (const struct pml_word, w, &p->words)
        note_value(&r, false, false, w->initial);
    for (int c = 0; c < p->program->ncores; c++) {
        const struct code *code = p->program->cores[c].code;
        for (int i = 0; i < code->count; i++)
            if (pml_active(&code->insns[i]))
                note_stored(&r, p, c, i);
    }
    double bound = r.most + r.sum;
    for (; r.doublings > 0 && bound <= PML_SHORT_MAX; r.doublings--)
        bound *= 2;
    return bound <= PML_BYTE_MAX && !r.negative ? "byte" : bound <= PML_SHORT_MAX ? "short" : "int";
}
