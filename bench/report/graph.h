/* SPDX-License-Identifier: MIT */
/*
 * A run as a graph of its steps: the relations that memory models are written in, and the cycle that
 * shows what went wrong. Collected while the run goes on, looked at when it is over.
 *
 *     source order   from step to step of one core as its program has them (a transfer stands where
 *                    it was issued)
 *     reads-from     from the store to the read that returned it
 *     coherence      from a store to the next one that came to the same word of memory
 *     from-read      from a read to the store that came next to the word it read
 *     on its way     from a store to what posted its bytes, and on to their delivery
 */
#ifndef BENCH_GRAPH_H
#define BENCH_GRAPH_H

#include <stdio.h>

#include "bench/report/accesses.h"

enum relation { REL_PO, REL_RF, REL_CO, REL_FR, REL_WAY /* on its way */, REL_COUNT };

struct run_edge {
    enum relation kind;
    int from, to; /* numbers of steps */
    bool cycle;   /* it is part of the cycle */
};

struct run_node {
    struct seen_step seen; /* texts and touches live in the graph's arena; findings are gone */
    const char *accesses;  /* trace_accesses */
    bool fault;            /* a finding came up in it */
    bool cycle;
};

struct run_finding {
    struct finding what;  /* without loops and note */
    int step;             /* that it came up in; -1: the end of the run */
    const char *text;     /* "stale read at win[16]@0" */
    int reader, producer; /* steps, or -1 */
};

struct run_graph {
    bool silent; /* set by the caller: findings are none, the run is no kernel's */
    FILE *out;   /* the caller's own use */
    struct arena arena;
    const struct machine
        *machine;               /* set by the first step; valid until the run's machine is freed */
    VEC(struct run_node) nodes; /* by number */
    VEC(struct run_edge) edges; /* after graph_finish */
    VEC(struct run_finding) findings;
    VEC(int) writer; /* by oracle node: the step that stored it, or -1 */
};

/* An access_watch.fn; ctx is the struct run_graph, which was all zero. */
void graph_step(void *ctx, const struct machine *m, const struct seen_step *s);

/* The run is over: makes the edges, and marks the shortest cycle that the first finding's read is on, or
 * where nothing was found the shortest of all with a from-read edge, if there is one. */
void graph_finish(struct run_graph *g);
void graph_free(struct run_graph *g);

/* Prints it in the DOT language: ranks are clusters. After graph_finish. */
void graph_dot(FILE *out, struct run_graph *g);

#endif
