/* SPDX-License-Identifier: MIT */
/* What of the program stands between two accesses that happen one before the other. */
#include "sim/internal.h"
#include "sim/oracle_internal.h"

const struct acquire *oracle_connecting_wait(const struct oracle *o, uint32_t earlier,
                                             uint32_t later)
{
    const struct node *x = &o->nodes[earlier], *y = &o->nodes[later];
    if (x->kind == NODE_KIND_INIT || y->kind == NODE_KIND_INIT || x->core == y->core)
        return NULL;
    const struct core_clock *c = &o->cores[y->core];
    bool known = c->start && c->start[x->core] >= x->epoch;
    for (size_t i = 0; i < c->acquires.len && c->acquires.items[i].epoch <= y->epoch; i++)
        if (known || oracle_told_by(o, &c->acquires.items[i], x->core) >= x->epoch)
            return &c->acquires.items[i];
    return NULL;
}

/* A task of core starts after the first epoch and before the second. */
static bool task_between(const struct oracle *o, int core, uint32_t first, uint32_t second)
{
    vec_foreach (const uint32_t, start, &o->cores[core].starts)
        if (*start >= first && *start < second)
            return true;
    return false;
}

/* An edge is about the text: no iteration of it. */
static struct place text_place(const struct oracle *o, uint32_t access)
{
    struct place at = oracle_place(o, access);
    at.loops = NULL;
    return at;
}

/* The notify that was core's access number `epoch`, or none: then it was the end of a task. */
static struct place release_at(const struct oracle *o, int core, uint32_t epoch)
{
    for (uint32_t n = o->nnodes; n-- > 0;)
        if (o->nodes[n].release && o->nodes[n].core == core && o->nodes[n].epoch == epoch)
            return text_place(o, n);
    return NOWHERE;
}

struct edge oracle_edge(const struct oracle *o, uint32_t from, uint32_t to)
{
    const struct node *x = &o->nodes[from], *y = &o->nodes[to];
    struct edge e = EDGE_UNKNOWN;
    e.from = text_place(o, from);
    e.to = text_place(o, to);
    if (x->kind == NODE_KIND_INIT || y->kind == NODE_KIND_INIT)
        return e;
    if (x->core == y->core) {
        e.kind = task_between(o, x->core, x->epoch, y->epoch) ? EDGE_TASK : EDGE_CORE;
        return e;
    }
    const struct acquire *wait = oracle_connecting_wait(o, from, to);
    if (!wait)
        return e;
    e.acquire = (struct place){y->core, wait->insn, wait->loops};
    e.release = release_at(o, x->core, oracle_known_after(o, y->core, wait, x->core));
    e.kind = e.release.core < 0 ? EDGE_TASK : EDGE_SIGNAL;
    return e;
}

/* The words of msg that its core stored itself, one after the other: for (w = 0; ...; w++). */
static bool next_own(const struct machine *m, const struct message *msg, int *unit)
{
    for (int per_word = WORD / m->grain; *unit < m->units; ++*unit)
        if (msg->own >> (*unit / per_word) & 1)
            return true;
    return false;
}

/*
 * A line carried the victim's word along as it was when the line was filled. Either what made it
 * dirty came first and should have left the cache in time, or the victim came first and should have
 * been in the line.
 */
static void carried_along(const struct oracle *o, const struct machine *m,
                          const struct message *msg, uint32_t victim, struct lost *l)
{
    for (int u = 0; next_own(m, msg, &u); u++) {
        uint32_t dirtied = head_of(o, msg->prov[u]);
        bool first = hb(o, dirtied, victim);
        if (!first && !hb(o, victim, dirtied))
            continue;
        l->from = first ? dirtied : victim;
        l->to = first ? victim : dirtied;
        if (first)
            return;
    }
}

void oracle_undone(const struct oracle *o, const struct machine *m, const struct message *msg,
                   uint32_t victim, uint32_t fresh, bool carried, struct lost *l)
{
    if (carried) {
        carried_along(o, m, msg, victim, l);
    } else {
        l->from = head_of(o, fresh);
        l->to = victim;
    }
}

const struct lost *oracle_lost(const struct oracle *o, uint64_t addr, uint32_t access)
{
    for (size_t i = o->lost.len; i-- > 0;)
        if (o->lost.items[i].addr == addr && o->lost.items[i].node == access)
            return &o->lost.items[i];
    return NULL;
}

/* What was erased had landed: there, it is the order between it and what erased it. */
struct edge oracle_missed(const struct oracle *o, enum where where, uint64_t addr, uint32_t access,
                          uint32_t read)
{
    const struct lost *l = oracle_lost(o, addr, access);
    if (where == W_OVERWRITTEN || where == W_LATE_STORE)
        return l ? oracle_edge(o, l->from, l->to) : EDGE_UNKNOWN;
    if (where == W_RACED)
        return EDGE_UNKNOWN;
    if (read != NODE_NONE)
        return oracle_edge(o, access, read);
    struct edge e = oracle_edge(o, access, NODE_INIT);
    e.kind = EDGE_END;
    return e;
}
