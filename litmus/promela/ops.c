/* SPDX-License-Identifier: MIT */
/*
 * Scalar units and pipes as Promela processes: straight-line code, one d_step per step.
 *
 * A step that nobody can tell from a part of the step before it is merged into that: work appended
 * to a pipe, a flag raised by the scalar unit, order instructions that wait for nothing, and, where
 * no line moves on its own, what only touches the own cache or posts to a channel that no pipe
 * feeds (a message may always be delivered later). A flag that a pipe raises behind an operation,
 * and an operation behind a flag that a pipe takes, are merged when both were issued together.
 */
#include <inttypes.h>

#include "litmus/promela/steps.h"

/* ---- names ---- */

static const char *core_name(const struct pml_writer *w)
{
    return w->p->cores[w->core];
}

static const char *text_of_value(const struct pml_writer *w, int reg, int64_t literal)
{
    return reg == NO_REG ? arena_printf(w->arena, "%" PRId64, literal) : pml_register(w, reg);
}

static const char *memory(const struct pml_writer *w, int word)
{
    return arena_printf(w->arena, "gm_%s", w->p->words.items[word].name);
}

static int word_of(const struct pml_writer *w)
{
    return pml_word_at(w->p, (uint64_t)w->insn->imm);
}

static const char *flag(const struct pml_writer *w, const struct insn *i)
{
    return arena_printf(w->arena, "%s_flag_%s_%s_%d", core_name(w), pipe_name(i->pa),
                        pipe_name(i->pb), (int)i->imm);
}

/* register := source, when some one reads the register later. */
static void load_register(const struct pml_writer *w, struct pml_step *s, const char *source)
{
    if (pml_register_used(w->p, w->core, w->insn->rd))
        pml_effect(s, arena_printf(w->arena, "%s = %s", pml_register(w, w->insn->rd), source));
}

/* ---- scalar memory ---- */

static const char *copy(const struct pml_writer *w, int word)
{
    return arena_printf(w->arena, "%s_%s", core_name(w), w->p->words.items[word].name);
}

static const char *line_state(const struct pml_writer *w, int word, const char *what)
{
    const struct pml *p = w->p;
    return arena_printf(w->arena, "%s_%s_%s", core_name(w),
                        p->lines.items[p->words.items[word].line].name, what);
}

/* state := true, or the word's bit is set in it. */
static void mark(const struct pml_writer *w, struct pml_step *s, int word, const char *what)
{
    const char *state = line_state(w, word, what);
    pml_effect(s, w->p->masked ? arena_printf(w->arena, "%s = %s | %" PRIu64, state, state,
                                              (uint64_t)1 << w->p->words.items[word].bit)
                               : arena_printf(w->arena, "%s = true", state));
}

static void do_ld(struct pml_writer *w)
{
    struct pml_step *s = pml_new_step(w, false);
    int word = word_of(w);
    pml_require(s, pml_may_access(w->p, w->core, word));
    pml_effect(s, pml_have(w->p, w->core, word));
    load_register(w, s, copy(w, word));
}

static void do_st(struct pml_writer *w)
{
    struct pml_step *s = pml_new_step(w, false);
    int word = word_of(w);
    pml_require(s, pml_may_access(w->p, w->core, word));
    pml_effect(s, pml_have(w->p, w->core, word));
    pml_effect(s, arena_printf(w->arena, "%s = %s", copy(w, word),
                               text_of_value(w, w->insn->rb, w->insn->imm2)));
    mark(w, s, word, "dirty");
}

static void do_st_atomic(struct pml_writer *w)
{
    struct pml_step *s = pml_new_step(w, !w->p->spontaneous);
    int word = word_of(w);
    const char *delta = arena_printf(w->arena, "%s_delta", copy(w, word));
    pml_effect(s, arena_printf(w->arena, "%s = %s + %s", delta, delta,
                               text_of_value(w, w->insn->rb, w->insn->imm2)));
    mark(w, s, word, "pending");
}

static void do_ld_dev(struct pml_writer *w)
{
    load_register(w, pml_new_step(w, false), memory(w, word_of(w)));
}

/* What the scalar unit posts to this channel stays in place among what others post there. */
static bool posts_alone(const struct pml *p, const struct pml_form *f)
{
    return !f || !p->channels.items[f->channel].dma;
}

static void do_st_dev(struct pml_writer *w)
{
    const struct pml *p = w->p;
    int word = word_of(w);
    bool merged = !p->spontaneous && posts_alone(p, pml_form_of(p, w->core, PML_DEV, word));
    struct pml_step *s = pml_new_step(w, merged);
    pml_effect(s,
               pml_send(p, w->core, PML_DEV, word, text_of_value(w, w->insn->rb, w->insn->imm2)));
}

