/* SPDX-License-Identifier: MIT */
/*
 * mgather and mscatter: rows and elements of memory at places that a list of indices says. They are
 * macros of the library (pto-facts 3.1): the scalar unit reads the indices; a row is then moved by
 * MTE2, an element by the scalar unit itself, through its cache. Flags inside of them order it with
 * the other pipes, but for the load of mgather's indices by rows: that one is left to who calls it. Into
 * L1, which the scalar unit does not reach, indices lie in memory and are read through the cache;
 * elements go by way of a scratch tensor.
 */
#ifndef ISA_GATHER_H
#define ISA_GATHER_H

#include "isa/builder.h"

enum { GATHER_DIMS = 8 };

/* A tensor in memory. */
struct gather_memory {
    struct operand base; /* of element 0: a register, and constant bytes on top */
    enum elem elem;
    int region;
    struct gm_use use;
    int ndims;
    struct operand extent[GATHER_DIMS];
    int64_t stride[GATHER_DIMS]; /* elements */
    bool dense;                  /* its elements lie one behind the other */
};

/* What becomes of an index past the end. */
enum beyond { BEYOND_UNDEFINED, BEYOND_CLAMP, BEYOND_WRAP, BEYOND_ZERO };

struct gathering {
    struct gather_memory memory;
    int tile, indices;                  /* tiles */
    const struct gather_memory *listed; /* the indices, where they lie in memory */
    struct operand rows, cols;          /* of the tile's valid part */
    struct operand count;               /* what an index can be: rows or elements of the memory */
    enum beyond beyond;
};

/* All elements of the first dims dimensions. */
struct operand gather_count(struct builder *b, const struct gather_memory *m, int dims);

void build_gather_rows(struct builder *b, const struct gathering *m);
void build_gather_elements(struct builder *b, const struct gathering *m);
void build_scatter_elements(struct builder *b, const struct gathering *m);
void build_gather_rows_to_l1(struct builder *b, const struct gathering *m);
/* The device's order is that of the blocks of L1; here it is that of the rows. */
void build_gather_elements_to_l1(struct builder *b, const struct gathering *m,
                                 const struct gather_memory *scratch);

#endif
