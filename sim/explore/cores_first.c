/* SPDX-License-Identifier: MIT */
#include "sim/explore/cores_first.h"

#include <string.h>

#include "sim/explore/independent.h"
#include "sim/explore/leaving.h"
#include "sim/internal.h"
#include "sim/oracle_internal.h"

/* Sets of cores, as bits. */
typedef uint64_t cores;
enum { MOST_CORES = 64 };

struct cores_first {
    const struct machine *m;
    const struct transition *steps;
    int n;
    size_t *next;   /* of each core: its first wait that has not come true */
    size_t *at;     /* and where the cores outside of a set come to a stop */
    uint32_t *last; /* its last epoch until then, without and with that wait */
    uint32_t *stop;
};

static bool has(cores set, int core)
{
    return set >> core & 1;
}

struct cores_first *cores_first_new(struct arena *a, const struct machine *m)
{
    const struct contract *k = m->contract;
    size_t n = (size_t)m->program->ncores;
    bool leave = k->eviction == EVICTION_SPONTANEOUS && !m->opt.leaves_late;
    if (n < 2 || n > MOST_CORES || k->prefetch != PREFETCH_NONE || leave || !footprints_known(m) ||
        !m->oracle || !oracle_follows(m->oracle))
        return NULL;
    struct cores_first *f = arena_new(a, struct cores_first);
    f->next = arena_array(a, size_t, n);
    f->at = arena_array(a, size_t, n);
    f->last = arena_array(a, uint32_t, n);
    f->stop = arena_array(a, uint32_t, n);
    return f;
}

/* ---- how far the others come ---- */

static bool in_value(const struct oracle *o, uint32_t value, uint32_t node)
{
    for (uint32_t n = value;; n = o->nodes[n].parent) {
        if (head_of(o, n) == node)
            return true;
        if (!node_is_set(&o->nodes[n]))
            return false;
    }
}

/* The message brings what the access did to the word at addr. */
static bool brings(const struct machine *m, const struct message *msg, uint64_t addr, uint32_t node)
{
    if (msg->ended || addr < msg->addr || addr >= msg->addr + msg->len)
        return false;
    uint64_t unit = (addr - msg->addr) / (uint64_t)m->grain, word = (addr - msg->addr) / WORD;
    if (msg->masked && !(msg->mask >> word & 1))
        return false;
    return in_value(m->oracle, msg->prov[msg->masked && msg->add ? word : unit], node);
}

/* What the access does to the word at addr has not come to memory, and will not without its core. */
static bool held_back(const struct machine *m, const struct course_access *x, uint64_t addr)
{
    const struct core *c = &m->cores[x->core];
    if (x->epoch > m->oracle->cores[x->core].epoch)
        return true;
    if (x->node == NODE_NONE)
        return false;
    for (const struct message *msg = c->newest; msg; msg = msg->older)
        if (brings(m, msg, addr, x->node))
            return true;
    for (int p = 0; p < PIPE_COUNT; p++)
        for (int i = 0; i < c->pipes[p].count; i++)
            if (c->pipes[p].ops[(c->pipes[p].head + i) % m->contract->pipe_depth].node == x->node)
                return true;
    int slot = cache_find(m, x->core, addr);
    uint64_t word = (addr - line_of(m, addr)) / WORD;
    if (slot == NO_SLOT || !(c->cache.lines[slot].delta >> word & 1))
        return false;
    size_t cell = (size_t)slot * (size_t)m->words + (size_t)word;
    return in_value(m->oracle, c->cache.delta_prov[cell], x->node);
}

static bool cannot_come_true(const struct cores_first *f, cores set, const struct course_wait *w)
{
    for (size_t i = 0; i < w->nsure; i++) {
        const struct course_access *x = &w->sure[i];
        if (has(set, x->core) ? held_back(f->m, x, w->cell) : x->epoch > f->last[x->core])
            return true;
    }
    return false;
}

static void stand_before(struct cores_first *f, int core, size_t wait)
{
    size_t n;
    const struct course_wait *w = course_waits(f->m->oracle->course, core, &n);
    f->at[core] = wait;
    f->last[core] = wait < n ? w[wait].epoch - 1 : UINT32_MAX;
    f->stop[core] = f->last[core] + (wait < n && !w[wait].counts);
}

