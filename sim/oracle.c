/* SPDX-License-Identifier: MIT */
#include "sim/oracle.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "sim/internal.h"
#include "sim/oracle_internal.h"

const char *verdict_name(enum verdict v)
{
    static const char *const names[] = {ORACLE_VERDICTS(NAME_ROW)};
    return names[v];
}

bool verdict_of_flag(enum verdict v)
{
    return v == V_FLAG_OVERFLOW || verdict_for_later(v);
}

bool verdict_for_later(enum verdict v)
{
    return v == V_REDUNDANT_FLAG || v == V_UNPAIRED_FLAG || v == V_UNPAIRED_CROSS ||
           v == V_MODE_LEFT;
}

const char *where_name(enum where w)
{
    static const char *const names[] = {WHERES(NAME_ROW)};
    return names[w];
}

/* ---- life ---- */

static void *checked_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        abort();
    return p;
}

struct oracle *oracle_new(const struct program *p)
{
    struct oracle *o = checked_alloc(1, sizeof *o);
    o->program = p;
    o->ncores = p->ncores;
    o->grain = p->grain;
    o->units = p->gm_bytes / (uint64_t)p->grain + 1;
    o->node_cap = 4096;
    o->nodes = checked_alloc(o->node_cap, sizeof *o->nodes);
    o->set_mask = 4095;
    o->sets = checked_alloc(o->set_mask + 1, sizeof *o->sets);
    o->cores = checked_alloc((size_t)p->ncores, sizeof *o->cores);
    o->writes = arena_array(&o->maps, struct node_map, (size_t)p->nranks);
    o->reads = arena_array(&o->maps, struct node_map, (size_t)p->nranks);
    for (int r = 0; r < p->nranks; r++) {
        o->writes[r] = oracle_memory(o, &o->maps);
        o->reads[r] = oracle_memory(o, &o->maps);
    }
    o->initial = oracle_memory(o, &o->maps);
    for (int i = 0; i < p->nregions; i++) {
        const struct region *g = &p->regions[i];
        if (g->uninitialised)
            node_map_set(&o->initial, g->offset / (uint64_t)p->grain, g->size / (uint64_t)p->grain,
                         NODE_UNINIT);
    }
    return o;
}

void oracle_free(struct oracle *o)
{
    if (!o)
        return;
    arena_free(&o->maps);
    free(o->nodes);
    free(o->sets);
    free(o->cores);
    arena_free(&o->arena);
    free(o);
}

void oracle_by_units(struct oracle *o)
{
    o->by_units = true;
    for (int r = 0; r < o->program->nranks; r++)
        o->writes[r].by_units = o->reads[r].by_units = true;
}

struct node_map oracle_memory(const struct oracle *o, struct arena *a)
{
    return node_map_new(a, o->program->gm_bytes, o->grain, o->by_units);
}

void oracle_init_memory(const struct oracle *o, struct node_map *prov)
{
    node_map_copy(prov, &o->initial);
}

void oracle_initial(const struct oracle *o, uint64_t offset, uint64_t len, uint32_t *prov)
{
    node_map_read(&o->initial, offset / (uint64_t)o->grain, len / (uint64_t)o->grain, prov);
}

void oracle_clear(struct oracle *o, const struct machine *m)
{
    o->machine = m;
    if (o->course) {
        course_restart(o);
        return;
    }
    arena_free(&o->arena);
    memset(&o->lost, 0, sizeof o->lost);
    memset(o->nodes, 0, 2 * sizeof *o->nodes);
    o->nodes[NODE_INIT].core = o->nodes[NODE_UNINIT].core = -1;
    o->nodes[NODE_UNINIT].base = NODE_UNINIT;
    o->nnodes = 2;
    if (o->nsets)
        memset(o->sets, 0, ((size_t)o->set_mask + 1) * sizeof *o->sets);
    o->nsets = 0;
    uint32_t *zero = arena_array(&o->arena, uint32_t, (size_t)o->ncores);
    for (int c = 0; c < o->ncores; c++)
        o->cores[c] = (struct core_clock){.clock = zero, .shared = true, .start = zero};
    oracle_forget_findings(o);
    o->checked = 0;
}

void oracle_reset(struct oracle *o, const struct machine *m)
{
    oracle_clear(o, m);
    for (int r = 0; r < o->program->nranks; r++) {
        node_map_copy(&o->writes[r], &o->initial);
        node_map_set(&o->reads[r], 0, o->units, NODE_NONE);
    }
}

const struct finding *oracle_findings(const struct oracle *o, int *n)
{
    *n = o->nfindings;
    return o->findings;
}

uint64_t oracle_count(const struct oracle *o, enum verdict v)
{
    return o->counts[v];
}

uint64_t oracle_checked(const struct oracle *o)
{
    return o->checked;
}

/* ---- nodes and sets ---- */

uint32_t oracle_node_new(struct oracle *o, struct node n)
{
    if (o->nnodes == o->node_cap) {
        o->node_cap *= 2;
        o->nodes = realloc(o->nodes, o->node_cap * sizeof *o->nodes);
        if (!o->nodes)
            abort();
    }
    o->nodes[o->nnodes] = n;
    return o->nnodes++;
}

static uint32_t set_hash(uint32_t parent, uint32_t add)
{
    uint64_t h = ((uint64_t)parent << 32 | add) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32);
}

static void sets_insert(struct oracle *o, uint32_t id)
{
    uint32_t at = set_hash(o->nodes[id].parent, o->nodes[id].add) & o->set_mask;
    while (o->sets[at])
        at = (at + 1) & o->set_mask;
    o->sets[at] = id;
    o->nsets++;
}

