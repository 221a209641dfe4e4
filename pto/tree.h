/* SPDX-License-Identifier: MIT */
/*
 * A compiled kernel as its `.pto` text says it (pto-facts 1): one generic record for every
 * operation, whatever its spelling.
 *
 * What is written in two ways (enumerated attributes, short tile types, the quoted generic form,
 * pto.load for pto.load_scalar) is one record. Everything lives in the arena that it was read into;
 * names and texts are those of the source.
 */
#ifndef PTO_TREE_H
#define PTO_TREE_H

#include <stdint.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/vec.h"

enum { PTO_MAX_DIMS = 8, PTO_DYNAMIC = -1 };

enum pto_type_kind {
    PTO_SCALAR,    /* elem: i32, index, bf16, ... */
    PTO_POINTER,   /* elem; space: "gm", "ub" */
    PTO_VIEW,      /* a tensor view: elem, dims */
    PTO_PARTITION, /* of a tensor view: elem, dims */
    PTO_TILE,      /* elem, dims[2], valid[2], space, layouts */
    PTO_TILES,     /* several tiles of one type: that of a tile, count */
    PTO_OTHER      /* text alone */
};

struct pto_type {
    enum pto_type_kind kind;
    const char *text; /* the one spelling that all of its spellings are compared by */
    const char *elem;
    int ndims;
    int64_t dims[PTO_MAX_DIMS]; /* PTO_DYNAMIC: known to a run only */
    int64_t valid[2];
    int64_t count;
    const char *space; /* of a pointer, or of a tile: vec, mat, left, right, acc, bias, scaling */
    const char *blayout, *slayout;
};

enum pto_attr_kind {
    PTO_UNIT, /* is there, and that is all */
    PTO_INT,
    PTO_FLOAT,
    PTO_BOOL,
    PTO_STRING,
    PTO_ENUM,    /* word; sort: "pipe", or NULL where the operation knows it */
    PTO_ANYTHING /* text alone */
};

struct pto_attr {
    const char *name; /* "": stands by its place */
    enum pto_attr_kind kind;
    const char *text; /* as it is printed */
    const char *word, *sort;
    int64_t number; /* of an integer, or of a float's bits as fp64 */
    const struct pto_type *type;
    struct span span;
};

struct pto_op;

struct pto_value {
    const char *name; /* with its percent sign */
    const struct pto_type *type;
    const struct pto_op *def; /* NULL: an argument of a block */
    struct span span;
};

/* What an operation is given: a value, or a number that is written out. */
struct pto_operand {
    const char *group; /* "ins", "outs", "buf", "offsets", ...; "": in front of all groups */
    const struct pto_value *value;
    int64_t number;
    struct span span;
};

/* How an operation is written, for printing it. */
enum pto_part_kind {
    PTO_PART_TEXT, /* a word or a mark */
    PTO_PART_OPERAND,
    PTO_PART_ATTR,
    PTO_PART_DICT,
    PTO_PART_TYPE,
    PTO_PART_REGION
};
struct pto_part {
    enum pto_part_kind kind;
    const char *text;
    int first, count; /* operands, attributes, regions */
    const struct pto_type *type;
};

struct pto_block {
    const char *label; /* "^bb0", or NULL */
    VEC(struct pto_value *) args;
    VEC(struct pto_op *) ops;
};
struct pto_region {
    VEC(struct pto_block *) blocks;
};

/* The place in the user's own source that the compiler wrote down. */
struct pto_loc {
    const char *file; /* NULL: unknown */
    int line, col;
    const char *text; /* as it is printed */
};

struct pto_op {
    const char *name;    /* of the operation: "pto.load_scalar" */
    const char *spelled; /* as it was written: "pto.load" */
    bool quoted;         /* in the generic form */
    struct span span;    /* of the name */
    int last_line;
    const char *symbol; /* of a module or function, without its sign; or NULL */
    VEC(struct pto_value *) results;
    VEC(struct pto_operand) operands;
    VEC(struct pto_attr) attrs;
    VEC(const char *) words; /* that stand alone and are no attributes: "single_cache_line" */
    VEC(struct pto_region *) regions;
    VEC(struct pto_part) parts; /* behind the name */
    struct pto_loc loc;
};

struct pto_file {
    const char *path;
    const struct source *source;
    struct pto_block top; /* modules, or functions without one */
};

/* Reads the text. NULL with d filled when it is none; a module of the micro-ISA is an error too. */
struct pto_file *pto_read(struct arena *a, const struct source *src, struct diag *d);

/* The text that reads back to an equal file. */
char *pto_print(struct arena *a, const struct pto_file *f);

/* The first difference of two files: what it is, and where. */
struct pto_difference {
    struct arena *arena; /* set by the caller */
    const char *words;
    struct span at_a, at_b;
};
/* Equal but for names of values, spelling, and locations? */
bool pto_equal(const struct pto_file *a, const struct pto_file *b, struct pto_difference *d);

/* NULL: it has none of that name. */
const struct pto_attr *pto_find_attr(const struct pto_op *op, const char *name);
/* The n-th operand of a group, or NULL. */
const struct pto_operand *pto_find_operand(const struct pto_op *op, const char *group, int n);
int pto_count_operands(const struct pto_op *op, const char *group);

#endif
