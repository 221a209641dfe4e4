/* SPDX-License-Identifier: MIT */
/*
 * The machine: state and transitions (docs/machine.md), written once.
 *
 * A driver asks which transitions are enabled, chooses one and fires it; it never changes the state
 * in another way. Instructions without an effect outside their core (arithmetic, branches) are run
 * eagerly after every step of a core, so that a core always stands at an instruction that others
 * can notice, or has ended.
 *
 *     struct machine *m = machine_new(program, contract, options);
 *     machine_reset(m);
 *     while ((n = machine_enabled(m, list, max)) > 0) machine_fire(m, list[choice]);
 *     oracle_finish(oracle, m);   // deadlock or end; final checks
 *
 * A machine is used by one thread; programs and contracts may be shared.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "models/contract.h"
#include "sim/load_lines.h"
#include "sim/node_map.h"
#include "isa/program.h"

struct oracle;

enum transition_kind {
    T_SCALAR,   /* the instruction at a core's pc */
    T_PIPE,     /* the operation at the head of a pipe */
    T_DELIVER,  /* the oldest message of a channel */
    T_EVICT,    /* a cache line leaves on its own */
    T_PREFETCH, /* a cache line is filled on its own */
    T_KIND_COUNT
};

struct transition {
    uint8_t kind;  /* enum transition_kind */
    uint8_t pipe;  /* T_PIPE */
    int32_t core;  /* T_DELIVER: the sender */
    int32_t index; /* T_DELIVER: channel; T_EVICT: slot; T_PREFETCH: index of a named line */
};

enum { NO_SLOT = -1, POLL_DCCI = 0, POLL_READ = 1 };

/* What posts a message when no instruction does. */
enum { BY_EVICTION = -1, BY_PREFETCH = -2 };

/* One line of a data cache. Words are 4 bytes: bit w of a mask is word w. */
struct cache_line {
    uint64_t tag;    /* global address of the line */
    uint64_t dirty;  /* words stored and not yet written back */
    uint64_t delta;  /* words with an atomic delta */
    uint64_t used;   /* for LRU replacement */
    uint32_t filled; /* oracle: the core's accesses when it was filled */
    int32_t place;   /* index in cache.valid, or NO_SLOT: the slot is empty */
    uint64_t valid;  /* words with data; all or none, but for dcci_unaligned = tail_only; none: only
                        deltas */
};

struct cache {
    uint64_t *tags; /* by slot: 1 + the line's tag, or 0: what is looked through for a line */
    struct cache_line *lines; /* sets x ways */
    uint8_t *data;            /* line bytes each */
    int32_t *deltas;          /* one per word */
    uint32_t *prov;           /* one node per grain unit */
    uint32_t *delta_prov;     /* one node per word */
    int32_t *valid;           /* slots in use, in no order */
    int nvalid, sets, slots;
    uint64_t clock;
    /* Sampled runs, by slot: 1 + the tag of a line that the invalidate behind a wait (rule R1) dropped
     * and nothing else would have since, or 0. */
    uint64_t *flushed;
    int nflushed;
};

enum path { PATH_SCALAR, PATH_DMA, PATH_COUNT };

/* A posted message. It is in its channel's queue and in its core's list until it is applied. */
struct message {
    struct message *next;          /* in the channel */
    struct message *newer, *older; /* of the core, newest first */
    uint64_t addr;
    uint32_t len;                /* bytes */
    int32_t core, channel, insn; /* insn: what posted it, index into the core's code */
    uint8_t path, elem;
    uint8_t pipe;   /* of a program with flags between cores: that posted it, else 0 */
    bool add;       /* atomic add of elements, else a write */
    bool masked;    /* a cache line: only the words of mask count */
    bool after_end; /* of a line that left on its own after the run's end */
    bool apart;     /* a write of a register: on a path of its own */
    int32_t ended;  /* reports the end of that many tasks of its core; 0: carries data */
    uint64_t mask;
    /* words (masked) that the core stored itself; the others are merely carried along */
    uint64_t own;
    uint64_t arrival; /* timed driver: when it may be applied */
    uint32_t epoch;   /* oracle: the core's accesses before it was posted */
    uint8_t *data;
    uint32_t node;  /* oracle: of what is not masked */
    uint32_t *prov; /* oracle: of a line, one for each unit, or for each word when it adds */
};

struct channel {
    struct message *head, *tail;
    int32_t active; /* index in machine.active, or NO_SLOT */
};

