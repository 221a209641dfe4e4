/* SPDX-License-Identifier: MIT */
/* What an operator's arguments must be besides their kinds, as tables: ranks, element types,
 * extents, and which arguments must agree or differ (pypto-facts 2). */
#include <string.h>

#include "ir/verify_internal.h"

/* ---- tables: one argument ---- */

enum { ANY_RANK = INT32_MAX };

/* How many dimensions an argument must have. */
static const struct {
    const char *op, *argument;
    size_t least, most;
    const char *wanted;
} ranks[] = {
    {"tensor.paged_gather", "src", 2, 2, "2"},
    {"tensor.paged_gather", "indices", 1, 2, "1 or 2"},
    {"tensor.paged_gather", "block_table", 1, 2, "1 or 2"},
    {"pld.system.defer_wait", "signal", 1, ANY_RANK, "1 or more"},
    {"pld.tile.remote_store", "target", 2, ANY_RANK, "2 or more"},
    {"pld.tensor.remote_store", "target", 2, ANY_RANK, "2 or more"},
    {"pld.tile.put", "stage", 2, 2, "2"},
    {"pld.tile.get", "stage", 2, 2, "2"},
    {"pld.tensor.reduce_scatter", "target", 2, 2, "2"},
    {"pld.tensor.allgather", "input", 2, 2, "2"},
    {"pld.tensor.allgather", "target", 2, 2, "2"},
    {"pld.tensor.allgather", "signal", 1, 2, "1 or 2"},
    {"pld.tensor.all_to_all", "input", 2, 2, "2"},
    {"pld.tensor.all_to_all", "target", 2, 2, "2"},
    {"pld.tensor.all_to_all_v", "input", 2, 2, "2"},
    {"pld.tensor.all_to_all_v", "target", 2, 2, "2"},
    {"pld.tensor.all_to_all_v", "signal", 2, 2, "2"},
    {"pld.tensor.all_to_all_v", "send_counts", 1, 2, "1 or 2"},
    {"pld.tensor.all_to_all_v", "recv_counts", 2, 2, "2"},
};

#define D(t)    VERIFY_DTYPE(t)
#define REDUCED (D(FP16) | D(FP32))
#define COUNT   D(INT32)
#define FOUND   (D(FP16) | D(FP32) | D(INT16) | D(INT32))
#define PAGED   (D(FP16) | D(BF16) | D(FP32) | D(INT8))

/* Which element types an argument may hold. */
static const struct {
    const char *op, *argument;
    unsigned dtypes;
    const char *wanted;
} element_types[] = {
    {"tile.gather_compare", "src", FOUND, "pl.FP16, pl.FP32, pl.INT16 or pl.INT32"},
    {"tensor.gather_compare", "input", FOUND, "pl.FP16, pl.FP32, pl.INT16 or pl.INT32"},
    {"tile.mgather", "idx", COUNT, "pl.INT32"},
    {"tile.mscatter", "src", FOUND, "pl.FP16, pl.FP32, pl.INT16 or pl.INT32"},
    {"tile.mscatter", "idx", COUNT, "pl.INT32"},
    {"tensor.paged_gather", "src", PAGED, "pl.FP16, pl.BF16, pl.FP32 or pl.INT8"},
    {"tensor.paged_gather", "indices", COUNT, "pl.INT32"},
    {"tensor.paged_gather", "block_table", COUNT, "pl.INT32"},
    {"pld.system.defer_wait", "signal", COUNT, "pl.INT32"},
    {"pld.tensor.allreduce", "target", REDUCED, "pl.FP16 or pl.FP32"},
    {"pld.tensor.allreduce", "signal", COUNT, "pl.INT32"},
    {"pld.tensor.reduce_scatter", "signal", COUNT, "pl.INT32"},
    {"pld.tensor.allgather", "signal", COUNT, "pl.INT32"},
    {"pld.tensor.broadcast", "signal", COUNT, "pl.INT32"},
    {"pld.tensor.barrier", "signal", COUNT, "pl.INT32"},
    {"pld.tensor.all_to_all", "signal", COUNT, "pl.INT32"},
    {"pld.tensor.all_to_all_v", "signal", COUNT, "pl.INT32"},
    {"pld.tensor.all_to_all_v", "send_counts", COUNT, "pl.INT32"},
    {"pld.tensor.all_to_all_v", "recv_counts", COUNT, "pl.INT32"},
};

