/* SPDX-License-Identifier: MIT */
/*
 * The oracle's part of a packed state. Node numbers depend on the order in which nodes were made,
 * so a state names an access by its core and the core's count of accesses (its epoch), and a set by
 * its members.
 *
 * Everything in a machine that refers to a node is visited in one fixed order, for packing and for
 * unpacking.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/internal.h"
#include "sim/oracle_internal.h"

struct refs {
    const struct oracle *o;
    struct machine *m;
    const uint64_t *words; /* addresses of the words that may change */
    size_t nwords;
    void (*visit)(struct refs *r, uint32_t *ref);
    /* packing */
    struct pack_buffer *out;
    uint32_t *live; /* accesses referred to, in order of (core, epoch) */
    uint32_t nlive, live_cap;
    /* unpacking */
    struct oracle *into;
    const uint8_t **in;
    const uint32_t *numbers; /* node of each access of the table */
};

/* ---- the order of visits ---- */

static void visit_line(struct refs *r, uint64_t line, uint32_t *prov)
{
    for (size_t i = 0; i < r->nwords; i++)
        if (line_of(r->m, r->words[i]) == line)
            for (int u = 0; u < WORD / r->o->grain; u++)
                r->visit(r, prov + (r->words[i] - line) / (uint64_t)r->o->grain + (uint64_t)u);
}

static void visit_memory(struct refs *r)
{
    for (size_t i = 0; i < r->nwords; i++) {
        int rank = gm_rank(r->words[i]);
        uint64_t first = gm_offset(r->words[i]) / (uint64_t)r->o->grain;
        for (uint64_t u = first; u < first + (uint64_t)(WORD / r->o->grain); u++) {
            r->visit(r, node_map_at(&r->o->writes[rank], u));
            r->visit(r, node_map_at(&r->o->reads[rank], u));
            r->visit(r, node_map_at(&r->m->prov[rank], u));
        }
    }
}

static void visit_cache(struct refs *r, int core)
{
    const struct cache *k = &r->m->cores[core].cache;
    int order[k->nvalid + 1];
    cache_order(k, order);
    for (int i = 0; i < k->nvalid; i++) {
        const struct cache_line *l = &k->lines[order[i]];
        if (l->valid)
            visit_line(r, l->tag, slot_prov(r->m, k, order[i]));
        for (uint64_t mask = l->delta; mask; mask &= mask - 1)
            r->visit(r, &k->delta_prov[(size_t)order[i] * (size_t)r->m->words +
                                       (size_t)__builtin_ctzll(mask)]);
    }
}

static void visit_pipes(struct refs *r, int core)
{
    for (int p = 0; p < PIPE_COUNT; p++) {
        const struct pipe_queue *q = &r->m->cores[core].pipes[p];
        for (int i = 0; i < q->count; i++) {
            struct pipe_op *op = &q->ops[(q->head + i) % r->m->contract->pipe_depth];
            r->visit(r, &op->node);
            uint32_t n = pipe_expected_units(r->m, core, op);
            for (uint32_t u = 0; op->expected && u < n; u++)
                r->visit(r, &op->expected[u]);
        }
    }
}

static void visit_cross(struct refs *r, int core)
{
    for (uint32_t ids = r->m->cross; ids; ids &= ids - 1) {
        struct cross_flag *f = &r->m->cores[core].cross[__builtin_ctz(ids)];
        r->visit(r, &f->node);
        for (int mode = 0; mode < CROSS_MODES; mode++)
            r->visit(r, &f->sent_node[mode]);
    }
}

static void visit_message(struct refs *r, struct message *msg)
{
    if (msg->masked && msg->add) {
        for (uint64_t mask = msg->mask; mask; mask &= mask - 1)
            r->visit(r, &msg->prov[__builtin_ctzll(mask)]);
    } else if (msg->masked) {
        visit_line(r, msg->addr, msg->prov);
    } else {
        r->visit(r, &msg->node);
    }
}

static void visit_all(struct refs *r)
{
    visit_memory(r);
    for (int c = 0; c < r->o->ncores; c++) {
        visit_cache(r, c);
        visit_pipes(r, c);
        visit_cross(r, c);
    }
    int order[r->m->nactive + 1];
    fabric_order(r->m, order);
    for (int i = 0; i < r->m->nactive; i++)
        for (struct message *msg = r->m->channels[order[i]].head; msg; msg = msg->next)
            visit_message(r, msg);
}

