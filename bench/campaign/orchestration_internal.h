/* SPDX-License-Identifier: MIT */
/* Inside of the orchestration's run: text, values, and what statements do. */
#ifndef BENCH_ORCHESTRATION_INTERNAL_H
#define BENCH_ORCHESTRATION_INTERNAL_H

#include "bench/campaign/orchestration.h"
#include "bench/campaign/recorded_run.h"

/* ---- text (orchestration_lex.c) ---- */

enum chip_token_kind { CT_END, CT_WORD, CT_NUMBER, CT_FLOAT, CT_STRING, CT_MARK };

struct chip_token {
    enum chip_token_kind kind;
    const char *text;
    int64_t number;
    struct span span;
    int partner; /* of a bracket: the token that closes or opens it; -1: none does */
};
typedef VEC(struct chip_token) chip_tokens;

/* Without comments and lines of the preprocessor; ends in one CT_END. */
chip_tokens chip_lex(struct arena *a, const struct source *src);

/* ---- values ---- */

enum chip_kind {
    CHIP_NUMBER,
    CHIP_TENSOR,
    CHIP_INFO, /* of a tensor that will be created */
    CHIP_LIST, /* numbers, task ids, created tensors */
    CHIP_LAUNCH,
    CHIP_TASK, /* number: which, or -1 */
    CHIP_HOST  /* the arguments of the program */
};

struct chip_list;
struct chip_launch;
struct chip_info {
    struct chip_tensor tensor; /* without its buffer */
    bool manual;
};

struct chip_value {
    enum chip_kind kind;
    struct chip_number number;
    struct chip_tensor *tensor;
    struct chip_info *info;
    struct chip_list *list;
    struct chip_launch *launch;
};

struct chip_list {
    VEC(struct chip_value) items;
    int task; /* of the outputs of a task; -1: of none */
};

/* CoreTaskArgs */
struct chip_launch {
    VEC(struct chip_argument) args;
    VEC(struct chip_number) scalars;
    VEC(int) deps;
    VEC(struct chip_value) created; /* outputs that the runtime allocates */
    struct chip_number blocks;
};

struct chip_variable {
    const char *name;
    struct chip_value value;
};

/* The last write of a part. */
struct chip_writer {
    int task;
    struct chip_tensor part;
};

struct chip_machine {
    struct arena *arena;
    const struct host_program *host;
    const chip_extents *known;
    struct chip_run *run;
    int rank, nranks;
    chip_tokens tokens;
    int at;     /* token in hand */
    int depth;  /* of expressions and statements */
    int manual; /* > 0: in scopes without dependences by data */
    long steps;
    VEC(struct chip_variable) variables;
    VEC(struct chip_writer) writers;
};

enum { CHIP_MAX_DEPTH = 100, CHIP_MAX_STEPS = 1 << 16 };

/* Ends the run. Always false. */
bool chip_stop(struct chip_machine *m, struct span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

const struct chip_token *chip_token(const struct chip_machine *m);
bool chip_take(struct chip_machine *m, const char *mark);
bool chip_expect(struct chip_machine *m, const char *mark);
/* One step of a run that ends. */
bool chip_step(struct chip_machine *m);

struct chip_number chip_known(int64_t n);
struct chip_number chip_unknown(const char *why, struct span at);
struct chip_value chip_of_number(struct chip_number n);

struct chip_variable *chip_find(struct chip_machine *m, const char *name);
void chip_declare(struct chip_machine *m, const char *name, struct chip_value v);

/* x op y; what is not known makes the result unknown, for its reason. */
struct chip_number chip_compute(const char *op, struct chip_number x, struct chip_number y,
                                struct span at);
/* As a variable of that type holds it. */
struct chip_number chip_convert(struct chip_number n, const char *type);
/* One expression, up to a comma or what no expression goes on with. */
bool chip_expression(struct chip_machine *m, struct chip_value *out);
/* An expression that is a number. */
bool chip_integer(struct chip_machine *m, struct chip_number *out);
/* A number that the run cannot go on without. */
bool chip_needed(struct chip_machine *m, const struct chip_number *n, struct span at,
                 const char *what);
/* The place that a name, a member or an element is assigned to, or NULL after an error. */
struct chip_value *chip_place(struct chip_machine *m, struct chip_number **number);

/* ---- tensors and tasks (orchestration_task.c) ---- */

int chip_new_buffer(struct chip_machine *m, struct chip_buffer b);
struct chip_tensor *chip_create(struct chip_machine *m, const struct chip_info *info,
                                const char *name);
/* The elements of a whole tensor, and dense strides. */
struct chip_number chip_count(const struct chip_tensor *t);
void chip_dense(struct chip_tensor *t);
/* What the host hands over: tensor number n, or NULL where it is out of range; scalar number n. */
struct chip_tensor *chip_host_tensor(struct chip_machine *m, int64_t n);
struct chip_number chip_host_scalar(struct chip_machine *m, int64_t n, struct span at);

/* Hands a launch to the runtime; out: its outputs. */
bool chip_submit(struct chip_machine *m, struct chip_launch *l, const int kernels[3],
                 struct span at, struct chip_value *out);

#endif
