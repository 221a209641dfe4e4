/* SPDX-License-Identifier: MIT */
/*
 * What the suites of the machine share: a program, a contract with some keys changed, and a machine
 * that runs directed schedules, or all schedules.
 *
 * A schedule is a text of steps and checks, separated by blanks:
 *
 *     s0                     the instruction at core 0's pc
 *     v.0 mte2.0 mte3.0 ...  the head of a pipe of core 0
 *     sc.0>1 dma.0>1         the oldest message of core 0 to rank 1 on the path
 *     dma.0>1:x[16]@1        the one that writes the word (:LOC may follow each of these two)
 *     evict.0:x fill.0:x     the line leaves core 0's cache, or is prefetched
 *     run                    any enabled transition but evictions and prefetches, until there is
 *                            none
 *     !STEP ?STEP            the step is not enabled; it is enabled but not taken
 *     x[3]@1:=5              memory is changed under the machine's hands
 *     x[3]@1=5  0:r1=5       memory, or a register of core 0, holds the value
 *     0:x[3]~STATE           the word in core 0's cache: absent, clean, dirty, delta
 *     end !end               the run is over (docs/machine.md), or not
 *
 * A location without @RANK is rank 0's copy.
 */
#ifndef TESTS_SIM_RIG_H
#define TESTS_SIM_RIG_H

#include <stddef.h>

#include "sim/driver.h"
#include "sim/machine.h"
#include "sim/oracle.h"
#include "sim/explore/pack.h"
#include "tests/sim/build.h"
#include "tests/support.h"

/* A field of the contract that a test changes. */
struct key {
    size_t offset, size; /* size 0: no key */
    int value;
};
#define KEY(field, v)                                                                              \
    {                                                                                              \
        offsetof(struct contract, field), sizeof(((struct contract *)0)->field), v                 \
    }

enum { ROW_KEYS = 4 };

struct rig {
    struct arena arena;
    struct contract contract;
    const struct program *program;
    struct oracle *oracle; /* or NULL */
    struct machine *machine;
};

/* A machine at its initial state. model: a name under models/machines; keys: ROW_KEYS of them, or
 * NULL. */
void rig_open(struct rig *r, void (*build)(struct builder *b), const char *model,
              const struct key *keys, bool oracle);
/* The same for a program that is built already, in r->arena. */
void rig_open_program(struct rig *r, const struct program *p, const char *model,
                      const struct key *keys, bool oracle);
void rig_close(struct rig *r);

/* Takes the schedule's steps; the first failing one ends it. False when one failed. */
bool rig_script(struct rig *r, const char *name, const char *script);

/* The enabled step of that text. */
struct transition rig_find(struct rig *r, const char *name, const char *step);

/* One row of a table of schedules on the a2a3 contract. */
struct row {
    const char *name;
    void (*build)(struct builder *b);
    const char *script;
    struct key keys[ROW_KEYS];
};
/* ROW(name, build, script, KEY(...)...) */
#define ROW(name, build, script, ...)                                                              \
    {                                                                                              \
        name, build, script,                                                                       \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
void run_rows(const struct row *rows, size_t n);
#define RUN_ROWS(rows) run_rows(rows, sizeof(rows) / sizeof *(rows))

/* A copy of a packed state. */
void keep_state(const struct pack_buffer *from, struct pack_buffer *to);

/* True when nothing but evictions of clean lines and prefetches can happen. */
bool rig_stuck(const struct rig *r);

/* Distinct texts in byte order. */
struct text_set {
    struct arena *arena;
    VEC(const char *) items;
};
void text_set_add(struct text_set *s, const char *text);
bool text_set_has(const struct text_set *s, const char *text);
/* "one; two", or "-" for the empty set. */
const char *text_set_join(const struct text_set *s);

/* Final registers and memory: "0:r1=5 x[3]@1=7", what is zero left out; a blocked end adds
 * "blocked". */
const char *rig_outcome(const struct rig *r, struct arena *a);

/* The findings of the finished run: "stale read (in flight)"; all of them in one text, as a set. */
void rig_verdicts(const struct rig *r, struct text_set *out);
/* "P1 ld x", "P0.1 task"; "-" for none. */
const char *rig_place(const struct rig *r, struct place p, struct arena *a);
/* One finding with its places: "stale read of x@1 by 'P1 ld x': lacks 'P0 st_dev x' (in
 * flight)...". */
const char *finding_text(const struct rig *r, const struct finding *f, struct arena *a);
/* All findings, one a line, sorted. */
const char *rig_findings(const struct rig *r, struct arena *a);

/*
 * Depth-first over every schedule from the initial state, by replaying choices. leaf sees the
 * machine in each final state. With prune, a state that was seen is not continued: enough for
 * outcomes, not for verdicts, which depend on the way there. Returns the number of runs, or 0 when
 * there were more than limit.
 */
uint64_t rig_explore(struct rig *r, bool prune, uint64_t limit,
                     void (*leaf)(struct rig *r, void *ctx), void *ctx);

#endif
