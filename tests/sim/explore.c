/* SPDX-License-Identifier: MIT */
/* Every schedule of a small program, by replaying choices from the initial state. */
#include <stdlib.h>
#include <xxhash.h>

#include "base/strbuf.h"
#include "tests/sim/rig.h"

enum { MAX_DEPTH = 512, MAX_CHOICES = 256, SEEN_SLOTS = 1 << 20 };

struct choice {
    int taken, of;
};

struct search {
    struct rig *rig;
    bool prune;
    struct choice path[MAX_DEPTH];
    int len;
    uint64_t *seen; /* open addressing; 0: empty */
    size_t nseen;
    bool full;
};

/* ---- the state as bytes ---- */

static void add_bytes(struct strbuf *b, const void *data, size_t n)
{
    strbuf_addn(b, data, n);
}

static void add_line(struct strbuf *b, const struct machine *m, const struct cache *c, int slot)
{
    const struct cache_line *l = &c->lines[slot];
    add_bytes(b, &l->tag, sizeof l->tag);
    add_bytes(b, &l->dirty, sizeof l->dirty);
    add_bytes(b, &l->delta, sizeof l->delta);
    add_bytes(b, &l->valid, sizeof l->valid);
    if (l->valid)
        add_bytes(b, c->data + (size_t)slot * (size_t)m->contract->line, (size_t)m->contract->line);
    add_bytes(b, c->deltas + (size_t)slot * (size_t)m->words, sizeof(int32_t) * (size_t)m->words);
}

/* Lines in the order of their addresses: where one sits does not matter while no set is full. */
static void add_cache(struct strbuf *b, const struct machine *m, const struct cache *c)
{
    uint64_t last = 0;
    for (int n = 0; n < c->nvalid; n++) {
        int best = NO_SLOT;
        for (int i = 0; i < c->nvalid; i++) {
            uint64_t tag = c->lines[c->valid[i]].tag;
            if ((n == 0 || tag > last) && (best == NO_SLOT || tag < c->lines[best].tag))
                best = c->valid[i];
        }
        last = c->lines[best].tag;
        add_line(b, m, c, best);
    }
}

static void add_pipes(struct strbuf *b, const struct machine *m, const struct core *c)
{
    for (int p = 0; p < PIPE_COUNT; p++) {
        const struct pipe_queue *q = &c->pipes[p];
        add_bytes(b, &q->count, sizeof q->count);
        for (int i = 0; i < q->count; i++) {
            const struct pipe_op *op = &q->ops[(q->head + i) % m->contract->pipe_depth];
            add_bytes(b, &op->insn, sizeof op->insn);
            add_bytes(b, &op->addr, sizeof op->addr);
            add_bytes(b, &op->add, sizeof op->add);
        }
    }
}

static void add_core(struct strbuf *b, const struct machine *m, int core)
{
    const struct core *c = &m->cores[core];
    add_bytes(b, &c->pc, sizeof c->pc);
    add_bytes(b, &c->poll_phase, sizeof c->poll_phase);
    add_bytes(b, &c->adds, sizeof c->adds);
    add_bytes(b, c->regs, sizeof *c->regs * (size_t)c->code->nregs);
    add_bytes(b, c->tiles, (size_t)c->code->tile_bytes);
    add_bytes(b, c->flags, sizeof c->flags);
    for (int id = 0; id < MAX_CROSS_IDS; id++) {
        add_bytes(b, &c->cross[id].up, sizeof c->cross[id].up);
        add_bytes(b, c->cross[id].sent, sizeof c->cross[id].sent);
    }
    add_cache(b, m, &c->cache);
    add_pipes(b, m, c);
}

static void add_fabric(struct strbuf *b, const struct machine *m)
{
    for (int ch = 0; ch < m->nchannels; ch++)
        for (const struct message *msg = m->channels[ch].head; msg; msg = msg->next) {
            add_bytes(b, &ch, sizeof ch);
            add_bytes(b, &msg->addr, sizeof msg->addr);
            add_bytes(b, &msg->len, sizeof msg->len);
            add_bytes(b, &msg->add, sizeof msg->add);
            add_bytes(b, &msg->pipe, sizeof msg->pipe);
            add_bytes(b, &msg->mask, sizeof msg->mask);
            add_bytes(b, msg->data, msg->len);
        }
}

