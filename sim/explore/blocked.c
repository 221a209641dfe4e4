/* SPDX-License-Identifier: MIT */
/*
 * A run that can go no further: which units wait, for what, and who would have brought it.
 *
 * A unit is a core's scalar unit or one of its pipes. What brings the value or the flag that a unit
 * waits for may be left to do by another unit that is stuck too: the one is then the victim of the
 * other and is reported behind it. Units that nobody else holds up come first: they are the cause.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/explore/ahead.h"
#include "sim/explore/cross_wait.h"
#include "sim/internal.h"
#include "sim/oracle_internal.h"

/* What instructions ahead would still bring to a waiting unit. */
struct supply {
    struct place first;
    bool enough; /* one of them alone can do it */
    int64_t sum; /* of adds */
};

struct stuck {
    int core, unit;           /* unit: enum pipe; PIPE_S is the scalar unit */
    const struct insn *insn;  /* what it stands at */
    const int64_t *loops;     /* as in struct place */
    uint64_t addr;            /* polls */
    int32_t memory, expected; /* polls */
    struct supply others, own;
    struct place by; /* the instruction that would bring it, or nowhere */
    int by_unit;     /* the unit of by.core that has yet to come to it */
    enum where where;
    struct cross_wait cross; /* a wait for a flag between cores */
    int level;               /* 0: nobody else's victim */
};

struct blocked {
    struct oracle *o;
    const struct machine *m;
    VEC(struct stuck) units;
    bool complete; /* all was seen that may still come */
};

static bool is_poll(const struct stuck *s)
{
    return s->unit == PIPE_S && insn_all(s->insn, CLASS_ORDER | CLASS_LOAD);
}

static bool awaits_cross(const struct stuck *s)
{
    return s->unit == PIPE_S && s->insn->op == I_WAIT_CROSS;
}

static const char *line_text(const struct machine *m, const struct insn *i, struct arena *a)
{
    return source_line_words(a, m->program->source, i->span.line);
}

static struct place place_at(const struct machine *m, int core, const struct insn *i)
{
    return PLACE(core, (int)(i - m->cores[core].code->insns));
}

/* ---- who stands where ---- */

static void add_unit(struct blocked *b, int core, int unit, const struct insn *i)
{
    struct stuck s = {.core = core,
                      .unit = unit,
                      .insn = i,
                      .by = NOWHERE,
                      .others.first = NOWHERE,
                      .own.first = NOWHERE};
    s.loops = unit == PIPE_S ? oracle_loops(b->o, core, place_at(b->m, core, i).insn)
                             : machine_head(b->m, core, unit)->loops;
    if (is_poll(&s)) {
        s.addr = machine_effective_address(b->m, core);
        machine_poll_satisfied(b->m, core, &s.memory, &s.expected);
    }
    if (awaits_cross(&s))
        s.cross = cross_wait_new(&b->o->arena, b->m, core, (int)i->imm);
    vec_push(&b->o->arena, &b->units, s);
}

static void find_units(struct blocked *b)
{
    for (int c = 0; c < b->m->program->ncores; c++) {
        const struct core *core = &b->m->cores[c];
        for (int p = 0; p < PIPE_COUNT; p++)
            if (core->pipes[p].count && !pipe_head_enabled(b->m, c, p))
                add_unit(b, c, p, &core->code->insns[machine_head(b->m, c, p)->insn]);
        if (!core->ended)
            add_unit(b, c, PIPE_S, machine_at(b->m, c));
    }
}

static struct stuck *unit_of(struct blocked *b, int core, int unit)
{
    vec_foreach (struct stuck, s, &b->units)
        if (s->core == core && s->unit == unit)
            return s;
    return NULL;
}

/* ---- what would still come ---- */

static bool satisfies(const struct stuck *s, int64_t value)
{
    return cmp_holds((enum cmp)s->insn->sub, (int32_t)value, s->expected);
}

/* The adds of a supply bring memory to the value, or past it on the way. */
static bool reaches(const struct stuck *s, int64_t sum)
{
    int64_t end = s->memory + sum;
    if (s->insn->sub != CMP_EQ)
        return satisfies(s, end);
    return (s->memory < s->expected && end >= s->expected) ||
           (s->memory > s->expected && end <= s->expected);
}