/* Lets all cores but those in set go on for as long as waits can come true. */
static void let_go(struct cores_first *f, cores set)
{
    int ncores = f->m->program->ncores;
    for (int c = 0; c < ncores; c++)
        stand_before(f, c, f->next[c]);
    for (bool more = true; more;) {
        more = false;
        for (int c = 0; c < ncores; c++) {
            size_t n;
            const struct course_wait *w = course_waits(f->m->oracle->course, c, &n);
            while (!has(set, c) && f->at[c] < n && !cannot_come_true(f, set, &w[f->at[c]])) {
                stand_before(f, c, f->at[c] + 1);
                more = true;
            }
        }
    }
}

/* ---- what they touch ---- */

/* What a step does to a line. */
enum deed { READS, WRITES, ADDS };

static const unsigned disturbed_by[] = {
    [READS] = COURSE_WRITES | COURSE_ADDS,
    [WRITES] = COURSE_READS | COURSE_WRITES | COURSE_ADDS,
    [ADDS] = COURSE_READS | COURSE_WRITES,
};

static bool pending_in_queues(const struct machine *m, int core, uint64_t line, enum deed deed)
{
    const struct core *c = &m->cores[core];
    uint64_t end = line + (uint64_t)m->contract->line;
    for (int p = 0; p < PIPE_COUNT; p++)
        for (int i = 0; i < c->pipes[p].count; i++) {
            const struct pipe_op *op =
                &c->pipes[p].ops[(c->pipes[p].head + i) % m->contract->pipe_depth];
            const struct insn *insn = &c->code->insns[op->insn];
            if (insn_any(insn, CLASS_DMA) && (deed != READS || insn_any(insn, CLASS_STORE)) &&
                course_meets(m->oracle, op->node, line, end))
                return true;
        }
    return false;
}

/* Core has something on its way to the line that disturbs the deed. */
static bool pending(const struct machine *m, int core, uint64_t line, enum deed deed)
{
    const struct core *c = &m->cores[core];
    uint64_t end = line + (uint64_t)m->contract->line;
    for (const struct message *msg = c->newest; msg; msg = msg->older) {
        bool commutes = deed == ADDS && msg->add && msg->elem == ELEM_I32;
        if (msg->addr < end && line < msg->addr + msg->len && !commutes)
            return true;
    }
    int slot = cache_find(m, core, line);
    if (slot != NO_SLOT &&
        (c->cache.lines[slot].dirty || (c->cache.lines[slot].delta && deed != ADDS)))
        return true;
    return pending_in_queues(m, core, line, deed);
}

static bool disturbs(const struct cores_first *f, int core, uint64_t addr, uint64_t len,
                     enum deed deed)
{
    const struct machine *m = f->m;
    for (uint64_t line = line_of(m, addr); line < addr + len; line += (uint64_t)m->contract->line) {
        bool known = gm_rank(line) < m->program->nranks && gm_offset(line) < m->program->gm_bytes;
        if (!known || pending(m, core, line, deed) ||
            (course_touches(m->oracle->course, core, line, m->oracle->cores[core].epoch,
                            f->stop[core]) &
             disturbed_by[deed]))
            return true;
    }
    return false;
}

static bool disturbs_load(const struct cores_first *f, int core, const struct pipe_op *op)
{
    uint64_t addr, len;
    for (size_t i = 0; course_touch_of(f->m->oracle, op->node, i, &addr, &len); i++)
        if (disturbs(f, core, addr, len, READS))
            return true;
    return false;
}

/* A line that leaves for an access is read again; what it brings to memory adds or writes. */
static bool disturbs_leaving(const struct cores_first *f, int core, struct transition t)
{
    const struct machine *m = f->m;
    const struct cache_line *l = &m->cores[t.core].cache.lines[t.index];
    uint64_t len = (uint64_t)m->contract->line;
    switch (leave_of(m, t, true)) {
    case LEAVES_WITH_ACCESS:
        return disturbs(f, core, l->tag, len, READS);
    case LEAVES_AND_ARRIVES:
        return disturbs(f, core, l->tag, len, l->dirty ? WRITES : ADDS);
    default:
        return false;
    }
}

