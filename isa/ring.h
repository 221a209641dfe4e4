/* SPDX-License-Identifier: MIT */
/*
 * A task's ends of the pipes of its cluster, as the library for a2a3 has them (pypto-ops-facts 3.3;
 * isa/build.h has the steps). A pipe between the cube core and the vector cores is a ring of slots in
 * memory for each of its directions; both ends count what they push and pop in registers of the
 * task, which start at 0. All instructions become part of the task that the builder is at.
 */
#ifndef ISA_RING_H
#define ISA_RING_H

#include "isa/builder.h"

enum { RING_MIN_SLOTS = 1, RING_MAX_SLOTS = 64 };

struct pipe_ring {
    int id;                    /* of the pipe */
    bool to_vector, to_cube;   /* its directions */
    int64_t slot_bytes, slots; /* of each direction */
    int flag;                  /* the first of its flags */
    int pushes, pops, credits; /* registers of the task: tiles so far, credits taken; or NO_REG */
};

/* Fills in the directions and slots that a pipe has: mask 1 is to the vector cores, 2 to the cube, 3
 * both; slots 0: what the library takes. flags: taken so far on the cluster; the ring's are added.
 * False when there is no such pipe. */
bool ring_describe(struct pipe_ring *r, int64_t mask, int64_t slot_bytes, int64_t slots,
                   int *flags);
/* The bytes that the slots of all directions take, for one block. */
int64_t ring_bytes(const struct pipe_ring *r);

/* Before the code of a task: nothing is set up. */
void ring_forget(struct pipe_ring *r);
/* The counters of the ends that a cube core, or a vector core, has. region: that has the slots. */
void ring_set_up(struct builder *b, struct pipe_ring *r, bool cube, int region);
/* That end of the pipe is set up: on a cube core or not, for pushing or popping. */
bool ring_is_set_up(const struct pipe_ring *r, bool cube, bool push);

/* What stands in front of the transfer of a push: the address of its slot, in the ring whose memory
 * begins at base and has slots for as many blocks as it takes. Behind the transfer, on that pipe: */
struct operand ring_begin_push(struct builder *b, struct pipe_ring *r, bool cube,
                               struct operand base, struct operand block);
void ring_end_push(struct builder *b, struct pipe_ring *r, bool cube, enum pipe pipe);
/* The same of a pop. */
void ring_begin_pop(struct builder *b, struct pipe_ring *r, bool cube);
struct operand ring_pop_slot(struct builder *b, struct pipe_ring *r, bool cube, struct operand base,
                             struct operand block);
void ring_end_pop(struct builder *b, struct pipe_ring *r, bool cube);
/* What was popped is not needed any more, which needs no instruction. */
void ring_free(struct builder *b, const struct pipe_ring *r, int64_t split);

/* What the other side gave back, or will, is taken before the next task of the cluster could. */
void ring_end_task(struct builder *b, struct pipe_ring *r, bool cube);

/* The part of a slot at `slot` that a vector core's tile has: all of it (split 0), its rows (1) or its
 * columns (2); lane: 0 or 1. That of a cube core is all of it. The part's address; *stride: bytes between
 * its rows. */
struct operand ring_part(struct builder *b, struct operand slot, bool cube, int64_t split, int tile,
                         struct operand lane, int64_t *stride);

#endif
