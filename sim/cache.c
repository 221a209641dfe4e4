/* SPDX-License-Identifier: MIT */
/*
 * The data cache: write-back, write-allocate, no coherence (hw-facts 2). dcci is clean and
 * invalidate (hw-facts 0.1); a line that goes back whole carries its neighbours' old words along
 * (hw-facts 0.2).
 */
#include <stdlib.h>
#include <string.h>

#include "sim/internal.h"

static int set_of(const struct machine *m, const struct cache *c, uint64_t line)
{
    /* Peers map the same offset at different physical places: spread them over the sets. */
    uint64_t number = gm_offset(line) / (uint64_t)m->contract->line + (uint64_t)gm_rank(line) * 37;
    return (int)(number % (uint64_t)c->sets);
}

int cache_find(const struct machine *m, int core, uint64_t addr)
{
    const struct cache *c = &m->cores[core].cache;
    uint64_t line = line_of(m, addr);
    int first = set_of(m, c, line) * m->contract->ways;
    for (int slot = first; slot < first + m->contract->ways; slot++)
        if (c->tags[slot] == line + 1)
            return slot;
    return NO_SLOT;
}

static void drop(struct cache *c, int slot)
{
    struct cache_line *l = &c->lines[slot];
    int last = c->valid[--c->nvalid];
    c->valid[l->place] = last;
    c->lines[last].place = l->place;
    *l = (struct cache_line){.place = NO_SLOT};
    c->tags[slot] = 0;
}

/* ---- lines that the invalidate behind a wait has dropped ---- */

static void forget_flushed(struct cache *c)
{
    if (c->nflushed)
        memset(c->flushed, 0, sizeof *c->flushed * (size_t)c->slots);
    c->nflushed = 0;
}

/* The slot that such a line had, or NO_SLOT. */
static int find_flushed(const struct machine *m, const struct cache *c, uint64_t line)
{
    int first = set_of(m, c, line) * m->contract->ways;
    for (int slot = first; c->nflushed && slot < first + m->contract->ways; slot++)
        if (c->flushed[slot] == line + 1)
            return slot;
    return NO_SLOT;
}

bool cache_take_flushed(struct machine *m, int core, uint64_t addr)
{
    struct cache *c = &m->cores[core].cache;
    int slot = find_flushed(m, c, line_of(m, addr));
    if (slot == NO_SLOT)
        return false;
    c->flushed[slot] = 0;
    c->nflushed--;
    return true;
}

/* An exploration never asks for it. */
static void note_flushed(struct machine *m, struct cache *c, int slot)
{
    if (!m->opt.sampled)
        return;
    c->nflushed += !c->flushed[slot];
    c->flushed[slot] = c->lines[slot].tag + 1;
}

void cache_reset(struct machine *m, struct cache *c)
{
    (void)m;
    while (c->nvalid)
        drop(c, c->valid[c->nvalid - 1]);
    c->clock = 0;
    forget_flushed(c);
}

void cache_order(const struct cache *c, int *out)
{
    for (int i = 0; i < c->nvalid; i++) { /* insertion sort: these lists are short */
        int slot = c->valid[i], at = i;
        for (; at > 0 && c->lines[out[at - 1]].tag > c->lines[slot].tag; at--)
            out[at] = out[at - 1];
        out[at] = slot;
    }
}

int cache_allocate(struct machine *m, int core, uint64_t line)
{
    struct cache *c = &m->cores[core].cache;
    int first = set_of(m, c, line) * m->contract->ways, victim = first;
    for (int slot = first; slot < first + m->contract->ways; slot++) {
        if (!c->tags[slot]) {
            victim = slot;
            break;
        }
        if (c->lines[slot].used < c->lines[victim].used)
            victim = slot;
    }
    if (c->lines[victim].place != NO_SLOT) {
        m->stats[core].evictions++;
        cache_clean_drop(m, core, victim);
    }
    c->lines[victim] = (struct cache_line){.tag = line, .place = c->nvalid, .used = ++c->clock};
    c->tags[victim] = line + 1;
    c->valid[c->nvalid++] = victim;
    memset(c->deltas + (size_t)victim * (size_t)m->words, 0, sizeof(int32_t) * (size_t)m->words);
    return victim;
}

