/* SPDX-License-Identifier: MIT */
/*
 * Rows of the operator registry: tensors as values (pypto-facts 2, pypto-ops-facts 1). In an InCore
 * function ConvertTensorToTileOps turns all but reads, writes and views into operators on tiles.
 */
#include "ir/ops_rows.h"

/* clang-format off */
#define UNARY(n, doc) {"tensor." n, "T", "input", PURE, -1, V, RA(ARG, 0), NULL, {{0}}, doc " of each element"}
#define PRECISE_UNARY(n, doc) \
    {"tensor." n, "T", "input", PURE, -1, V, RA(ARG, 0), NULL, {PRECISE}, doc " of each element"}
#define BINARY(n, kinds, names, doc) \
    {"tensor." n, kinds, names, PURE, -1, V, RD(TILE_BINARY, 0, PROMOTED), NULL, {{0}}, doc}
#define SCALAR(n, dt, doc) \
    {"tensor." n, "Ts", "lhs,rhs", PURE, -1, V, RD(ARG, 0, dt), NULL, {{0}}, doc " of a tensor and a scalar"}
#define SHIFT(n, doc) {"tensor." n, "TT", "lhs,rhs", PURE, -1, V, RA(ARG, 0), NULL, {{0}}, doc}
#define ALONG(n, rule, dt, axis, doc) \
    {"tensor." n, "T", "input", PURE, -1, V, RD(rule, 0, dt), NULL, \
     {KW("axis", 'i', .default_value = (axis)), KW("keep_dim", 'b', .default_value = 1)}, doc}
#define ROW(n, dt, doc) ALONG(n, TILE_ROW, dt, -1, doc " of each row")
#define COL(n, dt, doc) ALONG(n, TILE_COL, dt, -2, doc " of each column")
#define EXPAND(n, names, doc) {"tensor." n, "TT", names, PURE, -1, V, RD(ARG, 0, PROMOTED), NULL, {{0}}, doc}
#define BLOCK_INDEX(n, doc) {"tensor." n, "", "", PURE, -1, S, R(INDEX), NULL, {{0}}, doc}
#define DIM KW("dim", 'i', .required = true, .positional = true)