static void sets_grow(struct oracle *o)
{
    uint32_t *old = o->sets, old_size = o->set_mask + 1;
    o->set_mask = old_size * 2 - 1;
    o->sets = checked_alloc((size_t)o->set_mask + 1, sizeof *o->sets);
    o->nsets = 0;
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i])
            sets_insert(o, old[i]);
    free(old);
}

void oracle_sets_again(struct oracle *o)
{
    memset(o->sets, 0, ((size_t)o->set_mask + 1) * sizeof *o->sets);
    o->nsets = 0;
    for (uint32_t n = 0; n < o->nnodes; n++)
        if (node_is_set(&o->nodes[n]))
            sets_insert(o, n);
}

uint32_t oracle_set_add(struct oracle *o, enum node_kind kind, uint32_t parent, uint32_t add)
{
    for (uint32_t at = set_hash(parent, add) & o->set_mask; o->sets[at];
         at = (at + 1) & o->set_mask) {
        const struct node *n = &o->nodes[o->sets[at]];
        if (n->parent == parent && n->add == add && n->kind == kind)
            return o->sets[at];
    }
    if (o->nsets * 2 > o->set_mask)
        sets_grow(o);
    struct node n = {.kind = (uint8_t)kind,
                     .core = -1,
                     .parent = parent,
                     .add = add,
                     .base = node_is_set(&o->nodes[parent]) ? o->nodes[parent].base : parent};
    uint32_t id = oracle_node_new(o, n);
    sets_insert(o, id);
    return id;
}

uint32_t oracle_sum(struct oracle *o, uint32_t base, uint32_t add)
{
    /* An add may itself be a merged set of one core's deltas: keep one access per link. */
    if (o->nodes[add].kind == NODE_KIND_SUM) {
        base = oracle_sum(o, base, o->nodes[add].parent);
        add = o->nodes[add].add;
    }
    bool ordered = o->recording || o->course; /* equal sets are one node, however they came about */
    const struct node *last = &o->nodes[base];
    if (ordered && last->kind == NODE_KIND_SUM && last->add > add) {
        uint32_t newest = last->add;
        return oracle_set_add(o, NODE_KIND_SUM, oracle_sum(o, last->parent, add), newest);
    }
    return oracle_set_add(o, NODE_KIND_SUM, base, add);
}

uint32_t oracle_epoch(const struct oracle *o, int core)
{
    return o->brief ? 0 : o->cores[core].epoch;
}

bool oracle_follows(const struct oracle *o)
{
    return o->course != NULL;
}

bool oracle_strayed(const struct oracle *o)
{
    return o->strayed;
}

/* ---- iterations ---- */

void oracle_keep_loops(struct oracle *o)
{
    o->keep_loops = true;
}

/* Accesses of one iteration share their values. */
const int64_t *oracle_loops(struct oracle *o, int core, int insn)
{
    const struct core *m = &o->machine->cores[core];
    struct core_clock *c = &o->cores[core];
    int innermost = insn < 0 ? 0 : m->code->insns[insn].loop, n = 0;
    if (!o->keep_loops || !innermost)
        return NULL;
    bool same = c->loop == innermost;
    for (int l = innermost; l; l = m->code->loops[l - 1].outer, n++)
        same = same && c->loops[1 + n] == m->regs[m->code->loops[l - 1].reg];
    if (same)
        return c->loops;
    int64_t *values = arena_array(&o->arena, int64_t, (size_t)n + 1);
    values[0] = n;
    n = 1;
    for (int l = innermost; l; l = m->code->loops[l - 1].outer)
        values[n++] = m->regs[m->code->loops[l - 1].reg];
    c->loop = innermost;
    c->loops = values;
    return values;
}

static struct place place_here(struct oracle *o, int core, int insn)
{
    return (struct place){core, insn, core < 0 ? NULL : oracle_loops(o, core, insn)};
}

uint32_t oracle_access(struct oracle *o, int core, int insn, enum access kind, bool release)
{
    static const uint8_t kinds[] = {[ACCESS_READ] = NODE_KIND_READ,
                                    [ACCESS_WRITE] = NODE_KIND_WRITE,
                                    [ACCESS_ADD] = NODE_KIND_ADD,
                                    [ACCESS_SIGNAL] = NODE_KIND_SIGNAL};
    ROW_EACH(kinds, ACCESS_COUNT);
    if (o->course)
        return course_access(o, core, insn, kinds[kind]);
    struct core_clock *c = &o->cores[core];
    struct node n = {.kind = kinds[kind],
                     .release = release,
                     .core = core,
                     .insn = insn,
                     .epoch = ++c->epoch,
                     .clock = c->clock,
                     .loops = oracle_loops(o, core, insn)};
    c->shared = true;
    uint32_t node = oracle_node_new(o, n);
    if (o->recording)
        course_note_access(o, node);
    return node;
}

static bool is_set(const struct oracle *o, uint32_t n)
{
    return node_is_set(&o->nodes[n]);
}

static uint32_t base_of(const struct oracle *o, uint32_t n)
{
    return is_set(o, n) ? o->nodes[n].base : n;
}

static bool contains(const struct oracle *o, uint32_t set, uint32_t access)
{
    for (; is_set(o, set); set = o->nodes[set].parent)
        if (o->nodes[set].add == access)
            return true;
    return set == access;
}

/* Walks the accesses of a set, newest first: for (w.at = n; next(o, &w, &x);). */
struct access_walk {
    uint32_t at;
    bool done;
};

static bool next(const struct oracle *o, struct access_walk *w, uint32_t *access)
{
    if (w->done)
        return false;
    *access = head_of(o, w->at);
    w->done = !is_set(o, w->at);
    w->at = w->done ? w->at : o->nodes[w->at].parent;
    return true;
}

