/* SPDX-License-Identifier: MIT */
/*
 * What each step of a run does to memory: what it reads, writes, posts and delivers, each with the
 * bytes, their values and the write that they come from, as the oracle knows it. Traces, graphs,
 * timelines and pages are made of this.
 *
 * A watch is told of each step before its effect (drive_options.on_step) and passes it on after it,
 * when what was read is known:
 *
 *     struct access_watch w = {.fn = show, .ctx = ctx};
 *     ... access_watch_step(&w, machine, step) for each step ...
 *     access_watch_end(&w, machine);
 */
#ifndef BENCH_ACCESSES_H
#define BENCH_ACCESSES_H

#include "base/vec.h"
#include "sim/driver.h"
#include "sim/oracle.h"

// clang-format off
#define TOUCHES(X) \
    X(TOUCH_READ, "reads") /* from a cache or from memory */ \
    X(TOUCH_WRITE, "writes") /* the core's store, wherever its bytes are then */ \
    X(TOUCH_POST, "posts") /* a message is on its way */ \
    X(TOUCH_DELIVER, "delivers") /* it has come to memory */
// clang-format on
enum touch_kind { TOUCHES(ENUM_ROW) TOUCH_COUNT };
const char *touch_name(enum touch_kind k);

/* Bytes in a row that come from one write. */
struct touch {
    enum touch_kind kind;
    bool add;          /* they are added, not written; of a read: not used */
    bool carried;      /* neighbours on a line, not stored by who posts them */
    uint64_t addr;     /* global */
    uint64_t len;      /* bytes */
    uint32_t node;     /* the oracle's; NODE_INIT without an oracle */
    const char *words; /* "win[0..15]@1" */
    const char *value; /* "7", "1, 2, 3, 4, ..." */
};

struct seen_step {
    struct step step;
    int number;       /* from 0 */
    const char *text; /* what it does, in words */
    struct place at;  /* its instruction; insn negative: it has none */
    bool ordered;     /* it has a place in the source order of its core, */
    uint32_t epoch;   /* which is that of (epoch, number): a transfer is where it was issued */
    VEC(struct touch) touches;
    const struct finding *findings; /* that it brought to light */
    int nfindings;
};

struct access_watch {
    /* set by the caller; step NULL: the end of the run, with what was found there */
    void (*fn)(void *ctx, const struct machine *m, const struct seen_step *s);
    void *ctx;
    /* the step that is about to have its effect */
    bool pending;
    int steps, findings; /* seen so far */
    uint64_t addr;
    int64_t value;
    int pc, poll_phase;
    struct pipe_op op;
    uint64_t posted;
    struct seen_step seen;
    struct arena arena; /* of that step */
};

/* A drive_options.on_step; ctx is the struct access_watch. */
void access_watch_step(void *ctx, const struct machine *m, const struct step *s);
/* The run is over, or cut short: passes on the last step, and a step numbered -1 with what was found
 * at the end, if anything was. */
void access_watch_end(struct access_watch *w, const struct machine *m);

/* "posts win[0..15]@1 = 1, 2, 3, 4, ..." in arena a. */
const char *touch_text(struct arena *a, const struct touch *t);
/* "rank 1, line 36", of the accesses that made a value; "the initial value". */
const char *touch_source(struct arena *a, const struct machine *m, uint32_t node);

#endif