/* Core can do something that does not commute with a step of another. */
static bool disturbs_step(const struct cores_first *f, int core, struct transition t)
{
    const struct machine *m = f->m;
    const struct message *msg;
    const struct pipe_op *op;
    struct footprint print;
    switch (t.kind) {
    case T_DELIVER:
        msg = m->channels[t.index].head;
        return msg->ended || disturbs(f, core, msg->addr, msg->len,
                                      msg->add && msg->elem == ELEM_I32 ? ADDS : WRITES);
    case T_PIPE:
        op = machine_head(m, t.core, t.pipe);
        return insn_all(&m->cores[t.core].code->insns[op->insn], CLASS_DMA | CLASS_LOAD) &&
               disturbs_load(f, core, op);
    case T_SCALAR:
        footprint_of(m, t, &print);
        if (print.gm_reads.hi == UINT64_MAX || print.gm_writes.lo < print.gm_writes.hi)
            return true;
        return print.gm_reads.lo < print.gm_reads.hi &&
               disturbs(f, core, print.gm_reads.lo, print.gm_reads.hi - print.gm_reads.lo, READS);
    case T_EVICT:
        return disturbs_leaving(f, core, t);
    default:
        return true;
    }
}

/* Core can make a wait of one of the set come true at which that one stands now. */
static bool wakes(const struct cores_first *f, cores set, int core, int other)
{
    size_t n;
    const struct insn *i = machine_at(f->m, other);
    const struct course_wait *w = course_waits(f->m->oracle->course, other, &n);
    bool polls = i && (i->op == I_POLL_DEV ||
                       (i->op == I_POLL && f->m->cores[other].poll_phase == POLL_READ));
    if ((!polls && !(i && i->op == I_TASK)) || (f->next[other] < n && w[f->next[other]].counts &&
                                                cannot_come_true(f, set, &w[f->next[other]])))
        return false;
    return polls ? disturbs(f, core, machine_effective_address(f->m, other), WORD, READS)
                 : !transition_enabled(f->m, (struct transition){.kind = T_SCALAR, .core = other});
}

/* ---- sets ---- */

static bool belongs(const struct cores_first *f, cores set, int core)
{
    const struct machine *m = f->m;
    for (int c = 0; m->cross && c < m->program->ncores; c++)
        if (has(set, c) && m->cores[c].rank == m->cores[core].rank)
            return true;
    for (int i = 0; i < f->n; i++)
        if (has(set, f->steps[i].core) && disturbs_step(f, core, f->steps[i]))
            return true;
    for (int c = 0; c < m->program->ncores; c++)
        if (has(set, c) && wakes(f, set, core, c))
            return true;
    return false;
}

static cores close(struct cores_first *f, cores set)
{
    for (bool more = true; more;) {
        more = false;
        let_go(f, set);
        for (int c = 0; c < f->m->program->ncores && !more; c++)
            if (!has(set, c) && belongs(f, set, c)) {
                set |= (cores)1 << c;
                more = true;
            }
    }
    return set;
}

static int steps_in(const struct cores_first *f, cores set)
{
    int n = 0;
    for (int i = 0; i < f->n; i++)
        n += has(set, f->steps[i].core);
    return n;
}

/* One of its steps is taken before the run is over: a line need never leave. */
static bool goes_on(const struct cores_first *f, cores set)
{
    for (int i = 0; i < f->n; i++)
        if (has(set, f->steps[i].core) && !transition_spontaneous(f->steps[i]))
            return true;
    return false;
}

static void find_next_waits(struct cores_first *f)
{
    const struct oracle *o = f->m->oracle;
    for (int c = 0; c < f->m->program->ncores; c++) {
        size_t n;
        const struct course_wait *w = course_waits(o->course, c, &n);
        f->next[c] = 0;
        while (f->next[c] < n && w[f->next[c]].epoch <= o->cores[c].epoch)
            f->next[c]++;
    }
}

void cores_first_choose(struct cores_first *f, const struct machine *m, const struct transition *t,
                        int n, bool *first)
{
    cores best = ~(cores)0;
    int fewest = n;
    *f = (struct cores_first){m, t, n, f->next, f->at, f->last, f->stop};
    find_next_waits(f);
    for (int c = 0; n > 1 && !machine_at_end(m) && c < m->program->ncores; c++) {
        if (!goes_on(f, (cores)1 << c))
            continue;
        cores set = close(f, (cores)1 << c);
        if (steps_in(f, set) < fewest) {
            best = set;
            fewest = steps_in(f, set);
        }
    }
    for (int i = 0; i < n; i++)
        first[i] = has(best, t[i].core);
}
