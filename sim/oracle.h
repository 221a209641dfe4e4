/* SPDX-License-Identifier: MIT */
/*
 * The oracle: what is stale, lost, racy (docs/machine.md).
 *
 * Source-level order: operations of a core are ordered as written, DMA included; a successful wait
 * acquires everything before every notify whose contribution is in the value it read; tasks are
 * ordered as the host orders them. Vector clocks keep that happens-before (hb).
 *
 * Every unit of memory (grain bytes) carries a node: the write that produced it, or the set of
 * atomic adds on top of a write. A second memory, the shadow, carries what the source-level order
 * intends: it is updated when an access is issued. A read is judged by comparing the node it
 * returned with the shadow's node at its issue: issue order extends hb, so the shadow then holds
 * exactly the hb-latest writes of a race-free program.
 */
#ifndef SIM_ORACLE_H
#define SIM_ORACLE_H

#include "sim/machine.h"

// clang-format off
#define ORACLE_VERDICTS(X) \
    X(V_STALE_READ, "stale read") /* returned w although w hb w' hb read */ \
    X(V_OVERRUN_READ, "overrun read") /* returned a write that happens after the read: the buffer was overwritten too early */ \
    X(V_LOST_WRITE, "lost write") \
    X(V_RACE, "race") \
    X(V_DEADLOCK, "deadlock") \
    X(V_HANG, "hang") \
    X(V_FLAG_OVERFLOW, "flag overflow") /* of a flag between cores: its counter ends at 15 */ \
    X(V_WRONG_RESULT, "wrong result") \
    X(V_OUT_OF_BOUNDS, "out of bounds") \
    X(V_UNINITIALISED, "uninitialised read") \
    X(V_MISALIGNED, "misaligned access") \
    X(V_TIMEOUT, "time-out") \
    X(V_REDUNDANT_FLAG, "redundant set_flag") /* set twice with nothing waiting for it between */ \
    X(V_UNPAIRED_FLAG, "unpaired set_flag") /* still up when its task ends */ \
    X(V_UNPAIRED_CROSS, "unpaired cross-core flag") /* when the tasks of its cluster end */ \
    X(V_MODE_LEFT, "atomic mode left on") /* when its task ends */
// clang-format on
enum verdict { ORACLE_VERDICTS(ENUM_ROW) V_COUNT };
const char *verdict_name(enum verdict v); /* "stale read" */
/* It is about a flag or a mode, not about memory. */
bool verdict_of_flag(enum verdict v);
/* It breaks a later task: the run goes on as if it had not been found. */
bool verdict_for_later(enum verdict v);

/* Where the fresh value was at the moment of a stale read; where what a wait needs is when the run
 * is stuck. */
// clang-format off
#define WHERES(X) \
    X(W_NONE, "-") \
    X(W_QUEUED, "queued in the pipe") /* in the producer's pipe: missing drain */ \
    X(W_IN_FLIGHT, "in flight") /* posted, not applied: missing fence */ \
    X(W_DIRTY, "dirty in the producer's cache") /* in the producer's cache: missing clean */ \
    X(W_OLD_LINE, "old line at the reader") /* in GM, while the reader hit an old line: missing invalidate */ \
    X(W_OVERWRITTEN, "overwritten by write-back") /* erased by a line write-back: line sharing */ \
    X(W_LATE_STORE, "overwritten by a late store") /* erased by an older DMA store that was performed late */ \
    X(W_TILE, "in the core's own pipe") /* in a pipe of the reading core itself: missing flag pair */ \
    X(W_RACED, "overwritten by a racing write") /* erased by a write that nothing orders with it */ \
    X(W_PASSED, "passed already") /* the value was there and is gone: a wait with == */ \
    X(W_BEHIND, "behind this wait itself") /* its writer is the waiting core or pipe itself, further on */ \
    X(W_NEVER, "nowhere") /* nothing that is left to do would bring it */ \
    X(W_WAITING, "behind another wait") /* its writer, or the pipe that sets it, is stuck too: behind its causes */
// clang-format on
enum where { WHERES(ENUM_ROW) W_COUNT };
const char *where_name(enum where w); /* "in flight" */

/* A core and an instruction of it; core -1: none. insn BY_EVICTION and BY_PREFETCH: no instruction,
 * but a line that left the core's cache on its own, or made room for a prefetch. */
