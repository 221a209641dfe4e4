/* SPDX-License-Identifier: MIT */
/*
 * The fabric: posted messages that are not yet applied. A channel is a queue of messages that stay
 * in order; which messages share one is the contract's choice (hw-facts 8.4).
 */
#include <stdlib.h>
#include <string.h>

#include "sim/internal.h"

bool fabric_per_line(const struct machine *m, enum path path)
{
    return m->contract->fabric == FABRIC_UNORDERED ||
           (path == PATH_DMA && m->contract->dma_chunk_order == CHUNKS_ANY);
}

int lines_per_rank(const struct machine *m)
{
    return (int)((m->program->gm_bytes + (uint64_t)m->contract->line - 1) /
                 (uint64_t)m->contract->line);
}

/* The paths of memory, and that of registers where the contract has one. */
static int lanes(const struct machine *m)
{
    const struct contract *k = m->contract;
    return PATH_COUNT + (k->st_dev == ST_DEV_REGISTER || k->completion == COMPLETION_MEMORY);
}

/* Channels of one core: an ordered one per destination and path, then one per path and line where
 * those are unordered. */
static int channels_per_core(const struct machine *m)
{
    int lines = fabric_per_line(m, PATH_DMA) ? lines_per_rank(m) : 0;
    return m->program->nranks * lanes(m) * (1 + lines);
}

int fabric_channel_count(const struct machine *m)
{
    return channels_per_core(m) * m->program->ncores;
}

bool machine_fits(const struct program *p, const struct contract *k)
{
    const struct machine m = {.program = p, .contract = k};
    uint64_t lines = fabric_per_line(&m, PATH_DMA) ? p->gm_bytes / (uint64_t)k->line + 1 : 0;
    return (uint64_t)p->nranks * (uint64_t)p->ncores * (uint64_t)lanes(&m) * (1 + lines) <=
           MACHINE_CHANNELS;
}

static int channel_of(const struct machine *m, const struct message *msg)
{
    int base = msg->core * channels_per_core(m), rank = gm_rank(msg->addr);
    int lane = msg->apart ? PATH_COUNT : msg->path, fabric = m->contract->fabric;
    bool per_line = msg->apart ? fabric == FABRIC_UNORDERED : fabric_per_line(m, msg->path);
    if (per_line && !msg->ended) {
        int line = (int)(gm_offset(msg->addr) / (uint64_t)m->contract->line);
        return base + m->program->nranks * lanes(m) +
               (lane * m->program->nranks + rank) * lines_per_rank(m) + line;
    }
    if (fabric == FABRIC_PER_PAIR && !msg->apart)
        lane = 0;
    return base + rank * lanes(m) + lane;
}

int fabric_channel_rank(const struct machine *m, int channel)
{
    int nranks = m->program->nranks, of_core = channel % m->core_channels;
    int apart = of_core - nranks * lanes(m); /* those of a path and line come behind */
    return apart < 0 ? of_core / lanes(m) : apart / lines_per_rank(m) % nranks;
}

struct message *fabric_message(struct machine *m, int core, enum path path, uint64_t addr,
                               uint32_t len)
{
    struct message *msg = m->free_messages;
    if (msg) {
        m->free_messages = msg->next;
        uint8_t *data = msg->data;
        uint32_t *prov = msg->prov;
        *msg = (struct message){.data = data, .prov = prov};
    } else {
        msg = arena_new(&m->arena, struct message);
        int room = m->chunk > m->contract->line ? m->chunk : m->contract->line;
        msg->data = arena_alloc(&m->arena, (size_t)room);
        msg->prov = arena_array(&m->arena, uint32_t, (size_t)m->units);
    }
    msg->core = core;
    msg->path = (uint8_t)path;
    msg->addr = addr;
    msg->len = len;
    msg->insn = m->acting;
    msg->epoch = m->oracle ? oracle_epoch(m->oracle, core) : 0;
    return msg;
}

