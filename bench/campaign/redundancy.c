/* SPDX-License-Identifier: MIT */
#include "bench/campaign/redundancy.h"

#include <string.h>

/* The site's first instruction in the text that is asked about. */
struct question {
    struct arena *arena;
    const struct program *p;
    const struct code *code;
    int at;
};

static const struct insn *insn_at(const struct question *q, int i)
{
    return i >= 0 && i < q->code->count ? &q->code->insns[i] : NULL;
}

static bool is_clean(const struct insn *i)
{
    return i->op == I_DCCI || i->op == I_DCCI_ALL;
}

/* "the barrier of TNOTIFY at line 12" */
static const char *name_of(const struct question *q, const char *what, const struct insn *x)
{
    return arena_printf(q->arena, "the %s of %s at line %d", what,
                        x->origin == ORIGIN_TAIL    ? "the kernel's tail"
                        : x->origin == ORIGIN_MACRO ? x->what
                                                    : origin_name((enum origin_kind)x->origin),
                        x->span.line);
}

/*
 * The nearest instruction in one direction of the text that has the op and, of a barrier, holds pipe or
 * all. NULL when one that `between` says comes first, or a branch, a task or the end does.
 */
static const struct insn *nearest(const struct question *q, int direction, enum insn_op op,
                                  int pipe, bool (*between)(const struct insn *i))
{
    const struct insn *x;
    for (int i = q->at + direction; (x = insn_at(q, i)); i += direction) {
        if (x->op == op && (op != I_BARRIER || x->pa == PIPE_ALL || x->pa == pipe))
            return x;
        if (between(x) || insn_any(x, CLASS_BRANCH | CLASS_TASK))
            return NULL;
    }
    return NULL;
}

/* It uses what a pipe has done, or hands it on. */
static bool needs_pipes(const struct insn *i)
{
    return i->flags & INSN_NOTIFY || insn_acquires(i) ||
           insn_any(i, CLASS_DMA | CLASS_CROSS | CLASS_FLAG | CLASS_TILE);
}

static bool issues_to_pipes(const struct insn *i)
{
    return insn_any(i, CLASS_DMA | CLASS_FLAG | CLASS_TILE | CLASS_CROSS);
}

/* It reads memory past the cache, or somebody learns of what was written. */
static bool tells(const struct insn *i)
{
    return i->flags & INSN_NOTIFY || insn_acquires(i) || insn_any(i, CLASS_CROSS) ||
           insn_all(i, CLASS_DMA | CLASS_LOAD);
}

/* A dsb has more to wait for. */
static bool posts(const struct insn *i)
{
    return insn_any(i, CLASS_STORE | CLASS_CROSS | CLASS_FLAG) || is_clean(i) || i->op == I_BARRIER;
}

static const char *same_order(const struct question *q, enum insn_op op, const char *what,
                              const char *does, bool (*before)(const struct insn *),
                              bool (*behind)(const struct insn *))
{
    const struct insn *i = insn_at(q, q->at), *x;
    if (i->op != op)
        return NULL;
    if ((x = nearest(q, -1, op, i->pa, before)))
        return arena_printf(q->arena, "nothing was issued since %s", name_of(q, what, x));
    if ((x = nearest(q, 1, op, i->pa, behind)))
        return arena_printf(q->arena, "%s %s", name_of(q, what, x), does);
    return NULL;
}

static const char *same_barrier(const struct question *q)
{
    return same_order(q, I_BARRIER, "barrier", "drains the same pipes", issues_to_pipes,
                      needs_pipes);
}

static const char *same_dsb(const struct question *q)
{
    return same_order(q, I_DSB, "dsb", "waits for the same writes", posts, tells);
}

static const char *idle_pipes(const struct question *q)
{
    if (insn_at(q, q->at)->op != I_BARRIER)
        return NULL;
    for (int i = 0; i < q->code->count; i++)
        if (issues_to_pipes(insn_at(q, i)))
            return NULL;
    return "no pipe has anything to do";
}

