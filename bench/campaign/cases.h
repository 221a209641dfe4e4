/* SPDX-License-Identifier: MIT */
/*
 * Cases: (kernel, ranks, model) combinations of one command, run as a campaign and judged as one
 * tally each.
 */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include "bench/campaign/campaign.h"
#include "bench/campaign/glance.h"
#include "bench/cli/options.h"
#include "bench/campaign/remedy_written.h"

struct kase {
    const struct kernel *kernel;
    int nranks;
    const struct program *program;
    const struct golden *golden;
    const struct contract *contract;
    struct runner_options options; /* those of the command, for this program */
    struct tally tally;
    struct glance glance; /* of cases_glance */
};
typedef VEC(struct kase) kases;

/* A case of a program, with what its runs share. */
struct kase kase_make(struct options *o, const struct kernel *k, int nranks,
                      const struct program *p, const struct golden *g, const struct contract *c);

/* Loads every file of o and compiles it for every rank count. False with o->diag filled by the
 * first error. */
bool cases_make(struct options *o, kases *out);

/* The same for a command that looks at one case: the first, of a file that names several numbers of
 * ranks. Several that the command line names are an error. */
bool cases_make_one(struct options *o, const char *command, kases *out);

/* Runs o->runs seeds of every case; tallies are complete afterwards. */
void cases_run(struct options *o, kases *cases);

/* Looks at the states of every case in which no run failed. */
void cases_glance(struct options *o, kases *cases);
/* How the case's program came from its file. */
struct compilation case_compilation(const struct options *o, const struct kase *k);
/* Looks for what repairs the first `max` findings of each case (bench/campaign/remedy.h). */
void cases_find_remedies(struct options *o, kases *cases, size_t max);

/* False with o->diag filled when nothing was found and no memory access was judged: that proves
 * nothing. checked: as oracle_checked. */
bool case_judged(struct options *o, const struct kase *k, bool found, uint64_t checked);
/* The same of the runs of each case. */
bool cases_judged(struct options *o, const kases *cases);

/* The command that explores a case. */
const char *case_explore(struct arena *a, const struct options *o, const struct kase *k);

/* The command that replays one run of a case. */
const char *case_replay(struct arena *a, const struct options *o, const struct kase *k,
                        uint64_t seed);

/* An identification of the build: the commit, or "unknown". */
const char *build_id(void);

#endif