/* A flag between cores as one core has it. It outlasts tasks. */
struct cross_flag {
    uint8_t up;                /* sets that it may take, at most CROSS_MOST */
    uint8_t sent[CROSS_MODES]; /* own sets for which those of others are missing */
    /* oracle: the accesses that whoever takes it acquires; that those sets bring along */
    uint32_t node, sent_node[CROSS_MODES];
};
enum { CROSS_MOST = 15 };

/* A queued pipe operation: its instruction with the registers read at issue. */
struct pipe_op {
    int32_t insn;
    uint32_t rows, cols;
    uint64_t addr;
    int64_t scalar;
    bool add;             /* it stores by atomic adds, as the core's mode or its own says */
    uint32_t node;        /* oracle: the access, or what a flag between cores tells */
    uint32_t *expected;   /* oracle: what a load must see, one node per unit, or NULL */
    const int64_t *loops; /* oracle: as in struct place */
    uint32_t version[TILE_MAX_SRC + 1]; /* expected tile versions: sources, then destination */
};

struct pipe_queue {
    struct pipe_op *ops; /* ring of pipe_depth */
    int head, count;
};

/* Tile state besides its bytes: versions count the operations that write it. */
struct tile_state {
    uint32_t issued;
    uint32_t done, newest;  /* version of the present content; the newest that was performed */
    int32_t writer, latest; /* instructions that wrote these two, or -1 */
    const int64_t *writer_loops, *latest_loops; /* oracle: as in struct place */
};

struct core {
    const struct code *code;
    int rank, pc;
    bool ended, started;
    bool adds; /* transfers that store are atomic adds: a mode that outlasts tasks */
    uint8_t poll_phase;
    int64_t *regs;
    uint8_t *tiles;
    struct tile_state *tile_state;
    struct message *newest;            /* own messages in flight */
    uint32_t in_flight[PATH_COUNT][2]; /* by path; [1]: to other ranks */
    int task;
    int dispatch; /* tasks of the host that have ended; the next one is running or waits */
    int reported; /* those of which the others know: all, or by contract what memory says */
    struct cache cache;
    struct pipe_queue pipes[PIPE_COUNT];
    uint8_t flags[PIPE_COUNT + 1][PIPE_COUNT + 1][MAX_FLAG_IDS];
    struct cross_flag cross[MAX_CROSS_IDS];
};

/* Counters of a run, per core. */
struct core_stats {
    uint64_t insns, scalar_steps, pipe_steps, messages;
    uint64_t ld_hit, ld_miss, st_hit, st_miss;
    uint64_t refills; /* misses on lines that the invalidate behind a wait had dropped */
    uint64_t dcci_line, dcci_all[ORIGIN_COUNT]; /* whole-cache flushes by who asked for them */
    uint64_t lines_dropped, lines_written;
    uint64_t fences[ORIGIN_COUNT]; /* dsb by who asked for them */
    uint64_t dsb, barrier, polls, notifies, evictions, prefetches;
    uint64_t cross_sets, cross_waits;
};

struct machine_options {
    struct oracle *oracle; /* or NULL: no provenance is kept */
    bool kernel;           /* check regions and uninitialised reads; litmus runs do not */
    bool sampled;          /* no state will be packed: `writable` is found for prefetches only */
    bool races;            /* reduction: some accesses race, and findings tell their order */
    bool leaves_late;      /* reduction: lines leave caches as sim/explore/leaving.h says */
    uint64_t max_local;    /* local instructions in a row before "endless loop" */
    /* What machine_load_lines found for this program, or NULL: machine_new finds it again. */
    const struct load_lines *named;
};

/* Why a run stopped early. */
enum machine_stop { STOP_NONE, STOP_FAULT /* the oracle holds the finding */ };