/* The same line, or all, is cleaned again before anybody is told. */
static const char *same_clean(const struct question *q)
{
    const struct insn *i = insn_at(q, q->at), *x;
    if (!is_clean(i))
        return NULL;
    for (int k = q->at + 1; (x = insn_at(q, k)); k++) {
        if (x->op == I_DCCI_ALL ||
            (x->op == I_DCCI && i->op == I_DCCI && x->ra == i->ra && x->imm == i->imm))
            return arena_printf(q->arena, "%s covers the line", name_of(q, "dcci", x));
        if (tells(x) || insn_any(x, CLASS_BRANCH | CLASS_TASK))
            return NULL;
    }
    return NULL;
}

/* The access or wait that a clean or invalidate stands behind. */
static const struct insn *before(const struct question *q)
{
    const struct insn *x;
    for (int i = q->at - 1; (x = insn_at(q, i)); i--)
        if (insn_acquires(x) || insn_any(x, CLASS_STORE | CLASS_DMA))
            return x;
    return NULL;
}

static const char *dma_store(const struct question *q)
{
    const struct insn *i = insn_at(q, q->at), *x = before(q);
    return is_clean(i) && i->origin != ORIGIN_MACRO && i->origin != ORIGIN_TAIL && x &&
                   insn_all(x, CLASS_DMA | CLASS_STORE)
               ? "the store in front is DMA, which bypasses the cache"
               : NULL;
}

/* It reads data, which is not the runtime's table of windows, by an operation of this kind. */
static bool reads_data(const struct question *q, bool dma)
{
    for (int i = 0; i < q->code->count; i++) {
        const struct insn *x = insn_at(q, i);
        bool context = x->region >= 0 && q->p->regions[x->region].kind == REGION_CTX;
        if (dma ? insn_all(x, CLASS_DMA | CLASS_LOAD) : x->op == I_LD && !context && x->region >= 0)
            return true;
    }
    return false;
}

/* TWAIT cleans and invalidates the line of its signal in each round (pypto-facts 5.3). */
static const char *no_cached_reads(const struct question *q)
{
    if (!is_clean(insn_at(q, q->at)) || !before(q) || !insn_acquires(before(q)) ||
        reads_data(q, false))
        return NULL;
    return reads_data(q, true) ? "DMA reads bypass the cache"
                               : "TWAIT's own dcci covers the line, and nothing else is read";
}

/* The line in front of an atomic add need not be fresh: the cache sends what is added. */
static const char *adds(const struct question *q)
{
    const struct insn *i = insn_at(q, q->at), *x = insn_at(q, q->at + 1);
    return i->op == I_DCCI && x && x->op == I_ST_ATOMIC
               ? "an atomic add needs no fresh line in front of it"
               : NULL;
}

/* Behind it nobody is told before the kernel's tail cleans all lines. */
static const char *tail_cleans(const struct question *q)
{
    const struct insn *x = insn_at(q, q->at);
    if (!is_clean(x) || x->origin == ORIGIN_TAIL)
        return NULL;
    for (int i = q->at + 1; (x = insn_at(q, i)); i++) {
        if (x->op == I_DCCI_ALL && x->origin == ORIGIN_TAIL)
            return "the tail cleans it";
        if (x->flags & INSN_NOTIFY || insn_acquires(x))
            return NULL;
    }
    return NULL;
}

static const char *run_ends(const struct question *q)
{
    const struct insn *x = insn_at(q, q->at);
    return x->origin == ORIGIN_TAIL && (x->op == I_BARRIER || x->op == I_DSB) && !q->p->nsteps
               ? "a run ends only when pipes and writes have"
               : NULL;
}

static const char *(*const rules[])(const struct question *q) = {
    dma_store, no_cached_reads, adds,       same_clean, tail_cleans,
    run_ends,  same_barrier,    idle_pipes, same_dsb};

const char *redundancy_why(struct arena *a, const struct program *p, int site)
{
    for (int c = 0; c < p->ncores; c++) {
        const struct code *code = p->cores[c].code;
        for (int i = 0; i < code->count; i++) {
            const struct question q = {a, p, code, i};
            if (code->insns[i].site != site)
                continue;
            for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
                const char *why = rules[k](&q);
                if (why)
                    return why;
            }
            return "";
        }
    }
    return "";
}