/* ---- dcci ---- */

static bool cleans_alone(const struct pml *p, int core, int line)
{
    return !pml_has_copy(p, core, line) ||
           (!p->spontaneous && posts_alone(p, pml_form_of(p, core, PML_LINE, line)) &&
            posts_alone(p, pml_form_of(p, core, PML_DELTA, line)));
}

/* Words that a dcci of this address handles (contract dcci_unaligned). */
static uint64_t handled(const struct pml *p, int line, uint64_t addr)
{
    const struct pml_line *l = &p->lines.items[line];
    uint64_t mask = 0;
    for (int i = 0; i < l->count; i++)
        if (p->contract->dcci_unaligned == DCCI_ALIGN_DOWN ||
            p->words.items[l->first + i].addr >= addr)
            mask |= (uint64_t)1 << i;
    return mask;
}

static int line_of(const struct pml_writer *w)
{
    uint64_t number = (uint64_t)w->insn->imm / (uint64_t)w->p->contract->line;
    for (size_t i = 0; i < w->p->lines.len; i++)
        if (w->p->lines.items[i].number == number)
            return (int)i;
    return -1;
}

static void do_dcci(struct pml_writer *w)
{
    int line = line_of(w);
    struct pml_step *s = pml_new_step(w, line < 0 || cleans_alone(w->p, w->core, line));
    if (line >= 0)
        pml_effect(s, pml_clean(w->p, w->core, line, handled(w->p, line, (uint64_t)w->insn->imm)));
}

static void do_dcci_all(struct pml_writer *w)
{
    bool alone = true;
    for (int line = 0; line < (int)w->p->lines.len; line++)
        alone &= cleans_alone(w->p, w->core, line);
    struct pml_step *s = pml_new_step(w, alone);
    for (int line = 0; line < (int)w->p->lines.len; line++)
        pml_effect(s, pml_clean(w->p, w->core, line, handled(w->p, line, 0)));
}

/* ---- polls ---- */

static const char *comparison(const struct pml_writer *w, int word)
{
    const struct insn *i = w->insn;
    const char *m = memory(w, word), *e = text_of_value(w, i->rb, i->imm2);
    if (i->sub == CMP_GEU) /* a negative number counts as greater than all others */
        return arena_printf(w->arena, "((%s < 0 && %s >= 0) || ((%s < 0) == (%s < 0) && %s >= %s))",
                            m, e, m, e, m, e);
    return arena_printf(w->arena, "%s %s %s", m, cmp_name((enum cmp)i->sub), e);
}

/* One dcci, then nothing that others can notice happens until a refill satisfies the comparison
 * (docs/machine.md, poll). */
static void do_poll(struct pml_writer *w)
{
    const struct pml *p = w->p;
    int word = word_of(w), line = p->words.items[word].line;
    do_dcci(w);
    struct pml_step *s = pml_new_step(w, false);
    s->waits = true;
    if (pml_counted(p, w->core, PATH_SCALAR, line))
        pml_require(s,
                    arena_printf(w->arena, "%s == 0", pml_counter(p, w->core, PATH_SCALAR, line)));
    pml_require(s, comparison(w, word));
    if (pml_copy_of(p, w->core, line)->loads)
        pml_effect(s, pml_refill(p, w->core, word));
}

/* Past the cache. */
static void do_poll_dev(struct pml_writer *w)
{
    struct pml_step *s = pml_new_step(w, false);
    s->waits = true;
    pml_require(s, comparison(w, word_of(w)));
}

/* ---- arithmetic: what syncall.soft counts with ---- */

static void do_alu(struct pml_writer *w)
{
    const struct insn *i = w->insn;
    static const char *const signs[ALU_COUNT] = {
        [ALU_ADD] = "+", [ALU_MUL] = "*", [ALU_FLOORDIV] = "/"};
    struct pml_step *s = pml_new_step(w, true);
    if (pml_register_used(w->p, w->core, i->rd))
        pml_effect(s, arena_printf(w->arena, "%s = %s %s %s", pml_register(w, i->rd),
                                   pml_register(w, i->ra), signs[i->sub],
                                   text_of_value(w, i->rb, i->imm)));
}

/* ---- order ---- */

static void require_empty(const struct pml_writer *w, struct pml_step *s, int only)
{
    for (int pipe = 0; pipe < PIPE_COUNT; pipe++)
        if (pml_pipe_used(w->p, w->core, pipe) && (only == PIPE_ALL || only == pipe))
            pml_require(s, arena_printf(w->arena, "%s == 0", pml_queue(w, pipe)));
}

