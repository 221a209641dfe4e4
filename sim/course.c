/* SPDX-License-Identifier: MIT */
#include "sim/course.h"

#include <stdlib.h>
#include <string.h>

#include "sim/internal.h"
#include "sim/oracle_internal.h"
#include "sim/tile_order.h"

/* What a core did at one of its epochs: an access, or it came to know something. */
struct moment {
    uint32_t node;                  /* NODE_NONE: no access */
    const uint32_t *before, *after; /* its clock around a wait or the start of a task, or NULL */
};
typedef VEC(struct moment) moments;

/* Part of an access: a run of bytes. */
struct touch {
    uint32_t node;
    uint64_t addr, len;
    size_t expected; /* of a read: place in course.expected of its first unit's */
};

/* An access by its name in every schedule. */
struct name {
    int core;
    uint32_t epoch;
};
typedef VEC(struct name) names;

struct wait {
    int core, cmp;
    uint32_t epoch;
    uint64_t cell;
    int64_t target;
    int flag; /* id, of a wait for a flag between cores; NO_FLAG: for a cell of memory; or a task */
    names sure; /* the notifies that it has seen in every schedule */
};
enum { NO_FLAG = -1, TASK_START = -2 };

/* A set of a flag between cores. */
struct signal {
    struct name name;
    int flag;
    enum cross_mode mode;
};

/* One that a wait may see. */
struct change {
    uint32_t node;
    bool add;
    int64_t value; /* of the cell after it, and by how much it differs */
    int64_t delta;
};

/* A word that waits read. */
struct cell {
    uint64_t addr;
    int64_t initial, value; /* in the beginning, and now */
    VEC(struct change) changes;
};

typedef VEC(uint32_t) epochs;

/* Behind the access of that epoch the core drops its copy of the line. */
struct drop {
    int core;
    uint32_t epoch;
    uint64_t line;
};

/* The scalar unit of a core stores to the line. */
struct line_store {
    uint32_t epoch;
    uint64_t line;
};
typedef VEC(struct line_store) line_stores;

/* A core touches a line. */
struct line_moment {
    uint32_t epoch;
    uint32_t how; /* of enum course_touch_kind */
};

struct course {
    const struct program *program;
    int line; /* bytes */
    /* Of each core, rank and line: where its moments begin, in the order of their epochs; those of
     * the last end at its entry behind. */
    uint32_t *line_first;
    struct line_moment *line_moments;
    line_stores *stores;                  /* of each core, in order */
    VEC(struct course_wait) * core_waits; /* of each core, in order */
    epochs *held_up[COURSE_ORDERS];       /* of each core: when it comes to what orders its steps */
    VEC(struct drop) drops;
    struct tile_order *tiles;
    struct arena arena;
    struct oracle *oracle; /* of the recorded run */
    moments *moments;      /* per core */
    VEC(size_t) first;     /* of each node: its first touch */
    VEC(struct touch) touches;
    VEC(uint32_t) expected;
    VEC(struct wait) waits;
    /* While it is recorded. */
    const struct course *last; /* the run before it, or NULL */
    VEC(struct signal) signals;
    VEC(struct cell) cells; /* in the order of their addresses */
};

/* ---- recording ---- */

static struct moment *moment_of(struct course *c, int core, uint32_t epoch)
{
    while (c->moments[core].len <= epoch)
        vec_push(&c->arena, &c->moments[core], (struct moment){0});
    return &c->moments[core].items[epoch];
}

void course_note_access(struct oracle *o, uint32_t node)
{
    struct course *c = o->recording;
    const struct node *x = &o->nodes[node];
    moment_of(c, x->core, x->epoch)->node = node;
    const struct insn *i = &c->program->cores[x->core].code->insns[x->insn];
    if (x->kind == NODE_KIND_SIGNAL)
        vec_push(&c->arena, &c->signals,
                 (struct signal){{x->core, x->epoch}, (int)i->imm, (enum cross_mode)i->sub});
    while (c->first.len <= node)
        vec_push(&c->arena, &c->first, c->touches.len);
}

void course_note_touch(struct oracle *o, uint32_t node, uint64_t addr, uint64_t len, uint64_t first,
                       uint64_t n)
{
    struct course *c = o->recording;
    vec_push(&c->arena, &c->touches, (struct touch){node, addr, len, c->expected.len});
    for (uint64_t u = first; o->nodes[node].kind == NODE_KIND_READ && u < first + n; u++)
        vec_push(&c->arena, &c->expected, node_map_get(&o->writes[gm_rank(addr)], u));
}

