/* SPDX-License-Identifier: MIT */
/*
 * Flag pairs for tile dependences (design 4): MTE2 -> V -> MTE3 and back.
 *
 * A forward data-flow analysis over the instructions: for every tile and every pipe that may use it
 * next, which pipes have written or read it without that pipe knowing. Where an operation finds
 * such a pipe, a set_flag/wait_flag pair goes right in front of it. Both halves stand at one place,
 * so they are paired on every path; the set is queued behind everything its pipe was given before.
 */
#include <string.h>

#include "passes/codegen_internal.h"

enum { SYNC_EVENT = 2, UNITS = PIPE_COUNT + 1 }; /* pipes and the scalar unit */

/* Bit a of writes[t][b]: pipe a wrote tile t and unit b has not waited for it since. */
struct pending {
    uint8_t (*writes)[UNITS], (*reads)[UNITS];
};

struct sync {
    struct gen *g;
    int ntiles, count;
    struct pending *entry; /* state before each instruction */
    bool *reached;
};

struct uses {
    int unit, dst, src[TILE_MAX_SRC], nsrc;
};

static bool tile_uses(const struct gen *g, const struct insn *i, struct uses *u)
{
    *u = (struct uses){.unit = PIPE_S, .dst = -1};
    switch (i->op) {
    case I_MTE2:
        u->unit = PIPE_MTE2;
        u->dst = g->dmas.items[i->aux].tile;
        return true;
    case I_MTE3:
    case I_FIX:
        u->unit = i->op == I_MTE3 ? PIPE_MTE3 : PIPE_FIX;
        u->src[u->nsrc++] = g->dmas.items[i->aux].tile;
        return true;
    case I_TILE_OP: {
        const struct tile_op *t = &g->tile_ops.items[i->aux];
        u->unit = t->pipe;
        u->dst = t->dst;
        u->nsrc = t->nsrc;
        memcpy(u->src, t->src, sizeof t->src);
        return true;
    }
    case I_TILE_LD:
        u->src[u->nsrc++] = i->aux;
        return true;
    case I_TILE_ST:
        u->dst = i->aux;
        return true;
    default:
        return false;
    }
}

static void know(const struct sync *s, struct pending *p, int from, int to)
{
    for (int t = 0; t < s->ntiles; t++) {
        p->writes[t][to] &= (uint8_t) ~(1 << from);
        p->reads[t][to] &= (uint8_t) ~(1 << from);
    }
}

/* Pipes that the operation must wait for. */
static unsigned needed(const struct pending *p, const struct uses *u)
{
    unsigned need = 0;
    for (int k = 0; k < u->nsrc; k++)
        need |= p->writes[u->src[k]][u->unit];
    if (u->dst >= 0)
        need |= p->writes[u->dst][u->unit] | p->reads[u->dst][u->unit];
    return need;
}

static void transfer(const struct sync *s, struct pending *p, const struct insn *i)
{
    struct uses u;
    if (i->op == I_BARRIER && i->pa == PIPE_ALL) {
        memset(p->writes, 0, (size_t)s->ntiles * sizeof *p->writes);
        memset(p->reads, 0, (size_t)s->ntiles * sizeof *p->reads);
    } else if (i->op == I_WAIT_FLAG) {
        know(s, p, i->pa, i->pb);
    } else if (tile_uses(s->g, i, &u)) {
        unsigned need = needed(p, &u);
        for (int a = 0; a < PIPE_COUNT; a++)
            if (need >> a & 1)
                know(s, p, a, u.unit);
        /* The scalar unit's own accesses are complete when the next instruction starts. */
        for (int b = 0; b < UNITS && u.unit != PIPE_S; b++) {
            if (b == u.unit)
                continue;
            for (int k = 0; k < u.nsrc; k++)
                p->reads[u.src[k]][b] |= (uint8_t)(1 << u.unit);
            if (u.dst >= 0)
                p->writes[u.dst][b] |= (uint8_t)(1 << u.unit);
        }
    }
}

