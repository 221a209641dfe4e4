/* SPDX-License-Identifier: MIT */
/* The oracle's data, shared by its files; no other file includes it. */
#ifndef SIM_ORACLE_INTERNAL_H
#define SIM_ORACLE_INTERNAL_H

#include "sim/oracle.h"

enum node_kind {
    NODE_KIND_INIT,
    NODE_KIND_READ,
    NODE_KIND_WRITE,
    NODE_KIND_ADD,
    NODE_KIND_SIGNAL, /* a set of a flag between cores */
    NODE_KIND_SUM,
    NODE_KIND_READS
};

/* A node is never changed once made. Nodes are numbered from 0 in the order of their making. */
struct node {
    uint8_t kind;
    bool release;
    int32_t core, insn;
    uint32_t epoch; /* count of the core's accesses up to this one */
    const uint32_t *
        clock; /* the core's vector clock at the access: epochs of other cores that happen before */
    const int64_t *loops; /* as in struct place */
    uint32_t parent, add; /* SUM and READS: a set as a chain; add is one access */
    uint32_t base;        /* the end of the chain */
    int32_t acquirer; /* of a set: 1 + the last core whose wait has acquired all of it; 0: none */
};

/* What a wait or the start of a task acquires: the releases in the set `node`, or what the clock
 * `told` says. The core's clock after it is not kept: most are never asked for. */
struct acquire {
    int insn;
    uint32_t epoch, node;
    const uint32_t *told;
    const int64_t *loops; /* as in struct place */
};

struct lost {
    uint64_t addr;
    uint32_t node;
    struct place culprit;
    enum where where;  /* W_OVERWRITTEN or W_LATE_STORE */
    uint32_t from, to; /* the order that was not kept; NODE_INIT: there was none to keep */
};

struct task_end {
    int index;
    const uint32_t *clock; /* what happened before the end, the task itself included */
};

struct core_clock {
    uint32_t epoch;
    uint32_t *clock;
    bool shared;           /* somebody keeps this clock: it is copied before it changes */
    const uint32_t *start; /* the clock before the first of acquires; NULL: there are none */
    VEC(struct acquire) acquires;
    VEC(struct task_end) ends; /* of tasks that others wait for, in order */
    VEC(uint32_t) starts;      /* of tasks: the epoch, in order */
    int loop;                  /* the last innermost loop, as insn.loop, and its values */
    const int64_t *loops;
};

struct oracle {
    const struct program *program;
    const struct machine *machine;
    int ncores, grain;
    bool keep_loops;
    struct arena arena; /* of one run: clocks, acquires, notes */
    struct node *nodes;
    uint32_t nnodes, node_cap;
    uint32_t *sets; /* open addressing over SUM and READS nodes */
    uint32_t set_mask, nsets;
    struct node_map *writes, *reads; /* the shadow: per rank */
    struct node_map initial;
    struct arena maps;
    bool by_units;
    uint64_t units; /* per rank */
    struct core_clock *cores;
    VEC(struct lost) lost;
    struct finding findings[MAX_FINDINGS];
    int nfindings;
    uint64_t counts[V_COUNT], checked;
    struct course *recording;    /* what the run is written down into, or NULL */
    const struct course *course; /* what the run follows, or NULL */
    bool brief;                  /* without the epochs of messages */
    bool strayed;                /* the run does something else */
    size_t next_touch;           /* of the access that was made last */
};

/* ---- course.c ---- */

/* A run that is recorded: node is made; it touches n units of rank from the first on; a wait of core
 * is about to succeed on a value of node, and acquires what is returned; core knows what its clock
 * says now. */
void course_note_access(struct oracle *o, uint32_t node);
void course_note_touch(struct oracle *o, uint32_t node, uint64_t addr, uint64_t len, uint64_t first,
                       uint64_t n);