bool cache_fill_allowed(const struct machine *m, int core, uint64_t addr)
{
    if (m->contract->broken & BROKEN_FILL_IGNORES_IN_FLIGHT)
        return true;
    const struct core *k = &m->cores[core];
    if (k->in_flight[PATH_SCALAR][0] + k->in_flight[PATH_SCALAR][1] == 0)
        return true;
    uint64_t line = line_of(m, addr);
    for (const struct message *msg = k->newest; msg; msg = msg->older)
        if (msg->path == PATH_SCALAR && !msg->ended && line_of(m, msg->addr) == line)
            return false;
    return true;
}

static uint64_t all_words(const struct machine *m)
{
    return ~(uint64_t)0 >> (64 - m->words);
}

bool cache_holds(const struct machine *m, int core, uint64_t addr, int size)
{
    int slot = cache_find(m, core, addr);
    if (slot == NO_SLOT)
        return false;
    uint64_t first = (addr - line_of(m, addr)) / WORD,
             last = (addr - line_of(m, addr) + (uint64_t)size - 1) / WORD;
    uint64_t words = (~(uint64_t)0 >> (63 - last)) & ~(uint64_t)0 << first;
    return (m->cores[core].cache.lines[slot].valid & words) == words;
}

int cache_fill(struct machine *m, int core, uint64_t addr)
{
    struct cache *c = &m->cores[core].cache;
    uint64_t line = line_of(m, addr);
    int slot = cache_find(m, core, addr);
    if (slot == NO_SLOT)
        slot = cache_allocate(m, core, line);
    struct cache_line *l = &c->lines[slot];
    l->used = ++c->clock;
    l->filled = m->oracle ? oracle_epoch(m->oracle, core) : 0;
    int per_word = WORD / m->grain;
    if (!l->valid) {
        memcpy(slot_data(m, c, slot), gm_at(m, line), (size_t)m->contract->line);
        if (m->oracle)
            prov_read(m, line, (uint64_t)m->units, slot_prov(m, c, slot));
        l->valid = all_words(m);
        return slot;
    }
    for (uint64_t missing = all_words(m) & ~l->valid; missing; missing &= missing - 1) {
        int w = __builtin_ctzll(missing);
        uint64_t at = line + (uint64_t)w * WORD;
        memcpy(slot_data(m, c, slot) + w * WORD, gm_at(m, at), WORD);
        if (m->oracle)
            prov_read(m, at, (uint64_t)per_word, slot_prov(m, c, slot) + w * per_word);
    }
    l->valid = all_words(m);
    return slot;
}

/* Posts the deltas of the words that are asked for. */
static void post_deltas(struct machine *m, int core, int slot, uint64_t words)
{
    struct cache *c = &m->cores[core].cache;
    struct cache_line *l = &c->lines[slot];
    size_t line = (size_t)m->contract->line;
    if (!(l->delta & words))
        return;
    struct message *msg = fabric_message(m, core, PATH_SCALAR, l->tag, (uint32_t)line);
    msg->add = msg->masked = true;
    msg->elem = ELEM_I32;
    msg->mask = msg->own = l->delta & words;
    memcpy(msg->data, c->deltas + (size_t)slot * (size_t)m->words, line);
    if (m->oracle)
        memcpy(msg->prov, c->delta_prov + (size_t)slot * (size_t)m->words,
               sizeof(uint32_t) * (size_t)m->words);
    fabric_post(m, msg);
}

/* Posts what is dirty among those words: by contract the dirty words, or all of the words that hold
 * data. */
static void post_line(struct machine *m, int core, int slot, uint64_t words)
{
    struct cache *c = &m->cores[core].cache;
    struct cache_line *l = &c->lines[slot];
    bool whole = m->contract->writeback == WRITEBACK_LINE &&
                 !(m->contract->broken & BROKEN_WRITEBACK_MASKED);
    if (!(l->dirty & words))
        return;
    struct message *msg = fabric_message(m, core, PATH_SCALAR, l->tag, (uint32_t)m->contract->line);
    msg->masked = true;
    msg->own = l->dirty & words;
    msg->mask = whole ? l->valid & words : msg->own;
    memcpy(msg->data, slot_data(m, c, slot), (size_t)m->contract->line);
    if (m->oracle)
        memcpy(msg->prov, slot_prov(m, c, slot), sizeof(uint32_t) * (size_t)m->units);
    fabric_post(m, msg);
}