/* Dimensions of an argument that must be 1 where the argument has them: columns of signals. */
static const struct {
    const char *op, *argument;
    size_t dimension;
} unit_extents[] = {
    {"pld.tensor.allgather", "input", 0},          {"pld.tensor.allgather", "signal", 1},
    {"pld.tensor.all_to_all_v", "signal", 1},      {"pld.tensor.all_to_all_v", "send_counts", 1},
    {"pld.tensor.all_to_all_v", "recv_counts", 1},
};

/* Dimensions that must be known at compile time. */
static const struct {
    const char *op, *argument;
    size_t dimension;
} static_extents[] = {
    {"pld.tensor.all_to_all_v", "input", 0},
    {"pld.tensor.all_to_all_v", "target", 0},
};

/* The smallest value of an integer keyword. */
static const struct {
    const char *op, *keyword;
    int64_t least;
} keyword_ranges[] = {
    {"pld.tensor.allreduce", "core_num", 1},   {"pld.tensor.broadcast", "root", 0},
    {"pld.tensor.put", "chunk_rows", 0},       {"pld.tensor.put", "chunk_cols", 0},
    {"pld.tensor.get", "chunk_rows", 0},       {"pld.tensor.get", "chunk_cols", 0},
    {"tensor.paged_gather", "block_size", 1},  {"tensor.paged_gather", "size", 1},
    {"tensor.paged_gather", "max_indices", 1}, {"tensor.paged_gather", "col_off", 0},
};

/* ---- tables: two arguments ---- */

/* Arguments that must hold the same element type. */
static const struct {
    const char *op, *first, *second;
} same_dtype[] = {
    {"tile.store", "tile", "output_tensor"},
    {"tile.gather_row", "dst", "src"},
    {"tile.mscatter", "src", "output_tensor"},
    {"tensor.gather_row", "acc", "src"},
    {"pld.tile.remote_store", "src_tile", "target"},
    {"pld.tensor.remote_store", "src", "target"},
    {"pld.tile.put", "src", "dst"},
    {"pld.tile.put", "stage", "dst"},
    {"pld.tile.put", "stage2", "dst"},
    {"pld.tensor.put", "src", "dst"},
    {"pld.tile.get", "src", "dst"},
    {"pld.tile.get", "stage", "dst"},
    {"pld.tile.get", "stage2", "dst"},
    {"pld.tensor.get", "src", "dst"},
    {"pld.tensor.allgather", "input", "target"},
    {"pld.tensor.all_to_all", "input", "target"},
    {"pld.tensor.all_to_all_v", "input", "target"},
    {"tile.matmul", "lhs", "rhs"},
    {"tile.matmul_acc", "lhs", "rhs"},
    {"tile.matmul_bias", "lhs", "rhs"},
    {"tile.gemv", "lhs", "rhs"},
    {"tile.gemv_acc", "lhs", "rhs"},
    {"tile.gemv_bias", "lhs", "rhs"},
    {"tile.row_sum", "tile", "tmp_tile"},
    {"tile.row_max", "tile", "tmp_tile"},
    {"tile.row_min", "tile", "tmp_tile"},
    {"tile.row_prod", "tile", "tmp_tile"},
    {"tile.col_sum", "tile", "tmp_tile"},
};

/* Arguments that must have the same number of dimensions. */
static const struct {
    const char *op, *first, *second;
} same_rank[] = {
    {"pld.tile.put", "src", "dst"},
    {"pld.tensor.put", "src", "dst"},
    {"pld.tile.get", "src", "dst"},
    {"pld.tensor.get", "src", "dst"},
};