const uint32_t *course_note_wait(struct oracle *o, int core, int insn, uint32_t node);
/* Core has started a task behind the end of one of `of`, which was that one's epoch. */
void course_note_task(struct oracle *o, int core, int of, uint32_t epoch);
void course_note_clock(struct oracle *o, int core, const uint32_t *before);

/* A run that follows its course: the same steps of the oracle. */
void course_restart(struct oracle *o);
uint32_t course_access(struct oracle *o, int core, int insn, enum node_kind kind);
void course_touch(struct oracle *o, uint32_t node, uint64_t addr, uint64_t len, uint32_t *expected);
void course_acquire(struct oracle *o, int core, uint32_t node);
void course_task_start(struct oracle *o, int core, struct task_ref after);
/* Puts into the shadow what source order intends where the cores stand. */
void course_shadow(struct oracle *o);
/* How core touches the line at epochs behind `after`, up to `last`: any of these. */
enum course_touch_kind {
    COURSE_READS = 1 << 0,
    COURSE_WRITES = 1 << 1,
    COURSE_ADDS = 1 << 2,   /* integers to words, which commute */
    COURSE_CACHED = 1 << 3, /* by a copy in its cache, if there is one */
    /* A wait for a word to be large enough; its copy is not used again, and all adds that make the word
     * smaller come behind the wait. */
    COURSE_AWAITS = 1 << 4,
    COURSE_DROPS = 1 << 5, /* no access: a clean of its copy, behind the access of that epoch */
    COURSE_PAST = 1 << 6,  /* by a transfer, or otherwise past the cache; or it is a wait */
};
unsigned course_touches(const struct course *c, int core, uint64_t line, uint32_t after,
                        uint32_t last);

/* What core comes to next behind that epoch, as its epoch then, or UINT32_MAX: a dcci of all lines, a
 * dsb, a barrier of all pipes. One of that epoch itself it may have behind it. */
enum course_order { COURSE_FLUSH, COURSE_DSB, COURSE_BARRIER, COURSE_ORDERS };
uint32_t course_next(const struct course *c, enum course_order order, int core, uint32_t epoch);

/* The epoch behind which core drops its copy of the line next, `from` or later; UINT32_MAX: never. */
uint32_t course_drop(const struct course *c, int core, uint64_t line, uint32_t from);

/* Core's scalar unit stores at epochs behind `after`, up to `last`, to the line's rank, but not to the
 * line. */
bool course_stores_beside(const struct course *c, int core, uint64_t line, uint32_t after,
                          uint32_t last);

/* Core still loads or stores in a copy of the line that its cache has now. */
bool course_uses_line(const struct oracle *o, int core, uint64_t line);

/* A wait of a core, and what it is sure of having seen. What it knew before need not have arrived when it
 * comes true, nor what is told by something behind it that has overtaken it. */
struct course_access {
    int core;
    uint32_t epoch, node; /* NODE_NONE: the end of a task */
    bool issued, arrived; /* the wait comes true only when it has been so */
};
struct course_wait {
    uint32_t epoch;
    uint64_t cell; /* if it waits for memory */
    /* It waits for the end of a task or a flag between cores; or nothing but adds ever changes the line
     * of the cell, so that memory alone keeps it from coming true without what it needs, whatever else
     * goes wrong. */
    bool counts;
    bool awaits; /* COURSE_AWAITS */
    struct course_access *sure;
    size_t nsure;
};
/* Those of core in order. */
const struct course_wait *course_waits(const struct course *c, int core, size_t *n);
/* No flag between cores is set more often than its counter holds, whenever it is taken. */
bool course_flags_hold(const struct course *c);
/* The i-th run of bytes that an access touches; false: there are not so many. */
bool course_touch_of(const struct oracle *o, uint32_t node, size_t i, uint64_t *addr,
                     uint64_t *len);
bool course_meets(const struct oracle *o, uint32_t node, uint64_t from, uint64_t to);

/* Tiles of core that its units may use in another order than in the run, as bits of struct tile_use. */
uint64_t course_mixed_tiles(const struct course *c, int core);
/* Nodes that a queued load of that node expects, one a unit. */
const uint32_t *course_expected(const struct oracle *o, uint32_t node);

