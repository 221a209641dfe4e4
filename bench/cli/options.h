/* SPDX-License-Identifier: MIT */
/*
 * Options that several commands share, as argp children: how kernels are compiled, and what is run.
 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <argp.h>
#include <jansson.h>

#include "bench/campaign/cases.h"
#include "bench/report/formats.h"

struct options {
    struct arena arena;
    struct diag diag;
    struct experiment x; /* whole after options_finish */
    VEC(struct binding) args;
    VEC(const char *) passes;
    const char *sampling;     /* an option that was given and is for sampled runs only, or NULL */
    uint64_t max_transitions; /* as given, of one run or one exploration; 0: not given */
    enum format format;
    const char *baseline; /* file of known findings, or NULL */
    bool update_baseline;
    bool json;                /* the format is none for people: all is printed at the end */
    const char *marking;      /* --batch or --rules was given, or NULL */
    bool depth, timing, skew; /* --pct-depth, --timing, --dispatch-skew were given */
    VEC(int) removed;         /* of --remove */
    int mutated;              /* of --mutate, if how is set: the site */
    const char *how;          /* and what becomes of it, or NULL */
    unsigned origins;         /* of option_origins */
    VEC(const char *) notes;  /* those that were printed */
};

/* Defaults: toolchain ptoas-0.57, model a2a3, 100 runs from seed 1, timed driver with the
 * adversary, 2 threads. */
void options_init(struct options *o);
/* Prints the error when there is one, and frees all. Returns code, or what becomes of it when a stop
 * was wanted (base/stop.h): 130, 143, or 3 where the limit of time came before any finding. */
int options_end(struct options *o, int code);

/* When a stop was wanted: says on standard error what had been done by then, as "41,200 runs". */
void options_say_stopped(const char *done);
/* What had been done by then: {"cause": "interrupted", "runs": 41200}, or null. */
json_t *options_stopped_json(const char *unit, uint64_t done);
/* "41,200" */
const char *count_text(struct arena *a, uint64_t n);

/* argp children; their input is the struct options. */
extern const struct argp compile_argp, mutant_argp;
/* Running, with the options that have an effect: of many runs, one run, an exploration, a litmus test,
 * a comparison. All of them make signals and --seconds a wish to end (base/stop.h). */
extern const struct argp sampling_argp, single_argp, exploring_argp, litmus_run_argp,
    comparing_argp;
extern const struct argp_child kernel_children[]; /* compile_argp and sampling_argp */
extern const struct argp report_argp;             /* in which format findings are printed */
extern const struct argp look_argp; /* of run_argp, what a command needs that runs nothing */

/* What the parsers of commands on kernel files share: hands o to the children, collects file names,
 * and checks that there are min to max of them. True when the key needs nothing else. */
bool options_key(struct options *o, const struct argp_child *children, int key, char *arg,
                 struct argp_state *s, size_t min, size_t max);

/* What --model=all does. */
void options_all_models(struct options *o);

/* Loads the toolchain and the models named, and looks at the baseline. False with o->diag filled. */
bool options_finish(struct options *o);

/* Makes the case the mutant that --remove or --mutate name, if they do. False with o->diag filled when
 * it has no such site, or the site no such mutation. */
bool options_mutant(struct options *o, struct kase *k);

/* Where the model files are: $FENCEBENCH_MODELS, beside the program, or its installation. */
const char *bench_models_dir(struct arena *a);

/* "a,b" -> entries; used for every list-valued option. */
void option_list(struct options *o, const char *text,
                 void (*add)(struct options *o, const char *item, struct argp_state *s),
                 struct argp_state *s);
/* A name with its spaces as hyphens, in arena a. */
const char *option_spelling(struct arena *a, const char *name);
/* --origins=LIST: bits of enum origin_kind. */
unsigned option_origins(struct options *o, const char *list, struct argp_state *s);
/* An unsigned integer from low to high, or a usage error naming the option. */
uint64_t option_number(const char *text, const char *option, uint64_t low, uint64_t high,
                       struct argp_state *s);

/* The place of text among n names, or a usage error naming the option. */
int option_choice(const char *text, const char *option, const char *const *names, int n,
                  struct argp_state *s);
/* A usage error: text is none of the n values that the option takes. */
void option_no_value(const char *text, const char *option, const char *const *names, size_t n,
                     struct argp_state *s);

/* Bytes: a positive integer, with K, M or G (powers of 1024) behind it or not. */
uint64_t option_bytes(const char *text, const char *option, struct argp_state *s);

#endif
