/* SPDX-License-Identifier: MIT */
/*
 * From a finding to what would have kept the order that was not kept (docs/machine.md).
 *
 * A finding names two accesses, one before the other in happens-before, and what of the program
 * puts them in that order (struct edge). The effects of the first had not arrived when the second
 * was performed: on the way from the one to the other a marker is missing. Which markers can stand
 * where follows from the two instructions and the kind of the edge; where the fresh value was says
 * which of them is missing first. That gives a short list of candidates, simplest first. Whether
 * one repairs is found out by running the program with it (sim/patch.h): the list proposes, the
 * machine decides.
 */
#ifndef SIM_DIAGNOSIS_H
#define SIM_DIAGNOSIS_H

#include "sim/oracle.h"
#include "sim/patch.h"

/* In the order in which they stand at one place. */
enum marker {
    MARKER_FLAG,       /* set_flag, wait_flag between two pipes of a core */
    MARKER_CLEAN,      /* dcci of what was stored */
    MARKER_DRAIN,      /* barrier all */
    MARKER_DSB,        /* of what was posted */
    MARKER_INVALIDATE, /* dcci of what is read next */
    MARKER_COUNT
};

/* One marker, in front of an instruction or behind it. */
struct remedy_step {
    enum marker marker;
    struct place at;
    bool behind;
    bool all; /* clean, invalidate: of the whole cache; else of the line that `at` accesses */
};

enum { REMEDY_STEPS = MARKER_COUNT, REMEDY_CANDIDATES = 96, REMEDY_INSNS = 2 * REMEDY_STEPS };

struct remedy {
    struct edge edge;
    struct remedy_step steps[REMEDY_STEPS]; /* in program order where they share a place */
    int nsteps;
};

/*
 * What could repair f, found in p under contract k; at most REMEDY_CANDIDATES. 0: no marker can, as
 * far as anyone can tell from the finding. Simplest first, when each is going to be proved or
 * refuted; when it is only tried for some runs, first those after which no part of the way is
 * without its marker, because a gap may show too rarely.
 */
size_t diagnose(const struct program *p, const struct contract *k, const struct finding *f,
                bool proved, struct remedy *out);

/* The instructions of r, at most REMEDY_INSNS; their number. */
size_t remedy_insertions(const struct program *p, const struct remedy *r, struct insertion *out);

/* "missing drain (barrier all) and fence (dsb) between the write (line 36) and the notify (line
 * 46)". */
const char *remedy_text(const struct program *p, const struct remedy *r, struct arena *a);

/* What is wrong with a finding of p that no marker repairs, and what would help. */
const char *finding_advice(const struct program *p, const struct finding *f, struct arena *a);

#endif