/* ---- findings ---- */

struct finding oracle_finding(enum verdict v, uint64_t addr)
{
    return (struct finding){.verdict = v,
                            .addr = addr,
                            .end = addr,
                            .units = 1,
                            .tile = -1,
                            .edge = EDGE_UNKNOWN,
                            .region = -1,
                            .reader = NOWHERE,
                            .producer = NOWHERE,
                            .wait = NOWHERE,
                            .culprit = NOWHERE,
                            .got = NOWHERE};
}

struct place oracle_place(const struct oracle *o, uint32_t access)
{
    const struct node *n = &o->nodes[access];
    return n->kind == NODE_KIND_INIT ? NOWHERE : (struct place){n->core, n->insn, n->loops};
}

uint32_t oracle_access_epoch(const struct oracle *o, uint32_t access)
{
    return o->nodes[access].epoch;
}

size_t oracle_makers(const struct oracle *o, uint32_t node, uint32_t *out, size_t max)
{
    size_t n = 0;
    for (;; node = o->nodes[node].parent) {
        if (o->nodes[node].kind == NODE_KIND_INIT)
            return n;
        if (n < max)
            out[n] = head_of(o, node);
        n++;
        if (!node_is_set(&o->nodes[node]))
            return n;
    }
}

bool place_same(const struct program *p, struct place x, struct place y)
{
    if (x.core < 0 || y.core < 0)
        return x.core == y.core;
    return x.insn == y.insn && p->cores[x.core].code == p->cores[y.core].code;
}

/* The words of f join those of g, where they adjoin; elsewhere there are more than g tells. */
static void join_words(struct finding *g, const struct finding *f)
{
    g->units += f->units;
    if (g->end == g->addr || gm_rank(g->addr) != gm_rank(f->addr))
        return;
    bool adjoin = f->addr <= g->end && g->addr <= f->end;
    g->more |= !adjoin;
    if (adjoin && f->addr < g->addr)
        g->addr = f->addr;
    if (adjoin && f->end > g->end)
        g->end = f->end;
}

struct finding *oracle_add(struct oracle *o, const struct machine *m, struct finding f)
{
    o->counts[f.verdict]++;
    for (int i = 0; i < o->nfindings; i++) {
        struct finding *g = &o->findings[i];
        if (g->verdict == f.verdict && g->where == f.where && g->late == f.late &&
            place_same(o->program, g->reader, f.reader) &&
            place_same(o->program, g->producer, f.producer) &&
            place_same(o->program, g->culprit, f.culprit)) {
            join_words(g, &f);
            return NULL;
        }
    }
    if (o->nfindings == MAX_FINDINGS)
        return NULL;
    f.step = m->transitions;
    o->findings[o->nfindings] = f;
    return &o->findings[o->nfindings++];
}

/* ---- where is the value of an access now? ---- */

static bool queued(const struct machine *m, uint32_t access)
{
    for (int c = 0; c < m->program->ncores; c++)
        for (int p = 0; p < PIPE_COUNT; p++) {
            const struct pipe_queue *q = &m->cores[c].pipes[p];
            for (int i = 0; i < q->count; i++)
                if (q->ops[(q->head + i) % m->contract->pipe_depth].node == access)
                    return true;
        }
    return false;
}

static bool message_carries(const struct oracle *o, const struct machine *m,
                            const struct message *msg, uint64_t addr, uint32_t access)
{
    if (addr < msg->addr || addr >= msg->addr + msg->len)
        return false;
    uint64_t at = addr - msg->addr;
    if (!msg->masked)
        return contains(o, msg->node, access);
    if (!(msg->own >> (at / WORD) & 1))
        return false;
    (void)m;
    return contains(o, msg->prov[msg->add ? at / WORD : at / (uint64_t)o->grain], access);
}

static const struct message *in_flight(const struct oracle *o, const struct machine *m,
                                       uint64_t addr, uint32_t access)
{
    for (int c = 0; c < m->program->ncores; c++)
        for (const struct message *msg = m->cores[c].newest; msg; msg = msg->older)
            if (message_carries(o, m, msg, addr, access))
                return msg;
    return NULL;
}

static bool dirty_somewhere(const struct oracle *o, const struct machine *m, uint64_t addr,
                            uint32_t access)
{
    for (int c = 0; c < m->program->ncores; c++) {
        int slot = cache_find(m, c, addr);
        if (slot == NO_SLOT)
            continue;
        const struct cache *k = &m->cores[c].cache;
        uint64_t at = addr - line_of(m, addr);
        const struct cache_line *l = &k->lines[slot];
        if ((l->dirty >> (at / WORD) & 1) &&
            contains(o, slot_prov(m, k, slot)[at / (uint64_t)o->grain], access))
            return true;
        if ((l->delta >> (at / WORD) & 1) &&
            contains(o, k->delta_prov[(size_t)slot * (size_t)m->words + at / WORD], access))
            return true;
    }
    return false;
}

enum where oracle_locate(const struct oracle *o, const struct machine *m, uint64_t addr,
                         uint32_t access, struct place *culprit)
{
    if (queued(m, access))
        return W_QUEUED;
    if (in_flight(o, m, addr, access))
        return W_IN_FLIGHT;
    if (dirty_somewhere(o, m, addr, access))
        return W_DIRTY;
    if (contains(o, prov_of(m, addr), access))
        return W_OLD_LINE;
    const struct lost *l = oracle_lost(o, addr, access);
    if (l) {
        *culprit = l->culprit;
        return l->where;
    }
    uint32_t present = head_of(o, prov_of(m, addr));
    if (o->nodes[present].kind == NODE_KIND_INIT || hb(o, present, access) ||
        hb(o, access, present))
        return W_OVERWRITTEN;
    *culprit = oracle_place(o, present);
    return W_RACED;
}

