/* SPDX-License-Identifier: MIT */
/*
 * What a task leaves behind for a later one: flags that are still up, a flag that it raises twice,
 * and a mode that is still on (what the vendor's synccheck and memcheck report). All are told by what was issued, not
 * by what the pipes have come to, so that every schedule tells the same.
 */
#include <string.h>

#include "sim/internal.h"
#include "sim/oracle_internal.h"

typedef int8_t flag_balance[PIPE_COUNT + 1][PIPE_COUNT + 1][MAX_FLAG_IDS];

/* Sets less waits that the core has issued. */
static void count_flags(const struct machine *m, int core, flag_balance up)
{
    const struct core *c = &m->cores[core];
    for (int a = 0; a <= PIPE_COUNT; a++)
        for (int b = 0; b <= PIPE_COUNT; b++)
            for (int id = 0; id < MAX_FLAG_IDS; id++)
                up[a][b][id] = (int8_t)c->flags[a][b][id];
    for (int p = 0; p < PIPE_COUNT; p++)
        for (int k = 0; k < c->pipes[p].count; k++) {
            const struct pipe_queue *q = &c->pipes[p];
            const struct insn *i =
                &c->code->insns[q->ops[(q->head + k) % m->contract->pipe_depth].insn];
            if (insn_any(i, CLASS_FLAG))
                up[i->pa][i->pb][i->imm] += i->op == I_SET_FLAG ? 1 : -1;
        }
}

static bool same_flag(const struct insn *x, const struct insn *y)
{
    return insn_any(x, CLASS_FLAG) && x->pa == y->pa && x->pb == y->pb && x->imm == y->imm;
}

/* The last instruction in front of pc, in the text of its task, that is about the flag of like, or
 * NULL. */
static const struct insn *last_about(const struct code *code, int pc, const struct insn *like)
{
    while (--pc >= 0 && insn_acts(&code->insns[pc]) != I_TASK)
        if (same_flag(&code->insns[pc], like))
            return &code->insns[pc];
    return NULL;
}

static struct finding of_core(const struct machine *m, int core, enum verdict v)
{
    return oracle_finding(v, gm_addr(m->cores[core].rank, 0));
}

void leftover_set_flag(struct machine *m, int core)
{
    const struct core *c = &m->cores[core];
    const struct insn *i = &c->code->insns[c->pc], *last = last_about(c->code, c->pc, i);
    flag_balance up;
    if (last && last->op == I_WAIT_FLAG)
        return;
    count_flags(m, core, up);
    if (up[i->pa][i->pb][i->imm] <= 0)
        return;
    struct finding f = of_core(m, core, V_REDUNDANT_FLAG);
    f.reader = PLACE(core, c->pc);
    f.producer = last ? PLACE(core, (int)(last - c->code->insns)) : f.reader;
    f.note =
        arena_printf(&m->oracle->arena, "flag %s -> %s, id %d, and nothing waits for it between",
                     pipe_name((enum pipe)i->pa), pipe_name((enum pipe)i->pb), (int)i->imm);
    oracle_add(m->oracle, m, f);
}

/* Where the task that ends at pc, or one before it, has set that flag. */
static struct place setter_of(const struct machine *m, int core, struct insn flag)
{
    const struct core *c = &m->cores[core];
    for (int pc = c->pc; --pc >= 0;)
        if (c->code->insns[pc].op == I_SET_FLAG && same_flag(&c->code->insns[pc], &flag))
            return PLACE(core, pc);
    return PLACE(core, c->pc);
}

static void report_flag(struct machine *m, int core, struct insn flag, int times)
{
    struct arena *a = &m->oracle->arena;
    struct finding f = of_core(m, core, V_UNPAIRED_FLAG);
    f.reader = setter_of(m, core, flag);
    f.note = arena_printf(a,
                          "flag %s -> %s, id %d is still up%s when the task ends: a later wait for "
                          "it passes at once",
                          pipe_name((enum pipe)flag.pa), pipe_name((enum pipe)flag.pb),
                          (int)flag.imm, times > 1 ? arena_printf(a, " %d times", times) : "");
    oracle_add(m->oracle, m, f);
}

