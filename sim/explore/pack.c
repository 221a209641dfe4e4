/* SPDX-License-Identifier: MIT */
#include "sim/explore/pack.h"

#include <stdlib.h>
#include <string.h>

#include "sim/internal.h"
#include "sim/oracle_internal.h"
#include "sim/explore/liveness.h"

struct flag_use {
    uint8_t a, b, id;
};

typedef VEC(uint64_t) addresses;

struct packer {
    struct arena arena;
    addresses *words; /* of each rank: those that may change */
    VEC(struct flag_use) flags;
    const struct liveness *live;
    /* The state that was loaded last, and two that were stored. */
    struct pack_buffer loaded, stored[2];
    /* That of them in which the machine was last, or NULL, and which parts steps have touched since
     * then, and since loading; beyond 64 parts, all count as touched. */
    struct pack_buffer *now;
    uint64_t touched, moved;
};

/* ---- buffers ---- */

uint8_t *pack_room(struct pack_buffer *b, size_t n)
{
    if (b->len + n > b->cap) {
        b->cap = (b->len + n) * 2 + 256;
        b->data = realloc(b->data, b->cap);
        if (!b->data)
            abort();
    }
    return b->data + b->len;
}

void pack_buffer_free(struct pack_buffer *b)
{
    free(b->data);
    *b = (struct pack_buffer){0};
}