/* Joins p into the entry state of instruction `to`; true when that changes it. */
static bool join(struct sync *s, int to, const struct pending *p)
{
    struct pending *e = &s->entry[to];
    bool changed = !s->reached[to];
    s->reached[to] = true;
    uint8_t *w = (uint8_t *)e->writes, *r = (uint8_t *)e->reads;
    const uint8_t *pw = (const uint8_t *)p->writes, *pr = (const uint8_t *)p->reads;
    for (int i = 0; i < s->ntiles * UNITS; i++) {
        uint8_t nw = w[i] | pw[i], nr = r[i] | pr[i];
        changed |= nw != w[i] || nr != r[i];
        w[i] = nw;
        r[i] = nr;
    }
    return changed;
}

/* What is pending at the end of a task is so at the start of the next one on the core, whichever
 * that is. */
static bool join_tasks(struct sync *s, int end, const struct pending *p)
{
    bool again = false;
    for (int i = 0; s->g->tasks_repeat && i < s->count; i++)
        if (s->g->code.items[i].op == I_TASK && join(s, i, p))
            again |= i <= end;
    return again;
}

static struct pending pending_new(struct sync *s)
{
    size_t n = (size_t)(s->ntiles ? s->ntiles : 1);
    return (struct pending){arena_alloc(s->g->arena, n * UNITS),
                            arena_alloc(s->g->arena, n * UNITS)};
}

static void solve(struct sync *s)
{
    struct pending p = pending_new(s);
    for (int i = 0; i < s->count; i++)
        s->reached[i] = i == 0 || (s->g->tasks_repeat && s->g->code.items[i].op == I_TASK);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < s->count; i++) {
            const struct insn *in = &s->g->code.items[i];
            if (!s->reached[i])
                continue;
            memcpy(p.writes, s->entry[i].writes, (size_t)s->ntiles * UNITS);
            memcpy(p.reads, s->entry[i].reads, (size_t)s->ntiles * UNITS);
            transfer(s, &p, in);
            if (in->op == I_END) {
                changed |= join_tasks(s, i, &p);
                continue;
            }
            bool branch = in->op == I_JMP || in->op == I_BZ || in->op == I_BNZ;
            /* What goes forward is seen later in this round; only a back edge asks for another one.
             */
            if (branch && join(s, (int)in->imm, &p) && in->imm <= i)
                changed = true;
            if (in->op != I_JMP && i + 1 < s->count)
                join(s, i + 1, &p);
        }
    }
}

static void insert_pairs(struct gen *g, const struct insn *at, unsigned need, int unit)
{
    g->span = at->span;
    g->origin = ORIGIN_AUTO_SYNC;
    g->what = at->what;
    g->anchor = at->what;
    for (int a = 0; a < PIPE_COUNT; a++)
        if (need >> a & 1) {
            gen_site_begin(g, "flag pair", -1);
            gen_flags(g, (enum pipe)a, (enum pipe)unit, SYNC_EVENT);
            gen_site_end(g);
        }
}

/* Rebuilds the code with the pairs; branches go to the pair in front of their target. */
static void rewrite(struct sync *s)
{
    struct gen *g = s->g;
    struct insn *old = g->code.items;
    int *moved = arena_array(g->arena, int, (size_t)s->count + 1);
    memset(&g->code, 0, sizeof g->code);
    for (int i = 0; i < s->count; i++) {
        struct uses u;
        moved[i] = gen_here(g);
        if (s->reached[i] && tile_uses(g, &old[i], &u))
            insert_pairs(g, &old[i], needed(&s->entry[i], &u), u.unit);
        gen_emit(g, old[i]);
    }
    vec_foreach (struct insn, i, &g->code)
        if (i->op == I_JMP || i->op == I_BZ || i->op == I_BNZ)
            i->imm = moved[i->imm];
}

void auto_sync(struct gen *g)
{
    struct sync s = {.g = g, .ntiles = (int)g->tiles.len, .count = (int)g->code.len};
    s.entry = arena_array(g->arena, struct pending, (size_t)s.count);
    s.reached = arena_array(g->arena, bool, (size_t)s.count);
    for (int i = 0; i < s.count; i++)
        s.entry[i] = pending_new(&s);
    solve(&s);
    rewrite(&s);
    g->origin = ORIGIN_USER;
}