/* ---- accesses ---- */

/* The two accesses in the order of the text, whichever came first in
 * this run: they are one race. */
static void report_race(struct oracle *o, uint32_t x, uint32_t y, uint64_t addr, uint64_t units)
{
    struct finding f = oracle_finding(V_RACE, addr);
    struct place a = oracle_place(o, x), b = oracle_place(o, y);
    bool ordered = a.insn != b.insn ? a.insn < b.insn : a.core < b.core;
    f.end = addr + units * (uint64_t)o->grain;
    f.units = units;
    f.reader = ordered ? a : b;
    f.producer = ordered ? b : a;
    oracle_add(o, o->machine, f);
}

/* Every access of set must happen before node, but for atomic adds among each other; this many
 * units from addr on have that set. */
static void check_ordered(struct oracle *o, uint32_t set, uint32_t node, uint64_t addr,
                          uint64_t units)
{
    uint32_t x;
    bool sum = o->nodes[set].kind == NODE_KIND_SUM;
    if (sum && o->nodes[node].kind == NODE_KIND_ADD) /* only what its adds came on top of */
        set = base_of(o, set);
    for (struct access_walk w = {.at = set}; next(o, &w, &x);) {
        bool adds = o->nodes[x].kind == NODE_KIND_ADD && o->nodes[node].kind == NODE_KIND_ADD;
        if (!adds && o->nodes[x].kind != NODE_KIND_INIT && !hb(o, x, node))
            report_race(o, x, node, addr, units);
    }
}

static bool all_before(const struct oracle *o, uint32_t set, uint32_t node)
{
    uint32_t x;
    for (struct access_walk w = {.at = set}; next(o, &w, &x);)
        if (!hb(o, x, node))
            return false;
    return true;
}

static void touch_reads(struct oracle *o, uint32_t node, int rank, uint64_t first, uint64_t n,
                        uint32_t *expected)
{
    struct node_map *reads = &o->reads[rank];
    if (expected)
        node_map_read(&o->writes[rank], first, n, expected);
    for (uint64_t end = first + n, units; first < end; first += units) {
        uint32_t last = node_map_get(reads, first);
        units = node_map_run(reads, first, end - first);
        node_map_set(reads, first, units,
                     last == NODE_NONE || all_before(o, last, node)
                         ? node
                         : oracle_set_add(o, NODE_KIND_READS, last, node));
    }
}

static void touch_writes(struct oracle *o, uint32_t node, int rank, uint64_t first, uint64_t n)
{
    struct node_map *writes = &o->writes[rank], *reads = &o->reads[rank];
    bool add = o->nodes[node].kind == NODE_KIND_ADD;
    uint64_t end = first + n;
    for (uint64_t u = first, units; u < end; u += units) {
        uint32_t old = node_map_get(writes, u);
        units = node_map_run(writes, u, end - u);
        check_ordered(o, old, node, gm_addr(rank, u * (uint64_t)o->grain), units);
        node_map_set(writes, u, units, add ? oracle_sum(o, old, node) : node);
    }
    for (uint64_t u = first, units; u < end; u += units) {
        uint32_t before = node_map_get(reads, u);
        units = node_map_run(reads, u, end - u);
        if (before != NODE_NONE)
            check_ordered(o, before, node, gm_addr(rank, u * (uint64_t)o->grain), units);
    }
    if (!add) /* another add, unordered with a read of before, still races with it */
        node_map_set(reads, first, n, NODE_NONE);
}

void oracle_touch(struct oracle *o, uint32_t node, uint64_t addr, uint64_t len, uint32_t *expected)
{
    uint64_t first = gm_offset(addr) / (uint64_t)o->grain;
    uint64_t n = (len + (uint64_t)o->grain - 1) / (uint64_t)o->grain;
    o->checked += n;
    if (o->course) {
        course_touch(o, node, addr, len, expected);
        return;
    }
    if (o->recording)
        course_note_touch(o, node, addr, len, first, n);
    if (o->nodes[node].kind == NODE_KIND_READ)
        touch_reads(o, node, gm_rank(addr), first, n, expected);
    else
        touch_writes(o, node, gm_rank(addr), first, n);
}

/* ---- judging a read ---- */

/* Of a new finding alone: the waits of a long run are many, and so are the units of a transfer. */
static struct place connecting_place(const struct oracle *o, uint32_t earlier, uint32_t later)
{
    const struct acquire *wait = oracle_connecting_wait(o, earlier, later);
    return wait ? (struct place){o->nodes[later].core, wait->insn, wait->loops} : NOWHERE;
}

/* The reader's line was filled after the wait: it was invalidated, and the write had not landed
 * then. */
static bool refilled(const struct oracle *o, const struct machine *m, uint32_t fresh, uint32_t read,
                     uint64_t addr)
{
    int core = o->nodes[read].core, slot = cache_find(m, core, addr);
    const struct acquire *wait = slot == NO_SLOT ? NULL : oracle_connecting_wait(o, fresh, read);
    return wait && m->cores[core].cache.lines[slot].filled >= wait->epoch;
}