static bool may_write(const struct machine *m, const struct ahead *a, uint64_t addr)
{
    const struct region *r = a->insn->region < 0 ? NULL : &m->program->regions[a->insn->region];
    if (a->placed && a->bytes)
        return addr >= a->addr && addr < a->addr + a->bytes;
    return r && gm_offset(addr) >= r->offset && gm_offset(addr) < r->offset + r->size;
}

static void supply_store(struct stuck *s, struct supply *to, const struct ahead *a)
{
    bool add = a->insn->op == I_ST_ATOMIC, known = a->placed && a->valued;
    if (known && add)
        to->sum += a->value;
    else if (!known || satisfies(s, a->value))
        to->enough = true;
    else
        return; /* a set to another value */
}

static bool same_flag(const struct insn *x, const struct insn *y)
{
    return x->pa == y->pa && x->pb == y->pb && x->imm == y->imm;
}

/* What core would do with a may be what the unit waits for. */
static bool brings(const struct blocked *b, const struct stuck *s, int core, const struct ahead *a)
{
    if (insn_any(a->insn, CLASS_CROSS))
        return false;
    if (a->insn->op == I_SET_FLAG)
        return s->insn->op == I_WAIT_FLAG && core == s->core && same_flag(s->insn, a->insn);
    return is_poll(s) && may_write(b->m, a, s->addr);
}

static bool see(void *ctx, int core, const struct ahead *a)
{
    struct blocked *b = ctx;
    bool flag = a->insn->op == I_SET_FLAG;
    vec_foreach (struct stuck, s, &b->units) {
        if (awaits_cross(s) && a->insn->op == I_SET_CROSS)
            cross_wait_see(&s->cross, place_at(b->m, core, a->insn));
        struct supply *to = core == s->core ? &s->own : &s->others;
        if (!brings(b, s, core, a))
            continue;
        if (flag)
            to->enough = true;
        else
            supply_store(s, to, a);
        if (to->first.core < 0 && (to->enough || to->sum))
            to->first = place_at(b->m, core, a->insn);
    }
    return true;
}

/* ---- why a unit is stuck ---- */

static void held_by(struct stuck *s, struct place by, int unit, enum where where)
{
    s->by = by;
    s->by_unit = unit;
    s->where = where;
}

/* The value went past what a wait with == compares with, from where it started. */
static bool passed(const struct blocked *b, const struct stuck *s)
{
    int32_t initial;
    memcpy(&initial, b->m->program->gm_init[gm_rank(s->addr)] + gm_offset(s->addr), sizeof initial);
    return s->insn->sub == CMP_EQ && ((initial < s->expected && s->expected < s->memory) ||
                                      (initial > s->expected && s->expected > s->memory));
}

static void judge_poll(struct blocked *b, struct stuck *s, struct finding *f)
{
    uint32_t lacking = oracle_lacking(b->o, b->m, s->addr);
    f->got = oracle_place(b->o, oracle_newest(b->o, b->m, s->addr));
    if (lacking != NODE_INIT) {
        f->producer = oracle_place(b->o, lacking);
        s->where = oracle_locate(b->o, b->m, s->addr, lacking, &f->culprit);
        f->edge = oracle_missed(b->o, s->where, s->addr, lacking, NODE_NONE);
        const struct code *code = b->m->cores[f->producer.core].code;
        if (s->where == W_QUEUED)
            held_by(s, f->producer, insn_pipe(code, &code->insns[f->producer.insn]), W_QUEUED);
    } else if (s->others.enough || reaches(s, s->others.sum)) {
        held_by(s, s->others.first, PIPE_S, W_WAITING);
    } else if (s->own.enough || reaches(s, s->others.sum + s->own.sum)) {
        held_by(s, s->own.first, PIPE_S, W_BEHIND);
    } else if (passed(b, s)) {
        s->where = W_PASSED;
    } else {
        s->where = b->complete ? W_NEVER : W_NONE;
    }
}

/* The set_flag that a queued wait_flag needs, where it stands in its own pipe's queue. */
static struct place queued_set(const struct blocked *b, const struct stuck *s)
{
    const struct core *c = &b->m->cores[s->core];
    const struct pipe_queue *q = s->insn->pa < PIPE_COUNT ? &c->pipes[s->insn->pa] : NULL;
    for (int i = 0; q && i < q->count; i++) {
        const struct pipe_op *op = &q->ops[(q->head + i) % b->m->contract->pipe_depth];
        const struct insn *set = &c->code->insns[op->insn];
        if (set->op == I_SET_FLAG && same_flag(set, s->insn))
            return (struct place){s->core, op->insn, op->loops};
    }
    return NOWHERE;
}