/* Dimensions that must have the same extent. */
static const struct {
    const char *op, *first;
    size_t dimension;
    const char *second;
    size_t other;
} same_extent[] = {
    {"pld.tensor.allgather", "input", 1, "target", 1},
    {"pld.tensor.all_to_all", "input", 0, "target", 0},
    {"pld.tensor.all_to_all", "input", 1, "target", 1},
    {"pld.tensor.all_to_all_v", "input", 0, "target", 0},
    {"pld.tensor.all_to_all_v", "input", 1, "target", 1},
    {"pld.tensor.all_to_all_v", "send_counts", 0, "signal", 0},
    {"pld.tensor.all_to_all_v", "recv_counts", 0, "signal", 0},
};

/* Arguments that must not be the same variable. */
static const struct {
    const char *op, *first, *second;
} distinct[] = {
    {"pld.tensor.allgather", "input", "target"},
    {"pld.tensor.all_to_all", "input", "target"},
    {"pld.tensor.all_to_all_v", "input", "target"},
};

const struct ir_expr *verify_shaped_arg(const struct ir_call *call, const char *op,
                                        const char *argument)
{
    if (strcmp(op, call->op->name) != 0)
        return NULL;
    const struct ir_expr *e = ir_call_arg(call, argument);
    return e && verify_is_shaped(e->type) ? e : NULL;
}

static bool check_ranks(struct verifier *v, const struct ir_expr *e)
{
    for (size_t i = 0; i < ROWS(ranks); i++) {
        const struct ir_expr *x = verify_shaped_arg(&e->call, ranks[i].op, ranks[i].argument);
        size_t rank = x ? x->type->shape.len : 0;
        if (x && (rank < ranks[i].least || rank > ranks[i].most))
            return verify_fail(v, IR_RULE_ARGUMENT_RANK, x->span, ranks[i].argument, ranks[i].op,
                               ranks[i].wanted, verify_number(v, (int64_t)rank), NULL);
    }
    for (size_t i = 0; i < ROWS(same_rank); i++) {
        const struct ir_expr *x = verify_shaped_arg(&e->call, same_rank[i].op, same_rank[i].first),
                             *y = verify_shaped_arg(&e->call, same_rank[i].op, same_rank[i].second);
        if (x && y && x->type->shape.len != y->type->shape.len)
            return verify_fail(v, IR_RULE_SAME_RANK, x->span, same_rank[i].first, same_rank[i].op,
                               verify_number(v, (int64_t)x->type->shape.len), same_rank[i].second,
                               verify_number(v, (int64_t)y->type->shape.len), NULL);
    }
    return true;
}

static bool check_dtypes(struct verifier *v, const struct ir_expr *e)
{
    for (size_t i = 0; i < ROWS(element_types); i++) {
        const struct ir_expr *x =
            verify_shaped_arg(&e->call, element_types[i].op, element_types[i].argument);
        if (x && !(element_types[i].dtypes >> x->type->dtype & 1))
            return verify_fail(v, IR_RULE_ARGUMENT_DTYPE, x->span, element_types[i].argument,
                               element_types[i].op, element_types[i].wanted,
                               ir_dtype_name(x->type->dtype), NULL);
    }
    for (size_t i = 0; i < ROWS(same_dtype); i++) {
        const struct ir_expr *x =
                                 verify_shaped_arg(&e->call, same_dtype[i].op, same_dtype[i].first),
                             *y = verify_shaped_arg(&e->call, same_dtype[i].op,
                                                    same_dtype[i].second);
        /* FIX converts what it stores from the accumulator (pypto-ops-facts 2.5). */
        if (x && y && x->type->dtype != y->type->dtype && ir_space_of(&v->space, x) != IR_SPACE_ACC)
            return verify_fail(v, IR_RULE_SAME_DTYPE, x->span, same_dtype[i].first,
                               same_dtype[i].op, ir_dtype_name(x->type->dtype),
                               same_dtype[i].second, ir_dtype_name(y->type->dtype), NULL);
    }
    return true;
}