static void do_dsb(struct pml_writer *w)
{
    const struct pml *p = w->p;
    struct pml_step *s = pml_new_step(w, false);
    for (int line = 0; line < (int)p->lines.len; line++)
        for (int path = 0; path < PATH_COUNT; path++)
            if (pml_dsb_counts(p, w->core, path, line))
                pml_require(s,
                            arena_printf(w->arena, "%s == 0", pml_counter(p, w->core, path, line)));
    if (p->contract->dsb_waits == DSB_ALL_DMA)
        require_empty(w, s, PIPE_ALL);
    s->waits = p->contract->dsb_waits == DSB_ALL_DMA;
    s->merged = !s->guard.len && w->steps.len > 1;
}

static void do_barrier(struct pml_writer *w)
{
    struct pml_step *s = pml_new_step(w, false);
    if (w->insn->pa == PIPE_ALL || w->p->contract->pipe_barrier == BARRIER_SCALAR_BLOCKING)
        require_empty(w, s, w->insn->pa);
    s->waits = true;
    s->merged = !s->guard.len && w->steps.len > 1;
}

static void do_nothing(struct pml_writer *w)
{
    pml_new_step(w, true);
}

static void do_end(struct pml_writer *w)
{
    pml_effect(pml_new_step(w, true), arena_printf(w->arena, "%s_ended = true", core_name(w)));
}

/* ---- pipes ---- */

static void take_flag(struct pml_writer *w, struct pml_step *s)
{
    pml_require(s, arena_printf(w->arena, "%s > 0", flag(w, w->insn)));
    pml_effect(s, arena_printf(w->arena, "%s--", flag(w, w->insn)));
    s->waits = true;
}

static void do_set_flag(struct pml_writer *w)
{
    int pipe = insn_pipe(w->code, w->insn);
    struct pml_step *s = pml_new_step(w, true);
    pml_declare(w, "byte", flag(w, w->insn));
    if (pipe != PIPE_S && !w->p->contract->coherent)
        s = pml_enqueue(w, pipe, s);
    pml_effect(s, arena_printf(w->arena, "%s++", flag(w, w->insn)));
}

static void do_wait_flag(struct pml_writer *w)
{
    int pipe = insn_pipe(w->code, w->insn);
    bool queued = pipe != PIPE_S && !w->p->contract->coherent;
    struct pml_step *s = pml_new_step(w, queued);
    pml_declare(w, "byte", flag(w, w->insn));
    take_flag(w, queued ? pml_enqueue(w, pipe, s) : s);
}

/* ---- flags between cores ---- */

static void do_set_cross(struct pml_writer *w)
{
    int pipe = insn_pipe(w->code, w->insn);
    bool queued = pipe != PIPE_S && !w->p->contract->coherent;
    struct pml_step *s = pml_new_step(w, queued);
    if (queued) {
        s = pml_enqueue(w, pipe, s);
        pml_require(s, pml_cross_arrived(w->p, w->core, w->insn));
    }
    pml_effect(s, pml_cross_set(w->p, w->core, w->insn));
}

static void do_wait_cross(struct pml_writer *w)
{
    const char *up = pml_cross_up(w->p, w->core, w->insn);
    struct pml_step *s = pml_new_step(w, false);
    pml_require(s, arena_printf(w->arena, "%s > 0", up));
    pml_effect(s, arena_printf(w->arena, "%s--", up));
    s->waits = true;
}

static const struct dma *dma_of(const struct pml_writer *w)
{
    return &w->code->dmas[w->insn->aux];
}

static bool adds(const struct pml_writer *w)
{
    return pml_adds(w->p, w->core, (int)(w->insn - w->code->insns));
}

static void do_mte2(struct pml_writer *w)
{
    const struct dma *d = dma_of(w);
    struct pml_step *s = pml_enqueue(w, PIPE_MTE2, pml_new_step(w, true));
    if (pml_tile_used(w->p, w->core, d->tile))
        pml_effect(s, arena_printf(w->arena, "%s = %s", pml_tile(w, d->tile),
                                   memory(w, pml_word_at(w->p, (uint64_t)d->address.imm))));
}