static void judge_flag(struct blocked *b, struct stuck *s)
{
    struct place queued = queued_set(b, s);
    if (queued.core >= 0)
        held_by(s, queued, s->insn->pa, s->insn->pa == s->unit ? W_BEHIND : W_WAITING);
    else if (s->own.enough)
        held_by(s, s->own.first, PIPE_S, s->unit == PIPE_S ? W_BEHIND : W_WAITING);
    else
        s->where = b->complete ? W_NEVER : W_NONE;
}

/* Where it stands in a queue, the pipe that it is in holds it up. */
static void judge_cross(struct blocked *b, struct stuck *s)
{
    struct place by;
    if (cross_wait_judge(&s->cross, &by) && by.core >= 0) {
        const struct code *code = b->m->cores[by.core].code;
        int pipe = insn_pipe(code, &code->insns[by.insn]);
        bool queued = pipe != PIPE_S && unit_of(b, by.core, pipe);
        held_by(s, by, queued ? pipe : PIPE_S, by.core == s->core ? W_BEHIND : W_WAITING);
    } else {
        s->where = b->complete ? W_NEVER : W_NONE;
    }
}

/* The task of another core that the core's next one waits for, or NULL. */
static const struct task_ref *awaited_task(const struct machine *m, int core)
{
    const struct core_desc *desc = &m->program->cores[core];
    const struct dispatch *d = desc->dispatches ? &desc->dispatches[m->cores[core].dispatch] : NULL;
    for (int k = 0; d && k < d->nafter; k++)
        if (m->cores[d->after[k].core].reported <= d->after[k].index)
            return &d->after[k];
    return NULL;
}

/* A barrier, a full pipe, a task: held up by a stuck pipe of the core, or by another core. */
static void judge_other(struct blocked *b, struct stuck *s)
{
    const struct task_ref *task = s->insn->op == I_TASK ? awaited_task(b->m, s->core) : NULL;
    int core = task ? task->core : s->core;
    vec_foreach (const struct stuck, x, &b->units)
        if (x != s && x->core == core && (!task || x->unit == PIPE_S)) {
            held_by(s, place_at(b->m, x->core, x->insn), x->unit, W_WAITING);
            return;
        }
}

/* ---- in words ---- */

static const char *unit_name(struct blocked *b, int unit)
{
    return unit == PIPE_S ? "the scalar unit"
                          : arena_printf(&b->o->arena, "pipe %s", pipe_name((enum pipe)unit));
}

/* "to be set in line 36 by rank 1, which stands at line 34" */
static const char *supply_text(struct blocked *b, const struct stuck *s)
{
    struct arena *a = &b->o->arena;
    const struct core_desc *core = s->by.core < 0 ? NULL : &b->m->program->cores[s->by.core];
    const char *line = core ? line_text(b->m, &core->code->insns[s->by.insn], a) : NULL;
    const struct stuck *holder = core ? unit_of(b, s->by.core, s->by_unit) : NULL;
    switch (s->where) {
    case W_PASSED:
        return s->memory > s->expected ? "the value was passed; use >=" : "the value was passed";
    case W_BEHIND:
        return arena_printf(a, "to be set in %s, which stands behind this wait", line);
    case W_WAITING:
        if (!holder)
            return arena_printf(a, "to be set in %s", line);
        return arena_printf(
            a, "to be set in %s by %s, %s stands at %s", line,
            program_core_phrase(b->m->program, s->by.core, a),
            s->by_unit == PIPE_S ? "which" : arena_printf(a, "where %s", unit_name(b, s->by_unit)),
            line_text(b->m, holder->insn, a));
    case W_NEVER:
        return s->others.sum + s->own.sum
                   ? arena_printf(a, "all that is still to come brings it to %lld",
                                  (long long)(s->memory + s->others.sum + s->own.sum))
                   : "nothing that is still to come sets it";
    default:
        return where_name(s->where);
    }
}

/* The same behind a colon, or nothing where nothing is known. */
static const char *supply_note(struct blocked *b, const struct stuck *s)
{
    return s->where == W_NONE ? "" : arena_printf(&b->o->arena, ": %s", supply_text(b, s));
}