static void apply_masked_add(struct machine *m, struct message *msg)
{
    for (int w = 0; w < m->words; w++) {
        if (!(msg->mask >> w & 1))
            continue;
        uint64_t addr = msg->addr + (uint64_t)w * WORD;
        int32_t delta;
        memcpy(&delta, msg->data + w * WORD, WORD);
        elem_add(gm_write(m, addr, WORD), ELEM_I32, delta);
        for (int u = 0; m->oracle && u < WORD / m->grain; u++) {
            uint32_t *p = prov_at(m, addr) + u;
            oracle_applied_add(m->oracle, m, msg, addr, 1, *p, msg->prov[w]);
            *p = oracle_sum(m->oracle, *p, msg->prov[w]);
        }
    }
}

static void apply_masked_write(struct machine *m, struct message *msg)
{
    for (int w = 0; w < m->words; w++) {
        if (!(msg->mask >> w & 1))
            continue;
        uint64_t addr = msg->addr + (uint64_t)w * WORD;
        memcpy(gm_write(m, addr, WORD), msg->data + w * WORD, WORD);
        int per_word = WORD / m->grain;
        for (int u = 0; m->oracle && u < per_word; u++) {
            uint32_t *p = prov_at(m, addr) + u, fresh = msg->prov[w * per_word + u];
            if (*p != fresh)
                oracle_applied(m->oracle, m, msg, addr + (uint64_t)(u * m->grain), 1, *p, fresh,
                               !(msg->own >> w & 1));
            *p = fresh;
        }
    }
}

static void apply_run(struct machine *m, struct message *msg)
{
    uint8_t *to = gm_write(m, msg->addr, msg->len);
    int size = elem_size((enum elem)msg->elem);
    if (msg->add) {
        for (uint32_t at = 0; at < msg->len; at += (uint32_t)size)
            elem_add(to + at, (enum elem)msg->elem,
                     elem_load(msg->data + at, (enum elem)msg->elem));
    } else {
        memcpy(to, msg->data, msg->len);
    }
    if (!m->oracle)
        return;
    struct node_map *prov = &m->prov[gm_rank(msg->addr)];
    uint64_t first = gm_unit(m, msg->addr), of = (uint64_t)m->grain, n = (msg->len + of - 1) / of;
    for (uint64_t u = 0, units; u < n; u += units) {
        uint32_t old = node_map_get(prov, first + u), fresh = msg->node;
        units = node_map_run(prov, first + u, n - u);
        if (msg->add) {
            oracle_applied_add(m->oracle, m, msg, msg->addr + u * of, units, old, fresh);
            fresh = oracle_sum(m->oracle, old, fresh);
        } else if (old != fresh) {
            oracle_applied(m->oracle, m, msg, msg->addr + u * of, units, old, fresh, false);
        }
        node_map_set(prov, first + u, units, fresh);
    }
}

static void apply(struct machine *m, struct message *msg)
{
    m->applied = gm_rank(msg->addr);
    if (msg->ended)
        m->cores[msg->core].reported = msg->ended;
    else if (!msg->masked)
        apply_run(m, msg);
    else if (msg->add)
        apply_masked_add(m, msg);
    else
        apply_masked_write(m, msg);
}

static void release_message(struct machine *m, struct message *msg)
{
    msg->next = m->free_messages;
    m->free_messages = msg;
}

static bool to_other_rank(const struct machine *m, const struct message *msg)
{
    return gm_rank(msg->addr) != m->cores[msg->core].rank;
}

static void activate(struct machine *m, int channel)
{
    m->channels[channel].active = m->nactive;
    m->active[m->nactive++] = channel;
}

static void deactivate(struct machine *m, int channel)
{
    int place = m->channels[channel].active, last = m->active[--m->nactive];
    m->active[place] = last;
    m->channels[last].active = place;
    m->channels[channel].active = NO_SLOT;
}