/* ---- packing ---- */

static bool before(const struct oracle *o, uint32_t x, uint32_t y)
{
    const struct node *a = &o->nodes[x], *b = &o->nodes[y];
    return a->core != b->core ? a->core < b->core : a->epoch < b->epoch;
}

/* Place of an access among the live ones, or where it belongs. */
static uint32_t live_place(const struct refs *r, uint32_t access)
{
    uint32_t low = 0, high = r->nlive;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (before(r->o, r->live[mid], access))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void add_live(struct refs *r, uint32_t access)
{
    if (r->o->nodes[access].kind == NODE_KIND_INIT)
        return;
    uint32_t at = live_place(r, access);
    if (at < r->nlive && r->live[at] == access)
        return;
    if (r->nlive == r->live_cap) {
        r->live_cap = r->live_cap ? r->live_cap * 2 : 64;
        r->live = realloc(r->live, sizeof *r->live * r->live_cap);
        if (!r->live)
            abort();
    }
    memmove(&r->live[at + 1], &r->live[at], sizeof *r->live * (r->nlive - at));
    r->live[at] = access;
    r->nlive++;
}

static void collect(struct refs *r, uint32_t *ref)
{
    uint32_t n = *ref;
    for (; node_is_set(&r->o->nodes[n]); n = r->o->nodes[n].parent)
        add_live(r, r->o->nodes[n].add);
    add_live(r, n);
}

/* 0 and 1 are the initial nodes; accesses of the table follow. */
static uint64_t access_number(const struct refs *r, uint32_t access)
{
    return r->o->nodes[access].kind == NODE_KIND_INIT ? access : 2 + live_place(r, access);
}

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* A reference: size of the set, base, members in order. Reads have no base: all are members of
 * equal rank. */
static void store_ref(struct refs *r, uint32_t *ref)
{
    const struct node *nodes = r->o->nodes;
    uint32_t n = *ref, count = 0;
    for (uint32_t k = n; node_is_set(&nodes[k]); k = nodes[k].parent)
        count++;
    pack_u64(r->out,
             (uint64_t)count << 1 | (node_is_set(&nodes[n]) && nodes[n].kind == NODE_KIND_READS));
    uint64_t *members = malloc(sizeof *members * (count + 1));
    if (!members)
        abort();
    uint32_t i = 0;
    for (; node_is_set(&nodes[n]); n = nodes[n].parent)
        members[1 + i++] = access_number(r, nodes[n].add);
    members[0] = access_number(r, n);
    bool reads = count && nodes[*ref].kind == NODE_KIND_READS;
    qsort(reads ? members : members + 1, reads ? count + 1 : count, sizeof *members, by_number);
    for (i = 0; i <= count; i++)
        pack_u64(r->out, members[i]);
    free(members);
}

static void store_clock(struct pack_buffer *b, const uint32_t *clock, int n)
{
    for (int c = 0; c < n; c++)
        pack_u64(b, clock[c]);
}

/* The ends of tasks that a later task of another core may wait for. */
static void store_ends(const struct oracle *o, int core, struct pack_buffer *b)
{
    const struct core_clock *c = &o->cores[core];
    if (!o->program->cores[core].dispatches)
        return;
    pack_u64(b, c->ends.len);
    vec_foreach (const struct task_end, e, &c->ends) {
        pack_u64(b, (uint64_t)e->index);
        store_clock(b, e->clock, o->ncores);
    }
}

void oracle_pack(const struct oracle *o, const struct machine *m, const uint64_t *words,
                 size_t nwords, struct pack_buffer *b)
{
    /* The visits of packing change nothing: the machine is writable for unpacking only. */
    struct refs r = {.o = o,
                     .m = (struct machine *)m,
                     .words = words,
                     .nwords = nwords,
                     .visit = collect,
                     .out = b};
    visit_all(&r);
    for (int c = 0; c < o->ncores; c++) {
        pack_u64(b, o->cores[c].epoch);
        store_clock(b, o->cores[c].clock, o->ncores);
        store_ends(o, c, b);
    }
    pack_u64(b, r.nlive);
    for (uint32_t i = 0; i < r.nlive; i++) {
        const struct node *n = &o->nodes[r.live[i]];
        pack_u64(b, (uint64_t)n->core);
        pack_u64(b, n->epoch);
        pack_u64(b, (uint64_t)n->insn);
        pack_u64(b, (uint64_t)n->kind << 1 | n->release);
        store_clock(b, n->clock, o->ncores);
    }
    r.visit = store_ref;
    visit_all(&r);
    free(r.live);
}

/* ---- unpacking ---- */

static void load_ref(struct refs *r, uint32_t *ref)
{
    uint64_t head = unpack_u64(r->in);
    enum node_kind kind = head & 1 ? NODE_KIND_READS : NODE_KIND_SUM;
    uint32_t n = r->numbers[unpack_u64(r->in)];
    for (uint64_t k = head >> 1; k > 0; k--)
        n = oracle_set_add(r->into, kind, n, r->numbers[unpack_u64(r->in)]);
    *ref = n;
}

static uint32_t *load_clock(struct oracle *o, const uint8_t **in)
{
    uint32_t *clock = arena_array(&o->arena, uint32_t, (size_t)o->ncores);
    for (int c = 0; c < o->ncores; c++)
        clock[c] = (uint32_t)unpack_u64(in);
    return clock;
}

static void load_ends(struct oracle *o, int core, const uint8_t **in)
{
    uint64_t n = o->program->cores[core].dispatches ? unpack_u64(in) : 0;
    for (; n > 0; n--) {
        struct task_end e = {.index = (int)unpack_u64(in)};
        e.clock = load_clock(o, in);
        vec_push(&o->arena, &o->cores[core].ends, e);
    }
}

static uint32_t load_access(struct oracle *o, const uint8_t **in)
{
    struct node n = {0};
    n.core = (int32_t)unpack_u64(in);
    n.epoch = (uint32_t)unpack_u64(in);
    n.insn = (int32_t)unpack_u64(in);
    uint64_t kind = unpack_u64(in);
    n.kind = (uint8_t)(kind >> 1);
    n.release = kind & 1;
    n.clock = load_clock(o, in);
    return oracle_node_new(o, n);
}

void oracle_unpack(struct oracle *o, struct machine *m, const uint64_t *words, size_t nwords,
                   const uint8_t **in)
{
    oracle_clear(o, m);
    /* Reads of words that nothing writes are no part of a state: no write can race with them. */
    for (int r = 0; r < o->program->nranks; r++)
        node_map_set(&o->reads[r], 0, o->units, NODE_NONE);
    for (int c = 0; c < o->ncores; c++) {
        o->cores[c].epoch = (uint32_t)unpack_u64(in);
        o->cores[c].start = o->cores[c].clock = load_clock(o, in);
        load_ends(o, c, in);
    }
    uint64_t n = unpack_u64(in);
    uint32_t *numbers = arena_array(&o->arena, uint32_t, n + 2);
    numbers[1] = NODE_UNINIT;
    for (uint64_t i = 0; i < n; i++)
        numbers[2 + i] = load_access(o, in);
    struct refs r = {.o = o,
                     .m = m,
                     .words = words,
                     .nwords = nwords,
                     .visit = load_ref,
                     .into = o,
                     .in = in,
                     .numbers = numbers};
    visit_all(&r);
}

/* ---- where accesses have one number ---- */

void oracle_store_ref(const struct oracle *o, uint32_t node, struct pack_buffer *b)
{
    uint64_t count = 0;
    for (uint32_t n = node; node_is_set(&o->nodes[n]); n = o->nodes[n].parent)
        count++;
    if (count == 0) {
        pack_u64(b, (uint64_t)node << 1);
        return;
    }
    pack_u64(b, count << 1 | 1);
    for (; node_is_set(&o->nodes[node]); node = o->nodes[node].parent)
        pack_u64(b, o->nodes[node].add);
    pack_u64(b, node);
}

uint32_t oracle_load_ref(struct oracle *o, const uint8_t **in)
{
    uint64_t head = unpack_u64(in), count = head >> 1;
    if (!(head & 1))
        return (uint32_t)count;
    uint32_t adds[count];
    for (uint64_t i = 0; i < count; i++)
        adds[i] = (uint32_t)unpack_u64(in);
    uint32_t n = (uint32_t)unpack_u64(in);
    while (count > 0)
        n = oracle_set_add(o, NODE_KIND_SUM, n, adds[--count]);
    return n;
}
