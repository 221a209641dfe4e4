/* SPDX-License-Identifier: MIT */
#include "sim/explore/quiet.h"

#include <limits.h>

#include "sim/internal.h"
#include "sim/oracle_internal.h"

/* ---- lines ---- */

/* What there may still be to disturb somebody: writes, or reads as well. */
enum { WRITES, ACCESSES };

struct span_of_lines {
    uint64_t from, to; /* addresses; `to` is not one of them */
};

static struct span_of_lines lines_of(const struct machine *m, uint64_t addr, uint64_t len)
{
    return (struct span_of_lines){line_of(m, addr), line_of(m, addr + (len ? len - 1 : 0)) +
                                                        (uint64_t)m->contract->line};
}

static bool meet(struct span_of_lines l, uint64_t addr, uint64_t len)
{
    return addr < l.to && l.from < addr + len;
}

static const unsigned disturbs[] = {
    [WRITES] = COURSE_WRITES | COURSE_ADDS,
    [ACCESSES] = COURSE_READS | COURSE_WRITES | COURSE_ADDS,
};

static bool to_come(const struct machine *m, struct span_of_lines l, int what)
{
    const struct oracle *o = m->oracle;
    for (uint64_t line = l.from; line < l.to; line += (uint64_t)m->contract->line)
        for (int c = 0; c < o->ncores; c++)
            if (course_touches(o->course, c, line, o->cores[c].epoch, UINT32_MAX) & disturbs[what])
                return true;
    return false;
}

static bool queued(const struct machine *m, struct span_of_lines l, int what,
                   const struct pipe_op *except)
{
    for (int c = 0; c < m->program->ncores; c++)
        for (int p = 0; p < PIPE_COUNT; p++)
            for (int i = 0; i < m->cores[c].pipes[p].count; i++) {
                const struct pipe_queue *q = &m->cores[c].pipes[p];
                const struct pipe_op *op = &q->ops[(q->head + i) % m->contract->pipe_depth];
                const struct insn *insn = &m->cores[c].code->insns[op->insn];
                bool counts = insn_any(insn, CLASS_DMA) &&
                              (what == ACCESSES || insn_any(insn, CLASS_STORE)) && op != except;
                if (counts && course_meets(m->oracle, op->node, l.from, l.to))
                    return true;
            }
    return false;
}

static bool in_flight(const struct machine *m, struct span_of_lines l, const struct message *except)
{
    for (int c = 0; c < m->program->ncores; c++)
        for (const struct message *msg = m->cores[c].newest; msg; msg = msg->older)
            if (msg != except && !msg->ended && meet(l, msg->addr, msg->len))
                return true;
    return false;
}

static bool dirty(const struct machine *m, struct span_of_lines l)
{
    for (int c = 0; c < m->program->ncores; c++) {
        const struct cache *k = &m->cores[c].cache;
        for (int i = 0; i < k->nvalid; i++) {
            const struct cache_line *line = &k->lines[k->valid[i]];
            if ((line->dirty || line->delta) && line->tag >= l.from && line->tag < l.to)
                return true;
        }
    }
    return false;
}

bool quiet_delivery(const struct machine *m, const struct message *msg)
{
    struct span_of_lines l = lines_of(m, msg->addr, msg->len);
    bool tells_end =
        msg->ended || msg->after_end; /* memory between two of the latter is final, too */
    return !tells_end && !to_come(m, l, ACCESSES) && !in_flight(m, l, msg) && !dirty(m, l) &&
           !queued(m, l, ACCESSES, NULL);
}

/* Nobody writes any more what the load at the head of a pipe reads. */
static bool reads_quiet(const struct machine *m, const struct pipe_op *op)
{
    const struct oracle *o = m->oracle;
    uint64_t addr, len;
    for (size_t i = 0; course_touch_of(o, op->node, i, &addr, &len); i++) {
        struct span_of_lines l = lines_of(m, addr, len);
        if (to_come(m, l, WRITES) || in_flight(m, l, NULL) || dirty(m, l) ||
            queued(m, l, WRITES, op))
            return false;
    }
    return true;
}

/* ---- tiles ---- */

/* What is kept behind the operation: of each queue the operations from a place on, and those that are
 * still to be issued; of the scalar unit what it stands at. INT_MAX: nothing is. */
struct behind {
    int from[PIPE_COUNT + 1];
};