static void report_stale(struct oracle *o, const struct machine *m, uint32_t read, uint32_t fresh,
                         uint32_t got, uint64_t addr, bool hit)
{
    struct finding f = oracle_finding(V_STALE_READ, addr);
    f.reader = oracle_place(o, read);
    f.producer = oracle_place(o, fresh);
    f.got = oracle_place(o, head_of(o, got));
    f.where = oracle_locate(o, m, addr, fresh, &f.culprit);
    /* A bypassing read that finds memory up to date cannot be stale: only a cached line is old. */
    if (f.where == W_OLD_LINE && (!hit || refilled(o, m, fresh, read, addr)))
        f.where = W_IN_FLIGHT;
    /* What the reader acquired is older than the message: the notify went
     * out before it was posted. */
    const struct message *msg = f.where == W_IN_FLIGHT ? in_flight(o, m, addr, fresh) : NULL;
    if (msg && msg->core != o->nodes[read].core && !o->brief)
        f.late = o->nodes[read].clock[msg->core] <= msg->epoch;
    struct finding *g = oracle_add(o, m, f);
    if (!g)
        return;
    g->wait = connecting_place(o, fresh, read);
    g->edge = oracle_missed(o, f.where, addr, fresh, read);
}

static void report_overrun(struct oracle *o, const struct machine *m, uint32_t read,
                           uint32_t future, uint64_t addr)
{
    struct finding f = oracle_finding(V_OVERRUN_READ, addr);
    f.reader = oracle_place(o, read);
    f.producer = f.got = oracle_place(o, future);
    struct finding *g = oracle_add(o, m, f);
    if (!g)
        return;
    g->wait = connecting_place(o, read, future);
    g->edge = oracle_edge(o, read, future);
}

static void report_uninitialised(struct oracle *o, const struct machine *m, uint32_t read,
                                 uint64_t addr)
{
    struct finding f = oracle_finding(V_UNINITIALISED, addr);
    f.reader = oracle_place(o, read);
    oracle_add(o, m, f);
}

/* What the read missed: the newest access of the shadow that happens before it and is not in got.
 * Where that races with the write that it returned, either may be the last: the race is reported
 * already. */
static void judge_missing(struct oracle *o, const struct machine *m, uint32_t read, uint64_t addr,
                          uint32_t got, uint32_t expected, bool hit)
{
    uint32_t x, base = base_of(o, got);
    for (struct access_walk w = {.at = expected}; next(o, &w, &x);) {
        if (o->nodes[x].kind == NODE_KIND_INIT)
            continue;
        if (!hb(o, x, read)) {
            report_race(o, x, read, addr, 1);
            continue;
        }
        bool superseded = base != x && hb(o, x, base);
        bool races = base != x && o->nodes[base].kind != NODE_KIND_INIT && !hb(o, base, x);
        if (!superseded && !races && got != expected && !contains(o, got, x)) {
            report_stale(o, m, read, x, got, addr, hit);
            return;
        }
    }
}

/* What the read saw too early: an access that was issued after it. */
static void judge_future(struct oracle *o, const struct machine *m, uint32_t read, uint64_t addr,
                         uint32_t got, uint32_t expected)
{
    uint32_t y;
    for (struct access_walk w = {.at = got}; next(o, &w, &y);) {
        if (o->nodes[y].kind == NODE_KIND_INIT || contains(o, expected, y) || hb(o, y, read))
            continue;
        if (hb(o, read, y))
            report_overrun(o, m, read, y, addr);
        else
            report_race(o, y, read, addr, 1);
        return;
    }
}

static void judge_one(struct oracle *o, const struct machine *m, uint32_t read, uint64_t addr,
                      uint32_t got, uint32_t expected, bool hit)
{
    judge_missing(o, m, read, addr, got, expected, hit);
    if (got != expected)
        judge_future(o, m, read, addr, got, expected);
    if (base_of(o, got) == NODE_UNINIT && base_of(o, expected) == NODE_UNINIT)
        report_uninitialised(o, m, read, addr);
}

static uint64_t misjudged(const struct oracle *o)
{
    return o->counts[V_STALE_READ] + o->counts[V_OVERRUN_READ] + o->counts[V_RACE] +
           o->counts[V_UNINITIALISED];
}

/* Equal pairs have equal verdicts: a run of them is judged once, but every unit of a failing one is
 * counted. */
static void judge_run(struct oracle *o, const struct machine *m, uint32_t read, uint64_t addr,
                      uint64_t units, uint32_t got, uint32_t expected, bool hit)
{
    for (uint64_t u = 0; u < units; u++) {
        uint64_t before = misjudged(o);
        judge_one(o, m, read, addr + u * (uint64_t)o->grain, got, expected, hit);
        if (misjudged(o) == before)
            return;
    }
}

void oracle_judge(struct oracle *o, const struct machine *m, uint32_t node, uint64_t addr,
                  uint64_t len, const uint32_t *got, const uint32_t *expected, bool hit)
{
    const struct node_map *memory = &m->prov[gm_rank(addr)];
    uint64_t n = (len + (uint64_t)o->grain - 1) / (uint64_t)o->grain, first = gm_unit(m, addr);
    o->checked += n;
    for (uint64_t u = 0, units; u < n; u += units) {
        uint32_t is = got ? got[u] : node_map_get(memory, first + u);
        units = got ? node_run(got + u, n - u) : node_map_run(memory, first + u, n - u);
        if (expected)
            units = node_run(expected + u, units);
        judge_run(o, m, node, addr + u * (uint64_t)o->grain, units, is, expected ? expected[u] : is,
                  hit);
    }
}

static void report_lost(struct oracle *o, const struct machine *m, const struct message *msg,
                        uint64_t addr, uint32_t victim, uint32_t fresh, bool carried)
{
    enum where where = msg->masked ? W_OVERWRITTEN : W_LATE_STORE;
    struct lost l = {addr, victim, PLACE(msg->core, msg->insn), where, NODE_INIT, NODE_INIT};
    oracle_undone(o, m, msg, victim, fresh, carried, &l);
    vec_push(&o->arena, &o->lost, l);
    struct finding f = oracle_finding(V_LOST_WRITE, addr);
    f.where = where;
    f.producer = oracle_place(o, victim);
    f.culprit = l.culprit;
    f.got = oracle_place(o, head_of(o, fresh));
    struct finding *g = oracle_add(o, m, f);
    if (g)
        g->edge = oracle_edge(o, l.from, l.to);
}

