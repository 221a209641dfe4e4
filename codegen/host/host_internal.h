/* SPDX-License-Identifier: MIT */
/* What the files of the host interpreter share among themselves. */
#ifndef CODEGEN_HOST_INTERNAL_H
#define CODEGEN_HOST_INTERNAL_H

#include "base/map.h"
#include "ir/ops.h"
#include "codegen/host/host.h"

enum { HOST_MAX_CALLS = 16, HOST_MAX_CORES = 64, HOST_MAX_BLOCKS = HOST_MAX_CORES };

/* The variables of one call of a function. */
struct host_frame {
    struct host_frame *outer; /* the caller */
    struct map values;        /* variable -> struct host_value */
    const ir_vars *yield_to;
    struct host_value returned;
};

/* A part of an object that a dispatch or a task uses. */
struct host_extent {
    int object;
    int64_t low, high; /* bytes */
    unsigned use;      /* enum host_use */
};
typedef VEC(struct host_extent) host_extents;

struct host_dispatch {
    int rank, step, first_task, end_task;
    uint64_t domains; /* bit d: it is given a window of domain d */
    host_extents uses;
    struct host_value deps; /* tasks that the host makes it wait for */
};

/* A Group whose functions are being called: one task with a lane for each (pypto-ops-facts 3.1). */
struct host_group {
    const struct ir_func *func;
    bool mixed;               /* it has a lane of the cube and one of the vector cores */
    const host_extents *uses; /* of its arguments */
    int first_task, lanes;
    int strand;     /* of its first block, or -1 */
    unsigned types; /* bit per enum ir_func_type of its lanes */
};

/* The kernel of a builtin collective for operands of certain sizes. */
struct host_kernel {
    const char *text;
    const struct ir_program *program;
    const struct ir_func *func;
};

/* What one task after the other does that waits for deferred completions, on a core of its own. */
struct host_strand {
    int number; /* among those of its rank */
    int last;   /* its last task so far */
};

struct host_slot {
    const struct ir_var *base;
    int object;
};

struct host_run {
    struct arena *arena;
    const struct ir_program *prog;
    const struct directives *dir;
    const struct codegen_options *opt;
    struct diag *d;
    struct host_plan *plan;
    struct host_frame globals, *frame;
    VEC(struct host_slot) slots; /* of the open domains, innermost last */
    VEC(struct host_dispatch) dispatches;
    VEC(struct host_extent) written; /* tensors of the host: use holds the rank */
    VEC(host_extents) task_uses;     /* parallel to the plan's tasks */
    VEC(struct host_kernel) kernels; /* of builtins, as made so far */
    int rank_tasks[MAX_RANKS];
    int core_tasks[MAX_RANKS][HOST_MAX_CORES];
    VEC(struct host_strand) strands;
    int rank_strands[MAX_RANKS];
    int created[MAX_RANKS];   /* tensors that the rank's orchestrators have made */
    int rank;                 /* whose chip orchestrator runs, or -1: the host */
    int dispatch;             /* the one that runs, or -1 */
    int group;                /* the submission that a grouped loop shares, or -1 */
    int cores;                /* per rank, of the contract */
    bool manual;              /* in pl.manual_scope: tensors order nothing */
    int blocks;               /* of the kernels that are called here */
    struct host_group *lanes; /* the Group that runs, or NULL */
    struct host_value deps;   /* tasks that all that is called here waits for */
    int depth;
    uint64_t statements;
};

bool host_error(struct host_run *h, struct span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- interpreter.c: statements ---- */

/* Runs f on the values of its arguments. */
bool host_function(struct host_run *h, const struct ir_func *f, const struct host_value *args,
                   size_t nargs, struct span at, struct host_value *out);

/* A new object for a parameter, a window of that domain or, with -1, a tensor; out: all of it. */
bool host_param_tensor(struct host_run *h, const struct ir_param *p, int domain,
                       struct host_value *out);
/* The error of a parameter that nothing gives a value. */
bool host_no_value(struct host_run *h, const struct ir_var *v);

/* ---- cores.c: which core a task runs on ---- */

/* It takes several cores of a cluster in each block. */
bool host_takes_cluster(const struct host_run *h, const struct host_task *t);
/* Sets the strand of a launch's first block, and picked_late, by the tasks that it waits for. */
void host_choose_strand(struct host_run *h, struct host_task *t, const int *before, int n);
/* Core and index of a task; those on strands get theirs at the end. */
bool host_choose_core(struct host_run *h, struct host_task *t);
bool host_place_strands(struct host_run *h);

/* ---- chip.c ---- */

/* Dispatches the orchestrator of the chip to each rank, all in one submission: its windows belong to
 * one domain of all ranks, its tensors are each rank's own, and its scalars may differ. */
bool host_run_chips(struct host_run *h, const struct ir_func *entry);

/* ---- eval.c: expressions ---- */

struct host_value host_eval(struct host_run *h, const struct ir_expr *e);
/* alloc_window_buffer, assigned to a variable. */
struct host_value host_alloc(struct host_run *h, const struct ir_expr *e, const struct ir_var *to);
bool host_int(struct host_run *h, const struct ir_expr *e, const char *what, int64_t *out);
bool host_shape(struct host_run *h, const struct ir_expr *e, struct host_view *out);
const struct host_value *host_find(const struct host_run *h, const struct ir_var *v);
int64_t host_view_bytes(const struct host_view *v);
/* The view's place in its object. */
struct host_extent host_extent_of(const struct host_view *v, unsigned use);
bool host_elem(struct host_run *h, enum ir_dtype t, struct span at, enum elem *out);
/* A new object. */
int host_object_add(struct host_run *h, struct host_object o);
/* All of an object, dense. */
struct host_value host_whole(int object, const struct host_view *shape);
/* A tensor of that type, for an argument that a launch leaves out. */
struct host_value host_allocate(struct host_run *h, const struct ir_type *t, struct span at);
/* The keyword or attribute of a call, or NULL. */
const struct ir_expr *host_attr(const struct ir_call *call, const char *name);

/* ---- values.c: arrays, ids of tasks, elements of inputs; each is given the call ---- */

struct host_value host_array_create(struct host_run *h, const struct ir_expr *e);
struct host_value host_array_get(struct host_run *h, const struct ir_expr *e);
struct host_value host_array_update(struct host_run *h, const struct ir_expr *e);
struct host_value host_task_dummy(struct host_run *h, const struct ir_expr *e);
struct host_value host_task_invalid(struct host_run *h, const struct ir_expr *e);
struct host_value host_task_is_valid(struct host_run *h, const struct ir_expr *e);
/* tensor.read, of an input that no task of the rank has written before. */
struct host_value host_read(struct host_run *h, const struct ir_expr *e);

/* ---- task.c: dispatches and tasks ---- */

/* A call of a function of the program, or a launch. */
struct host_value host_call(struct host_run *h, const struct ir_expr *e);
/* A dispatch that no text asks for. */
bool host_dispatch(struct host_run *h, const struct ir_func *f, struct host_value *args, int rank);
/* builtin.tensor.*: one dispatch of a builtin collective. */
struct host_value host_builtin_call(struct host_run *h, const struct ir_expr *e);

/* ---- builtin.c ---- */

/*
 * The kernel of a builtin collective (pypto-facts 5.6): an InCore function of a program of its own.
 * The views in args get the shapes of its parameters; *blocks: the tasks of one call. NULL with d
 * filled when there is none.
 */
const struct host_kernel *host_builtin_make(struct host_run *h, const struct ir_expr *call,
                                            struct host_value *args, size_t nargs, int ranks,
                                            int *blocks);

#endif