static const char *task_note(struct blocked *b, const struct stuck *s)
{
    const struct program *p = b->m->program;
    const struct task_ref *task = awaited_task(b->m, s->core);
    const struct core_desc *core = &p->cores[task->core];
    const struct insn *entry = &core->code->insns[core->dispatches[task->index].entry];
    return arena_printf(&b->o->arena, "'%s' waits for '%s' of core %d.%d to end",
                        insn_text(p, b->m->cores[s->core].code, s->insn, &b->o->arena),
                        insn_text(p, core->code, entry, &b->o->arena), core->rank, core->index);
}

static const char *note_of(struct blocked *b, const struct stuck *s)
{
    struct arena *a = &b->o->arena;
    if (is_poll(s))
        return arena_printf(a, "waits for %s %d, memory holds %d%s",
                            cmp_name((enum cmp)s->insn->sub), s->expected, s->memory,
                            supply_note(b, s));
    if (s->insn->op == I_WAIT_FLAG && (s->unit != PIPE_S || s->insn->pb == PIPE_S))
        return arena_printf(a, "%s waits for flag %s -> %s, id %lld%s", unit_name(b, s->unit),
                            pipe_name((enum pipe)s->insn->pa), pipe_name((enum pipe)s->insn->pb),
                            (long long)s->insn->imm, supply_note(b, s));
    if (awaits_cross(s))
        return arena_printf(a, "core %s waits for flag %d between cores: %s",
                            program_core_name(b->m->program, s->core, a), s->cross.id,
                            cross_wait_text(&s->cross, b->complete, a));
    if (s->insn->op == I_TASK && awaited_task(b->m, s->core))
        return task_note(b, s);
    const char *text = insn_text(b->m->program, b->m->cores[s->core].code, s->insn, a);
    if (s->where == W_WAITING)
        return arena_printf(a, "stands at '%s' until %s goes on", text, unit_name(b, s->by_unit));
    return arena_printf(a, "stands at '%s'", text);
}

/* ---- the report ---- */

static bool only_waits(const struct blocked *b)
{
    vec_foreach (const struct stuck, s, &b->units)
        if (!is_poll(s) && !awaits_cross(s) && (s->unit != PIPE_S || s->insn->op != I_TASK))
            return false;
    return true;
}

/* Behind the unit that holds it up; units that hold each other up come last. */
static void rank_units(struct blocked *b)
{
    int n = (int)b->units.len;
    vec_foreach (struct stuck, s, &b->units)
        s->level = s->where == W_WAITING || s->where == W_QUEUED ? n : 0;
    for (int round = 0; round < n; round++)
        vec_foreach (struct stuck, s, &b->units) {
            const struct stuck *holder = s->level ? unit_of(b, s->by.core, s->by_unit) : NULL;
            if (holder && holder->level + 1 < s->level)
                s->level = holder->level + 1;
        }
}

void blocked_report(struct oracle *o, const struct machine *m)
{
    struct blocked b = {.o = o, .m = m, .complete = true};
    find_units(&b);
    for (int c = 0; c < m->program->ncores; c++)
        b.complete &= ahead_each(m, c, see, &b);
    enum verdict verdict = only_waits(&b) ? V_HANG : V_DEADLOCK;
    struct finding *f = arena_array(&o->arena, struct finding, b.units.len + 1);
    for (size_t i = 0; i < b.units.len; i++) {
        struct stuck *s = &b.units.items[i];
        f[i] = oracle_finding(verdict, is_poll(s) ? s->addr : gm_addr(m->cores[s->core].rank, 0));
        f[i].reader = place_at(m, s->core, s->insn);
        f[i].reader.loops = s->loops;
        if (is_poll(s))
            judge_poll(&b, s, &f[i]);
        else if (awaits_cross(s))
            judge_cross(&b, s);
        else if (s->insn->op == I_WAIT_FLAG && (s->unit != PIPE_S || s->insn->pb == PIPE_S))
            judge_flag(&b, s);
        else
            judge_other(&b, s);
        f[i].where = s->where;
        if (s->by.core >= 0)
            f[i].producer = s->by;
    }
    rank_units(&b);
    for (int level = 0; level <= (int)b.units.len; level++)
        for (size_t i = 0; i < b.units.len; i++)
            if (b.units.items[i].level == level) {
                f[i].note = note_of(&b, &b.units.items[i]);
                oracle_add(o, m, f[i]);
            }
}
