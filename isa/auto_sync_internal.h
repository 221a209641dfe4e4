/* SPDX-License-Identifier: MIT */
/* A function as the assembler's pass sees it, and what that decides to insert. */
#ifndef ISA_AUTO_SYNC_INTERNAL_H
#define ISA_AUTO_SYNC_INTERNAL_H

#include "isa/builder.h"

enum { SYNC_MAX_READS = TILE_MAX_SRC };

enum element_kind { SYNC_NODE, SYNC_IF, SYNC_ELSE, SYNC_IF_END, SYNC_LOOP, SYNC_LOOP_END };

typedef VEC(int) sync_list;

/*
 * What the pass looks at, in the order of the code: operations of the pipes and of the scalar unit,
 * and the ifs and loops around them. Notifies, waits, markers and barriers are no elements
 * (pypto-ops-facts 4.2).
 */
struct sync_element {
    enum element_kind kind;
    int begin, end;  /* code: what stands in front of it goes to begin, what stands behind to end */
    int region;      /* the SYNC_IF, SYNC_ELSE or SYNC_LOOP that holds it, or -1: the function */
    int depth;       /* of its region */
    int first, last; /* of an if or a loop: the element that opens and the one that closes it */
    int middle;      /* of an if: its SYNC_ELSE, or last */
    /* of a node */
    enum pipe unit; /* PIPE_S: the scalar unit */
    int macro;      /* index of the library macro that it is a phase of, or -1 */
    int reads[SYNC_MAX_READS], nreads, write; /* objects: tiles, then arguments; write -1: none */
    bool load;                                /* tile.load */
    bool copy;                                /* BUILD_COPY */
    sync_list before, after;                  /* indices of syncs */
};

enum sync_kind {
    SYNC_PAIR,     /* set_flag behind `set`, wait_flag in front of `wait` */
    SYNC_ADJACENT, /* both in front of `wait` */
    SYNC_BARRIER   /* of one pipe, or of all, in front of `wait` */
};

struct sync {
    enum sync_kind kind;
    enum pipe from, to; /* of a barrier: both the pipe */
    int set, wait;      /* elements */
    int front, now;     /* the nodes that it orders */
    bool carried;       /* from one turn of a loop to the next: set once more where the function
                           starts, waited for once more where it ends */
    int id, site;
};

struct sync_function {
    struct builder *b;
    VEC(struct sync_element) elements;
    VEC(struct sync) syncs;
    const int *buffer; /* per tile: one number for tiles that the compiler keeps in one buffer */
    VEC(bool) seen;    /* per sync: the search has passed its wait */
    bool irregular;    /* leaves loops or itself in other ways than at their ends */
};

/* Fills syncs and the elements' lists. */
void sync_pairs_find(struct sync_function *f);

#endif
