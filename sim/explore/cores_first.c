/* SPDX-License-Identifier: MIT */
#include "sim/explore/cores_first.h"

#include <string.h>

#include "sim/explore/independent.h"
#include "sim/explore/leaving.h"
#include "sim/internal.h"
#include "sim/oracle_internal.h"
#include "sim/tile_order.h"

/* Sets of cores, as bits. */
typedef uint64_t cores;
enum { MOST_CORES = 64 };

struct cores_first {
    const struct machine *m;
    const struct transition *steps;
    int n;
    bool ranks_whole; /* a flag between the cores of a rank may overflow */
    /* It is asked about a single step: how far its core comes without it, as an epoch, and the channel
     * whose messages come behind it, or NO_SLOT. */
    bool step;
    uint32_t limit;
    int behind;
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
    f->ranks_whole = m->cross && !course_flags_hold(m->oracle->course);
    f->behind = NO_SLOT;
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

/* The message brings what the access did to the word at addr: not one that carries the word along, whose
 * value was in memory before. */
static bool brings(const struct machine *m, const struct message *msg, uint64_t addr, uint32_t node)
{
    if (msg->ended || addr < msg->addr || addr >= msg->addr + msg->len)
        return false;
    if (!msg->masked)
        return msg->node == node;
    uint64_t unit = (addr - msg->addr) / (uint64_t)m->grain, word = (addr - msg->addr) / WORD;
    return (msg->own >> word & 1) && in_value(m->oracle, msg->prov[msg->add ? word : unit], node);
}

/* What the wait for the word at addr needs of the access has not come, and will not without its core. Of
 * one of which a step alone is not taken: what comes behind its limit. */
static bool held_back(const struct cores_first *f, const struct course_access *x, uint64_t addr)
{
    const struct machine *m = f->m;
    const struct core *c = &m->cores[x->core];
    if (x->epoch > (f->step ? f->limit : m->oracle->cores[x->core].epoch))
        return x->issued;
    if (x->node == NODE_NONE || f->step || !x->arrived)
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
        if (has(set, x->core) ? held_back(f, x, w->cell) : x->issued && x->epoch > f->last[x->core])
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

/* What a step does to a line. A wait that is over, since its word is large enough, would be so as well
 * when the word were larger, and what would make it smaller comes behind the wait (COURSE_AWAITS);
 * ARRIVES are adds that come to memory. */
enum deed { READS, AWAITS, WRITES, ADDS, ARRIVES };

static const unsigned disturbed_by[] = {
    [READS] = COURSE_WRITES | COURSE_ADDS,
    [AWAITS] = COURSE_WRITES,
    [WRITES] = COURSE_READS | COURSE_AWAITS | COURSE_WRITES | COURSE_ADDS,
    [ADDS] = COURSE_READS | COURSE_AWAITS | COURSE_WRITES,
    [ARRIVES] = COURSE_READS | COURSE_WRITES,
};

static bool pending_in_queues(const struct machine *m, int core, uint64_t line, enum deed deed)
{
    const struct core *c = &m->cores[core];
    uint64_t end = line + (uint64_t)m->contract->line;
    bool reads = deed == READS || deed == AWAITS;
    for (int p = 0; p < PIPE_COUNT; p++)
        for (int i = 0; i < c->pipes[p].count; i++) {
            const struct pipe_op *op =
                &c->pipes[p].ops[(c->pipes[p].head + i) % m->contract->pipe_depth];
            const struct insn *insn = &c->code->insns[op->insn];
            if (insn_any(insn, CLASS_DMA) && (!reads || insn_any(insn, CLASS_STORE)) &&
                course_meets(m->oracle, op->node, line, end))
                return true;
        }
    return false;
}

/* Integers to words, which commute. */
static bool adds_words(const struct message *msg)
{
    return msg->add && msg->elem == ELEM_I32;
}

/* It does not matter how many adds have come. */
static bool minds_adds(enum deed deed)
{
    return deed == READS || deed == WRITES;
}

/* A copy of the core with words to be brought to memory. */
static bool copy_disturbs(const struct cache_line *l, enum deed deed)
{
    return l->dirty || (l->delta && minds_adds(deed));
}

/* Core has something on its way to the line that disturbs the deed. */
static bool pending(const struct cores_first *f, int core, uint64_t line, enum deed deed)
{
    const struct machine *m = f->m;
    uint64_t end = line + (uint64_t)m->contract->line;
    for (const struct message *msg = m->cores[core].newest; msg; msg = msg->older)
        if (msg->addr < end && line < msg->addr + msg->len && msg->channel != f->behind &&
            (minds_adds(deed) || !adds_words(msg)))
            return true;
    int slot = cache_find(m, core, line);
    return (slot != NO_SLOT && copy_disturbs(&m->cores[core].cache.lines[slot], deed)) ||
           pending_in_queues(m, core, line, deed);
}

static bool disturbs(const struct cores_first *f, int core, uint64_t addr, uint64_t len,
                     enum deed deed)
{
    const struct machine *m = f->m;
    for (uint64_t line = line_of(m, addr); line < addr + len; line += (uint64_t)m->contract->line) {
        bool known = gm_rank(line) < m->program->nranks && gm_offset(line) < m->program->gm_bytes;
        if (!known || pending(f, core, line, deed) ||
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

/* The core stands at a wait that is over. */
static bool is_over(const struct cores_first *f, int core)
{
    size_t n;
    const struct course_wait *w = course_waits(f->m->oracle->course, core, &n);
    const struct insn *i = machine_at(f->m, core);
    return i && insn_all(i, CLASS_LOAD | CLASS_ORDER) && f->next[core] < n &&
           w[f->next[core]].awaits;
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
        return msg->ended ||
               disturbs(f, core, msg->addr, msg->len, adds_words(msg) ? ARRIVES : WRITES);
    case T_PIPE:
        op = machine_head(m, t.core, t.pipe);
        return insn_all(&m->cores[t.core].code->insns[op->insn], CLASS_DMA | CLASS_LOAD) &&
               disturbs_load(f, core, op);
    case T_SCALAR:
        footprint_of(m, t, &print);
        if (print.gm_reads.hi == UINT64_MAX || print.gm_writes.lo < print.gm_writes.hi)
            return true;
        return print.gm_reads.lo < print.gm_reads.hi &&
               disturbs(f, core, print.gm_reads.lo, print.gm_reads.hi - print.gm_reads.lo,
                        is_over(f, t.core) ? AWAITS : READS);
    case T_EVICT:
        return disturbs_leaving(f, core, t);
    default:
        return true;
    }
}

/* Core can make a wait of one of the set come true at which that one stands now. What can be over
 * already is a step of the set. */
static bool wakes(const struct cores_first *f, cores set, int core, int other)
{
    size_t n;
    const struct insn *i = machine_at(f->m, other);
    const struct course_wait *w = course_waits(f->m->oracle->course, other, &n);
    bool polls = i && (i->op == I_POLL_DEV ||
                       (i->op == I_POLL && f->m->cores[other].poll_phase == POLL_READ));
    bool told = i && (i->op == I_TASK || i->op == I_WAIT_CROSS);
    if ((!polls && !told) ||
        transition_enabled(f->m, (struct transition){.kind = T_SCALAR, .core = other}) ||
        (f->next[other] < n && w[f->next[other]].counts &&
         cannot_come_true(f, set, &w[f->next[other]])))
        return false;
    return told || disturbs(f, core, machine_effective_address(f->m, other), WORD, READS);
}

/* ---- lines that can stay ---- */

/* Bringing the line to memory loses no write, and leaves in memory what the copy holds. */
static bool arrives_plainly(const struct machine *m, int core, const struct cache_line *l)
{
    const struct oracle *o = m->oracle;
    const struct cache *k = &m->cores[core].cache;
    const uint32_t *copy = slot_prov(m, k, (int)(l - k->lines));
    int per_word = WORD / m->grain;
    for (int u = 0; u < m->units; u++) {
        uint32_t there = prov_of(m, l->tag + (uint64_t)(u * m->grain));
        bool own = l->dirty >> u / per_word & 1;
        if (there == copy[u] || (own && o->nodes[there].kind == NODE_KIND_INIT))
            continue;
        if (!own || node_is_set(&o->nodes[there]) || node_is_set(&o->nodes[copy[u]]) ||
            !hb(o, there, copy[u]))
            return false;
    }
    return true;
}

/* Nobody ever writes the line but by adds. */
static bool only_adds(const struct machine *m, uint64_t line)
{
    for (int c = 0; c < m->program->ncores; c++)
        if (course_touches(m->oracle->course, c, line, 0, UINT32_MAX) & COURSE_WRITES)
            return false;
    return true;
}

/* What core itself does before it cleans the line is the same whether it has left or not. An add to a
 * line that is dirty goes to memory with it, and a load does not see what a line adds. */
static bool unit_cannot_tell(const struct machine *m, int core, const struct cache_line *l,
                             uint32_t clean)
{
    uint32_t epoch = m->oracle->cores[core].epoch;
    unsigned telling = l->dirty ? COURSE_PAST | COURSE_ADDS
                                : COURSE_PAST | COURSE_READS | COURSE_WRITES | COURSE_AWAITS;
    for (const struct message *msg = m->cores[core].newest; msg; msg = msg->older)
        if (line_of(m, msg->addr) <= l->tag && l->tag < msg->addr + msg->len)
            return false;
    return !(course_touches(m->oracle->course, core, l->tag, epoch, clean) & telling) &&
           !pending_in_queues(m, core, l->tag, WRITES);
}

/* Nothing that can be done up to that epoch of its unit tells whether the line has left. */
static bool nobody_can_tell(struct cores_first *f, int core, const struct cache_line *l,
                            enum deed deed, uint32_t until)
{
    const struct machine *m = f->m;
    bool told = !unit_cannot_tell(m, core, l, until) ||
                !(l->dirty ? arrives_plainly(m, core, l) : only_adds(m, l->tag));
    if (told)
        return false;
    f->step = true;
    f->limit = until;
    let_go(f, (cores)1 << core);
    for (int c = 0; c < m->program->ncores && !told; c++)
        told = c != core && disturbs(f, c, l->tag, (uint64_t)m->contract->line, deed);
    f->step = false;
    return !told;
}

/* The line either writes or adds, and goes whole. */
static bool is_simple(const struct machine *m, const struct cache_line *l)
{
    return !l->dirty != !l->delta && m->contract->dcci_unaligned != DCCI_TAIL_ONLY;
}

/* Until the clean, the unit posts nothing else into the line's channel: what it did would be in front of
 * the line that it cleans, but behind one that has left. */
static bool channel_is_idle(const struct machine *m, int core, const struct cache_line *l,
                            uint32_t clean)
{
    const struct course *c = m->oracle->course;
    const struct cache *k = &m->cores[core].cache;
    uint32_t epoch = m->oracle->cores[core].epoch;
    if (fabric_per_line(m, PATH_SCALAR))
        return true;
    for (int i = 0; i < k->nvalid; i++) {
        const struct cache_line *x = &k->lines[k->valid[i]];
        if (x != l && (x->dirty || x->delta) && gm_rank(x->tag) == gm_rank(l->tag) &&
            course_drop(c, core, x->tag, epoch) <= clean)
            return false;
    }
    return !course_stores_beside(c, core, l->tag, epoch, clean);
}

bool cores_first_line_stays(struct cores_first *f, const struct machine *m, struct transition t)
{
    const struct oracle *o = m->oracle;
    const struct cache_line *l = &m->cores[t.core].cache.lines[t.index];
    uint32_t clean = course_drop(o->course, t.core, l->tag, o->cores[t.core].epoch + 1);
    if (!is_simple(m, l) || clean == UINT32_MAX || !channel_is_idle(m, t.core, l, clean))
        return false;
    f->m = m;
    find_next_waits(f);
    return nobody_can_tell(f, t.core, l, l->dirty ? WRITES : ADDS, clean);
}

/* Its core comes no further than to that epoch before the line that it cleans has arrived. One at
 * which it may have the clean behind it does not count. */
static uint32_t arrives_by(const struct machine *m, int core, uint64_t line, uint32_t clean)
{
    bool remote = gm_rank(line) != m->cores[core].rank;
    return dsb_waits_for(m->contract, PATH_SCALAR, remote)
               ? course_next(m->oracle->course, COURSE_DSB, core, clean)
               : UINT32_MAX;
}

/* What the line adds can as well arrive now: it will before the run ends, by leaving or by a clean, and
 * nobody minds how early. */
static bool leaves_alone(struct cores_first *f, struct transition t)
{
    const struct machine *m = f->m;
    const struct oracle *o = m->oracle;
    const struct cache_line *l = &m->cores[t.core].cache.lines[t.index];
    uint32_t clean = course_drop(o->course, t.core, l->tag, o->cores[t.core].epoch + 1);
    return is_simple(m, l) && l->delta && clean != UINT32_MAX &&
           leave_of(m, t, false) == LEAVES_AND_ARRIVES &&
           nobody_can_tell(f, t.core, l, ARRIVES, arrives_by(m, t.core, l->tag, clean));
}

/* ---- sets ---- */

static bool belongs(const struct cores_first *f, cores set, int core)
{
    const struct machine *m = f->m;
    for (int c = 0; f->ranks_whole && c < m->program->ncores; c++)
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

/* ---- single steps ---- */

static bool dsb_waits_for_message(const struct machine *m, const struct message *msg)
{
    return dsb_waits_for(m->contract, msg->path, gm_rank(msg->addr) != m->cores[msg->core].rank);
}

/* The scalar unit of its core takes no step before this one. */
static bool unit_stands(const struct machine *m, struct transition t)
{
    const struct insn *i = machine_at(m, t.core);
    if (!i)
        return true;
    if (t.kind == T_DELIVER)
        return i->op == I_DSB && dsb_waits_for_message(m, m->channels[t.index].head);
    switch (i->op) {
    case I_DSB:
        return dsb_waits_for_pipes(m->contract);
    case I_BARRIER:
        return barrier_waits_for(m->contract, i->pa, t.pipe);
    case I_WAIT_FLAG: /* what sets it is behind the step */
        return i->pb == PIPE_S && i->pa == t.pipe && !m->cores[t.core].flags[i->pa][i->pb][i->imm];
    default:
        return false;
    }
}

static bool stores_elsewhere(const struct machine *m, int core, int pipe)
{
    const struct core *c = &m->cores[core];
    for (int p = 0; p < PIPE_COUNT; p++)
        for (int i = 0; p != pipe && i < c->pipes[p].count; i++) {
            int op = c->pipes[p].ops[(c->pipes[p].head + i) % m->contract->pipe_depth].insn;
            if (insn_all(&c->code->insns[op], CLASS_DMA | CLASS_STORE))
                return true;
        }
    return false;
}

/* How far the core of the step comes without it. */
static uint32_t limit_of(const struct machine *m, struct transition t)
{
    uint32_t epoch = m->oracle->cores[t.core].epoch;
    if (unit_stands(m, t))
        return epoch;
    if (t.kind == T_PIPE)
        return course_next(m->oracle->course, COURSE_BARRIER, t.core, epoch);
    return dsb_waits_for_message(m, m->channels[t.index].head)
               ? course_next(m->oracle->course, COURSE_DSB, t.core, epoch)
               : UINT32_MAX;
}

/* Nothing that can be done before the step disturbs it. */
static bool undisturbed(struct cores_first *f, struct transition t)
{
    const struct machine *m = f->m;
    bool disturbed = false;
    f->step = true;
    f->limit = limit_of(m, t);
    f->behind = t.kind == T_DELIVER ? t.index : NO_SLOT;
    let_go(f, (cores)1 << t.core);
    f->stop[t.core] = f->limit;
    for (int c = 0; c < m->program->ncores && !disturbed; c++)
        disturbed = disturbs_step(f, c, t);
    f->step = false;
    f->behind = NO_SLOT;
    return !disturbed;
}

/* A line that leaves behind the message does so as well when it has arrived. */
static bool delivery_alone(struct cores_first *f, struct transition t)
{
    return !f->m->channels[t.index].head->after_end && undisturbed(f, t);
}

/* A store shares its channels with nobody while the scalar unit stands: lines that leave late have their
 * own. */
static bool transfer_alone(struct cores_first *f, struct transition t)
{
    const struct machine *m = f->m;
    const struct code *code = m->cores[t.core].code;
    const struct insn *i = &code->insns[machine_head(m, t.core, t.pipe)->insn];
    struct tile_use use = tile_use_of(code, i);
    if (!insn_any(i, CLASS_DMA) ||
        ((use.reads | use.writes) & course_mixed_tiles(m->oracle->course, t.core)))
        return false;
    if (insn_any(i, CLASS_LOAD))
        return undisturbed(f, t);
    return unit_stands(m, t) && !stores_elsewhere(m, t.core, t.pipe);
}

/* The step may be taken without all others. */
static bool goes_alone(struct cores_first *f, struct transition t)
{
    return (t.kind == T_DELIVER && delivery_alone(f, t)) ||
           (t.kind == T_PIPE && transfer_alone(f, t)) || (t.kind == T_EVICT && leaves_alone(f, t));
}

static bool one_goes_alone(struct cores_first *f, bool *first)
{
    memset(first, false, (size_t)f->n);
    for (int i = 0; i < f->n; i++)
        if (goes_alone(f, f->steps[i]))
            return first[i] = true;
    return false;
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

void cores_first_choose(struct cores_first *f, const struct machine *m, const struct transition *t,
                        int n, bool *first)
{
    cores best = ~(cores)0;
    int fewest = n;
    f->m = m;
    f->steps = t;
    f->n = n;
    find_next_waits(f);
    if (n > 1 && !machine_at_end(m) && one_goes_alone(f, first))
        return;
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