void oracle_applied(struct oracle *o, const struct machine *m, const struct message *msg,
                    uint64_t addr, uint64_t units, uint32_t old, uint32_t fresh, bool carried)
{
    uint32_t x, victim = NODE_INIT;
    bool back = false;
    for (struct access_walk w = {.at = old}; !back && next(o, &w, &x);) {
        victim = x;
        back = o->nodes[x].kind != NODE_KIND_INIT && !contains(o, fresh, x) &&
               (carried || hb(o, head_of(o, fresh), x));
    }
    for (uint64_t u = 0; back && u < units; u++)
        report_lost(o, m, msg, addr + u * (uint64_t)o->grain, victim, fresh, carried);
}

static void report_late_add(struct oracle *o, const struct machine *m, const struct message *msg,
                            uint64_t addr, uint32_t base, uint32_t add, uint32_t late)
{
    struct finding f = oracle_finding(V_LOST_WRITE, addr);
    f.producer = oracle_place(o, base);
    f.culprit = PLACE(msg->core, msg->insn);
    f.got = oracle_place(o, head_of(o, add));
    f.note = "an older atomic add was applied on top of it";
    struct finding *g = oracle_add(o, m, f);
    if (g)
        g->edge = oracle_edge(o, late, base);
}

/* An add that happens before the write it lands on spoils that write: the write starts afresh in
 * source order. */
void oracle_applied_add(struct oracle *o, const struct machine *m, const struct message *msg,
                        uint64_t addr, uint64_t units, uint32_t old, uint32_t add)
{
    uint32_t x, base = base_of(o, old);
    bool late = false;
    for (struct access_walk w = {.at = add}; !late && next(o, &w, &x);)
        late = o->nodes[base].kind != NODE_KIND_INIT && hb(o, x, base);
    for (uint64_t u = 0; late && u < units; u++)
        report_late_add(o, m, msg, addr + u * (uint64_t)o->grain, base, add, x);
}

/* ---- clocks ---- */

/* The core's clock, which is about to change. */
static uint32_t *own_clock(struct oracle *o, int core)
{
    struct core_clock *c = &o->cores[core];
    if (c->shared)
        c->clock = arena_dup(&o->arena, c->clock, sizeof *c->clock * (size_t)o->ncores);
    c->shared = false;
    return c->clock;
}

/* What a core knew at its start it still knows; before their first wait cores have one clock. */
static void learn(struct oracle *o, int core, const uint32_t *told)
{
    if (told == o->cores[core].start)
        return;
    uint32_t *clock = own_clock(o, core);
    for (int c = 0; c < o->ncores; c++)
        clock[c] = told[c] > clock[c] ? told[c] : clock[c];
}

/* Whoever knows of a release knows all that it tells. */
static void learn_release(struct oracle *o, int core, const struct node *x)
{
    if (!x->release || o->cores[core].clock[x->core] >= x->epoch)
        return;
    learn(o, core, x->clock);
    own_clock(o, core)[x->core] = x->epoch;
}

/* What the core has acquired before it need not be looked at again. */
static void learn_set(struct oracle *o, int core, uint32_t n)
{
    for (; is_set(o, n) && o->nodes[n].acquirer != core + 1; n = o->nodes[n].parent) {
        o->nodes[n].acquirer = core + 1;
        learn_release(o, core, &o->nodes[o->nodes[n].add]);
    }
    learn_release(o, core, &o->nodes[head_of(o, n)]);
}

uint32_t oracle_told_by(const struct oracle *o, const struct acquire *a, int core)
{
    uint32_t x, known = a->told ? a->told[core] : 0;
    for (struct access_walk w = {.at = a->node}; next(o, &w, &x);)
        if (o->nodes[x].release && node_tells(&o->nodes[x], core) > known)
            known = node_tells(&o->nodes[x], core);
    return known;
}

uint32_t oracle_known_after(const struct oracle *o, int reader, const struct acquire *last,
                            int core)
{
    const struct core_clock *c = &o->cores[reader];
    uint32_t known = c->start[core];
    for (const struct acquire *a = c->acquires.items; a <= last; a++) {
        uint32_t told = oracle_told_by(o, a, core);
        known = told > known ? told : known;
    }
    return known;
}

/* told: or NULL. */
static void acquire(struct oracle *o, int core, int insn, uint32_t node, const uint32_t *told)
{
    struct core_clock *c = &o->cores[core];
    const uint32_t *before = c->clock;
    c->epoch++;
    c->shared |= o->recording != NULL;
    if (told)
        learn(o, core, told);
    else
        learn_set(o, core, node);
    if (o->recording)
        course_note_clock(o, core, before);
    struct acquire a = {insn, c->epoch, told ? NODE_NONE : node, told, oracle_loops(o, core, insn)};
    vec_push(&o->arena, &c->acquires, a);
}

void oracle_acquire(struct oracle *o, int core, int insn, uint32_t node)
{
    if (o->course)
        course_acquire(o, core, node);
    else
        acquire(o, core, insn, node, o->recording ? course_note_wait(o, core, insn, node) : NULL);
}

uint32_t oracle_signal(struct oracle *o, int core, int insn)
{
    return oracle_access(o, core, insn, ACCESS_SIGNAL, true);
}

