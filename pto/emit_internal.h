/* SPDX-License-Identifier: MIT */
/* What the files of the printer of machine programs share. */
#ifndef PTO_EMIT_INTERNAL_H
#define PTO_EMIT_INTERNAL_H

#include "base/strbuf.h"
#include "pto/emit.h"

enum value_kind { VALUE_NONE, VALUE_CONSTANT, VALUE_NUMBER, VALUE_POINTER };
enum value_type { VALUE_INDEX, VALUE_I1, VALUE_F32, VALUE_F16, VALUE_BF16 };

/* What a register holds. A pointer is one into a region, and bytes on top: a name's, and a constant. */
struct value {
    enum value_kind kind;
    enum value_type type;
    const char *name; /* of a number; of a pointer's bytes, or NULL */
    int64_t n;        /* a constant; of a pointer's bytes */
    const char *base; /* the SSA value of a pointer's start */
    int region;
    bool loaded, difference; /* from a context; of two such numbers, so that it leads to a peer */
};

/* In the order of a signature. */
enum argument_kind { ARGUMENT_TENSOR, ARGUMENT_SLOTS, ARGUMENT_NUMBER, ARGUMENT_CONTEXT };
struct argument {
    enum argument_kind kind;
    int region; /* or -1 */
    const struct start
        *start; /* of a number: what it is; one that moves a pointer counts elements */
    const char *type, *name;
};

struct emitter {
    struct arena *arena;
    const struct builder *b;
    const struct program *p;
    struct diag *d;
    const char **region_names;
    const struct task_run *run;  /* in hand, */
    const char *task;            /* as its name is printed, */
    const struct run_lane *lane; /* and its function, */
    VEC(struct argument) args;   /* whose arguments are those of the run */
    struct strbuf body;
    VEC(const char *) constants; /* their lines, at its head */
    VEC(const char *) constant_names;
    struct value *regs;
    const char **tile_types, **tile_names; /* NULL: it holds nothing here that was popped */
    bool *needed;                          /* registers that are read outside of operations */
    struct tile_valid *valid;              /* what of each tile is, where the text says it */
    VEC(int) popped;                       /* tiles, in the regions that are open */
    const struct flow_code *flow;          /* the innermost that is open, or NULL */
    const struct operation_code *passed;   /* operations before this one are printed */
    int next, depth;
    int fence; /* the marker of the fence whose steps are being passed over, or -1 */
    const struct insn *at;
};

extern const char *const value_type_names[];
bool emitter_error(struct emitter *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One line of the body, with the place that it was made for. */
void emitter_line(struct emitter *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *emitter_new(struct emitter *e);
const char *emitter_constant(struct emitter *e, int64_t n, const char *type);

/* ---- numbers (emit_number.c) ---- */

struct value emitter_operand(struct emitter *e, struct operand o);
/* NULL after an error: it is no such number. */
const char *emitter_index(struct emitter *e, const struct value *v);
const char *emitter_i1(struct emitter *e, const struct value *v);
const char *emitter_typed(struct emitter *e, const struct value *v, enum value_type t);
struct value emitter_number(const char *name, enum value_type t);
bool emitter_alu(struct emitter *e, const struct insn *i);
bool emitter_load(struct emitter *e, const struct insn *i);
bool emitter_store(struct emitter *e, const struct insn *i);
/* As what a register holds an element. */
enum value_type emitter_type_of(enum elem x);
/* The name of an element type in `.pto`. */
const char *emitter_elem(enum elem x);

/* ---- arguments (emit_arguments.c) ---- */

/* Names of regions in the text. */
void emitter_name_regions(struct emitter *e);
/* The name, or one like it that is none of taken[n]. */
const char *emitter_unused_name(struct emitter *e, const char *const *taken, size_t n,
                                const char *name);
/* The arguments of the run in hand, */
void emitter_arguments(struct emitter *e);
/* and the directives that say what they are given. */
bool emitter_directives(struct emitter *e, struct strbuf *out);
/* Of the lane in hand: where its code begins, and what of its starts that needs. */
int emitter_code_of(const struct emitter *e, const struct run_lane *lane);
int emitter_code_end(const struct emitter *e, int first);
bool *emitter_used(struct emitter *e, const struct run_lane *lane);
bool emitter_in_operation(const struct emitter *e, int at);
/* Registers that code outside of operations reads. */
bool *emitter_needed(struct emitter *e, int first, int end);
/* Registers hold the arguments, which are printed in a signature. */
void emitter_bind(struct emitter *e, const bool *used);
void emitter_signature(struct emitter *e, const bool *used, struct strbuf *out);
bool emitter_is_hidden(const struct start *s);

/* ---- memory and tiles (emit_memory.c) ---- */

bool emitter_transfer(struct emitter *e, const struct insn *i);
bool emitter_tile_op(struct emitter *e, const struct insn *i);
bool emitter_tile_access(struct emitter *e, const struct insn *i);
bool emitter_copy(struct emitter *e, const struct macro_code *m);
/* TNOTIFY, whose steps begin at index at; the index behind them, or -1. */
int emitter_notify(struct emitter *e, int at);
bool emitter_wait(struct emitter *e, const struct insn *i);
bool emitter_cacheinvalid(struct emitter *e, const struct insn *i);
void emitter_tiles(struct emitter *e, int first, int end);
/* Its name, or NULL after an error. */
const char *emitter_tile(struct emitter *e, int tile);
/* From here on that part of the tile is valid. */
bool emitter_valid(struct emitter *e, int tile, struct operand rows, struct operand cols);
/* Its name, and with extents its type, for a tile of its own that a pop makes; and its parts. */
const char *emitter_popped(struct emitter *e, int tile);
void emitter_set_type(struct emitter *e, int tile, struct operand rows, struct operand cols);
void emitter_parts(struct emitter *e, int tile);

/* ---- between cores (emit_cross.c) ---- */

bool emitter_operation(struct emitter *e, const struct operation_code *o);
bool emitter_flag_between(struct emitter *e, const struct insn *i);
extern const char *const emitter_pipes[];

/* ---- flow (emit_flow.c) ---- */

bool emitter_range(struct emitter *e, int first, int end);
/* One instruction that is no part of anything. */
bool emitter_insn(struct emitter *e, const struct insn *i);

#endif