const struct ir_op ir_ops_tensor[] = {
    /* ---- memory ---- */
    {"tensor.alloc", "*i", "memory_space,size", PURE, -1, NONE, R(PTR), NULL, {{0}}, "buffer of a memory"},
    {"tensor.create", "u", "shape", PURE, -1, NONE, R(TENSOR_SHAPE), NULL,
     {DTYPE, KW("layout", '*', .positional = true, .default_is = "pl.TensorLayout.ND"),
      KW("manual_dep", 'b', .positional = true), KW("init_value", '*', .positional = true)}, "tensor without contents"},
    {"tensor.create_l1", "u", "shape", PURE, -1, NONE, R(TENSOR_SHAPE), NULL, {DTYPE, KW("transpose", 'b', .positional = true)},
     "tensor without contents in a core's L1"},
    {"tensor.full", "us", "shape,value|shape,dtype,value=", PURE, -1, V, R(TENSOR_SHAPE), NULL, {DTYPE}, "tensor filled with one value"},
    {"tensor.ci", "su", "start,shape", PURE, -1, S, R(TENSOR_SHAPE), NULL,
     {DTYPE_ELSE("pl.INT32"), KW("descending", 'b', .positional = true)}, "tensor of consecutive integers"},
    {"tensor.random", "iiiiiiu", "key0,key1,counter0,counter1,counter2,counter3,shape", PURE, -1, V, R(TENSOR_SHAPE), NULL,
     {DTYPE_ELSE("pl.UINT32"), KW("rounds", 'i', .default_value = 10, .positional = true)}, "tensor of random numbers"},
    {"tensor.read", "Tv", "tensor,indices", READ, -1, S, RA(ELEMENT, 0), NULL, {{0}}, "one element, through the data cache"},
    {"tensor.write", "Tvs", "tensor,indices,value", WRITE, 0, S, RA(ARG, 0), NULL, {{0}},
     "set one element, through the data cache"},
    {"tensor.dim", "Ti", "tensor,axis", PURE, -1, S, R(INDEX), NULL, {{0}}, "extent of one dimension"},
    {"tensor.gather_row", "TTuuuu", "acc,src,dst_offset,src_offset,shapes[,valid_shape]|acc,src,dst_offset,src_offset,shapes,transpose,valid_shape=", READ, -1, MTE2, RA(IN_PLACE, 0),
     NULL, {KW("transpose", 'b', .positional = true)}, "load rows of a tensor into a part of another"},
    {"tensor.paged_gather", "TTT", "src,indices,block_table", READ, -1, MTE2, R(PAGES), NULL,
     {KW("block_size", 'i', .required = true, .positional = true), KW("size", 'i', .required = true, .positional = true),
      KW("max_indices", 'i', .required = true, .positional = true), KW("space", '*', .default_is = "pl.Mem.Mat"),
      KW("col_off", 'i'), KW("is_trans", 'b'), KW("is_b_matrix", 'b')}, "gather rows of a tensor by pages"},
    BLOCK_INDEX("get_block_idx", "index of this block of an SPMD launch"),
    BLOCK_INDEX("get_subblock_idx", "index of this vector lane"),
    BLOCK_INDEX("get_block_num", "number of blocks of an SPMD launch"),

    /* ---- shape ---- */
    {"tensor.slice", "Tuuuu", "input,shape,offset[,valid_shape][,drop_dims]", PURE, -1, NONE, RA(VIEW, 0), NULL,
     {KW("pad_value", '*', .positional = true), CLAMP}, "part of a tensor"},
    {"tensor.view", "Tuu", "input[,shape][,valid_shape]", PURE, -1, NONE, RA(RELAID, 0), NULL, {KW("layout", '*')},
     "tensor under another shape or layout"},
    {"tensor.reshape", "Tuu", "input,shape[,valid_shape]", PURE, -1, NONE, RA(VIEW, 0), NULL, {{0}}, "tensor under another shape"},
    {"tensor.reinterpret_view", "Tu", "data[,shape]|data,dtype,shape=", PURE, -1, NONE, R(REINTERPRETED), NULL, {DTYPE},
     "tensor under another element type"},
    {"tensor.set_validshape", "Tss", "tensor,valid_rows,valid_cols", PURE, -1, NONE, RA(ARG, 0), NULL, {{0}},
     "tensor with another valid region"},
    {"tensor.assemble", "TTu", "target,source,offset", WRITE, 0, MTE3, RA(ARG, 0), NULL, {ATOMIC}, "tensor with a part replaced"},
    {"tensor.transpose", "Tiiu", "input,axis1,axis2[,valid_shape]", PURE, -1, V, R(TRANSPOSED), NULL, {{0}},
     "tensor with two axes exchanged"},
    {"tensor.concat", "TT", "src0,src1", PURE, -1, V, R(CONCAT), NULL, {{0}}, "two tensors side by side"},
    {"tensor.expand_clone", "TT", "input,target", PURE, -1, MTE3, RD(LIKE, 1, PROMOTED), NULL, {{0}}, "tensor repeated to a shape"},
    {"tensor.expands", "Ts", "target,scalar", PURE, -1, V, RA(ARG, 0), NULL, {{0}}, "tensor filled with a scalar"},
    {"tensor.fillpad", "T", "tensor", PURE, -1, V, RA(ARG, 0), NULL, {PAD}, "tensor with its padding filled"},
    {"tensor.fillpad_expand", "Tu", "tensor,shape", PURE, -1, V, RA(EXPANDED, 0), NULL, {PAD},
     "larger tensor, filled around the given one"},

    /* ---- elementwise; a scalar second operand is read as the operator for scalars ---- */
    BINARY("add", "Tx", "lhs,rhs", "sum"), BINARY("sub", "Tx", "lhs,rhs", "difference"),
    BINARY("mul", "Tx", "lhs,rhs", "product"),
    {"tensor.div", "Tx", "lhs,rhs", PURE, -1, V, RD(TILE_BINARY, 0, PROMOTED), NULL, {PRECISE}, "quotient"},
    BINARY("maximum", "Tx", "lhs,rhs", "maximum"), BINARY("minimum", "Tx", "lhs,rhs", "minimum"),
    BINARY("fmod", "Tx", "lhs,rhs", "remainder of the truncated quotient"),
    BINARY("part_add", "TT", "src0,src1", "sum where both are valid"),
    BINARY("part_mul", "TT", "src0,src1", "product where both are valid"),
    BINARY("part_max", "TT", "src0,src1", "maximum where both are valid"),
    BINARY("part_min", "TT", "src0,src1", "minimum where both are valid"),
    SCALAR("adds", PROMOTED, "sum"), SCALAR("subs", STATED, "difference"), SCALAR("muls", PROMOTED, "product"),
    SCALAR("divs", PROMOTED, "quotient"), SCALAR("fmods", PROMOTED, "remainder of the truncated quotient"),
    BINARY("and", "TT", "lhs,rhs", "bitwise and"), BINARY("or", "TT", "lhs,rhs", "bitwise or"),
    BINARY("xor", "TT", "lhs,rhs", "bitwise exclusive or"), SHIFT("shl", "shift left"), SHIFT("shr", "shift right"),
    SCALAR("ands", PROMOTED, "bitwise and"), SCALAR("ors", PROMOTED, "bitwise or"),
    SCALAR("xors", PROMOTED, "bitwise exclusive or"), SCALAR("shls", STATED, "shift left"), SCALAR("shrs", STATED, "shift right"),
    {"tensor.cmp", "Tx", "lhs,rhs", PURE, -1, V, RD(TILE_BINARY, 0, PROMOTED), NULL, {CMP_TYPE}, "comparison"},
    UNARY("neg", "negation"), UNARY("exp", "exponential"), PRECISE_UNARY("log", "logarithm"), UNARY("sqrt", "square root"),
    PRECISE_UNARY("rsqrt", "reciprocal square root"), PRECISE_UNARY("recip", "reciprocal"), UNARY("abs", "absolute value"),
    UNARY("sin", "sine"), UNARY("cos", "cosine"), UNARY("not", "bitwise complement"),
    {"tensor.cast", "T", "input", PURE, -1, V, RD(ARG, 0, KEYWORD), NULL,
     {KW("target_type", 'd', .required = true, .positional = true), CAST_MODE}, "tensor of another element type"},

    /* ---- reductions and broadcasts ---- */
    ROW("row_sum", STATED, "sum"), ROW("row_max", STATED, "maximum"), ROW("row_min", STATED, "minimum"),
    ROW("row_prod", STATED, "product"), ROW("row_argmax", INT32, "place of the maximum"),
    ROW("row_argmin", INT32, "place of the minimum"),
    COL("col_sum", STATED, "sum"), COL("col_max", STATED, "maximum"), COL("col_min", STATED, "minimum"),
    COL("col_prod", STATED, "product"), COL("col_argmax", INT32, "place of the maximum"),
    COL("col_argmin", INT32, "place of the minimum"),
    EXPAND("row_expand", "target,row_vec", "repeat a column vector"),
    EXPAND("row_expand_add", "tensor,row_vec", "add a column vector to each column"),
    EXPAND("row_expand_sub", "tensor,row_vec", "subtract a column vector from each column"),
    EXPAND("row_expand_mul", "tensor,row_vec", "multiply each column by a column vector"),
    EXPAND("row_expand_div", "tensor,row_vec", "divide each column by a column vector"),
    EXPAND("row_expand_max", "tensor,row_vec", "maximum of each column and a column vector"),
    EXPAND("row_expand_min", "tensor,row_vec", "minimum of each column and a column vector"),
    EXPAND("row_expand_expdif", "tensor,row_vec", "exponential of each column less a column vector"),
    EXPAND("col_expand", "tensor,col_vec", "repeat a row vector"),
    EXPAND("col_expand_add", "tensor,col_vec", "add a row vector to each row"),
    EXPAND("col_expand_sub", "tensor,col_vec", "subtract a row vector from each row"),
    EXPAND("col_expand_mul", "tensor,col_vec", "multiply each row by a row vector"),
    EXPAND("col_expand_div", "tensor,col_vec", "divide each row by a row vector"),
    EXPAND("col_expand_max", "tensor,col_vec", "maximum of each row and a row vector"),
    EXPAND("col_expand_min", "tensor,col_vec", "minimum of each row and a row vector"),
    EXPAND("col_expand_expdif", "tensor,col_vec", "exponential of each row less a row vector"),

    /* ---- matrices ---- */
    {"tensor.matmul", "TT", "lhs,rhs", PURE, -1, M, RD(MATMUL, 0, PROMOTED), NULL,
     {KW("out_dtype", 'd', .positional = true), TRANSPOSES, KW("c_matrix_nz", 'b', .positional = true)}, "matrix product"},
    {"tensor.matmul_acc", "TTTs", "acc,lhs,rhs[,init_cond]|acc,lhs,rhs,a_trans,b_trans,init_cond=", PURE, -1, M, RA(ARG, 0), NULL, {TRANSPOSES},
     "matrix product added to a tensor"},

    /* ---- sorting, gathering, scattering ---- */
    {"tensor.sort32", "TT", "src,idx", PURE, -1, V, R(DOUBLED), NULL, {{0}}, "sort runs of 32"},
    {"tensor.mrgsort_format1", "Ti", "src,block_len", PURE, -1, V, RA(ARG, 0), NULL, {{0}}, "merge sorted runs of a tensor"},
    {"tensor.mrgsort_format2", "TTTT", "src0,src1[,src2][,src3]", PURE, -1, V, R(CONCAT), NULL, {KW("exhausted", 'b')},
     "merge sorted tensors"},
    {"tensor.gather", "mm", "input,index|input,dim,index", PURE, -1, V, RA(LIKE, 1), NULL, {DIM}, "gather by index"},
    {"tensor.gather_mask", "T", "input", PURE, -1, V, RD(MASKED, 0, KEYWORD), NULL, {MASK, KW("output_dtype", 'd')},
     "gather by a bit pattern"},
    {"tensor.gather_compare", "Ts", "input,kvalue", PURE, -1, V, R(FOUND), NULL, {FOUND}, "gather places where elements compare"},
    {"tensor.scatter", "TTT", "input,index,src|input,dim,index,src", PURE, -1, V, RA(ARG, 0), NULL, {DIM}, "scatter by index"},
    {"tensor.scatter_mask", "TT", "input,dst", PURE, -1, V, RA(ARG, 1), NULL, {MASK}, "scatter by a bit pattern"},
    {"tensor.scatter_update", "mmm", "input,index,src", PURE, -1, V, RA(ARG, 0), NULL, {KW("dim", 'i', .default_value = -2)},
     "tensor with rows replaced"},

    /* ---- between the cores of a cluster ---- */
    {"tensor.aiv_shard", "P", "tensor", LANE, -1, NONE, R(SPLIT), NULL, {KW("split", 'i', .open = true)},
     "part of a cube value on this vector core"},
    {"tensor.aic_gather", "P", "tensor", LANE, -1, NONE, R(JOINED), NULL, {KW("split", 'i', .open = true)},
     "value of the vector cores on the cube core"},
    {0},
};
/* clang-format on */