static void flags_left(struct machine *m, int core)
{
    flag_balance up;
    count_flags(m, core, up);
    for (int a = 0; a <= PIPE_COUNT; a++)
        for (int b = 0; b <= PIPE_COUNT; b++)
            for (int id = 0; id < MAX_FLAG_IDS; id++)
                if (up[a][b][id] > 0)
                    report_flag(
                        m, core,
                        (struct insn){
                            .op = I_SET_FLAG, .pa = (uint8_t)a, .pb = (uint8_t)b, .imm = id},
                        up[a][b][id]);
}

/* ---- the mode of stores ---- */

static void mode_left(struct machine *m, int core)
{
    const struct core *c = &m->cores[core];
    if (!c->adds)
        return;
    struct finding f = of_core(m, core, V_MODE_LEFT);
    f.reader = PLACE(core, c->pc);
    for (int pc = c->pc; --pc >= 0 && f.reader.insn == c->pc;)
        if (insn_acts(&c->code->insns[pc]) == I_SET_ATOMIC && c->code->insns[pc].imm)
            f.reader.insn = pc;
    f.note = "transfers of the next task on this core add to memory instead of writing it";
    oracle_add(m->oracle, m, f);
}

/* ---- flags between cores ---- */

static bool of_cluster(const struct program *p, int core, int other)
{
    const struct core_desc *x = &p->cores[core], *y = &p->cores[other];
    return core == other || (x->rank == y->rank && x->lane != LANE_NONE && y->lane != LANE_NONE &&
                             x->cluster == y->cluster);
}

/* The lane has nothing left to do of the submission of which core has just ended a task, and is at
 * no other one. */
static bool rests(const struct machine *m, int core, int other)
{
    const struct core *c = &m->cores[core], *x = &m->cores[other];
    const struct core_desc *mine = &m->program->cores[core], *its = &m->program->cores[other];
    if (core == other || x->ended)
        return true;
    if (!mine->dispatches || !its->dispatches || machine_at(m, other)->op != I_TASK)
        return false;
    return its->dispatches[x->dispatch].step != mine->dispatches[c->dispatch].step;
}

static void report_cross(struct machine *m, int core, struct place set, int id, const char *state)
{
    struct finding f = of_core(m, core, V_UNPAIRED_CROSS);
    f.reader = set;
    f.note = arena_printf(&m->oracle->arena,
                          "flag %d between cores %s when the task ends: the next task on this "
                          "cluster begins with it",
                          id, state);
    oracle_add(m->oracle, m, f);
}

static void cross_left(struct machine *m, int core)
{
    struct arena *a = &m->oracle->arena;
    const char *name = program_core_name(m->program, core, a);
    for (uint32_t ids = m->cross; ids; ids &= ids - 1) {
        int id = __builtin_ctz(ids);
        const struct cross_flag *f = &m->cores[core].cross[id];
        if (f->up)
            report_cross(m, core, oracle_place(m->oracle, head_of(m->oracle, f->node)), id,
                         arena_printf(a, "is still up for core %s, %d time%s", name, f->up,
                                      f->up > 1 ? "s" : ""));
        for (int mode = 0; mode < CROSS_MODES; mode++)
            if (f->sent[mode])
                report_cross(
                    m, core, oracle_place(m->oracle, head_of(m->oracle, f->sent_node[mode])), id,
                    arena_printf(a, "has been set by core %s, and not by all others", name));
    }
}

/* Sets that are still queued when nobody is left to wait for them. */
static void queued_left(struct machine *m, int core)
{
    const struct core *c = &m->cores[core];
    for (int p = 0; p < PIPE_COUNT; p++)
        for (int k = 0; k < c->pipes[p].count; k++) {
            const struct pipe_queue *q = &c->pipes[p];
            const struct pipe_op *op = &q->ops[(q->head + k) % m->contract->pipe_depth];
            const struct insn *i = &c->code->insns[op->insn];
            if (i->op == I_SET_CROSS)
                report_cross(m, core, (struct place){core, op->insn, op->loops}, (int)i->imm,
                             "is still to be set");
        }
}

void leftover_end(struct machine *m, int core)
{
    const struct program *p = m->program;
    flags_left(m, core);
    mode_left(m, core);
    for (int c = 0; m->cross && c < p->ncores; c++)
        if (of_cluster(p, core, c) && !rests(m, core, c))
            return;
    for (int c = 0; m->cross && c < p->ncores; c++)
        if (of_cluster(p, core, c)) {
            cross_left(m, c);
            queued_left(m, c);
        }
}