static void write_back(struct machine *m, int core, int slot, uint64_t words)
{
    post_deltas(m, core, slot, words);
    post_line(m, core, slot, words);
}

/* What dcci does first; a self-test's broken rule makes it a mere invalidate. */
static void dcci_clean(struct machine *m, int core, int slot, uint64_t words)
{
    if (!(m->contract->broken & BROKEN_DCCI_INVALIDATE_ONLY))
        write_back(m, core, slot, words);
}

static void discard(struct machine *m, int core, int slot)
{
    struct cache *c = &m->cores[core].cache;
    m->stats[core].lines_dropped++;
    m->stats[core].lines_written += c->lines[slot].dirty || c->lines[slot].delta;
    drop(c, slot);
}

void cache_clean_drop(struct machine *m, int core, int slot)
{
    write_back(m, core, slot, ~(uint64_t)0);
    discard(m, core, slot);
}

static void dcci_line(struct machine *m, int core, int slot, bool acquires)
{
    dcci_clean(m, core, slot, ~(uint64_t)0);
    if (acquires)
        note_flushed(m, &m->cores[core].cache, slot);
    discard(m, core, slot);
}

/* Under tail_only, the bytes of the line before addr are not handled (hw-facts 1.5): they stay as
 * they are. */
static void dcci_tail(struct machine *m, int core, int slot, uint64_t addr)
{
    struct cache *c = &m->cores[core].cache;
    struct cache_line *l = &c->lines[slot];
    uint64_t tail = ~(uint64_t)0 << (addr - l->tag) / WORD;
    m->stats[core].lines_written += ((l->dirty | l->delta) & tail) != 0;
    dcci_clean(m, core, slot, tail);
    for (uint64_t gone = l->delta & tail; gone; gone &= gone - 1)
        c->deltas[(size_t)slot * (size_t)m->words + (size_t)__builtin_ctzll(gone)] = 0;
    l->dirty &= ~tail;
    l->delta &= ~tail;
    l->valid &= ~tail;
    if (!l->valid && !l->delta)
        drop(c, slot);
}

void cache_dcci(struct machine *m, int core, uint64_t addr, bool acquires)
{
    if (m->contract->broken & BROKEN_DCCI_NOTHING)
        return;
    if (!acquires)
        cache_take_flushed(m, core, addr);
    int slot = cache_find(m, core, addr);
    if (slot == NO_SLOT)
        return;
    if (m->contract->dcci_unaligned == DCCI_TAIL_ONLY && addr != line_of(m, addr))
        dcci_tail(m, core, slot, addr);
    else
        dcci_line(m, core, slot, acquires);
}

struct tagged {
    uint64_t tag;
    int slot;
};

static int by_tag(const void *x, const void *y)
{
    const struct tagged *a = x, *b = y;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

void cache_dcci_all(struct machine *m, int core, bool acquires)
{
    struct cache *c = &m->cores[core].cache;
    if (m->contract->broken & BROKEN_DCCI_NOTHING)
        return;
    if (!acquires)
        forget_flushed(c);
    /* Only lines that go back have an order to keep: drop the others at once. */
    struct tagged dirty[c->nvalid + 1];
    int n = 0;
    for (int i = c->nvalid - 1; i >= 0; i--) {
        int slot = c->valid[i];
        const struct cache_line *l = &c->lines[slot];
        if (l->dirty || l->delta)
            dirty[n++] = (struct tagged){l->tag, slot};
        else
            dcci_line(m, core, slot, acquires);
    }
    qsort(dirty, (size_t)n, sizeof *dirty, by_tag);
    for (int i = 0; i < n; i++)
        dcci_line(m, core, dirty[i].slot, acquires);
}