/* Of one core the newest tells all. */
uint32_t oracle_signals(struct oracle *o, uint32_t x, uint32_t y)
{
    uint32_t newest[o->ncores], set = NODE_NONE, n;
    memset(newest, 0, sizeof newest);
    for (int k = 0; k < 2; k++)
        for (struct access_walk w = {.at = k ? y : x}; next(o, &w, &n);) {
            const struct node *node = &o->nodes[n];
            if (node->kind == NODE_KIND_INIT)
                continue;
            uint32_t *kept = &newest[node->core];
            if (*kept == NODE_NONE || o->nodes[*kept].epoch < node->epoch)
                *kept = n;
        }
    for (int c = 0; c < o->ncores; c++) {
        if (newest[c] != NODE_NONE)
            set = set == NODE_NONE ? newest[c] : oracle_set_add(o, NODE_KIND_SUM, set, newest[c]);
    }
    return set;
}

void oracle_task_begin(struct oracle *o, int core)
{
    struct core_clock *c = &o->cores[core];
    if (!o->course)
        vec_push(&o->arena, &c->starts, c->epoch);
}

/* The end has an epoch of its own: what is posted after it is told from what was before. */
void oracle_task_end(struct oracle *o, int core, int index)
{
    struct core_clock *c = &o->cores[core];
    c->epoch++;
    if (o->course)
        return;
    uint32_t *known = arena_dup(&o->arena, c->clock, sizeof *known * (size_t)o->ncores);
    known[core] = c->epoch;
    struct task_end e = {index, known};
    vec_push(&o->arena, &c->ends, e);
}

void oracle_task_start(struct oracle *o, int core, int insn, struct task_ref after)
{
    if (o->course) {
        course_task_start(o, core, after);
        return;
    }
    vec_foreach (const struct task_end, e, &o->cores[after.core].ends) {
        if (e->index != after.index)
            continue;
        acquire(o, core, insn, NODE_NONE, e->clock);
        if (o->recording)
            course_note_task(o, core, after.core, e->clock[after.core]);
    }
}

/* ---- tiles ---- */

/* The queued operation of core that gives the tile that version, or nowhere. */
static struct place tile_writer(const struct machine *m, int core, int tile, uint32_t version)
{
    const struct core *c = &m->cores[core];
    for (int p = 0; p < PIPE_COUNT; p++)
        for (int i = 0; i < c->pipes[p].count; i++) {
            const struct pipe_queue *q = &c->pipes[p];
            const struct pipe_op *op = &q->ops[(q->head + i) % m->contract->pipe_depth];
            if (pipe_tile_of(c->code, op) == tile && op->version[TILE_MAX_SRC] == version)
                return (struct place){core, op->insn, op->loops};
        }
    return NOWHERE;
}

/* Which flag pair would have kept second behind first. */
static const char *flag_note(struct oracle *o, const struct core *c, struct place first,
                             struct place second)
{
    if (first.core < 0 || second.core < 0)
        return NULL;
    const struct insn *x = &c->code->insns[first.insn], *y = &c->code->insns[second.insn];
    return arena_printf(&o->arena, "no flag %s -> %s orders %s before %s",
                        pipe_name((enum pipe)insn_pipe(c->code, x)),
                        pipe_name((enum pipe)insn_pipe(c->code, y)),
                        source_line_words(&o->arena, o->program->source, x->span.line),
                        source_line_words(&o->arena, o->program->source, y->span.line));
}

static struct edge tile_edge(struct place first, struct place second)
{
    struct edge e = EDGE_UNKNOWN;
    if (first.core < 0 || second.core < 0)
        return e;
    e.kind = EDGE_CORE;
    e.tile = true;
    e.from = PLACE(first.core, first.insn);
    e.to = PLACE(second.core, second.insn);
    return e;
}

void oracle_tile(struct oracle *o, const struct machine *m, int core, int insn, int tile,
                 uint32_t version, const int64_t *loops)
{
    const struct core *c = &m->cores[core];
    const struct tile_state *t = &c->tile_state[tile];
    bool overrun = (int32_t)(t->done - version) > 0;
    struct finding f = oracle_finding(overrun ? V_OVERRUN_READ : V_STALE_READ, gm_addr(c->rank, 0));
    f.where = W_TILE;
    f.tile = tile;
    f.reader = (struct place){core, insn, loops};
    f.got = t->writer < 0 ? NOWHERE : (struct place){core, t->writer, t->writer_loops};
    if (overrun) {
        f.producer = f.got;
        f.note = flag_note(o, c, f.reader, f.producer);
        f.edge = tile_edge(f.reader, f.producer);
    } else if (t->newest == version) { /* performed, and overwritten by an older operation */
        f.producer = (struct place){core, t->latest, t->latest_loops};
        f.culprit = f.got;
        f.note = flag_note(o, c, f.culprit, f.producer);
        f.edge = tile_edge(f.culprit, f.producer);
    } else {
        f.producer = tile_writer(m, core, tile, version);
        f.note = flag_note(o, c, f.producer, f.reader);
        f.edge = tile_edge(f.producer, f.reader);
    }
    oracle_add(o, m, f);
}

void oracle_fault(struct oracle *o, const struct machine *m, enum verdict v, int core, int insn,
                  uint64_t addr, const char *note)
{
    if (!o)
        return;
    struct finding f = oracle_finding(v, addr);
    f.reader = place_here(o, core, insn);
    f.note = note;
    oracle_add(o, m, f);
}

/* "4 x 16 elements from index [0, 0] of x", or of one element its index alone. */
static const char *extent_note(struct arena *a, int64_t rows, int64_t cols, const char *index)
{
    if (rows < 0 || cols < 0)
        return arena_printf(a, "a negative extent, %lld x %lld", (long long)rows, (long long)cols);
    return rows == 1 && cols == 1 ? index
                                  : arena_printf(a, "%lld x %lld elements from %s", (long long)rows,
                                                 (long long)cols, index);
}

