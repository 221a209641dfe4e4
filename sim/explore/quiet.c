/* SPDX-License-Identifier: MIT */
#include "sim/explore/quiet.h"

#include "sim/internal.h"
#include "sim/oracle_internal.h"
#include "sim/tile_order.h"

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
    [ACCESSES] = COURSE_READS | COURSE_WRITES | COURSE_ADDS | COURSE_AWAITS,
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

/* Whatever else uses the operation's tiles comes before or after it in every schedule. */
static bool tiles_quiet(const struct machine *m, int core, const struct insn *i)
{
    struct tile_use use = tile_use_of(m->cores[core].code, i);
    return !((use.reads | use.writes) & course_mixed_tiles(m->oracle->course, core));
}

bool quiet_operation(const struct machine *m, int core, int pipe)
{
    const struct pipe_op *op = machine_head(m, core, pipe);
    const struct insn *i = &m->cores[core].code->insns[op->insn];
    bool loads = insn_all(i, CLASS_DMA | CLASS_LOAD);
    return (loads || i->op == I_TILE_OP) && tiles_quiet(m, core, i) &&
           (!loads || reads_quiet(m, op));
}