struct place {
    int core, insn;
    const int64_t *loops; /* NULL, or how many counted loops are around it and the values of their
                             variables then, the innermost first */
};
#define PLACE(core, insn) ((struct place){core, insn, NULL})
#define NOWHERE           PLACE(-1, -1)
/* Cores that run the same code are one place: a finding is about the text. */
bool place_same(const struct program *p, struct place x, struct place y);

/* How the program puts one access before another. */
// clang-format off
#define EDGE_KINDS(X) \
    X(EDGE_NONE, "none") /* it does not, or nobody knows how */ \
    X(EDGE_CORE, "core") /* both are of one task */ \
    X(EDGE_TASK, "task") /* a task ends between them */ \
    X(EDGE_SIGNAL, "signal") /* through a notify and a wait */ \
    X(EDGE_END, "end") /* the end of the run comes after an access */
// clang-format on
enum edge_kind { EDGE_KINDS(ENUM_ROW) EDGE_KIND_COUNT };

/* Two accesses in happens-before whose effects came in the other order. The marker that is missing
 * stands between them. */
struct edge {
    enum edge_kind kind;
    bool tile; /* of a tile, not of memory */
    struct place from, to;
    struct place release; /* EDGE_SIGNAL: the last notify of from's core on that way */
    struct place acquire; /* of to's core, when it is another one: the wait, or a task's start */
};
#define EDGE_UNKNOWN ((struct edge){EDGE_NONE, false, NOWHERE, NOWHERE, NOWHERE, NOWHERE})

struct finding {
    enum verdict verdict;
    enum where where;
    bool late;     /* in flight, but posted only after the notify: by then it was dirty or queued */
    uint64_t addr; /* first unit concerned */
    uint64_t end;  /* of a race: the address behind the last unit that adjoins */
    bool more;     /* there are others of the same rank that do not */
    int tile;      /* the tile that was accessed, of the reader's code; -1: memory was */
    int region;    /* out of bounds: the region that was indexed; -1: none */
    uint64_t units;        /* how many units, all occurrences together */
    struct place reader;   /* the read, or the access at fault */
    struct place producer; /* the fresh write, or the other access */
    struct place wait;     /* the wait through which the producer happens before the reader */
    struct place culprit;  /* who erased it */
    struct place got;      /* the write that was returned instead; core -1: the initial value */
    struct edge edge;      /* the order that was not kept; of a race there is none */
    uint64_t step;         /* transition count at the first occurrence */
    const char *note;      /* extra text, or NULL */
};

enum { MAX_FINDINGS = 256, NODE_INIT = 0, NODE_UNINIT = 1, NODE_NONE = 0 };

struct oracle *oracle_new(const struct program *p);
void oracle_free(struct oracle *o);
/* A new run of machine m; machine_reset calls it. Findings and notes of the run before are gone. */
void oracle_reset(struct oracle *o, const struct machine *m);

/* From here on, findings say in which iteration of its loops an access was made. Not for a machine
 * whose states are packed: what was counted on the way is no part of a state. */
void oracle_keep_loops(struct oracle *o);

/* From here on every unit of memory has a node of its own, whatever wrote it (sim/node_map.h); for
 * tests, which compare. Before any machine is made for it. */
void oracle_by_units(struct oracle *o);

/* The loop variables around insn, at which core stands, as in struct place. */
const int64_t *oracle_loops(struct oracle *o, int core, int insn);

/* Accesses that core has made so far, for message.epoch; 0 when nobody wants to know. */
uint32_t oracle_epoch(const struct oracle *o, int core);

/* It judges by a course (sim/course.h), from which the run may have strayed: then no more is known. */
bool oracle_follows(const struct oracle *o);
bool oracle_strayed(const struct oracle *o);

/* One of a unit at addr of which nothing else is known. */
struct finding oracle_finding(enum verdict v, uint64_t addr);

/* Findings of the run, distinct by verdict and places in the text (not by core); counts[v] counts
 * them all, also those beyond MAX_FINDINGS. */
const struct finding *oracle_findings(const struct oracle *o, int *n);
uint64_t oracle_count(const struct oracle *o, enum verdict v);
/* Units of memory whose reads or writes were judged: zero means that nothing was checked. */
uint64_t oracle_checked(const struct oracle *o);

/* ---- for those who show a run ---- */