bool verify_extent(const struct ir_expr *x, size_t dimension, int64_t *out)
{
    return x && dimension < x->type->shape.len &&
           ir_const_int(x->type->shape.items[dimension], out);
}

static bool check_extents(struct verifier *v, const struct ir_expr *e)
{
    int64_t extent;
    for (size_t i = 0; i < ROWS(unit_extents); i++) {
        size_t dim = unit_extents[i].dimension;
        const struct ir_expr *x =
            verify_shaped_arg(&e->call, unit_extents[i].op, unit_extents[i].argument);
        if (verify_extent(x, dim, &extent) && extent != 1)
            return verify_fail(v, IR_RULE_ARGUMENT_EXTENT, x->span, verify_number(v, (int64_t)dim),
                               unit_extents[i].argument, unit_extents[i].op,
                               verify_number(v, extent), NULL);
    }
    for (size_t i = 0; i < ROWS(static_extents); i++) {
        size_t dim = static_extents[i].dimension;
        const struct ir_expr *x =
            verify_shaped_arg(&e->call, static_extents[i].op, static_extents[i].argument);
        if (x && !verify_extent(x, dim, &extent))
            return verify_fail(v, IR_RULE_ARGUMENT_STATIC, x->span, verify_number(v, (int64_t)dim),
                               static_extents[i].argument, static_extents[i].op, NULL);
    }
    return true;
}

static bool check_same_extents(struct verifier *v, const struct ir_expr *e)
{
    for (size_t i = 0; i < ROWS(same_extent); i++) {
        int64_t a, b;
        const struct ir_expr *x = verify_shaped_arg(&e->call, same_extent[i].op,
                                                    same_extent[i].first),
                             *y = verify_shaped_arg(&e->call, same_extent[i].op,
                                                    same_extent[i].second);
        if (verify_extent(x, same_extent[i].dimension, &a) &&
            verify_extent(y, same_extent[i].other, &b) && a != b)
            return verify_fail(v, IR_RULE_SAME_EXTENT, x->span,
                               verify_number(v, (int64_t)same_extent[i].dimension),
                               same_extent[i].first, same_extent[i].op, verify_number(v, a),
                               verify_number(v, (int64_t)same_extent[i].other),
                               same_extent[i].second, verify_number(v, b), NULL);
    }
    return true;
}

static bool check_distinct(struct verifier *v, const struct ir_expr *e)
{
    for (size_t i = 0; i < ROWS(distinct); i++) {
        const struct ir_expr *x = verify_shaped_arg(&e->call, distinct[i].op, distinct[i].first),
                             *y = verify_shaped_arg(&e->call, distinct[i].op, distinct[i].second);
        if (x && y && x->kind == IR_VAR && y->kind == IR_VAR && x->var == y->var)
            return verify_fail(v, IR_RULE_DISTINCT_BUFFERS, x->span, distinct[i].first,
                               distinct[i].second, distinct[i].op, NULL);
    }
    return true;
}

static bool check_keyword_ranges(struct verifier *v, const struct ir_expr *e)
{
    int64_t value;
    for (size_t i = 0; i < ROWS(keyword_ranges); i++) {
        if (strcmp(keyword_ranges[i].op, e->call.op->name) != 0)
            continue;
        const struct ir_expr *x = ir_kwarg_find(&e->call.kwargs, keyword_ranges[i].keyword);
        if (x && ir_const_int(x, &value) && value < keyword_ranges[i].least)
            return verify_fail(v, IR_RULE_KEYWORD_RANGE, x->span, keyword_ranges[i].keyword,
                               keyword_ranges[i].op, verify_number(v, keyword_ranges[i].least),
                               verify_number(v, value), NULL);
    }
    return true;
}

bool verify_arguments(struct verifier *v, const struct ir_expr *e)
{
    return check_ranks(v, e) && check_dtypes(v, e) && check_extents(v, e) &&
           check_same_extents(v, e) && check_distinct(v, e) && check_keyword_ranges(v, e);
}