/* A scalar register is read when the operation is issued. */
static void do_store(struct pml_writer *w)
{
    const struct dma *d = dma_of(w);
    int pipe = insn_pipe(w->code, w->insn), word = pml_word_at(w->p, (uint64_t)d->address.imm);
    enum pml_kind kind = adds(w) ? PML_ADD : PML_PUT;
    struct pml_step *scalar = pml_new_step(w, true), *s = pml_enqueue(w, pipe, scalar);
    if (d->immediate && d->value.reg != NO_REG) {
        const char *kept = arena_printf(w->arena, "%s_v%d", pml_process(w->p, w->core, pipe),
                                        w->pipes[pipe].captured++);
        pml_declare(w, w->p->word_type, kept);
        pml_effect(scalar, arena_printf(w->arena, "%s = %s", kept, pml_register(w, d->value.reg)));
        pml_effect(s, pml_send(w->p, w->core, kind, word, kept));
        pml_effect(s, arena_printf(w->arena, "%s = 0", kept));
        return;
    }
    pml_effect(s, pml_send(w->p, w->core, kind, word,
                           d->immediate ? arena_printf(w->arena, "%" PRId64, d->value.imm)
                                        : pml_tile(w, d->tile)));
}

/* ---- contract coherent: everything acts at once ---- */

static void at_once_ld(struct pml_writer *w)
{
    load_register(w, pml_new_step(w, !pml_register_used(w->p, w->core, w->insn->rd)),
                  memory(w, word_of(w)));
}

static void assign(struct pml_writer *w, int word, bool add, const char *value)
{
    const char *m = memory(w, word);
    pml_effect(pml_new_step(w, false), add ? arena_printf(w->arena, "%s = %s + %s", m, m, value)
                                           : arena_printf(w->arena, "%s = %s", m, value));
}

static void at_once_st(struct pml_writer *w)
{
    assign(w, word_of(w), w->insn->op == I_ST_ATOMIC, text_of_value(w, w->insn->rb, w->insn->imm2));
}

static void at_once_poll(struct pml_writer *w)
{
    struct pml_step *s = pml_new_step(w, false);
    pml_require(s, comparison(w, word_of(w)));
}

static void at_once_mte2(struct pml_writer *w)
{
    const struct dma *d = dma_of(w);
    bool used = pml_tile_used(w->p, w->core, d->tile);
    struct pml_step *s = pml_new_step(w, !used);
    if (used)
        pml_effect(s, arena_printf(w->arena, "%s = %s", pml_tile(w, d->tile),
                                   memory(w, pml_word_at(w->p, (uint64_t)d->address.imm))));
}

static void at_once_store(struct pml_writer *w)
{
    const struct dma *d = dma_of(w);
    assign(w, pml_word_at(w->p, (uint64_t)d->address.imm), adds(w),
           d->immediate ? text_of_value(w, d->value.reg, d->value.imm) : pml_tile(w, d->tile));
}

static const struct {
    void (*cached)(struct pml_writer *w);
    void (*at_once)(struct pml_writer *w);
} translations[I_OP_COUNT] = {
    // clang-format off
    [I_NOP]       = {do_nothing,   do_nothing},
    [I_SET_ATOMIC] = {do_nothing,  do_nothing},
    [I_LD]        = {do_ld,        at_once_ld},
    [I_ST]        = {do_st,        at_once_st},
    [I_ST_ATOMIC] = {do_st_atomic, at_once_st},
    [I_LD_DEV]    = {do_ld_dev,    at_once_ld},
    [I_ST_DEV]    = {do_st_dev,    at_once_st},
    [I_DCCI]      = {do_dcci,      do_nothing},
    [I_DCCI_ALL]  = {do_dcci_all,  do_nothing},
    [I_DSB]       = {do_dsb,       do_nothing},
    [I_BARRIER]   = {do_barrier,   do_nothing},
    [I_SET_FLAG]  = {do_set_flag,  do_set_flag},
    [I_WAIT_FLAG] = {do_wait_flag, do_wait_flag},
    [I_POLL]      = {do_poll,      at_once_poll},
    [I_POLL_DEV]  = {do_poll_dev,  do_poll_dev},
    [I_SET_CROSS] = {do_set_cross, do_set_cross},
    [I_WAIT_CROSS] = {do_wait_cross, do_wait_cross},
    [I_ALU]       = {do_alu,       do_alu},
    [I_MTE2]      = {do_mte2,      at_once_mte2},
    [I_MTE3]      = {do_store,     at_once_store},
    [I_FIX]       = {do_store,     at_once_store},
    [I_END]       = {do_end,       do_end},
    // clang-format on
};

void pml_translate(struct pml_writer *w)
{
    if (w->insn->flags & INSN_REMOVED)
        do_nothing(w);
    else if (w->p->contract->coherent)
        translations[w->insn->op].at_once(w);
    else
        translations[w->insn->op].cached(w);
}