/* The accesses that made the value of a node: a write, or adds, the newest first, and the write below
 * them. At most max are put into out; returns how many there are. Nothing made an initial value. */
size_t oracle_makers(const struct oracle *o, uint32_t node, uint32_t *out, size_t max);
/* Where an access is made; and which one of its core's it is in source order, from 1. */
struct place oracle_place(const struct oracle *o, uint32_t access);
uint32_t oracle_access_epoch(const struct oracle *o, uint32_t access);

/* ---- called by the machine's transitions ---- */

enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_ADD, ACCESS_SIGNAL, ACCESS_COUNT };

/* A new access of core at insn: its node. release: the store of a notify. */
uint32_t oracle_access(struct oracle *o, int core, int insn, enum access kind, bool release);

/* Registers len bytes at addr under the node: race checks and shadow update. For reads with
 * expected non-NULL, stores the shadow's node of each unit there. */
void oracle_touch(struct oracle *o, uint32_t node, uint64_t addr, uint64_t len, uint32_t *expected);

/* Judges what a read returned: got[i] for each unit, against expected[i]. got NULL: what memory
 * holds now; expected NULL: the same as got. hit: from the reader's cache. */
void oracle_judge(struct oracle *o, const struct machine *m, uint32_t node, uint64_t addr,
                  uint64_t len, const uint32_t *got, const uint32_t *expected, bool hit);

/* Units of GM from addr on go from node `old` to node `fresh` by message msg; carried: the core did
 * not store them. */
void oracle_applied(struct oracle *o, const struct machine *m, const struct message *msg,
                    uint64_t addr, uint64_t units, uint32_t old, uint32_t fresh, bool carried);

/* The atomic add `add` is about to be applied by msg on top of node old, to units from addr on. */
void oracle_applied_add(struct oracle *o, const struct machine *m, const struct message *msg,
                        uint64_t addr, uint64_t units, uint32_t old, uint32_t add);

/* Node of a value that has the contributions of `base` and the atomic add `add`. */
uint32_t oracle_sum(struct oracle *o, uint32_t base, uint32_t add);

/* insn of core sets a flag between cores, which tells what was before it: its node. What those of x
 * and y tell together; equal ones are equal nodes. */
uint32_t oracle_signal(struct oracle *o, int core, int insn);
uint32_t oracle_signals(struct oracle *o, uint32_t x, uint32_t y);

/* A wait of core succeeded on a value with this node. */
void oracle_acquire(struct oracle *o, int core, int insn, uint32_t node);

/* Core starts a task. */
void oracle_task_begin(struct oracle *o, int core);
/* The index-th task of core has ended, and core starts one (at insn) that had to wait for it. */
void oracle_task_end(struct oracle *o, int core, int index);
void oracle_task_start(struct oracle *o, int core, int insn, struct task_ref after);

/* insn of core reads a tile of another version than the one that its program order intends. */
void oracle_tile(struct oracle *o, const struct machine *m, int core, int insn, int tile,
                 uint32_t version, const int64_t *loops);

/* A fault of one instruction (V_OUT_OF_BOUNDS, V_MISALIGNED, V_TIMEOUT, V_FLAG_OVERFLOW ...). */
void oracle_fault(struct oracle *o, const struct machine *m, enum verdict v, int core, int insn,
                  uint64_t addr, const char *note);

/* insn of core accesses rows x cols elements from addr on, which is not all in its region. */
void oracle_outside(struct oracle *o, const struct machine *m, int core, int insn, uint64_t addr,
                    int64_t rows, int64_t cols);

/* The same of a tile, from an element of it on. */
void oracle_outside_tile(struct oracle *o, const struct machine *m, int core, int insn, int tile,
                         int64_t element, int64_t rows, int64_t cols);

/* A final state: deadlock or hang with who waits for what; or lost final
 * values, as memory is now. */
void oracle_finish(struct oracle *o, const struct machine *m);
/* The run goes on after a final state: what was found there is not found anew. */
void oracle_forget_findings(struct oracle *o);

/* A map of a rank's memory, in arena a. */
struct node_map oracle_memory(const struct oracle *o, struct arena *a);
/* Initial node of each unit of a rank's memory, or of len bytes of it from offset. */
void oracle_init_memory(const struct oracle *o, struct node_map *prov);
void oracle_initial(const struct oracle *o, uint64_t offset, uint64_t len, uint32_t *prov);

#endif
