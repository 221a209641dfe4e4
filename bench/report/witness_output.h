/* SPDX-License-Identifier: MIT */
/*
 * A shortest run to what exploration found (docs/machine.md), and where it is shown: as a text
 * timeline on standard output, as a DOT graph, as a trace file. Times are numbers of steps.
 */
#ifndef BENCH_WITNESS_OUTPUT_H
#define BENCH_WITNESS_OUTPUT_H

#include <argp.h>

#include "base/diag.h"
#include "sim/explore/witness.h"

/* What --witness, --dot and --trace ask for. */
struct witness_output {
    bool timeline;
    const char *dot, *trace; /* files, or NULL */
};

/* An argp child; its input is a struct witness_output. */
extern const struct argp witness_argp;

bool witness_output_wanted(const struct witness_output *o);

/* The search gives up beyond that many states. */
enum { WITNESS_STATES = 2 * 1000 * 1000 };

struct witness {
    /* set by the caller */
    const struct program *program;
    const struct contract *contract;
    bool oracle; /* run as a kernel, with an oracle */
    /* set by witness_find */
    struct transition *run;
    int steps;     /* of run; negative: none was found */
    bool shortest; /* of all runs */
    bool
        short_of_some; /* of those that partial-order reduction looks at; neither: just one that was
                           found */
};

/* Searches for a state that is wanted (sim/explore/witness.h); the run lives in arena a. */
void witness_find(struct witness *w,
                  bool (*wanted)(void *ctx, struct machine *m, bool final, bool deadlock),
                  void *ctx, struct arena *a);

/* "a shortest run of 12 steps to WHERE (times count steps):", or that there is none. */
const char *witness_title(struct arena *a, const struct witness *w, const char *where);

/* Replays the run into everything that o asks for. False with d filled when a file cannot be
 * written. */
bool witness_write(const struct witness *w, const struct witness_output *o, struct diag *d);

#endif
