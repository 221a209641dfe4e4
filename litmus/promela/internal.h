/* SPDX-License-Identifier: MIT */
/* Private to litmus/: what a Promela model of a test needs, found out
 * before any text is written. */
#ifndef LITMUS_PROMELA_INTERNAL_H
#define LITMUS_PROMELA_INTERNAL_H

#include "base/strbuf.h"
#include "litmus/test.h"

enum { PML_WORDS_OF_LINE = 64 }; /* CONTRACT_MAX_LINE / 4: words of a line are bits of a mask */

/* A word of memory that an instruction or the condition names. */
struct pml_word {
    uint64_t addr;
    const char *name; /* "x_3_at1", unique; in memory it is gm_x_3_at1, in P0's cache P0_x_3_at1 */
    int line, bit;    /* bit: place among the named words of its line */
    int32_t initial;
};

/* A cache line's worth of named words. Lines and words stand in order of address. */
struct pml_line {
    uint64_t number; /* address / line length */
    int rank;
    const char *name; /* of its first word */
    int first, count; /* words */
};

/* What one core's cache can hold of one line; masks have bits of pml_word.bit. */
struct pml_copy {
    bool loads;      /* some ld or st brings data in */
    bool prefetched; /* some ld names the line */
    bool polled;
    uint64_t loaded, stored, delta;
    int stores, atomics; /* instructions: bounds of write-backs and of delta messages in flight */
};

/* Kinds of messages. */
enum pml_kind {
    PML_LINE,  /* write-back of a dirty line, scalar path */
    PML_DELTA, /* a line's atomic deltas, scalar path */
    PML_DEV,   /* st.dev, scalar path */
    PML_PUT,   /* DMA store */
    PML_ADD,   /* DMA atomic add */
    PML_KINDS
};

struct pml_form {
    enum pml_kind kind;
    int core, line, word; /* word: of PML_DEV, PML_PUT, PML_ADD */
    int channel;
    const char *name; /* "line_x_at1"; the same for equal messages of several cores */
};

/* Messages that stay in order among themselves. */
struct pml_channel {
    const char *name;
    int core, path, dest, line; /* what tells channels apart; -1: does not */
    int capacity;               /* messages in flight at the most */
    int values;                 /* words of its largest message */
    bool dma;                   /* some pipe feeds it */
    bool masked;                /* its write-backs carry a mask of words */
};

struct pml {
    struct arena *arena;
    const struct litmus_test *test;
    const struct program *program;
    const struct contract *contract;
    bool masked; /* lines are written back or dropped word by word: masks instead of flags */
    bool spontaneous, evicts; /* lines leave or come on their own; they leave */
    const char *word_type;    /* the narrowest that holds every value */
    VEC(struct pml_word) words;
    VEC(struct pml_line) lines;
    struct pml_copy *copies; /* cores x lines */
    VEC(struct pml_form) forms;
    VEC(struct pml_channel) channels;
    const char **cores; /* names: "P1", "P1_1" for the second core of rank 1 */
};

/* Fills everything from test and contract. False with d filled when Promela cannot hold it. */
bool pml_plan(struct pml *p, struct diag *d);

static inline struct pml_copy *pml_copy_of(const struct pml *p, int core, int line)
{
    return &p->copies[(size_t)core * p->lines.len + (size_t)line];
}
int pml_word_at(const struct pml *p, uint64_t addr);
/* Not removed by a label; a pipe operation that accesses memory. */
bool pml_active(const struct insn *i);
bool pml_dma(const struct insn *i);
/* The transfer at that place of core's code stores by atomic adds: its own doing, or that of the
 * mode; the code is straight. */
bool pml_adds(const struct pml *p, int core, int at);
/* The narrowest Promela type that holds every value that the program can make. */
const char *pml_word_type(const struct pml *p);
const struct pml_form *pml_form_of(const struct pml *p, int core, enum pml_kind kind, int target);
bool pml_register_used(const struct pml *p, int core, int reg);
bool pml_tile_used(const struct pml *p, int core, int tile);
/* Some instruction of core is queued on the pipe. */
bool pml_pipe_used(const struct pml *p, int core, int pipe);

/* Does the model count the core's messages to a line on that path, for dsb or for misses? */
bool pml_counted(const struct pml *p, int core, int path, int line);
/* Does a dsb wait for messages to that line on that path? */
bool pml_dsb_counts(const struct pml *p, int core, int path, int line);
/* Words of the line that the core's copy carries; 0: the line's data does not matter to it. */
uint64_t pml_carried(const struct pml *p, int core, int line);

/* "P0_x_at1_flying": the counter of pml_counted. */
const char *pml_counter(const struct pml *p, int core, int path, int line);

/* A place where a process may have to stay for ever. */
struct pml_block {
    int core, pipe;    /* pipe -1: the scalar unit */
    const char *label; /* of the process */
    const char *guard; /* what it waits for */
};
typedef VEC(struct pml_block) pml_blocks;

/* "P0", or "P0_mte3" for a pipe. */
const char *pml_process(const struct pml *p, int core, int pipe);

/* Variables, inlines, and processes of scalar unit and pipes; adds to blocks where the model has
 * spontaneous steps. */
void pml_print_core(struct strbuf *b, const struct pml *p, int core, pml_blocks *blocks);

/* ---- flags between cores (litmus/promela/cross.c) ---- */

/* False with d filled when the model cannot hold the program's. */
bool pml_cross_known(const struct pml *p, struct diag *d);
/* A set waits for the core's messages to that line on that path. */
bool pml_cross_counts(const struct pml *p, int core, int path, int line);
void pml_print_cross(struct strbuf *b, const struct pml *p);
/* Statement: the set is performed. */
const char *pml_cross_set(const struct pml *p, int core, const struct insn *i);
/* Expression: what the set's pipe has stored has arrived; NULL: it need not have. */
const char *pml_cross_arrived(const struct pml *p, int core, const struct insn *i);
/* The count that a wait takes from. */
const char *pml_cross_up(const struct pml *p, int core, const struct insn *i);

/* ---- pieces of text for copies (litmus/promela/cache.c) ---- */

/* Variables of the core's copies and counters, and the inlines that fill and clean them. */
void pml_print_copies(struct strbuf *b, const struct pml *p, int core);
/* Statement: the words of mask are cleaned and dropped; NULL when nothing can be there. */
const char *pml_clean(const struct pml *p, int core, int line, uint64_t mask);
/* Statement: the line is filled unless the word is there. */
const char *pml_have(const struct pml *p, int core, int word);
/* Statement: the line is filled afresh with a poll's successful read. */
const char *pml_refill(const struct pml *p, int core, int word);
/* Expression: the word is there, or a miss may fill the line; NULL: always. */
const char *pml_may_access(const struct pml *p, int core, int word);
/* Statement: a message of that kind with one value leaves. */
const char *pml_send(const struct pml *p, int core, enum pml_kind kind, int word,
                     const char *value);
/* The copy holds data or deltas that an instruction of the core can bring in. */
bool pml_has_copy(const struct pml *p, int core, int line);
/* Process of the core's evictions and prefetches, if the contract has any. */
void pml_print_spontaneous(struct strbuf *b, const struct pml *p, int core);
/* Process that applies messages. */
void pml_print_fabric(struct strbuf *b, const struct pml *p);
/* Expression: no dirty word or delta is in a cache; "" when none can be. */
void pml_add_all_clean(struct strbuf *b, const struct pml *p);

#endif