struct machine {
    const struct program *program;
    const struct contract *contract;
    struct machine_options opt;
    struct oracle *oracle;
    struct core *cores;
    struct core_stats *stats;
    uint8_t **gm;          /* per rank; written through gm_write alone */
    uint64_t **written;    /* per rank: its pages that differ from the initial ones, as bits */
    struct node_map *prov; /* per rank, of its units; NULL without an oracle */
    int words, units, grain, chunk; /* words and units per line; bytes of one DMA message */
    struct channel *channels;
    int nchannels, core_channels; /* of all cores; of one */
    int32_t *active;              /* channels with messages, in no order */
    int nactive;
    struct message *free_messages;
    bool dispatched; /* cores take tasks that may wait for those of others, from a host or not */
    uint32_t cross;  /* ids of flags between cores that the program uses, as bits */
    /* Words that may change. Lines without any are the same in memory and in every cache. */
    const struct writable *writable;
    /* per core: lines that its loads name, where they are prefetched */
    const struct load_lines *named;
    uint64_t transitions;
    uint64_t accessed; /* bytes that loads, stores and transfers of the run have named */
    int32_t applied;   /* the rank whose memory the last transition has changed, or -1 */
    int32_t acting;    /* instruction that posts messages now, BY_EVICTION or BY_PREFETCH */
    bool after_end;    /* what is posted now leaves a cache after the run's end */
    enum machine_stop stop;
    struct arena arena;
};

/* Queues of messages that a machine may have: each core has one a rank and path, or a line where the
 * contract keeps no more in order. */
enum { MACHINE_CHANNELS = 1 << 27 };
/* The program's machine under the contract has no more queues than that. */
bool machine_fits(const struct program *p, const struct contract *k);

/* machine_fits(p, c). */
struct machine *machine_new(const struct program *p, const struct contract *c,
                            struct machine_options o);
void machine_free(struct machine *m);

/* The lines that each core's loads name, in arena a; NULL where the contract has no prefetches.
 * They take longer to find than a run: machines of one program, also with markers put in, can share
 * them. */
const struct load_lines *machine_load_lines(struct arena *a, const struct program *p,
                                            const struct contract *c, bool kernel);

/* The initial state. The machine can be used for any number of runs. */
void machine_reset(struct machine *m);

bool transition_enabled(const struct machine *m, struct transition t);
void machine_fire(struct machine *m, struct transition t);

/* All enabled transitions in a fixed order, at most max; returns their number. After the run's end
 * those are the evictions that write back, and their deliveries. */
int machine_enabled(const struct machine *m, struct transition *out, int max);

/* Lines that loads name are filled on their own. */
static inline bool machine_prefetches(const struct machine *m)
{
    return !m->contract->coherent && m->contract->prefetch == PREFETCH_SPONTANEOUS;
}

/* A line leaves or comes on its own: no progress of the program. */
static inline bool transition_spontaneous(struct transition t)
{
    return t.kind == T_EVICT || t.kind == T_PREFETCH;
}

/* A line with dirty words or deltas leaves on its own. */
bool transition_writes_back(const struct machine *m, struct transition t);

/* True in a final state, t being its n enabled transitions: memory may be looked at, for the run
 * has ended; or nothing can happen but evictions of clean lines and prefetches. While a core waits,
 * an eviction that writes back counts as progress: that can be what the core waits for. */
bool machine_final(const struct machine *m, const struct transition *t, int n);

/*
 * True once the run has ended: every core has ended and pipes and fabric are empty. Where lines
 * leave on their own they go on to do so, and memory is looked at some time later: it
 * stays true, with what those lines post in flight.
 */
bool machine_at_end(const struct machine *m);

/* The instruction that core stands at, or NULL when it has ended. */
static inline const struct insn *machine_at(const struct machine *m, int core)
{
    const struct core *c = &m->cores[core];
    return c->ended ? NULL : &c->code->insns[c->pc];
}

/* The operation at the head of a pipe, or NULL when it is empty. */
static inline const struct pipe_op *machine_head(const struct machine *m, int core, int pipe)
{
    const struct pipe_queue *q = &m->cores[core].pipes[pipe];
    return q->count ? &q->ops[q->head] : NULL;
}

/* Address that the instruction at core's pc accesses (loads, stores, dcci, poll). */
uint64_t machine_effective_address(const struct machine *m, int core);

/* Who has to set a flag between cores of that mode along with core, core itself included: the other
 * is one of them. And who gets it then. */
bool cross_sends(const struct machine *m, int core, enum cross_mode mode, int other);
bool cross_receives(const struct machine *m, int core, enum cross_mode mode, int other);
/* How many of the former there are, with those on which no code runs. */
int cross_senders(const struct machine *m, int core, enum cross_mode mode);

/* Slot of the line that holds addr in core's cache, or NO_SLOT. */
int cache_find(const struct machine *m, int core, uint64_t addr);

/* What a poll at core's pc waits for: the value it compares with and whether memory satisfies it
 * now. */
bool machine_poll_satisfied(const struct machine *m, int core, int32_t *memory, int32_t *expected);

#endif
