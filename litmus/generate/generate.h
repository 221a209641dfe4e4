/* SPDX-License-Identifier: MIT */
/*
 * Systematic litmus tests from cycles, in the way of diy (docs/litmus.md).
 *
 * A family is a cycle of edges: communication (read-from, from-read, coherence, and signal: a
 * notify that a wait waits for), which goes from one rank to the next, and program order. A test of
 * the family chooses for each access an agent, for the locations a home, and for the program-order
 * edges a placement of markers. Its condition asks with `exists` for the one outcome in which all
 * edges hold, which sequential consistency forbids.
 *
 * The name states these choices: MP+st-line.dsb-notify.add+wait-line-ld+to is the cycle MP, with
 * `st`, then `dcci` of its line and `dsb`, then `notify.add`; at the other rank `wait`, `dcci` of
 * the line, `ld`; the location lives at the rank to which its communication edge goes.
 */
#ifndef LITMUS_GENERATE_H
#define LITMUS_GENERATE_H

#include "base/diag.h"
#include "base/vec.h"

enum { GENERATE_MIN_EDGES = 2, GENERATE_MAX_EDGES = 6 };

struct generated {
    const char *name; /* letters, digits and +.- only: a file name too */
    const char *text; /* of a whole test */
};

struct generated_tests {
    VEC(struct generated) tests;
};

/*
 * The tests of cycles of at most max_edges edges, of one family or (NULL) of all: in the order of
 * the tables, equal calls give equal bytes. No two tests are equal up to names of ranks and
 * locations. Empty when the family has longer cycles only, or does not exist.
 */
struct generated_tests litmus_generate(struct arena *a, int max_edges, const char *family);

/*
 * The test of one cycle in words: edges one after another, each with the access that it leaves in
 * front of it, if that is not the usual one.
 *
 *     st line.dsbdWN Sig wait linedAR ld.warm Fre
 *
 * Rfe, Fre, Coe (or Wse) and Sig go to another rank; PodWW, PosRW, ... are program order to another
 * and to the same location, between writes, reads, notifies (N) and waits (A); the name of a
 * placement instead of Po puts its markers there. The name of a family alone is its cycle without
 * markers. home: "from", "to" or "third". The name is that of litmus_generate where the cycle is a
 * family's. False with d filled, about a text called "--cycle", for what makes no test.
 */
bool litmus_generate_cycle(struct arena *a, const char *words, const char *home,
                           struct generated *out, struct diag *d);

/* Families in the order of the table, from 0; NULL behind the last. */
const char *litmus_family_name(int i);
/* Edges of a family's cycle; 0 when there is no such family. */
int litmus_family_edges(const char *name);

#endif