/* Place of the first cell from that address on. */
static size_t cell_place(const struct course *c, uint64_t addr)
{
    size_t low = 0, high = c->cells.len;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (c->cells.items[mid].addr < addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void add_cell(struct course *c, uint64_t addr)
{
    size_t place = cell_place(c, addr);
    if (place < c->cells.len && c->cells.items[place].addr == addr)
        return;
    int32_t initial;
    memcpy(&initial, c->program->gm_init[gm_rank(addr)] + gm_offset(addr), sizeof initial);
    struct cell x = {.addr = addr, .initial = initial, .value = initial};
    vec_push(&c->arena, &c->cells, x);
    struct cell *items = c->cells.items;
    memmove(&items[place + 1], &items[place], (c->cells.len - 1 - place) * sizeof *items);
    items[place] = x;
}

/* All that is in the value, for a first guess. */
static void add_all(struct course *c, const struct oracle *o, uint32_t node, names *list)
{
    for (uint32_t n = node;; n = o->nodes[n].parent) {
        const struct node *x = &o->nodes[head_of(o, n)];
        if (x->kind != NODE_KIND_INIT)
            vec_push(&c->arena, list, (struct name){x->core, x->epoch});
        if (!node_is_set(&o->nodes[n]))
            return;
    }
}

/* The run that list is of will be freed. */
static void copy_names(struct course *c, const names *list, names *copy)
{
    vec_foreach (const struct name, x, list)
        vec_push(&c->arena, copy, *x);
}

/* The k-th time that a core takes a flag, each of those who have to set it has done so k times. */
static void add_sets(struct course *c, struct wait *w, const struct machine *m)
{
    int taken = 1, sets[c->program->ncores];
    memset(sets, 0, sizeof sets);
    vec_foreach (const struct wait, x, &c->waits)
        taken += x->core == w->core && x->flag == w->flag;
    vec_foreach (const struct signal, s, &c->signals)
        if (s->flag == w->flag && cross_receives(m, s->name.core, s->mode, w->core) &&
            ++sets[s->name.core] == taken)
            vec_push(&c->arena, &w->sure, s->name);
}

/* What a wait for a cell of memory is sure of: as the run before found it, or all that it sees. */
static void add_notifies(struct course *c, struct wait *w, struct oracle *o, uint32_t node)
{
    int32_t memory, target;
    w->cell = machine_effective_address(o->machine, w->core);
    machine_poll_satisfied(o->machine, w->core, &memory, &target);
    w->target = target;
    add_cell(c, w->cell);
    if (c->last && c->waits.len < c->last->waits.len)
        copy_names(c, &c->last->waits.items[c->waits.len].sure, &w->sure);
    else
        add_all(c, o, node, &w->sure);
}

const uint32_t *course_note_wait(struct oracle *o, int core, int insn, uint32_t node)
{
    struct course *c = o->recording;
    const struct insn *i = &o->machine->cores[core].code->insns[insn];
    bool flag = insn_any(i, CLASS_CROSS);
    struct wait w = {.core = core,
                     .epoch = o->cores[core].epoch + 1,
                     .cmp = i->sub,
                     .flag = flag ? (int)i->imm : NO_FLAG};
    if (flag)
        add_sets(c, &w, o->machine);
    else
        add_notifies(c, &w, o, node);
    vec_push(&c->arena, &c->waits, w);
    uint32_t *joined = arena_array(&o->arena, uint32_t, (size_t)o->ncores);
    vec_foreach (const struct name, x, &w.sure) {
        const struct node *told = &o->nodes[moment_of(c, x->core, x->epoch)->node];
        for (int k = 0; told->release && k < o->ncores; k++)
            joined[k] = node_tells(told, k) > joined[k] ? node_tells(told, k) : joined[k];
    }
    return joined;
}

void course_note_task(struct oracle *o, int core, int of, uint32_t epoch)
{
    struct course *c = o->recording;
    struct wait w = {.core = core, .epoch = o->cores[core].epoch, .flag = TASK_START};
    vec_push(&c->arena, &w.sure, (struct name){of, epoch});
    vec_push(&c->arena, &c->waits, w);
}

void course_note_clock(struct oracle *o, int core, const uint32_t *before)
{
    struct moment *m = moment_of(o->recording, core, o->cores[core].epoch);
    m->before = before;
    m->after = o->cores[core].clock;
}

/* What the touches since `from` made of cells. */
static void note_changes(struct course *c, const struct machine *m, size_t from)
{
    for (; from < c->touches.len; from++) {
        const struct touch *t = &c->touches.items[from];
        enum node_kind kind = c->oracle->nodes[t->node].kind;
        if (kind != NODE_KIND_WRITE && kind != NODE_KIND_ADD)
            continue;
        for (size_t i = cell_place(c, t->addr < WORD ? 0 : t->addr - WORD + 1);
             i < c->cells.len && c->cells.items[i].addr < t->addr + t->len; i++) {
            struct cell *cell = &c->cells.items[i];
            int32_t value;
            memcpy(&value, gm_at(m, cell->addr), sizeof value);
            vec_push(&c->arena, &cell->changes,
                     (struct change){t->node, kind == NODE_KIND_ADD, value, value - cell->value});
            cell->value = value;
        }
    }
}

/* All that raises a flag for a core is sets of the same cores, who wait for each other. */
static bool raised_together(const struct course *c, const struct machine *m)
{
    vec_foreach (const struct signal, x, &c->signals)
        vec_foreach (const struct signal, y, &c->signals) {
            bool same = x->mode == y->mode && cross_sends(m, x->name.core, x->mode, y->name.core);
            for (int core = 0; x->flag == y->flag && !same && core < c->program->ncores; core++)
                if (cross_receives(m, x->name.core, x->mode, core) &&
                    cross_receives(m, y->name.core, y->mode, core))
                    return false;
        }
    return true;
}

/* A dcci of a line, or a wait, which begins with one. */
static void note_drop(struct course *c, const struct machine *m, int core)
{
    uint64_t addr = machine_effective_address(m, core), line = line_of(m, addr);
    if (gm_rank(addr) < c->program->nranks && gm_offset(addr) < c->program->gm_bytes &&
        (m->contract->dcci_unaligned != DCCI_TAIL_ONLY || addr == line))
        vec_push(&c->arena, &c->drops, (struct drop){core, c->oracle->cores[core].epoch, line});
}

/* The scalar unit of core takes the instruction. */
static void note_order(struct course *c, const struct machine *m, int core, const struct insn *i)
{
    uint32_t epoch = c->oracle->cores[core].epoch;
    if (i->op == I_DCCI || i->op == I_POLL)
        note_drop(c, m, core);
    if (i->op == I_DCCI_ALL)
        vec_push(&c->arena, &c->held_up[COURSE_FLUSH][core], epoch);
    else if (i->op == I_DSB)
        vec_push(&c->arena, &c->held_up[COURSE_DSB][core], epoch);
    else if (i->op == I_BARRIER && i->pa == PIPE_ALL)
        vec_push(&c->arena, &c->held_up[COURSE_BARRIER][core], epoch);
    tile_order_step(c->tiles, core, i);
}

enum { MOST_STEPS = 1 << 20, MOST_ROUNDS = 64 };

/* Runs the program to its end; NULL, or why it has no course. */
static const char *record_run(struct course *c, struct machine *m, uint64_t most_steps)
{
    struct transition t;
    size_t touches = 0;
    while (machine_enabled(m, &t, 1) > 0) {
        const struct insn *i = t.kind == T_SCALAR ? machine_at(m, t.core) : NULL;
        if (i && i->flags & INSN_SYNC)
            return "it reads a counter that all cores add to";
        if (m->transitions > most_steps)
            return "its run is too long";
        if (i)
            note_order(c, m, t.core, i);
        machine_fire(m, t);
        note_changes(c, m, touches);
        touches = c->touches.len;
    }
    oracle_finish(c->oracle, m);
    if (!raised_together(c, m))
        return "some flag between cores is raised by several of them, each for itself";
    int n;
    oracle_findings(c->oracle, &n);
    return n || !machine_at_end(m) ? "it has findings where memory is coherent" : NULL;
}

/* last: the run before it, which tells the cells that matter. */
static struct course *record(const struct program *p, const struct contract *k, uint64_t most_steps,
                             const struct course *last, const char **why)
{
    struct contract coherent = *k;
    coherent.coherent = true;
    coherent.broken = 0;
    struct course *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->program = p;
    c->line = k->line;
    c->last = last;
    for (size_t i = 0; last && i < last->cells.len; i++)
        add_cell(c, last->cells.items[i].addr);
    c->tiles = tile_order_new(&c->arena, p, k);
    c->oracle = oracle_new(p);
    c->oracle->recording = c;
    c->moments = arena_array(&c->arena, moments, (size_t)p->ncores);
    for (int k = 0; k < COURSE_ORDERS; k++)
        c->held_up[k] = arena_array(&c->arena, epochs, (size_t)p->ncores);
    struct machine *m =
        machine_new(p, &coherent, (struct machine_options){.oracle = c->oracle, .kernel = true});
    machine_reset(m);
    *why = record_run(c, m, most_steps);
    machine_free(m);
    c->oracle->machine = NULL;
    return c;
}

void course_free(struct course *c)
{
    if (!c)
        return;
    oracle_free(c->oracle);
    arena_free(&c->arena);
    free(c);
}

/* ---- what a wait is sure of ---- */

/* Writes and adds of a cell that a wait may see: from one write to the next. Only in the first can
 * adds be there for certain. */
struct segment {
    const struct change *write; /* NULL: the initial value */
    int64_t value;
    VEC(const struct change *) adds;
};
typedef VEC(struct segment) segments;

struct guess {
    const struct oracle *o;
    const struct cell *cell;
    const struct wait *wait;
    const uint32_t *before; /* the wait's core's clock until then */
    segments list;
    struct arena arena;
};

static bool before_wait(const struct guess *g, const struct change *x)
{
    const struct node *n = &g->o->nodes[x->node];
    return n->core == g->wait->core ? n->epoch < g->wait->epoch : g->before[n->core] >= n->epoch;
}

static bool after_wait(const struct guess *g, const struct change *x)
{
    const struct node *n = &g->o->nodes[x->node];
    return n->core == g->wait->core ? n->epoch > g->wait->epoch
                                    : n->clock[g->wait->core] >= g->wait->epoch;
}

/* The writes: the last before the wait, then those that it may see. They are ordered, or they would
 * race. */
static void add_segments(struct guess *g)
{
    vec_push(&g->arena, &g->list, (struct segment){.value = g->cell->initial});
    vec_foreach (const struct change, x, &g->cell->changes) {
        if (x->add || after_wait(g, x))
            continue;
        if (before_wait(g, x))
            g->list.len = 0;
        vec_push(&g->arena, &g->list, (struct segment){.write = x, .value = x->value});
    }
}

/* False when nobody knows on which side of a write an add is. */
static bool add_adds(struct guess *g)
{
    vec_foreach (const struct change, x, &g->cell->changes) {
        if (!x->add || after_wait(g, x))
            continue;
        struct segment *in = NULL;
        vec_foreach (struct segment, s, &g->list) {
            bool later = !s->write || hb(g->o, s->write->node, x->node);
            if (!later && !hb(g->o, x->node, s->write->node))
                return false;
            in = later ? s : in;
        }
        if (in)
            vec_push(&g->arena, &in->adds, x);
    }
    return true;
}

/* Some number from low to high satisfies the wait. */
static bool one_satisfies(const struct wait *w, int64_t low, int64_t high)
{
    switch (w->cmp) {
    case CMP_GE:
        return high >= w->target;
    case CMP_GEU: /* without a sign -1 is the largest */
        return (uint32_t)(low < 0 && high >= 0 ? -1 : high) >= (uint32_t)w->target;
    case CMP_NE:
        return low != w->target || high != w->target;
    case CMP_LT:
        return low < w->target;
    case CMP_LE:
        return low <= w->target;
    default:
        return high >= w->target && low <= w->target;
    }
}

/* The cell can satisfy the wait in that segment, without what comes after an add or is it. */
static bool satisfiable(const struct guess *g, const struct segment *s,
                        const struct change *without)
{
    int64_t low = s->value, high = s->value;
    vec_foreach (const struct change *, add, &s->adds) {
        const struct change *x = *add;
        bool certain = before_wait(g, x);
        if (without && (x == without || hb(g->o, without->node, x->node)))
            continue;
        low += certain || x->delta < 0 ? x->delta : 0;
        high += certain || x->delta > 0 ? x->delta : 0;
    }
    bool wraps = low < INT32_MIN || high > INT32_MAX;
    return wraps || one_satisfies(g->wait, low, high);
}

static void add_sure(struct arena *a, const struct guess *g, names *sure, const struct change *x)
{
    const struct node *n = &g->o->nodes[x->node];
    vec_push(a, sure, (struct name){n->core, n->epoch});
}

/* Changes of one cell by one unit arrive in order, but that what goes past the cache overtakes what is
 * in it. */
static bool arrives_behind(const struct guess *g, const struct change *x, const struct change *y)
{
    const struct node *a = &g->o->nodes[x->node], *b = &g->o->nodes[y->node];
    const struct code *code = g->o->program->cores[a->core].code;
    const struct insn *i = &code->insns[a->insn], *j = &code->insns[b->insn];
    return a->core == b->core && a->epoch < b->epoch && insn_pipe(code, i) == insn_pipe(code, j) &&
           insn_any(i, CLASS_CACHED) == insn_any(j, CLASS_CACHED);
}

/* The cell can satisfy the wait although any adds have not arrived yet, and x has not; nor, unless x has
 * been issued, what comes after it. The line of the cell is never written. */
static bool satisfiable_early(const struct guess *g, const struct change *x, bool issued)
{
    int64_t low = g->cell->initial, high = low;
    vec_foreach (const struct change, y, &g->cell->changes) {
        bool behind = issued ? arrives_behind(g, x, y) : hb(g->o, x->node, y->node);
        if (y == x || behind || after_wait(g, y))
            continue;
        low += y->delta < 0 ? y->delta : 0;
        high += y->delta > 0 ? y->delta : 0;
    }
    bool wraps = low < INT32_MIN || high > INT32_MAX;
    return wraps || one_satisfies(g->wait, low, high);
}

/* Some change behind x, which tells of it, can be there before it when the wait looks. */
static bool overtaken(const struct guess *g, const struct change *x)
{
    vec_foreach (const struct change, y, &g->cell->changes)
        if (y != x && !after_wait(g, y) && hb(g->o, x->node, y->node) && !arrives_behind(g, x, y))
            return true;
    return false;
}

/* In the first segment that satisfies it: the write, and the adds without which it does not. */
static bool find_sure(struct arena *a, struct guess *g, names *sure)
{
    add_segments(g);
    if (!add_adds(g))
        return false;
    vec_foreach (const struct segment, s, &g->list) {
        if (!satisfiable(g, s, NULL))
            continue;
        if (s->write)
            add_sure(a, g, sure, s->write);
        vec_foreach (const struct change *, x, &s->adds)
            if (before_wait(g, *x) || !satisfiable(g, s, *x))
                add_sure(a, g, sure, *x);
        return true;
    }
    return false;
}

static bool has_name(const names *list, struct name x)
{
    vec_foreach (const struct name, y, list)
        if (x.core == y->core && x.epoch == y->epoch)
            return true;
    return false;
}

static struct guess guess_of(const struct course *c, const struct wait *w)
{
    return (struct guess){.o = c->oracle,
                          .cell = &c->cells.items[cell_place(c, w->cell)],
                          .wait = w,
                          .before = c->moments[w->core].items[w->epoch].before};
}

enum outcome { PROVED, SMALLER, UNKNOWN };

/* Leaves of what each wait was taken to be sure of only what follows from all of that. */
static enum outcome narrow(struct course *c)
{
    enum outcome outcome = PROVED;
    vec_foreach (struct wait, w, &c->waits) {
        if (w->flag != NO_FLAG)
            continue;
        struct guess g = guess_of(c, w);
        names sure = {0}, kept = {0};
        bool known = find_sure(&c->arena, &g, &sure);
        arena_free(&g.arena);
        if (!known)
            return UNKNOWN;
        vec_foreach (const struct name, x, &w->sure)
            if (has_name(&sure, *x))
                vec_push(&c->arena, &kept, *x);
        if (kept.len < w->sure.len)
            outcome = SMALLER;
        w->sure = kept;
    }
    return outcome;
}

/* ---- what is still to come ---- */

static size_t place_of(const struct course *c, int core, uint64_t addr)
{
    uint64_t lines = (c->program->gm_bytes + (uint64_t)c->line - 1) / (uint64_t)c->line;
    size_t place = (size_t)core * (size_t)c->program->nranks + (size_t)gm_rank(addr);
    return place * lines + gm_offset(addr) / (uint64_t)c->line;
}

/* Only adds of integers to words commute. */
static uint32_t how_of(const struct course *c, const struct node *x)
{
    const struct code *code = c->program->cores[x->core].code;
    const struct insn *i = &code->insns[x->insn];
    uint32_t cached =
        insn_scalar_access(i) && insn_any(i, CLASS_CACHED) ? COURSE_CACHED : COURSE_PAST;
    if (x->kind == NODE_KIND_READ)
        return COURSE_READS | cached;
    bool words =
        i->op == I_ST_ATOMIC || (insn_any(i, CLASS_DMA) && code->dmas[i->aux].elem == ELEM_I32);
    return (x->kind == NODE_KIND_ADD && words ? COURSE_ADDS : COURSE_WRITES) | cached;
}

/* Counts it in line_first, and once the places of all are known puts it there. */
static void note_moment(struct course *c, int core, uint64_t addr, uint64_t len,
                        struct line_moment x)
{
    uint64_t line = (uint64_t)c->line;
    for (uint64_t at = addr & ~(line - 1); at < addr + len; at += line) {
        uint32_t *place = &c->line_first[place_of(c, core, at)];
        if (c->line_moments)
            c->line_moments[*place] = x;
        ++*place;
    }
}

static void note_moments(struct course *c)
{
    vec_foreach (const struct touch, t, &c->touches) {
        const struct node *x = &c->oracle->nodes[t->node];
        note_moment(c, x->core, t->addr, t->len, (struct line_moment){x->epoch, how_of(c, x)});
    }
    vec_foreach (const struct wait, w, &c->waits)
        if (w->flag == NO_FLAG)
            note_moment(c, w->core, w->cell, WORD,
                        (struct line_moment){w->epoch, COURSE_READS | COURSE_PAST});
    vec_foreach (const struct drop, d, &c->drops)
        note_moment(c, d->core, d->line, WORD, (struct line_moment){d->epoch, COURSE_DROPS});
}

static int by_epoch(const void *x, const void *y)
{
    const struct line_moment *a = x, *b = y;
    return (a->epoch > b->epoch) - (a->epoch < b->epoch);
}

static void index_lines(struct course *c)
{
    size_t n = place_of(c, c->program->ncores, 0);
    c->line_first = arena_array(&c->arena, uint32_t, n + 1);
    note_moments(c);
    uint32_t total = 0;
    for (size_t i = 0; i <= n; i++) {
        uint32_t count = c->line_first[i];
        c->line_first[i] = total;
        total += count;
    }
    c->line_moments = arena_array(&c->arena, struct line_moment, total + 1);
    note_moments(c);
    memmove(c->line_first + 1, c->line_first, n * sizeof *c->line_first);
    c->line_first[0] = 0;
    for (size_t i = 0; i < n; i++)
        if (c->line_first[i + 1] - c->line_first[i] > 1)
            qsort(&c->line_moments[c->line_first[i]], c->line_first[i + 1] - c->line_first[i],
                  sizeof *c->line_moments, by_epoch);
}

unsigned course_touches(const struct course *c, int core, uint64_t line, uint32_t after,
                        uint32_t last)
{
    const uint32_t *first = &c->line_first[place_of(c, core, line)];
    unsigned how = 0;
    for (uint32_t i = first[1]; i > first[0] && c->line_moments[i - 1].epoch > after; i--)
        if (c->line_moments[i - 1].epoch <= last)
            how |= c->line_moments[i - 1].how;
    return how;
}

uint32_t course_next(const struct course *c, enum course_order order, int core, uint32_t epoch)
{
    const epochs *list = &c->held_up[order][core];
    size_t low = 0, high = list->len;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (list->items[mid] > epoch)
            high = mid;
        else
            low = mid + 1;
    }
    return low < list->len ? list->items[low] : UINT32_MAX;
}

uint32_t course_drop(const struct course *c, int core, uint64_t line, uint32_t from)
{
    const uint32_t *first = &c->line_first[place_of(c, core, line)];
    uint32_t dropped = course_next(c, COURSE_FLUSH, core, from - 1);
    for (uint32_t i = first[1]; i > first[0] && c->line_moments[i - 1].epoch >= from; i--)
        if (c->line_moments[i - 1].how == COURSE_DROPS && c->line_moments[i - 1].epoch < dropped)
            dropped = c->line_moments[i - 1].epoch;
    return dropped;
}

/* The core loads or stores in its copy of the line at an epoch behind `after`, before it drops it at
 * `from` or later. */
static bool uses_copy(const struct course *c, int core, uint64_t line, uint32_t after,
                      uint32_t from)
{
    return course_touches(c, core, line, after, course_drop(c, core, line, from)) & COURSE_CACHED;
}

static void index_stores(struct course *c)
{
    c->stores = arena_array(&c->arena, line_stores, (size_t)c->program->ncores);
    vec_foreach (const struct touch, t, &c->touches) {
        const struct node *x = &c->oracle->nodes[t->node];
        bool stores = x->kind == NODE_KIND_WRITE || x->kind == NODE_KIND_ADD;
        if (stores && insn_scalar_access(&c->program->cores[x->core].code->insns[x->insn]))
            vec_push(&c->arena, &c->stores[x->core],
                     (struct line_store){x->epoch, t->addr & ~((uint64_t)c->line - 1)});
    }
}

bool course_stores_beside(const struct course *c, int core, uint64_t line, uint32_t after,
                          uint32_t last)
{
    const line_stores *list = &c->stores[core];
    for (size_t i = list->len; i > 0 && list->items[i - 1].epoch > after; i--) {
        const struct line_store *x = &list->items[i - 1];
        if (x->epoch <= last && x->line != line && gm_rank(x->line) == gm_rank(line))
            return true;
    }
    return false;
}

/* A drop of this epoch the core may have behind it. */
bool course_uses_line(const struct oracle *o, int core, uint64_t line)
{
    uint32_t epoch = o->cores[core].epoch;
    return uses_copy(o->course, core, line, epoch, epoch + 1);
}

/* No add that the wait may see makes the cell smaller: before it has come, the wait could be over too
 * early. And the most that all can make of it fits its word. */
static bool only_grows(const struct guess *g)
{
    int64_t most = g->cell->initial < 0 ? -g->cell->initial : g->cell->initial;
    vec_foreach (const struct change, x, &g->cell->changes) {
        if (x->add && x->delta < 0 && !after_wait(g, x))
            return false;
        most += x->delta < 0 ? -x->delta : x->delta;
    }
    return most <= INT32_MAX;
}

/* Whether nothing tells how large the word was when the wait ended: no later read of the copy that it
 * has left. Its moment says so then. */
static bool mark_awaits(struct course *c, const struct wait *w)
{
    uint64_t line = w->cell & ~((uint64_t)c->line - 1);
    if (w->flag != NO_FLAG || w->cmp != CMP_GE || uses_copy(c, w->core, line, w->epoch, w->epoch))
        return false;
    const struct guess g = guess_of(c, w);
    if (!only_grows(&g))
        return false;
    const uint32_t *first = &c->line_first[place_of(c, w->core, line)];
    for (uint32_t i = first[0]; i < first[1]; i++)
        if (c->line_moments[i].epoch == w->epoch &&
            c->line_moments[i].how == (COURSE_READS | COURSE_PAST))
            c->line_moments[i].how = COURSE_AWAITS | COURSE_PAST;
    return true;
}

/* A set from another pipe may come before one that was issued earlier. */
static bool set_overtaken(struct course *c, const struct wait *w, struct name x)
{
    const struct code *code = c->program->cores[x.core].code;
    const struct node *of = &c->oracle->nodes[moment_of(c, x.core, x.epoch)->node];
    vec_foreach (const struct signal, y, &c->signals) {
        if (y->flag != w->flag || y->name.core != x.core || y->name.epoch <= x.epoch)
            continue;
        uint32_t node = moment_of(c, x.core, y->name.epoch)->node;
        if (code->insns[c->oracle->nodes[node].insn].pa != code->insns[of->insn].pa)
            return true;
    }
    return false;
}

/* counts: as in struct course_wait. */
static struct course_access sure_of(struct course *c, const struct wait *w, struct name n,
                                    bool counts)
{
    struct course_access x = {n.core, n.epoch, moment_of(c, n.core, n.epoch)->node, true, true};
    if (w->flag != NO_FLAG) {
        x.arrived = w->flag == TASK_START || !set_overtaken(c, w, n);
        return x;
    }
    struct guess g = guess_of(c, w);
    x.issued = x.arrived = false;
    vec_foreach (const struct change, y, &g.cell->changes) {
        if (y->node != x.node)
            continue;
        x.issued = counts ? !satisfiable_early(&g, y, false) : !before_wait(&g, y);
        x.arrived = counts ? !satisfiable_early(&g, y, true) : x.issued && !overtaken(&g, y);
    }
    return x;
}

static void index_waits(struct course *c)
{
    c->core_waits = arena_alloc(&c->arena, (size_t)c->program->ncores * sizeof *c->core_waits);
    memset(c->core_waits, 0, (size_t)c->program->ncores * sizeof *c->core_waits);
    vec_foreach (const struct wait, w, &c->waits) {
        struct course_wait x = {.epoch = w->epoch, .cell = w->cell, .counts = true};
        for (int core = 0; w->flag == NO_FLAG && x.counts && core < c->program->ncores; core++)
            x.counts =
                !(course_touches(c, core, w->cell & ~((uint64_t)c->line - 1), 0, UINT32_MAX) &
                  COURSE_WRITES);
        x.awaits = mark_awaits(c, w);
        x.nsure = w->sure.len;
        x.sure = arena_array(&c->arena, struct course_access, x.nsure + 1);
        for (size_t i = 0; i < x.nsure; i++)
            x.sure[i] = sure_of(c, w, w->sure.items[i], x.counts);
        vec_push(&c->arena, &c->core_waits[w->core], x);
    }
}

const struct course_wait *course_waits(const struct course *c, int core, size_t *n)
{
    *n = c->core_waits[core].len;
    return c->core_waits[core].items;
}

bool course_flags_hold(const struct course *c)
{
    vec_foreach (const struct signal, x, &c->signals) {
        int sets = 0;
        vec_foreach (const struct signal, y, &c->signals)
            sets += y->name.core == x->name.core && y->flag == x->flag;
        if (sets > CROSS_MOST)
            return false;
    }
    return true;
}

uint64_t course_mixed_tiles(const struct course *c, int core)
{
    return tile_order_mixed(c->tiles, core);
}

struct course *course_find(const struct program *p, const struct contract *k, uint64_t most_steps,
                           const char **why)
{
    most_steps = most_steps ? most_steps : MOST_STEPS;
    struct course *c = record(p, k, most_steps, NULL, why);
    for (int round = 0; !*why && round < MOST_ROUNDS; round++) {
        struct course *next = record(p, k, most_steps, c, why);
        course_free(c);
        c = next;
        c->last = NULL;
        enum outcome outcome = *why ? UNKNOWN : narrow(c);
        if (outcome == PROVED) {
            index_lines(c);
            index_stores(c);
            index_waits(c);
            return c;
        }
        if (outcome == UNKNOWN && !*why)
            *why = "what a wait has seen depends on the schedule";
    }
    if (!*why)
        *why = "what its waits have seen is too long to follow";
    course_free(c);
    return NULL;
}

/* ---- following ---- */

struct oracle *course_oracle(const struct course *c, bool brief)
{
    struct oracle *o = oracle_new(c->program);
    o->course = c;
    o->brief = brief;
    return o;
}

static void *grown(void *p, size_t size)
{
    p = realloc(p, size);
    if (!p)
        abort();
    return p;
}

void course_restart(struct oracle *o)
{
    const struct oracle *from = o->course->oracle;
    if (o->node_cap < from->node_cap)
        o->nodes = grown(o->nodes, (o->node_cap = from->node_cap) * sizeof *o->nodes);
    if (o->set_mask < from->set_mask) {
        o->set_mask = from->set_mask;
        o->sets = grown(o->sets, ((size_t)o->set_mask + 1) * sizeof *o->sets);
    }
    memcpy(o->nodes, from->nodes, from->nnodes * sizeof *o->nodes);
    o->nnodes = from->nnodes;
    oracle_sets_again(o);
    for (int c = 0; c < o->ncores; c++)
        o->cores[c] = (struct core_clock){0};
    oracle_forget_findings(o);
    o->checked = 0;
    o->strayed = false;
}

static const struct moment *next_moment(struct oracle *o, int core)
{
    static const struct moment none;
    const moments *list = &o->course->moments[core];
    uint32_t epoch = ++o->cores[core].epoch;
    return epoch < list->len ? &list->items[epoch] : &none;
}

uint32_t course_access(struct oracle *o, int core, int insn, enum node_kind kind)
{
    uint32_t node = next_moment(o, core)->node;
    if (node == NODE_NONE || o->nodes[node].insn != insn || o->nodes[node].kind != kind) {
        o->strayed = true;
        return NODE_INIT;
    }
    o->next_touch = o->course->first.items[node];
    return node;
}

void course_touch(struct oracle *o, uint32_t node, uint64_t addr, uint64_t len, uint32_t *expected)
{
    const struct course *c = o->course;
    uint64_t n = (len + (uint64_t)o->grain - 1) / (uint64_t)o->grain;
    const struct touch *t =
        o->next_touch < c->touches.len ? &c->touches.items[o->next_touch] : NULL;
    bool known = t && t->node == node && t->addr == addr && t->len == len;
    o->strayed |= !known;
    o->next_touch++;
    if (expected && known)
        memcpy(expected, &c->expected.items[t->expected], n * sizeof *expected);
    else if (expected)
        memset(expected, 0, n * sizeof *expected);
}

bool course_touch_of(const struct oracle *o, uint32_t node, size_t i, uint64_t *addr, uint64_t *len)
{
    const struct course *c = o->course;
    size_t at = c->first.items[node] + i;
    if (at >= c->touches.len || c->touches.items[at].node != node)
        return false;
    *addr = c->touches.items[at].addr;
    *len = c->touches.items[at].len;
    return true;
}

bool course_meets(const struct oracle *o, uint32_t node, uint64_t from, uint64_t to)
{
    uint64_t addr, len;
    for (size_t i = 0; course_touch_of(o, node, i, &addr, &len); i++)
        if (addr < to && from < addr + len)
            return true;
    return false;
}

const uint32_t *course_expected(const struct oracle *o, uint32_t node)
{
    const struct course *c = o->course;
    return &c->expected.items[c->touches.items[c->first.items[node]].expected];
}

/* Some member of the value tells of core's accesses up to that epoch. */
static bool tells(const struct oracle *o, uint32_t value, int core, uint32_t epoch)
{
    for (uint32_t n = value;; n = o->nodes[n].parent) {
        const struct node *x = &o->nodes[head_of(o, n)];
        if (x->release && node_tells(x, core) >= epoch)
            return true;
        if (!node_is_set(&o->nodes[n]))
            return false;
    }
}

void course_acquire(struct oracle *o, int core, uint32_t node)
{
    const struct moment *m = next_moment(o, core);
    o->strayed |= !m->after;
    for (int k = 0; m->after && k < o->ncores; k++)
        if (k != core && m->after[k] > m->before[k] && !tells(o, node, k, m->after[k]))
            o->strayed = true;
}

void course_task_start(struct oracle *o, int core, struct task_ref after)
{
    vec_foreach (const struct task_end, e, &o->course->oracle->cores[after.core].ends)
        if (e->index == after.index)
            next_moment(o, core);
}

static bool all_done(const struct oracle *o)
{
    for (int c = 0; c < o->ncores; c++)
        if (o->cores[c].epoch < o->course->oracle->cores[c].epoch)
            return false;
    return true;
}

void course_shadow(struct oracle *o)
{
    const struct course *c = o->course;
    bool whole = all_done(o);
    for (int r = 0; r < o->program->nranks; r++)
        node_map_copy(&o->writes[r], whole ? &c->oracle->writes[r] : &o->initial);
    vec_foreach (const struct touch, t, &c->touches) {
        const struct node *n = &o->nodes[t->node];
        bool add = n->kind == NODE_KIND_ADD;
        if (whole || (!add && n->kind != NODE_KIND_WRITE) || n->epoch > o->cores[n->core].epoch)
            continue;
        struct node_map *writes = &o->writes[gm_rank(t->addr)];
        uint64_t first = gm_offset(t->addr) / (uint64_t)o->grain,
                 end = (gm_offset(t->addr) + t->len + (uint64_t)o->grain - 1) / (uint64_t)o->grain;
        for (uint64_t u = first; u < end; u++)
            node_map_set(writes, u, 1,
                         add ? oracle_sum(o, node_map_get(writes, u), t->node) : t->node);
    }
}