/* The array of window bases is the region, or its end. */
static uint64_t windows_of(const struct machine *m, const struct region *ctx)
{
    return ctx->offset + ctx->size - (uint64_t)(elem_size(ctx->elem) * m->program->nranks);
}

void oracle_outside(struct oracle *o, const struct machine *m, int core, int insn, uint64_t addr,
                    int64_t rows, int64_t cols)
{
    if (!o)
        return;
    const struct insn *i = &m->cores[core].code->insns[insn];
    const struct region *g = i->region < 0 ? NULL : &m->program->regions[i->region];
    int64_t offset;
    int rank = gm_home(addr, &offset);
    struct finding f = oracle_finding(V_OUT_OF_BOUNDS, addr);
    f.reader = place_here(o, core, insn);
    f.region = i->region;
    if (rank < 0 || rank >= m->program->nranks)
        f.note =
            arena_printf(&o->arena, "no rank %d: they are 0 to %d", rank, m->program->nranks - 1);
    else if (!g)
        f.note = "outside the memory of its rank";
    else if (g->kind == REGION_LOCAL && rank != m->cores[core].rank)
        f.note = arena_printf(&o->arena, "%s of rank %d is no memory of rank %d", g->name, rank,
                              m->cores[core].rank);
    else if (g->kind == REGION_CTX) /* the window bases of the peers (pypto-facts 6) */
        f.note =
            arena_printf(&o->arena, "no peer %lld: they are 0 to %d",
                         (long long)((offset - (int64_t)windows_of(m, g)) / elem_size(g->elem)),
                         m->program->nranks - 1);
    else
        f.note = extent_note(&o->arena, rows, cols, program_index(g, addr, &o->arena));
    oracle_add(o, m, f);
}

void oracle_outside_tile(struct oracle *o, const struct machine *m, int core, int insn, int tile,
                         int64_t element, int64_t rows, int64_t cols)
{
    if (!o)
        return;
    const struct tile *t = &m->cores[core].code->tiles[tile];
    int64_t row = (element - (element < 0 ? t->cols - 1 : 0)) / t->cols;
    struct finding f = oracle_finding(V_OUT_OF_BOUNDS, gm_addr(m->cores[core].rank, 0));
    f.reader = place_here(o, core, insn);
    f.tile = tile;
    const char *index = arena_printf(
        &o->arena, "index [%lld, %lld] of tile %s, whose extent is [%d, %d]", (long long)row,
        (long long)(element - row * t->cols), t->name, t->rows, t->cols);
    f.note = extent_note(&o->arena, rows, cols, index);
    oracle_add(o, m, f);
}

/* ---- the end ---- */

/* Source order puts access into a unit that has this node, and it is not there. Of two racing
 * writes either may be last, and the race is reported already. */
static bool lacks(const struct oracle *o, uint32_t got, uint32_t access)
{
    uint32_t base = base_of(o, got);
    return o->nodes[access].kind != NODE_KIND_INIT && !contains(o, got, access) &&
           (o->nodes[base].kind == NODE_KIND_INIT || hb(o, base, access));
}

uint32_t oracle_lacking(const struct oracle *o, const struct machine *m, uint64_t addr)
{
    uint32_t x, intended = node_map_get(&o->writes[gm_rank(addr)], gm_unit(m, addr));
    for (struct access_walk w = {.at = intended}; next(o, &w, &x);)
        if (lacks(o, prov_of(m, addr), x))
            return x;
    return NODE_INIT;
}

uint32_t oracle_newest(const struct oracle *o, const struct machine *m, uint64_t addr)
{
    return head_of(o, prov_of(m, addr));
}

/* Every write that the source-level order puts last must be in memory. */
static void report_final_unit(struct oracle *o, const struct machine *m, uint64_t addr,
                              uint32_t intended, uint32_t got)
{
    uint32_t x;
    for (struct access_walk w = {.at = intended}; next(o, &w, &x);) {
        if (!lacks(o, got, x))
            continue;
        struct finding f = oracle_finding(V_LOST_WRITE, addr);
        f.producer = oracle_place(o, x);
        f.got = oracle_place(o, head_of(o, got));
        f.note = "final memory lacks it";
        f.where = oracle_locate(o, m, addr, x, &f.culprit);
        if (f.where == W_IN_FLIGHT) /* it left the cache only after the end */
            f.where = W_DIRTY;
        struct finding *g = oracle_add(o, m, f);
        if (g)
            g->edge = oracle_missed(o, f.where, addr, x, NODE_NONE);
    }
}

static void report_final(struct oracle *o, const struct machine *m, int rank)
{
    const struct node_map *writes = &o->writes[rank], *prov = &m->prov[rank];
    for (uint64_t u = 0, units, end = o->units - 1; u < end; u += units) {
        uint32_t intended = node_map_get(writes, u), got = node_map_get(prov, u);
        units = node_map_run(prov, u, node_map_run(writes, u, end - u));
        for (uint64_t k = u; intended != got && k < u + units; k++)
            report_final_unit(o, m, gm_addr(rank, k * (uint64_t)o->grain), intended, got);
    }
}

void oracle_forget_findings(struct oracle *o)
{
    o->nfindings = 0;
    memset(o->counts, 0, sizeof o->counts);
    if (o->course) { /* nothing else is kept of a run */
        memset(&o->lost, 0, sizeof o->lost);
        arena_free(&o->arena);
    }
}

void oracle_finish(struct oracle *o, const struct machine *m)
{
    if (m->stop)
        return;
    if (o->course)
        course_shadow(o);
    if (!machine_at_end(m)) {
        blocked_report(o, m);
        return;
    }
    for (int r = 0; r < m->program->nranks; r++)
        report_final(o, m, r);
}
