/* SPDX-License-Identifier: MIT */
/* Private to litmus/: the steps of a core's processes, as instructions become them. */
#ifndef LITMUS_PROMELA_STEPS_H
#define LITMUS_PROMELA_STEPS_H

#include "litmus/promela/internal.h"

struct pml_step {
    const char *comment;
    struct strbuf guard, effects; /* effects: one statement a line */
    bool merged;                  /* into the step before */
    bool waits;                   /* its guard may never come true */
    const struct insn *last;      /* pipes: the last operation in it */
    int group;                    /* pipes: the scalar step that issued it */
};

struct pml_writer {
    const struct pml *p;
    struct arena *arena;
    int core;
    const struct code *code;
    const struct insn *insn;    /* being translated */
    int group;                  /* scalar steps so far */
    VEC(struct pml_step) steps; /* of the scalar unit */
    struct {
        VEC(struct pml_step) steps;
        int captured; /* registers that queued stores keep */
    } pipes[PIPE_COUNT];
    struct strbuf variables; /* declarations */
    pml_blocks *blocks;
};

/* A step of the scalar unit for the present instruction, without guard and effects. The pointer
 * holds until the next call. */
struct pml_step *pml_new_step(struct pml_writer *w, bool merged);
/* One more condition of the guard, or one more effect; NULL: none. */
void pml_require(struct pml_step *s, const char *condition);
void pml_effect(struct pml_step *s, const char *statement);
/* The present instruction in its pipe's process; scalar is the step that issues it. */
struct pml_step *pml_enqueue(struct pml_writer *w, int pipe, struct pml_step *scalar);
/* A variable of the core, declared once. */
void pml_declare(struct pml_writer *w, const char *type, const char *name);
/* "P0_mte3_queue". */
const char *pml_queue(const struct pml_writer *w, int pipe);
/* "P0_r1"; "P0_t1" or "P0_stage". */
const char *pml_register(const struct pml_writer *w, int reg);
const char *pml_tile(const struct pml_writer *w, int tile);

/* The present instruction becomes steps (litmus/promela/ops.c). */
void pml_translate(struct pml_writer *w);

#endif
