/* SPDX-License-Identifier: MIT */
/*
 * What a HOST orchestrator does, worked out before anything runs (pypto-facts 1.6, 4, 5.2).
 *
 * The host function is interpreted once for a number of ranks: loops, branches, tuples, scalars,
 * and the chip orchestrators that it dispatches. What is left is a plan: memory, and for each rank
 * the tasks (one kernel, or one block of a builtin collective) in program order, with what each
 * waits for. Code generation turns a plan into a machine program.
 *
 * Rules, where the facts leave a choice:
 *
 * - A rank's number in a domain is its place in the domain's device list. The communication context
 *   counts only the domain's ranks.
 * - Windows of a domain lie one behind the other in the order of its slots, each rounded up to the
 *   alignment; a domain starts on a line of its own (4.3).
 * - A tensor of the host has a copy on every rank; a task of a rank works on that rank's copy. A
 *   rank that reads what another rank has written there is an error: nothing moves data over the
 *   host.
 * - Task k of a rank runs on its core k mod cores_per_rank. A task waits for earlier tasks of its
 *   dispatch that use an overlapping part of a tensor, one of the two writing, and for those that
 *   pl.submit names. A dispatch waits in the same way for whole earlier dispatches of its rank, and
 *   for those that use a window of the same domain: the ordering token (4.3).
 * - What runs at once has a core for each: the blocks of an SPMD launch, the lanes of a Group, the
 *   two vector cores that share a function. A rank gets as many cores as that takes. Nothing orders
 *   these tasks with each other; each waits for what the launch waits for, and who waits for the
 *   launch waits for all (pypto-ops-facts 3.1).
 * - Where lanes of a cluster run or meet, cores have places in clusters: a block of a Group takes a
 *   cluster, other kernels of the vector cores take these in turn. What takes more than one core of a
 *   cluster starts when all cores that its blocks take are free: no launch starts in part.
 * - In pl.manual_scope tensors order nothing: tasks wait for those that are named, and for what their
 *   dispatch waits for (the compiler's documents, dev/language/02).
 * - A kernel that registers what completes its task (pypto-ops-facts 5.1) gives its core back, and the
 *   runtime polls. Here it has a core of its own and polls there, the one registered count after the
 *   other; so has what waits for it, directly or not, so that it holds up nothing that comes later
 *   in the text. The compiler's rules have counts only grow; one that falls again may be missed.
 * - Each dispatch is one submission; those of a grouped loop are one together (4.5).
 */
#ifndef CODEGEN_HOST_H
#define CODEGEN_HOST_H

#include "ir/ir.h"
#include "codegen/codegen.h"

enum { HOST_MAX_DIMS = 8, HOST_MAX_TASKS = 1 << 13, HOST_MAX_STATEMENTS = 1 << 20 };

struct host_domain {
    const char *name;
    int devices[MAX_RANKS], ndevices; /* ascending */
};

/* Memory at one offset on every rank: a window of a domain, or a tensor. */
struct host_object {
    const char *name;
    int domain;     /* of a window; -1: a tensor */
    enum elem elem; /* of its first view */
    int grain;      /* bytes of the smallest element of any view */
    int64_t bytes;
    uint64_t offset; /* on every rank */
    bool allocated, input, output;
    bool own; /* each rank's is its own: an orchestrator of the chip made it, or starts with it */
};

/* A dense or strided part of an object. Extents and strides in elements, `at` in bytes. */
struct host_view {
    int object;
    enum elem elem;
    int ndims;
    int64_t shape[HOST_MAX_DIMS], stride[HOST_MAX_DIMS], at;
};

enum host_value_kind {
    HOST_VOID,
    HOST_INT,
    HOST_FLOAT,
    HOST_VIEW,
    HOST_PTR,  /* number: the object */
    HOST_CTX,  /* number: the domain */
    HOST_TASK, /* number: the last of nitems tasks in a row; none: -1 */
    HOST_TUPLE
};

struct host_value {
    enum host_value_kind kind;
    int64_t number;
    double real;
    struct host_view view;
    const struct host_value *items; /* tuple */
    size_t nitems;                  /* of a tuple, or tasks */
};

/* How a task uses an argument. */
enum host_use { HOST_READS = 1, HOST_WRITES = 2 };

struct host_task {
    const char *name;
    const struct ir_func *func;       /* the kernel */
    const struct ir_program *program; /* that holds it: the file's, or a builtin's own */
    bool builtin;
    struct span at;               /* the call in the host or chip orchestrator */
    int rank, core, index;        /* index: among the tasks of its core */
    int step;                     /* the submission that it belongs to */
    int strand;                   /* on a core of its own: its number, or -1 */
    bool deferred;                /* it registers what completes it */
    bool picked_late;             /* a task that it waits for does */
    int block, blocks;            /* of an SPMD launch */
    int lane;                     /* of a Group */
    int vector;                   /* of two vector cores that share it: which */
    const struct ir_func *launch; /* the Group, or the kernel itself */
    struct host_value *args;      /* INT, FLOAT, VIEW or CTX */
    int nargs;
    VEC(int) after; /* earlier tasks of the rank, ascending */
};

struct host_plan {
    int nranks, cores_per_rank; /* the contract's, or as many as run at once */
    bool clustered;             /* cores have places in clusters: */
    place_list places;          /* of each core of a rank */
    VEC(struct host_domain) domains;
    VEC(struct host_object) objects;
    VEC(struct host_task) tasks; /* in program order */
    int nsteps;                  /* submissions */
    uint64_t bytes; /* of memory that windows, contexts and tensors take on each rank */
};

/* The host orchestrator that a program starts with: the only one that no other calls. NULL when it
 * has none; d is filled when it has several. */
const struct ir_func *host_entry(const struct ir_program *p, struct diag *d);

/* Without one: the orchestrator of the chip that every rank runs, which is the only one that launches
 * something and that no other calls. NULL when there is none, or several: then kernels run in the order of the text. */
const struct ir_func *host_chip_entry(const struct ir_program *p);

/* The plan for o->nranks ranks, in arena a, or NULL with d filled. */
struct host_plan *host_plan_make(struct arena *a, const struct ir_program *p,
                                 const struct ir_func *entry, const struct directives *dir,
                                 const struct codegen_options *o, struct diag *d);

/* The plan as text: domains, layout, one line a task. */
char *host_plan_print(const struct host_plan *plan, struct arena *a);

/* The machine program of a plan, in arena a, or NULL with d filled. */
struct program *host_codegen(struct arena *a, const struct ir_program *p,
                             const struct host_plan *plan, const struct directives *dir,
                             const struct codegen_options *o, struct diag *d);

#endif
