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

struct emitter {
    struct arena *arena;
    const struct builder *b;
    const struct program *p;
    struct diag *d;
    struct strbuf body;          /* of the function in hand */
    VEC(const char *) constants; /* their lines, at its head */
    VEC(const char *) constant_names;
    struct value *regs;
    const char **spaces; /* of tiles */
    const char **tile_types;
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
/* The name of an element type in `.pto`. */
const char *emitter_elem(enum elem x);

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

/* ---- flow (emit_flow.c) ---- */

bool emitter_range(struct emitter *e, int first, int end);

#endif