static const struct insn *insn_at(const struct machine *m, int core, int pipe, int place)
{
    const struct core *c = &m->cores[core];
    const struct pipe_queue *q = &c->pipes[pipe];
    return &c->code->insns[q->ops[(q->head + place) % m->contract->pipe_depth].insn];
}

/* How often the flag of a wait can be up before what is behind sets it, less the waits in front. */
static int sets_left(const struct machine *m, int core, const struct behind *b,
                     const struct insn *wait, int waits)
{
    int up = m->cores[core].flags[wait->pa][wait->pb][wait->imm] - waits;
    for (int i = 0;
         wait->pa < PIPE_COUNT && i < m->cores[core].pipes[wait->pa].count && i < b->from[wait->pa];
         i++) {
        const struct insn *x = insn_at(m, core, wait->pa, i);
        up += x->op == I_SET_FLAG && x->pa == wait->pa && x->pb == wait->pb && x->imm == wait->imm;
    }
    return up;
}

/* That flag is only set behind the operation from here on. */
static bool waits_behind(const struct machine *m, int core, const struct behind *b,
                         const struct insn *wait, int waits)
{
    return wait->op == I_WAIT_FLAG && b->from[wait->pa] != INT_MAX &&
           sets_left(m, core, b, wait, waits) <= 0;
}

static bool extend_queue(const struct machine *m, int core, struct behind *b, int pipe)
{
    const struct pipe_queue *q = &m->cores[core].pipes[pipe];
    for (int i = 0; b->from[pipe] == INT_MAX && i < q->count; i++) {
        const struct insn *wait = insn_at(m, core, pipe, i);
        int waits = 0;
        for (int k = 0; k < i; k++) {
            const struct insn *x = insn_at(m, core, pipe, k);
            waits += x->op == I_WAIT_FLAG && x->pa == wait->pa && x->imm == wait->imm;
        }
        if (waits_behind(m, core, b, wait, waits))
            b->from[pipe] = i;
    }
    return b->from[pipe] != INT_MAX;
}

static bool extend_unit(const struct machine *m, int core, struct behind *b)
{
    const struct insn *i = machine_at(m, core);
    bool held = !i || (i->op == I_BARRIER && i->pa == PIPE_ALL) ||
                (i->pb == PIPE_S && waits_behind(m, core, b, i, 0));
    b->from[PIPE_S] = held ? 0 : INT_MAX;
    return held;
}

static struct behind all_behind(const struct machine *m, int core, int pipe)
{
    struct behind b;
    for (int p = 0; p <= PIPE_COUNT; p++)
        b.from[p] = INT_MAX;
    b.from[pipe] = 1;
    for (bool more = true; more;) {
        more = false;
        for (int p = 0; p <= PIPE_COUNT; p++)
            if (b.from[p] == INT_MAX)
                more |= p == PIPE_S ? extend_unit(m, core, &b) : extend_queue(m, core, &b, p);
    }
    return b;
}

static bool clash(struct tile_use x, struct tile_use y)
{
    return (x.writes & (y.reads | y.writes)) || (x.reads & y.writes);
}

/* Nothing touches its tiles but what is behind it. */
static bool tiles_quiet(const struct machine *m, int core, int pipe)
{
    const struct code *code = m->cores[core].code;
    struct tile_use mine = tile_use_of(code, insn_at(m, core, pipe, 0));
    struct behind b = all_behind(m, core, pipe);
    for (int p = 0; p <= PIPE_COUNT; p++) {
        bool held = b.from[p] != INT_MAX || b.from[PIPE_S] != INT_MAX;
        if (!held && clash(mine, course_tile_use(m->oracle->course, core, p)))
            return false;
        for (int i = 0;
             p < PIPE_COUNT && p != pipe && i < m->cores[core].pipes[p].count && i < b.from[p]; i++)
            if (clash(mine, tile_use_of(code, insn_at(m, core, p, i))))
                return false;
    }
    return true;
}

bool quiet_operation(const struct machine *m, int core, int pipe)
{
    const struct pipe_op *op = machine_head(m, core, pipe);
    const struct insn *i = &m->cores[core].code->insns[op->insn];
    bool loads = insn_all(i, CLASS_DMA | CLASS_LOAD);
    return (loads || i->op == I_TILE_OP) && tiles_quiet(m, core, pipe) &&
           (!loads || reads_quiet(m, op));
}