void pack_long(struct pack_buffer *b, uint64_t v)
{
    uint8_t *p = pack_room(b, 10), *start = p;
    while (v >= 0x80) {
        *p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    b->len += (size_t)(p - start);
}

uint64_t unpack_long(const uint8_t **p)
{
    uint64_t v = 0;
    for (int shift = 0;; shift += 7) {
        uint8_t byte = *(*p)++;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return v;
    }
}

static void unpack_bytes(const uint8_t **p, void *data, size_t n)
{
    memcpy(data, *p, n);
    *p += n;
}

/* ---- what can change ---- */

static void mark_flag(struct packer *p, const struct insn *i)
{
    vec_foreach (const struct flag_use, f, &p->flags)
        if (f->a == i->pa && f->b == i->pb && f->id == i->imm)
            return;
    vec_push(&p->arena, &p->flags, (struct flag_use){i->pa, i->pb, (uint8_t)i->imm});
}

struct packer *packer_new(const struct machine *m)
{
    struct packer *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    for (int c = 0; c < m->program->ncores; c++) {
        const struct code *code = m->program->cores[c].code;
        for (int n = 0; n < code->count; n++)
            if (insn_any(&code->insns[n], CLASS_FLAG))
                mark_flag(p, &code->insns[n]);
    }
    p->words = arena_array(&p->arena, addresses, (size_t)m->program->nranks);
    vec_foreach (const uint64_t, addr, &m->writable->words)
        vec_push(&p->arena, &p->words[gm_rank(*addr)], *addr);
    packer_observe(p, m, NULL);
    return p;
}

void packer_observe(struct packer *p, const struct machine *m, const uint64_t *observed)
{
    p->live = liveness_new(&p->arena, m, observed);
}

/* A clean copy of the line in core's cache can make a difference: to a load or a store, and to what
 * these see. What a run that follows its course has left behind, or drops first, makes none. */
static bool line_matters(const struct packer *p, const struct machine *m, int core, uint64_t line)
{
    bool told = m->oracle && m->oracle->course && !m->contract->broken;
    return writable_mask(m->writable, line) && live_line(p->live, m, core, line) &&
           (!told || course_uses_line(m->oracle, core, line));
}

bool pack_idle(const struct packer *p, const struct machine *m, struct transition t)
{
    return t.kind == T_PREFETCH && !line_matters(p, m, t.core, m->named[t.core].items[t.index]);
}

void packer_free(struct packer *p)
{
    if (!p)
        return;
    pack_buffer_free(&p->loaded);
    pack_buffer_free(&p->stored[0]);
    pack_buffer_free(&p->stored[1]);
    arena_free(&p->arena);
    free(p);
}

/* ---- words of a line ---- */

static void store_words(struct pack_buffer *b, const uint8_t *data, uint64_t mask)
{
    for (; mask; mask &= mask - 1) {
        int32_t v;
        memcpy(&v, data + __builtin_ctzll(mask) * WORD, WORD);
        pack_i64(b, v);
    }
}

static void load_words(const uint8_t **p, uint8_t *data, uint64_t mask)
{
    for (; mask; mask &= mask - 1) {
        int32_t v = (int32_t)unpack_i64(p);
        memcpy(data + __builtin_ctzll(mask) * WORD, &v, WORD);
    }
}

/* ---- who wrote them, where the oracle follows a course ----
 *
 * One that does not has a part of its own (sim/explore/oracle_pack.c).
 */

static bool follows(const struct machine *m)
{
    return m->oracle && m->oracle->course;
}

static void store_prov(const struct machine *m, struct pack_buffer *b, const uint32_t *prov,
                       uint64_t mask)
{
    int per_word = WORD / m->grain;
    for (; mask; mask &= mask - 1)
        for (int u = 0; u < per_word; u++)
            oracle_store_ref(m->oracle, prov[__builtin_ctzll(mask) * per_word + u], b);
}

static void load_prov(const struct machine *m, const uint8_t **in, uint32_t *prov, uint64_t mask)
{
    int per_word = WORD / m->grain;
    for (; mask; mask &= mask - 1)
        for (int u = 0; u < per_word; u++)
            prov[__builtin_ctzll(mask) * per_word + u] = oracle_load_ref(m->oracle, in);
}

static void store_refs(const struct machine *m, struct pack_buffer *b, const uint32_t *refs,
                       uint64_t mask)
{
    for (; mask; mask &= mask - 1)
        oracle_store_ref(m->oracle, refs[__builtin_ctzll(mask)], b);
}

static void load_refs(const struct machine *m, const uint8_t **in, uint32_t *refs, uint64_t mask)
{
    for (; mask; mask &= mask - 1)
        refs[__builtin_ctzll(mask)] = oracle_load_ref(m->oracle, in);
}

/* ---- cores ---- */

/* The lines that matter, in the order of their addresses; their number is returned. */
static int lines_kept(const struct packer *p, const struct machine *m, int core, int *order)
{
    const struct cache *k = &m->cores[core].cache;
    int n = 0;
    cache_order(k, order);
    for (int i = 0; i < k->nvalid; i++) {
        const struct cache_line *l = &k->lines[order[i]];
        if (l->dirty || l->delta || line_matters(p, m, core, l->tag))
            order[n++] = order[i];
    }
    return n;
}

static void store_cache(const struct packer *p, const struct machine *m, int core,
                        struct pack_buffer *b)
{
    const struct cache *k = &m->cores[core].cache;
    int order[k->nvalid + 1], n = lines_kept(p, m, core, order);
    pack_u64(b, (uint64_t)n);
    for (int i = 0; i < n; i++) {
        const struct cache_line *l = &k->lines[order[i]];
        pack_u64(b, (uint64_t)gm_rank(l->tag));
        pack_u64(b, gm_offset(l->tag) / (uint64_t)m->contract->line);
        pack_u64(b, l->valid);
        pack_u64(b, l->dirty);
        pack_u64(b, l->delta);
        uint64_t words = l->valid ? writable_mask(m->writable, l->tag) : 0;
        size_t first = (size_t)order[i] * (size_t)m->words;
        store_words(b, slot_data(m, k, order[i]), words);
        store_words(b, (const uint8_t *)(k->deltas + first), l->delta);
        if (!follows(m))
            continue;
        store_prov(m, b, slot_prov(m, k, order[i]), words);
        store_refs(m, b, k->delta_prov + first, l->delta);
    }
}

static void load_cache(struct machine *m, int core, const uint8_t **in)
{
    struct cache *k = &m->cores[core].cache;
    cache_reset(m, k);
    for (uint64_t n = unpack_u64(in); n > 0; n--) {
        int rank = (int)unpack_u64(in);
        uint64_t number = unpack_u64(in);
        uint64_t tag = gm_addr(rank, number * (uint64_t)m->contract->line);
        int slot = cache_allocate(m, core, tag);
        struct cache_line *l = &k->lines[slot];
        l->valid = unpack_u64(in);
        l->dirty = unpack_u64(in);
        l->delta = unpack_u64(in);
        uint64_t words = l->valid ? writable_mask(m->writable, tag) : 0;
        size_t first = (size_t)slot * (size_t)m->words, line = (size_t)m->contract->line;
        /* What nothing writes is as it was in the beginning. */
        memcpy(slot_data(m, k, slot), m->program->gm_init[rank] + gm_offset(tag), line);
        if (m->oracle)
            oracle_initial(m->oracle, gm_offset(tag), line, slot_prov(m, k, slot));
        load_words(in, slot_data(m, k, slot), words);
        load_words(in, (uint8_t *)(k->deltas + first), l->delta);
        if (!follows(m))
            continue;
        load_prov(m, in, slot_prov(m, k, slot), words);
        load_refs(m, in, k->delta_prov + first, l->delta);
    }
}

static void store_op(const struct machine *m, const struct pipe_op *op, struct pack_buffer *b)
{
    pack_u64(b, (uint64_t)op->insn << 1 | op->add);
    pack_u64(b, op->rows);
    pack_u64(b, op->cols);
    pack_u64(b, (uint64_t)gm_rank(op->addr));
    pack_u64(b, gm_offset(op->addr));
    pack_i64(b, op->scalar);
    if (!m->oracle)
        return;
    for (int v = 0; v <= TILE_MAX_SRC; v++)
        pack_u64(b, op->version[v]);
    pack_u64(b, op->expected != NULL);
    if (follows(m))
        pack_u64(b, op->node);
}

/* A set of the pipes that have something queued, then those queues. */
static void store_pipes(const struct machine *m, const struct core *c, struct pack_buffer *b)
{
    uint64_t busy = 0;
    for (int pipe = 0; pipe < PIPE_COUNT; pipe++)
        busy |= (uint64_t)(c->pipes[pipe].count > 0) << pipe;
    pack_u64(b, busy);
    for (; busy; busy &= busy - 1) {
        const struct pipe_queue *q = &c->pipes[__builtin_ctzll(busy)];
        pack_u64(b, (uint64_t)q->count);
        for (int i = 0; i < q->count; i++)
            store_op(m, &q->ops[(q->head + i) % m->contract->pipe_depth], b);
    }
}

static void load_oracle_op(struct machine *m, int core, struct pipe_op *op, const uint8_t **in)
{
    for (int v = 0; v <= TILE_MAX_SRC; v++)
        op->version[v] = (uint32_t)unpack_u64(in);
    bool expects = unpack_u64(in);
    if (follows(m))
        op->node = (uint32_t)unpack_u64(in);
    if (!expects)
        return;
    size_t size = sizeof(uint32_t) * pipe_expected_units(m, core, op);
    op->expected = malloc(size + 1);
    if (!op->expected)
        abort();
    if (follows(m))
        memcpy(op->expected, course_expected(m->oracle, op->node), size);
}

static void load_pipes(struct machine *m, int core, const uint8_t **in)
{
    struct core *c = &m->cores[core];
    for (int pipe = 0; pipe < PIPE_COUNT; pipe++)
        pipe_queue_clear(m, &c->pipes[pipe]);
    for (uint64_t busy = unpack_u64(in); busy; busy &= busy - 1) {
        struct pipe_queue *q = &c->pipes[__builtin_ctzll(busy)];
        q->count = (int)unpack_u64(in);
        for (int i = 0; i < q->count; i++) {
            struct pipe_op *op = &q->ops[i];
            uint64_t insn = unpack_u64(in);
            *op = (struct pipe_op){.insn = (int32_t)(insn >> 1), .add = insn & 1};
            op->rows = (uint32_t)unpack_u64(in);
            op->cols = (uint32_t)unpack_u64(in);
            int rank = (int)unpack_u64(in);
            op->addr = gm_addr(rank, unpack_u64(in));
            op->scalar = unpack_i64(in);
            if (m->oracle)
                load_oracle_op(m, core, op, in);
        }
    }
}

/* Newest differs from done only where an older operation was performed late. */
static void store_tile_state(const struct tile_state *t, struct pack_buffer *b)
{
    pack_u64(b, t->issued);
    pack_u64(b, (uint64_t)t->done << 1 | (t->newest != t->done));
    pack_i64(b, t->writer);
    if (t->newest == t->done)
        return;
    pack_u64(b, t->newest);
    pack_i64(b, t->latest);
}

static void load_tile_state(struct tile_state *t, const uint8_t **in)
{
    t->issued = (uint32_t)unpack_u64(in);
    uint64_t done = unpack_u64(in);
    t->done = t->newest = (uint32_t)(done >> 1);
    t->writer = t->latest = (int32_t)unpack_i64(in);
    if (!(done & 1))
        return;
    t->newest = (uint32_t)unpack_u64(in);
    t->latest = (int32_t)unpack_i64(in);
}

static void store_core(const struct packer *p, const struct machine *m, int core,
                       struct pack_buffer *b)
{
    const struct core *c = &m->cores[core];
    uint64_t registers = live_registers(p->live, m, core);
    pack_u64(b, (uint64_t)c->pc << 3 | (uint64_t)c->adds << 2 | (uint64_t)c->poll_phase << 1 |
                    c->ended);
    if (m->dispatched)
        pack_u64(b, (uint64_t)c->dispatch);
    if (follows(m))
        pack_u64(b, m->oracle->cores[core].epoch);
    for (int r = 0; r < c->code->nregs; r++)
        pack_i64(b, r >= 64 || (registers >> r & 1) ? c->regs[r] : 0);
    for (int t = 0; t < c->code->ntiles; t++) {
        const struct tile *tile = &c->code->tiles[t];
        if (tile->view_of)
            continue;
        if (m->oracle)
            store_tile_state(&c->tile_state[t], b);
        pack_bytes(b, c->tiles + tile->offset,
                   (size_t)tile->rows * (size_t)tile->cols * (size_t)elem_size(tile->elem));
    }
    vec_foreach (const struct flag_use, f, &p->flags)
        pack_u64(b, c->flags[f->a][f->b][f->id]);
    store_pipes(m, c, b);
    store_cache(p, m, core, b);
}

static void load_core(const struct packer *p, struct machine *m, int core, const uint8_t **in)
{
    struct core *c = &m->cores[core];
    uint64_t head = unpack_u64(in);
    c->pc = (int)(head >> 3);
    c->adds = head >> 2 & 1;
    c->poll_phase = head >> 1 & 1;
    c->ended = head & 1;
    if (m->dispatched)
        c->dispatch = (int)unpack_u64(in);
    if (follows(m))
        m->oracle->cores[core].epoch = (uint32_t)unpack_u64(in);
    for (int r = 0; r < c->code->nregs; r++)
        c->regs[r] = unpack_i64(in);
    for (int t = 0; t < c->code->ntiles; t++) {
        const struct tile *tile = &c->code->tiles[t];
        if (tile->view_of)
            continue;
        if (m->oracle)
            load_tile_state(&c->tile_state[t], in);
        unpack_bytes(in, c->tiles + tile->offset,
                     (size_t)tile->rows * (size_t)tile->cols * (size_t)elem_size(tile->elem));
    }
    vec_foreach (const struct flag_use, f, &p->flags)
        c->flags[f->a][f->b][f->id] = (uint8_t)unpack_u64(in);
    load_pipes(m, core, in);
    load_cache(m, core, in);
}

/* ---- fabric ---- */

/* Findings tell a core's own words from those carried along, and so does the next partial DMA store
 * to the line where that reads, modifies and writes it whole. */
static bool own_matters(const struct machine *m, const struct message *msg)
{
    return m->oracle || (msg->masked && msg->path == PATH_DMA);
}

/* Of a masked message: those whose value matters. */
static uint64_t words_carried(const struct machine *m, const struct message *msg)
{
    return msg->mask & (msg->add ? ~(uint64_t)0 : writable_mask(m->writable, msg->addr));
}

static void store_message(const struct machine *m, const struct message *msg, struct pack_buffer *b)
{
    pack_u64(b, (uint64_t)msg->pipe << 5 | (uint64_t)msg->path << 4 | (uint64_t)msg->apart << 3 |
                    (uint64_t)msg->after_end << 2 | (uint64_t)msg->add << 1 | msg->masked);
    if (m->dispatched)
        pack_u64(b, (uint64_t)msg->ended);
    pack_u64(b, gm_offset(msg->addr));
    pack_u64(b, msg->len);
    pack_u64(b, msg->elem);
    if (own_matters(m, msg))
        pack_u64(b, msg->own);
    if (m->oracle) { /* who sent what, for its findings */
        pack_u64(b, (uint64_t)msg->insn);
        pack_u64(b, msg->epoch);
    }
    if (msg->masked) {
        pack_u64(b, msg->mask);
        /* A word that nothing writes has only one value that a write-back can carry. */
        store_words(b, msg->data, words_carried(m, msg));
    } else {
        pack_bytes(b, msg->data, msg->len);
    }
    if (!follows(m))
        return;
    if (msg->masked && msg->add)
        store_refs(m, b, msg->prov, msg->mask);
    else if (msg->masked)
        store_prov(m, b, msg->prov, words_carried(m, msg));
    else
        oracle_store_ref(m->oracle, msg->node, b);
}

static void load_message_refs(const struct machine *m, struct message *msg, const uint8_t **in)
{
    if (msg->masked && msg->add)
        load_refs(m, in, msg->prov, msg->mask);
    else if (msg->masked)
        load_prov(m, in, msg->prov, words_carried(m, msg));
    else
        msg->node = oracle_load_ref(m->oracle, in);
}

static void load_message(struct machine *m, int core, int rank, const uint8_t **in)
{
    uint64_t kind = unpack_u64(in);
    int32_t ended = m->dispatched ? (int32_t)unpack_u64(in) : 0;
    uint64_t addr = gm_addr(rank, unpack_u64(in));
    uint32_t len = (uint32_t)unpack_u64(in);
    struct message *msg = fabric_message(m, core, (enum path)(kind >> 4 & 1), addr, len);
    msg->pipe = (uint8_t)(kind >> 5);
    msg->ended = ended;
    msg->apart = kind >> 3 & 1;
    msg->after_end = kind >> 2 & 1;
    msg->add = kind >> 1 & 1;
    msg->masked = kind & 1;
    msg->elem = (uint8_t)unpack_u64(in);
    if (own_matters(m, msg))
        msg->own = unpack_u64(in);
    if (m->oracle) {
        msg->insn = (int32_t)unpack_u64(in);
        msg->epoch = (uint32_t)unpack_u64(in);
    }
    if (msg->masked) {
        msg->mask = unpack_u64(in);
        if (m->oracle && !msg->add)
            oracle_initial(m->oracle, gm_offset(addr), msg->len, msg->prov);
        memcpy(msg->data, m->program->gm_init[rank] + gm_offset(addr), msg->len);
        load_words(in, msg->data, words_carried(m, msg));
    } else {
        unpack_bytes(in, msg->data, msg->len);
    }
    if (follows(m))
        load_message_refs(m, msg, in);
    fabric_restore(m, msg);
}

static void store_messages(const struct machine *m, int core, struct pack_buffer *b)
{
    int order[m->nactive + 1], count = fabric_order_core(m, core, order);
    if (m->dispatched)
        pack_u64(b, (uint64_t)m->cores[core].reported);
    pack_u64(b, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        const struct message *msg = m->channels[order[i]].head;
        uint64_t n = 0;
        for (const struct message *x = msg; x; x = x->next)
            n++;
        pack_u64(b, (uint64_t)gm_rank(msg->addr));
        pack_u64(b, n);
        for (; msg; msg = msg->next)
            store_message(m, msg, b);
    }
}

static void load_messages(struct machine *m, int core, const uint8_t **in)
{
    fabric_clear(m, core);
    if (m->dispatched)
        m->cores[core].reported = (int)unpack_u64(in);
    for (uint64_t n = unpack_u64(in); n > 0; n--) {
        int rank = (int)unpack_u64(in);
        for (uint64_t k = unpack_u64(in); k > 0; k--)
            load_message(m, core, rank, in);
    }
}

/* ---- memory, and flags between cores, which others than their own core change ---- */

static void store_cross(const struct machine *m, struct pack_buffer *b)
{
    for (int c = 0; m->cross && c < m->program->ncores; c++)
        for (uint32_t ids = m->cross; ids; ids &= ids - 1) {
            const struct cross_flag *f = &m->cores[c].cross[__builtin_ctz(ids)];
            pack_u64(b, f->up);
            for (int mode = 0; mode < CROSS_MODES; mode++)
                pack_u64(b, f->sent[mode]);
            if (!follows(m))
                continue;
            oracle_store_ref(m->oracle, f->node, b);
            for (int mode = 0; mode < CROSS_MODES; mode++)
                oracle_store_ref(m->oracle, f->sent_node[mode], b);
        }
}

static void load_cross(struct machine *m, const uint8_t **in)
{
    for (int c = 0; m->cross && c < m->program->ncores; c++)
        for (uint32_t ids = m->cross; ids; ids &= ids - 1) {
            struct cross_flag *f = &m->cores[c].cross[__builtin_ctz(ids)];
            *f = (struct cross_flag){.up = (uint8_t)unpack_u64(in)};
            for (int mode = 0; mode < CROSS_MODES; mode++)
                f->sent[mode] = (uint8_t)unpack_u64(in);
            if (!follows(m))
                continue;
            f->node = oracle_load_ref(m->oracle, in);
            for (int mode = 0; mode < CROSS_MODES; mode++)
                f->sent_node[mode] = oracle_load_ref(m->oracle, in);
        }
}

static void store_memory(const struct packer *p, const struct machine *m, int rank,
                         struct pack_buffer *b)
{
    vec_foreach (const uint64_t, addr, &p->words[rank]) {
        store_words(b, gm_at(m, *addr), 1);
        if (follows(m))
            store_prov(m, b, prov_at(m, *addr), 1);
    }
}

static void load_memory(const struct packer *p, struct machine *m, int rank, const uint8_t **in)
{
    vec_foreach (const uint64_t, addr, &p->words[rank]) {
        load_words(in, gm_write(m, *addr, WORD), 1);
        if (follows(m))
            load_prov(m, in, prov_at(m, *addr), 1);
    }
}

/*
 * ---- the whole ----
 *
 * Each part is preceded by its length: core 0, its messages, core 1, its messages, and so on; then
 * the memory of rank 0, of rank 1, and so on; flags between cores; and what the oracle knows.
 */

enum { PARTS_TOLD_APART = 64, EVERY_PART = -1 };

static int memory_part(const struct machine *m, int rank)
{
    return 2 * m->program->ncores + rank;
}

static int cross_part(const struct machine *m)
{
    return memory_part(m, m->program->nranks);
}

static int part_count(const struct machine *m)
{
    return cross_part(m) + 1 + (m->oracle && !follows(m));
}

static uint64_t part_bit(int part)
{
    return part < PARTS_TOLD_APART ? (uint64_t)1 << part : 0;
}

static bool has_part(uint64_t parts, int part)
{
    return part >= PARTS_TOLD_APART || (parts >> part & 1);
}

void pack_step(struct packer *p, const struct machine *m, struct transition t)
{
    uint64_t parts = part_bit(2 * t.core + 1);
    if (t.kind != T_DELIVER)
        parts |= part_bit(2 * t.core);
    else
        parts |= part_bit(memory_part(m, fabric_channel_rank(m, t.index)));
    if (m->cross)
        parts |= part_bit(cross_part(m));
    /* Where memory is coherent a store acts on it at once. The oracle learns of every step, and marks
     * what is everywhere. */
    if (m->contract->coherent || (m->oracle && !follows(m)))
        parts = (uint64_t)EVERY_PART;
    p->touched |= parts;
    p->moved |= parts;
}

static void store_part(const struct packer *p, const struct machine *m, int part,
                       struct pack_buffer *b)
{
    int memory = memory_part(m, 0), cross = cross_part(m);
    if (part > cross)
        oracle_pack(m->oracle, m, m->writable->words.items, m->writable->words.len, b);
    else if (part == cross)
        store_cross(m, b);
    else if (part >= memory)
        store_memory(p, m, part - memory, b);
    else if (part % 2)
        store_messages(m, part / 2, b);
    else
        store_core(p, m, part / 2, b);
}

static void load_part(const struct packer *p, struct machine *m, int part, const uint8_t *in)
{
    int memory = memory_part(m, 0), cross = cross_part(m);
    if (part > cross)
        oracle_unpack(m->oracle, m, m->writable->words.items, m->writable->words.len, &in);
    else if (part == cross)
        load_cross(m, &in);
    else if (part >= memory)
        load_memory(p, m, part - memory, &in);
    else if (part % 2)
        load_messages(m, part / 2, &in);
    else
        load_core(p, m, part / 2, &in);
}

static size_t part_size(const uint8_t *data)
{
    uint32_t n;
    memcpy(&n, data, sizeof n);
    return sizeof n + n;
}

static void store_changed(const struct packer *p, const struct machine *m, int part,
                          struct pack_buffer *b)
{
    size_t start = b->len;
    uint32_t length = 0;
    pack_bytes(b, &length, sizeof length);
    store_part(p, m, part, b);
    length = (uint32_t)(b->len - start - sizeof length);
    memcpy(b->data + start, &length, sizeof length);
}

const struct pack_buffer *pack_store(struct packer *p, const struct machine *m)
{
    struct pack_buffer *b = &p->stored[p->now == &p->stored[0]];
    const uint8_t *old = p->now ? p->now->data : NULL;
    b->len = 0;
    for (int part = 0, n = part_count(m); part < n; part++) {
        size_t size = old ? part_size(old) : 0;
        if (old && !has_part(p->touched, part))
            pack_bytes(b, old, size);
        else
            store_changed(p, m, part, b);
        old = old ? old + size : NULL;
    }
    p->touched = 0;
    p->now = b;
    return b;
}

/* What was found on the way is no part of a state. */
static void settle_stop(struct machine *m)
{
    m->stop = cross_overflown(m) ? STOP_FAULT : STOP_NONE;
    if (follows(m))
        oracle_forget_findings(m->oracle);
}

static void set_loaded(struct packer *p)
{
    p->now = &p->loaded;
    p->touched = p->moved = 0;
}

void pack_load(struct packer *p, struct machine *m, const uint8_t *data)
{
    const uint8_t *old = p->now ? p->now->data : NULL, *in = data;
    /* A step in which a line leaves on its own names the line's slot. Lines loaded anew are in
     * slots that the state alone decides. */
    uint64_t touched =
        m->contract->eviction == EVICTION_SPONTANEOUS ? p->touched | p->moved : p->touched;
    if (m->oracle && !follows(m)) /* its part refers to what the others hold */
        touched = (uint64_t)EVERY_PART;
    for (int part = 0, n = part_count(m); part < n; part++) {
        size_t size = part_size(in);
        /* The lengths come first: equal ones make the rest safe to compare. */
        if (!old || has_part(touched, part) || part_size(old) != size || memcmp(old, in, size))
            load_part(p, m, part, in + sizeof(uint32_t));
        old = old ? old + part_size(old) : NULL;
        in += size;
    }
    settle_stop(m);
    p->loaded.len = 0;
    pack_bytes(&p->loaded, data, (size_t)(in - data));
    set_loaded(p);
}

void pack_back(struct packer *p, struct machine *m)
{
    const uint8_t *in = p->loaded.data;
    for (int part = 0, n = part_count(m); part < n && p->moved; part++) {
        if (has_part(p->moved, part))
            load_part(p, m, part, in + sizeof(uint32_t));
        in += part_size(in);
    }
    settle_stop(m);
    set_loaded(p);
}
