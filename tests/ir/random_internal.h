/* SPDX-License-Identifier: MIT */
/* What the files of the generator share. */
#ifndef TESTS_IR_RANDOM_INTERNAL_H
#define TESTS_IR_RANDOM_INTERNAL_H

#include "base/rng.h"
#include "base/strbuf.h"

/* Sorts of values, each with names of its own. */
enum sort {
    SORT_INDEX,
    SORT_INT32,
    SORT_FLOAT,
    SORT_BOOL,
    SORT_TENSOR, /* pl.Tensor[[4, 64], pl.FP32] */
    SORT_WINDOW, /* pld.DistributedTensor[[4, 64], pl.FP32] */
    SORT_SIGNAL, /* pld.DistributedTensor[[4, 1], pl.INT32] */
    SORT_TILE,   /* pl.Tile[[1, 64], pl.FP32] */
    SORT_TASK,
    SORT_TUPLE, /* pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.FP32]] */
    SORT_PTR,
    SORT_COUNT
};

/* Where a statement may stand. */
enum place { IN_CORE = 1, IN_ORCHESTRATION = 2, ON_HOST = 4, ANYWHERE = 7 };

enum { MAX_POOL = 48 };

struct pool {
    const char *names[MAX_POOL];
    size_t len;
};

struct scope {
    size_t len[SORT_COUNT];
};

struct generator {
    struct arena *arena;
    struct rng rng;
    struct strbuf out;
    struct pool pools[SORT_COUNT];
    enum place place;
    bool in_class;
    int indent, depth, fresh;
    int loops; /* loops without carried values that enclose the statement: break may stand */
};

size_t pick(struct generator *g, size_t n);
bool chance(struct generator *g, size_t one_in);
void put(struct generator *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#define PICK(g, table) ((table)[pick((g), sizeof(table) / sizeof *(table))])

/* A variable in scope of that sort, or NULL. */
const char *any_of(struct generator *g, enum sort sort);
bool have(const struct generator *g, enum sort sort);
/* A name for a variable of that sort; know makes it known. */
const char *some_name(struct generator *g, enum sort sort);
void know(struct generator *g, enum sort sort, const char *name);

/* ---- expressions and types ---- */

void gen_index(struct generator *g, int depth);
void gen_int32(struct generator *g, int depth);
void gen_float(struct generator *g, int depth);
void gen_cond(struct generator *g, int depth);
/* An expression of any kind, for arguments of operators that nobody knows. */
void gen_any(struct generator *g, int depth);
void gen_attrs(struct generator *g);
void gen_type(struct generator *g, int depth);
void gen_shaped_type(struct generator *g);
const char *sort_type(enum sort sort);

/* ---- statements ---- */

/* Some statements, indented one level deeper; what they bind is forgotten behind them. */
void random_block(struct generator *g);
/* The same without forgetting, for what follows in the block. */
void random_statements(struct generator *g, size_t n);
struct scope scope_open(const struct generator *g);
void scope_close(struct generator *g, struct scope s);
void line(struct generator *g);

#endif
