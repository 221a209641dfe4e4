/* SPDX-License-Identifier: MIT */
/*
 * Flags between cores (pypto-ops-facts 3.4, 3.6): counters that a core takes from, and sets that
 * wait for those of others. Nothing resets them between tasks.
 */
#include "sim/internal.h"

static bool is_vector(const struct core_desc *c)
{
    return c->lane == LANE_AIV0 || c->lane == LANE_AIV1;
}

/* A core without a lane is the only one of its kind in its cluster. */
static bool same_cluster(const struct core_desc *x, const struct core_desc *y)
{
    return x == y || (x->rank == y->rank && x->lane != LANE_NONE && y->lane != LANE_NONE &&
                      x->cluster == y->cluster);
}

static bool same_kind(const struct core_desc *x, const struct core_desc *y)
{
    return is_vector(x) ? is_vector(y) : x->lane == y->lane;
}

bool cross_sends(const struct machine *m, int core, enum cross_mode mode, int other)
{
    const struct core_desc *x = &m->program->cores[core], *y = &m->program->cores[other];
    if (mode == CROSS_ALL)
        return x->rank == y->rank && same_kind(x, y);
    if (mode == CROSS_CLUSTER && (m->contract->v2c == V2C_COUNT || !is_vector(x)))
        return x == y;
    return same_cluster(x, y) && same_kind(x, y);
}

bool cross_receives(const struct machine *m, int core, enum cross_mode mode, int other)
{
    const struct core_desc *x = &m->program->cores[core], *y = &m->program->cores[other];
    if (mode != CROSS_CLUSTER)
        return cross_sends(m, core, mode, other);
    return same_cluster(x, y) && (x->lane == LANE_NONE || !same_kind(x, y));
}

/* Of the program: a rank has those that its lanes name. */
static int clusters_of(const struct program *p, int rank)
{
    int n = 0;
    for (int c = 0; c < p->ncores; c++) {
        const struct core_desc *x = &p->cores[c];
        bool first = x->rank == rank && x->lane != LANE_NONE;
        for (int k = 0; first && k < c; k++)
            first = p->cores[k].lane == LANE_NONE || !same_cluster(&p->cores[k], x);
        n += first;
    }
    return n;
}

int cross_senders(const struct machine *m, int core, enum cross_mode mode)
{
    const struct core_desc *x = &m->program->cores[core];
    int in_cluster = is_vector(x) ? 2 : 1, n = 0;
    if (mode == CROSS_CLUSTER && m->contract->v2c == V2C_COUNT)
        return 1;
    if (mode != CROSS_ALL)
        return in_cluster;
    if (x->lane != LANE_NONE)
        return in_cluster * clusters_of(m->program, x->rank);
    for (int c = 0; c < m->program->ncores; c++)
        n += cross_sends(m, core, mode, c);
    return n;
}

uint32_t cross_ids(const struct program *p)
{
    uint32_t ids = 0;
    for (int c = 0; c < p->ncores; c++)
        for (int n = 0; n < p->cores[c].code->count; n++)
            if (insn_any(&p->cores[c].code->insns[n], CLASS_CROSS))
                ids |= (uint32_t)1 << p->cores[c].code->insns[n].imm;
    return ids;
}

/* ---- setting ---- */

/* What the pipe has stored to the own rank is still on its way. */
static bool stores_under_way(const struct machine *m, int core, int pipe)
{
    for (const struct message *msg = m->cores[core].newest; msg; msg = msg->older)
        if (msg->path == PATH_DMA && msg->pipe == pipe && gm_rank(msg->addr) == m->cores[core].rank)
            return true;
    return false;
}

bool cross_set_ready(const struct machine *m, int core, int pipe)
{
    return m->contract->ffts_set == FFTS_SET_POSTED || !stores_under_way(m, core, pipe);
}

static uint32_t both(struct machine *m, uint32_t x, uint32_t y)
{
    return m->oracle ? oracle_signals(m->oracle, x, y) : NODE_NONE;
}

/* Takes one set of each that has to make one; what they tell. */
static uint32_t take_sets(struct machine *m, int core, enum cross_mode mode, int id)
{
    uint32_t told = NODE_NONE;
    for (int c = 0; c < m->program->ncores; c++) {
        if (!cross_sends(m, core, mode, c))
            continue;
        struct cross_flag *f = &m->cores[c].cross[id];
        told = both(m, told, f->sent_node[mode]);
        if (--f->sent[mode] == 0)
            f->sent_node[mode] = NODE_NONE;
    }
    return told;
}

static bool all_sent(const struct machine *m, int core, enum cross_mode mode, int id)
{
    int sent = 0;
    for (int c = 0; c < m->program->ncores; c++)
        sent += cross_sends(m, core, mode, c) && m->cores[c].cross[id].sent[mode];
    return sent == cross_senders(m, core, mode);
}

static void overflow(struct machine *m, int core, int insn)
{
    if (m->oracle)
        oracle_fault(m->oracle, m, V_FLAG_OVERFLOW, core, insn, gm_addr(m->cores[core].rank, 0),
                     "set 16 times more often than it was taken; its counter ends at 15");
    m->stop = STOP_FAULT;
}

void cross_set(struct machine *m, int core, int insn, uint32_t node)
{
    const struct insn *i = &m->cores[core].code->insns[insn];
    enum cross_mode mode = (enum cross_mode)i->sub;
    struct cross_flag *own = &m->cores[core].cross[i->imm];
    m->stats[core].cross_sets++;
    own->sent_node[mode] = both(m, own->sent_node[mode], node);
    if (++own->sent[mode] > CROSS_MOST)
        overflow(m, core, insn);
    else if (all_sent(m, core, mode, (int)i->imm)) {
        uint32_t told = take_sets(m, core, mode, (int)i->imm);
        for (int c = 0; c < m->program->ncores; c++) {
            if (!cross_receives(m, core, mode, c))
                continue;
            struct cross_flag *f = &m->cores[c].cross[i->imm];
            f->node = both(m, f->node, told);
            if (++f->up > CROSS_MOST)
                overflow(m, core, insn);
        }
    }
}

bool cross_overflown(const struct machine *m)
{
    for (int c = 0; m->cross && c < m->program->ncores; c++)
        for (int id = 0; id < MAX_CROSS_IDS; id++) {
            const struct cross_flag *f = &m->cores[c].cross[id];
            bool over = f->up > CROSS_MOST;
            for (int mode = 0; mode < CROSS_MODES; mode++)
                over |= f->sent[mode] > CROSS_MOST;
            if (over)
                return true;
        }
    return false;
}

/* ---- waiting ---- */

bool cross_up(const struct machine *m, int core, int id)
{
    return m->cores[core].cross[id].up > 0;
}

void cross_take(struct machine *m, int core, int id)
{
    struct core *c = &m->cores[core];
    struct cross_flag *f = &c->cross[id];
    m->stats[core].cross_waits++;
    if (m->oracle)
        oracle_acquire(m->oracle, core, c->pc, f->node);
    if (--f->up == 0)
        f->node = NODE_NONE;
}

bool cross_stalls(const struct machine *m, int core)
{
    const struct insn *i = m->contract->wait_dev == WAIT_DEV_CORE ? machine_at(m, core) : NULL;
    return i && insn_acts(i) == I_WAIT_CROSS && !cross_up(m, core, (int)i->imm);
}
