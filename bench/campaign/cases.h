/* SPDX-License-Identifier: MIT */
/*
 * Cases: (kernel, ranks, model) combinations of one command, run as a campaign and judged as one
 * tally each.
 */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include "bench/campaign/campaign.h"
#include "bench/campaign/glance.h"
#include "bench/campaign/remedy_written.h"

/* What a command runs: which files, compiled how, on which ranks and machines, how often. */
struct experiment {
    struct arena *arena; /* of all that is made */
    struct diag *diag;   /* of its errors */
    VEC(const char *) files;
    VEC(const char *) programs; /* names of those to take of each file; empty: all */
    bool one_program;           /* the command takes one program of a file */
    struct kernel_options kernel;
    const char *toolchain_name;
    VEC(int) ranks;                /* empty: as the kernel's file says, or 2 */
    VEC(const char *) model_names; /* as they were given */
    VEC(const struct contract *) models;
    const struct contract *sc;
    uint64_t runs, seed;
    struct runner_options runner;
    int threads;
};

/* Rank counts for the programs of a file. */
size_t experiment_ranks(const struct experiment *x, const struct kernel_file *f, const int **ranks);

/* The programs of a file that the command takes. False with x->diag filled when a name chooses none,
 * or the command takes one and the choice is open. */
bool experiment_units(const struct experiment *x, const struct kernel_file *f, ir_units *out);

/* Every --arg, and each argument that a file names in its directives, is for one of the programs. False
 * with x->diag filled. */
bool experiment_args_known(const struct experiment *x, const struct kernel *const *k, size_t n);

/* What names a contract of it on a command line: a name, or the path of a file; quoted for a shell. */
const char *experiment_model_word(const struct experiment *x, const struct contract *k);

/* Text as one word of a shell: in quotes where it needs them. */
const char *shell_word(struct arena *a, const char *text);

struct kase {
    const struct experiment *of;
    const struct kernel *kernel;
    int nranks;
    const struct program *program;
    const char *removed; /* sites that were taken out of the program, "3,7"; NULL: none */
    const char *mutated; /* a site that became something else, "7:before-wait"; NULL: none */
    const struct golden *golden;
    const struct contract *contract;
    struct runner_options options; /* those of the command, for this program */
    struct tally tally;
    struct glance glance; /* of case_glance */
};
typedef VEC(struct kase) kases;

/* The program, compiled from k for so many ranks, has a machine under the contract; else false with an
 * error. */
bool kase_fits(const struct kernel *k, int nranks, const struct program *p,
               const struct contract *c, struct diag *d);
/* A case of a program, with what its runs share. kase_fits(k, nranks, p, c, d). */
struct kase kase_make(const struct experiment *x, const struct kernel *k, int nranks,
                      const struct program *p, const struct golden *g, const struct contract *c);

/* The case k without the sites marked in removed[]. */
struct kase kase_without(const struct kase *k, const bool *removed);
/* The case k with a mutant of its program (bench/campaign/mutants.h). */
struct mutant;
struct kase kase_mutant(const struct kase *k, const struct mutant *m);
/* The same for the commands that name the case alone: its program stays as it is. */
struct kase kase_named_mutant(const struct kase *k, const struct mutant *m);

typedef VEC(struct diag) diag_list;

/* Loads every file of x and compiles each of its programs for every rank count. False with x->diag
 * filled by the first error; where errors is not NULL, one of a program goes there and the others
 * are made. */
bool cases_make(const struct experiment *x, kases *out, diag_list *errors);

/* The same for a command that looks at one case: the first, of a file that names several numbers of
 * ranks. Several that the command line names are an error. */
bool cases_make_one(const struct experiment *x, const char *command, kases *out);

/* Runs the seeds of every case; tallies are complete afterwards, unless a stop was wanted. done, or
 * NULL: called in the caller's thread for one case after the other, as soon as its runs are made; in
 * the end for one that a stop left with some of them. Memory does not grow with the number of runs. */
void cases_run(kases *cases, void (*done)(void *ctx, struct kase *k), void *ctx);
/* Runs of all cases together. */
uint64_t cases_runs(const kases *cases);
/* A stop left it without some of its runs. */
bool case_partial(const struct kase *k);
/* Its runs or its states have a finding that is none for want of time. */
bool kase_found(const struct kase *k);

/* So many runs more of a case all of whose runs are made, with the seeds that come next. */
void case_run_more(struct kase *k, uint64_t runs);

/* Looks at the states of a case in which no run failed. */
void case_glance(struct kase *k, struct glance_limit most);
/* How the case's program came from its file. */
struct compilation case_compilation(const struct kase *k);
/* Looks for what repairs the first `max` findings of a case (bench/campaign/remedy.h). */
void case_find_remedies(struct kase *k, size_t max);

/* False with d filled when nothing was found and no memory access was judged: that proves
 * nothing. checked: 0 when none was. */
bool case_judged(const struct kase *k, bool found, uint64_t checked, struct diag *d);
/* The same of the runs of each case. */
bool cases_judged(const kases *cases);

/* How often the case's first run executes each site of its program; in arena a. */
uint64_t *case_executed(const struct kase *k, struct arena *a);

/* The command that explores a case. */
const char *case_explore(const struct kase *k);

/* The command that replays one run of a case. */
const char *case_replay(const struct kase *k, uint64_t seed);

/* An identification of the build: the commit, or "unknown". */
const char *build_id(void);

#endif