/* ---- for findings ---- */

/* Its entry; NULL when the run has had it before. */
struct finding *oracle_add(struct oracle *o, const struct machine *m, struct finding f);
/* Where the value of an access to addr is now; culprit: who erased it. */
enum where oracle_locate(const struct oracle *o, const struct machine *m, uint64_t addr,
                         uint32_t access, struct place *culprit);
/* An access that source order has put into addr and memory lacks, or NODE_INIT. */
uint32_t oracle_lacking(const struct oracle *o, const struct machine *m, uint64_t addr);
/* The newest access whose value memory holds. */
uint32_t oracle_newest(const struct oracle *o, const struct machine *m, uint64_t addr);

/* A run that can go no further: who waits for what, the cause before its victims (blocked.c). */
void blocked_report(struct oracle *o, const struct machine *m);

/* ---- nodes ---- */

/* Forgets nodes, clocks and findings; the shadow stays as it is. */
void oracle_clear(struct oracle *o, const struct machine *m);
/* What a release of core at that epoch tells of another core's accesses, or of its own. */
static inline uint32_t node_tells(const struct node *release, int core)
{
    return release->core == core ? release->epoch : release->clock[core];
}
/* How much of core's accesses an acquire tells of: an epoch. And what its core, reader, knows of
 * them after it. */
uint32_t oracle_told_by(const struct oracle *o, const struct acquire *a, int core);
uint32_t oracle_known_after(const struct oracle *o, int reader, const struct acquire *a, int core);
/* A new node; returns its number. */
uint32_t oracle_node_new(struct oracle *o, struct node n);
/* Makes the table of sets again, from the nodes. */
void oracle_sets_again(struct oracle *o);
/* The set parent + add; equal sets built in the same order are one node. */
uint32_t oracle_set_add(struct oracle *o, enum node_kind kind, uint32_t parent, uint32_t add);

static inline bool node_is_set(const struct node *n)
{
    return n->kind == NODE_KIND_SUM || n->kind == NODE_KIND_READS;
}

/* The access at the head of a chain. */
static inline uint32_t head_of(const struct oracle *o, uint32_t n)
{
    return node_is_set(&o->nodes[n]) ? o->nodes[n].add : n;
}

/* x happens before y; both are single accesses or initial values. */
static inline bool hb(const struct oracle *o, uint32_t x, uint32_t y)
{
    const struct node *a = &o->nodes[x], *b = &o->nodes[y];
    if (a->kind == NODE_KIND_INIT)
        return b->kind != NODE_KIND_INIT;
    if (b->kind == NODE_KIND_INIT)
        return false;
    return a->core == b->core ? a->epoch < b->epoch : b->clock[a->core] >= a->epoch;
}

/* ---- oracle_edge.c ---- */

/* The first wait of the later access's core that put the earlier one before it, or NULL. */
const struct acquire *oracle_connecting_wait(const struct oracle *o, uint32_t earlier,
                                             uint32_t later);
/* How the program orders two accesses, the first of which happens before the second. */
struct edge oracle_edge(const struct oracle *o, uint32_t from, uint32_t to);
/* The order that was not kept when a read missed the access to addr, which is `where`; read
 * NODE_NONE: when the final memory did, or a wait that never ends. */
struct edge oracle_missed(const struct oracle *o, enum where where, uint64_t addr, uint32_t access,
                          uint32_t read);
/* The last time that the access was erased there, or NULL. */
const struct lost *oracle_lost(const struct oracle *o, uint64_t addr, uint32_t access);
/* Message msg put `fresh`, or what it merely carried along, over the newer `victim`: the accesses
 * whose order that undid, NODE_INIT when the program gave them none. */
void oracle_undone(const struct oracle *o, const struct machine *m, const struct message *msg,
                   uint32_t victim, uint32_t fresh, bool carried, struct lost *l);

#endif