/* Puts msg into its channel, behind the others or (a self-test's broken rule) in front of them. */
static void enqueue(struct machine *m, struct message *msg, bool in_front)
{
    struct channel *ch = &m->channels[msg->channel];
    if (!ch->head)
        activate(m, msg->channel);
    if (in_front) {
        msg->next = ch->head;
        ch->head = msg;
        ch->tail = ch->tail ? ch->tail : msg;
        return;
    }
    if (ch->head)
        ch->tail->next = msg;
    else
        ch->head = msg;
    ch->tail = msg;
}

static void send(struct machine *m, struct message *msg, bool in_front)
{
    struct core *c = &m->cores[msg->core];
    msg->channel = channel_of(m, msg);
    enqueue(m, msg, in_front);
    msg->older = c->newest;
    if (c->newest)
        c->newest->newer = msg;
    c->newest = msg;
    c->in_flight[msg->path][to_other_rank(m, msg)]++;
}

void fabric_post(struct machine *m, struct message *msg)
{
    m->stats[msg->core].messages++;
    if (m->contract->coherent) {
        apply(m, msg);
        release_message(m, msg);
        return;
    }
    msg->after_end = m->after_end;
    send(m, msg, m->contract->broken & BROKEN_CHANNEL_ORDER);
}

/* The report has a line of its own: where only the order of lines is kept, it goes apart. */
void fabric_report_end(struct machine *m, int core)
{
    struct core *c = &m->cores[core];
    struct message *msg = fabric_message(m, core, PATH_SCALAR, gm_addr(c->rank, 0), 0);
    msg->ended = c->dispatch;
    msg->apart = m->contract->fabric == FABRIC_UNORDERED;
    fabric_post(m, msg);
}

void fabric_restore(struct machine *m, struct message *msg)
{
    send(m, msg, false);
}

void fabric_deliver(struct machine *m, int channel)
{
    struct channel *ch = &m->channels[channel];
    struct message *msg = ch->head;
    ch->head = msg->next;
    if (!ch->head) {
        ch->tail = NULL;
        deactivate(m, channel);
    }
    struct core *c = &m->cores[msg->core];
    if (msg->newer)
        msg->newer->older = msg->older;
    else
        c->newest = msg->older;
    if (msg->older)
        msg->older->newer = msg->newer;
    c->in_flight[msg->path][to_other_rank(m, msg)]--;
    apply(m, msg);
    release_message(m, msg);
}

/* Sorts them in as they come: these lists are short. */
static int order_between(const struct machine *m, int from, int to, int *out)
{
    int n = 0;
    for (int i = 0; i < m->nactive; i++) {
        if (m->active[i] < from || m->active[i] >= to)
            continue;
        int at = n++;
        for (; at > 0 && out[at - 1] > m->active[i]; at--)
            out[at] = out[at - 1];
        out[at] = m->active[i];
    }
    return n;
}

int fabric_order_core(const struct machine *m, int core, int *out)
{
    return order_between(m, core * m->core_channels, (core + 1) * m->core_channels, out);
}

void fabric_order(const struct machine *m, int *out)
{
    order_between(m, 0, m->nchannels, out);
}

bool fabric_only_after_end(const struct machine *m)
{
    for (int i = 0; i < m->nactive; i++)
        for (const struct message *msg = m->channels[m->active[i]].head; msg; msg = msg->next)
            if (!msg->after_end)
                return false;
    return true;
}

void fabric_clear(struct machine *m, int core)
{
    for (int i = m->nactive - 1; i >= 0; i--) {
        int channel = m->active[i];
        struct channel *ch = &m->channels[channel];
        if (ch->head->core != core)
            continue;
        for (struct message *msg = ch->head, *next; msg; msg = next) {
            next = msg->next;
            release_message(m, msg);
        }
        ch->head = ch->tail = NULL;
        deactivate(m, channel);
    }
    m->cores[core].newest = NULL;
    memset(m->cores[core].in_flight, 0, sizeof m->cores[core].in_flight);
}