static uint64_t state_hash(const struct machine *m, bool ended)
{
    struct arena a = {0};
    struct strbuf b = strbuf_make(&a);
    add_bytes(&b, &ended, sizeof ended);
    for (int c = 0; c < m->program->ncores; c++)
        add_core(&b, m, c);
    add_fabric(&b, m);
    for (int r = 0; r < m->program->nranks; r++)
        add_bytes(&b, m->gm[r], m->program->gm_bytes);
    uint64_t h = XXH3_64bits(b.text, b.len);
    arena_free(&a);
    return h ? h : 1;
}

/* False when the state was seen before. */
static bool first_visit(struct search *s, bool ended)
{
    uint64_t h = state_hash(s->rig->machine, ended);
    size_t at = h % SEEN_SLOTS;
    for (; s->seen[at]; at = (at + 1) % SEEN_SLOTS)
        if (s->seen[at] == h)
            return false;
    s->seen[at] = h;
    s->full |= ++s->nseen > SEEN_SLOTS / 2;
    return true;
}

/* ---- choices ---- */

/*
 * A step that commutes with everything that others can do, and that nothing can disable: it need
 * not be tried later as well. With empty pipes the core itself has no other transition that could
 * interfere. A core's last step may end the run, which ends evictions.
 */
static bool commutes(const struct machine *m, struct transition t)
{
    const struct insn *i = t.kind == T_SCALAR ? machine_at(m, t.core) : NULL;
    if (!i || (i->op != I_DSB && i->op != I_BARRIER && i->op != I_TILE_ST && i->op != I_TILE_LD))
        return false;
    if (i[1].op == I_END)
        return false;
    for (int p = 0; p < PIPE_COUNT; p++)
        if (m->cores[t.core].pipes[p].count)
            return false;
    return true;
}

static bool writes_back(const struct machine *m, struct transition t)
{
    const struct cache_line *l = &m->cores[t.core].cache.lines[t.index];
    return t.kind == T_EVICT && (l->dirty || l->delta);
}

static int choices(const struct machine *m, struct transition *t)
{
    int n = machine_enabled(m, t, MAX_CHOICES);
    bool progress = false;
    for (int i = 0; i < n; i++) {
        progress |= (t[i].kind != T_EVICT && t[i].kind != T_PREFETCH) || writes_back(m, t[i]);
        if (commutes(m, t[i])) {
            t[0] = t[i];
            return 1;
        }
    }
    return progress ? n : 0;
}

bool rig_stuck(const struct rig *r)
{
    struct transition t[MAX_CHOICES];
    int n = machine_enabled(r->machine, t, MAX_CHOICES);
    for (int i = 0; i < n; i++)
        if ((t[i].kind != T_EVICT && t[i].kind != T_PREFETCH) || writes_back(r->machine, t[i]))
            return false;
    return true;
}

/* ---- the search ---- */

static bool all_done(const struct machine *m)
{
    bool done = m->nactive == 0;
    for (int c = 0; c < m->program->ncores; c++) {
        done &= m->cores[c].ended;
        for (int p = 0; p < PIPE_COUNT; p++)
            done &= m->cores[c].pipes[p].count == 0;
    }
    return done;
}

/* One run along the path, lengthened by first choices, up to where nothing can happen or all was
 * seen before. A state that a run passes once it has ended is final. */
static void run(struct search *s, void (*leaf)(struct rig *r, void *ctx), void *ctx)
{
    struct transition t[MAX_CHOICES];
    struct machine *m = s->rig->machine;
    bool ended = false;
    machine_reset(m);
    for (int depth = 0;; depth++) {
        int n = choices(m, t);
        ended |= all_done(m);
        if (depth == s->len) {
            if (s->prune && !first_visit(s, ended))
                return;
            if (ended || n == 0)
                leaf(s->rig, ctx);
            if (n == 0)
                return;
            cr_assert(s->len < MAX_DEPTH, "a run of more than %d choices", MAX_DEPTH);
            s->path[s->len++] = (struct choice){0, n};
        }
        machine_fire(m, t[s->path[depth].taken]);
    }
}

uint64_t rig_explore(struct rig *r, bool prune, uint64_t limit,
                     void (*leaf)(struct rig *r, void *ctx), void *ctx)
{
    struct search s = {.rig = r, .prune = prune};
    uint64_t runs = 0;
    if (prune)
        s.seen = calloc(SEEN_SLOTS, sizeof *s.seen);
    cr_assert(!prune || s.seen);
    do {
        if (++runs > limit || s.full)
            break;
        run(&s, leaf, ctx);
        while (s.len && ++s.path[s.len - 1].taken == s.path[s.len - 1].of)
            s.len--;
    } while (s.len);
    free(s.seen);
    return s.len ? 0 : runs;
}
