/* SPDX-License-Identifier: MIT */
/* Rows of the operator registry: tiles (pypto-facts 2, pypto-ops-facts 1). */
#include "ir/ops_rows.h"

/* clang-format off */

/* One tile, two tiles, a tile and a scalar, three of both; a scratch tile comes last. */
#define UNARY(n, doc) {"tile." n, "t", "tile", PURE, -1, V, RA(ARG, 0), "V>V", {{0}}, doc " of each element"}
#define PRECISE_UNARY(n, doc) \
    {"tile." n, "t", "tile", PURE, -1, V, RA(ARG, 0), "V>V", {PRECISE}, doc " of each element"}
#define BINARY(n, names, doc) \
    {"tile." n, "tt", names, PURE, -1, V, RD(TILE_BINARY, 0, PROMOTED), "V,V>V", {{0}}, doc}
#define SCALAR(n, doc) {"tile." n, "ts", "lhs,rhs", PURE, -1, V, RA(ARG, 0), "V>V", {{0}}, doc " of a tile and a scalar"}
#define TERNARY(n, kinds, spaces, doc) \
    {"tile." n, kinds, "lhs,rhs,rhs2", PURE, -1, V, RD(TILE_BINARY, 0, PROMOTED), spaces ">V", {{0}}, doc}
#define SHIFT(n, doc) {"tile." n, "tt", "lhs,rhs", PURE, -1, V, RA(ARG, 0), "V,V>V", {{0}}, doc}

/* Along the rows, along the columns; of columns and rows repeated. */
#define ROW(n, dt, doc) \
    {"tile." n, "tt", "tile,tmp_tile", PURE, -1, V, RD(TILE_ROW, 0, dt), "V,V>V", {{0}}, doc " of each row"}
#define COL(n, kinds, names, dt, doc) \
    {"tile." n, kinds, names, PURE, -1, V, RD(TILE_COL, 0, dt), "V,V>V", {{0}}, doc " of each column"}
#define ROW_EXPAND(n, kinds, names, spaces, doc) \
    {"tile." n, kinds, names, PURE, -1, V, RD(ARG, 0, PROMOTED), spaces ">V", {{0}}, doc}
#define COL_EXPAND(n, doc) \
    {"tile." n, "tt", "target,col_tile", PURE, -1, V, RD(ARG, 0, PROMOTED), "V,V>V", {{0}}, doc}

#define ACC_PHASE KW("acc_phase", 's', .positional = true, .default_is = "unspecified")
#define BLOCK_INDEX(n, doc) {"tile." n, "", "", PURE, -1, S, R(INDEX), NULL, {{0}}, doc}

const struct ir_op ir_ops_tile[] = {
    /* ---- memory ---- */
    {"tile.alloc", "*i", "memory_space,size", PURE, -1, NONE, R(PTR), NULL, {KW("pinned", 'b')}, "buffer of a tile memory"},
    {"tile.create", "u", "shape", PURE, -1, NONE, R(TILE_SHAPE), ">?",
     {DTYPE, MEMORY, KW("transpose", 'b', .positional = true), KW("flat_layout", 'b'), KW("compact", 'b')},
     "tile without contents"},
    {"tile.full", "us", "shape,value|shape,dtype,value=", PURE, -1, V, R(TILE_SHAPE), ">V", {DTYPE}, "tile filled with one value"},
    {"tile.ci", "iut", "start,shape[,tmp]|start,shape,dtype,descending,tmp=", PURE, -1, S, R(TILE_SHAPE), ">V",
     {DTYPE_ELSE("pl.INT32"), KW("descending", 'b', .positional = true)}, "tile of consecutive integers"},
    {"tile.tri", "iuu", "diagonal,shape[,valid_shape]", PURE, -1, V, R(TILE_SHAPE), ">V",
     {DTYPE_ELSE("pl.INT32"), KW("upper", 'b', .positional = true)}, "tile of a triangular mask"},
    {"tile.random", "iiiiiiuu", "key0,key1,counter0,counter1,counter2,counter3,shape[,valid_shape]", PURE, -1, V,
     R(TILE_SHAPE), ">V", {DTYPE_ELSE("pl.UINT32"), KW("rounds", 'i', .default_value = 10, .positional = true)},
     "tile of random numbers"},
    {"tile.load", "Tuuu", "tensor,offsets,shapes,valid_shape=shapes", READ, -1, MTE2, RA(TILE_LOAD, 0), ">?",
     {MEMORY, CLAMP, KW("cache", 'i', .open = true), KW("transpose", 'b')}, "load a region of a tensor"},
    {"tile.store", "tuTu", "tile,offsets,output_tensor[,shapes]", WRITE, 2, MTE3, RA(ARG, 2), "VA", {ATOMIC},
     "store a tile into a tensor"},
    {"tile.read", "tv", "tile,indices", PURE, -1, S, RA(ELEMENT, 0), "V", {{0}}, "one element of a tile"},
    {"tile.write", "tvs", "tile,indices,value", PURE, -1, S, RA(IN_PLACE, 0), "V>V", {{0}}, "set one element of a tile"},
    {"tile.move", "t", "tile", PURE, -1, MTE1, RA(ARG, 0), ">k",
     {MEMORY, KW("blayout", '*', .positional = true), KW("slayout", '*', .positional = true)}, "move a tile to another memory"},
    {"tile.extract", "tiiu", "src,index_row,index_col,shape", PURE, -1, MTE1, RA(TILE_LOAD, 0), ">k", {MEMORY},
     "part of a tile, in another memory"},
    {"tile.mgather", "T*ou", "mem,idx[,scratch][,valid_shape]|mem,idx,coalesce,scratch=,valid_shape=", READ, -1, MTE2, R(GATHERED), ">k",
     {KW("coalesce", 'n', .names = "row,elem", .positional = true),
      KW("gather_oob", 'n', .names = "undefined,clamp,wrap,zero"), KW("target_memory", '*', .default_is = "pl.Mem.Vec")},
     "gather rows or elements of a tensor"},
    {"tile.mscatter", "ttT", "src,idx,output_tensor", SILENT, 2, MTE3, RA(ARG, 2), "V,V", {{0}},
     "scatter elements into a tensor"},
    {"tile.gather_row", "tTuuuu", "dst,src,dst_offset,src_offset,shapes[,valid_shape]|dst,src,dst_offset,src_offset,shapes,transpose,valid_shape=", READ, -1, MTE2, RA(IN_PLACE, 0), ">=",
     {KW("transpose", 'b', .positional = true)}, "load rows of a tensor into a part of a tile"},
    BLOCK_INDEX("get_block_idx", "index of this block of an SPMD launch"),
    BLOCK_INDEX("get_subblock_idx", "index of this vector lane"),
    BLOCK_INDEX("get_block_num", "number of blocks of an SPMD launch"),

    /* ---- shape ---- */
    {"tile.reshape", "tu", "input,shape", PURE, -1, NONE, RA(VIEW, 0), ">=", {{0}}, "tile under another shape"},
    {"tile.slice", "tuuuu", "input,shape,offset[,valid_shape][,drop_dims]", PURE, -1, NONE, RA(VIEW, 0), ">=",
     {KW("pad_value", '*', .positional = true)}, "part of a tile"},
    {"tile.assemble", "ttu", "target,source,offset", PURE, -1, V, RA(IN_PLACE, 0), ">=", {{0}}, "tile with a part replaced"},
    {"tile.concat", "tt", "src0,src1", PURE, -1, V, R(CONCAT), "V,V>V", {{0}}, "two tiles side by side"},
    {"tile.transpose", "tiit", "input,axis1,axis2[,tmp]", PURE, -1, V, R(TRANSPOSED), ">=", {{0}},
     "tile with two axes exchanged"},
    {"tile.transpose_view", "t", "input", PURE, -1, NONE, R(TRANSPOSED), ">=", {{0}}, "transposed view of a tile"},
    {"tile.reinterpret_view", "tu", "data[,shape]|data,dtype,shape=", PURE, -1, NONE, R(REINTERPRETED), ">=", {DTYPE},
     "tile under another element type"},
    {"tile.set_validshape", "tii", "tile,valid_rows,valid_cols", PURE, -1, NONE, RA(ARG, 0), ">=", {{0}},
     "tile with another valid region"},
    {"tile.fillpad", "t", "tile", PURE, -1, V, RA(ARG, 0), "V>V", {PAD}, "tile with its padding filled"},
    {"tile.fillpad_inplace", "t", "tile", PURE, -1, V, RA(IN_PLACE, 0), "V>V", {PAD},
     "tile with its padding filled, in place"},
    {"tile.fillpad_expand", "tu", "tile,shape", PURE, -1, V, RA(EXPANDED, 0), "V>V", {PAD},
     "larger tile, filled around the given one"},

    /* ---- elementwise ---- */
    BINARY("add", "lhs,rhs", "sum"), BINARY("sub", "lhs,rhs", "difference"), BINARY("mul", "lhs,rhs", "product"),
    {"tile.div", "tt", "lhs,rhs", PURE, -1, V, RD(TILE_BINARY, 0, PROMOTED), "V,V>V", {PRECISE}, "quotient"},
    BINARY("maximum", "lhs,rhs", "maximum"), BINARY("minimum", "lhs,rhs", "minimum"),
    BINARY("fmod", "lhs,rhs", "remainder of the truncated quotient"),
    {"tile.rem", "ttt", "lhs,rhs,tmp", PURE, -1, V, RD(TILE_BINARY, 0, PROMOTED), "V,V,V>V", {{0}}, "remainder"},
    BINARY("part_add", "src0,src1", "sum where both are valid"), BINARY("part_mul", "src0,src1", "product where both are valid"),
    BINARY("part_max", "src0,src1", "maximum where both are valid"),
    BINARY("part_min", "src0,src1", "minimum where both are valid"),
    SCALAR("adds", "sum"), SCALAR("subs", "difference"), SCALAR("muls", "product"), SCALAR("divs", "quotient"),
    SCALAR("maximums", "maximum"), SCALAR("minimums", "minimum"), SCALAR("fmods", "remainder of the truncated quotient"),
    {"tile.rems", "tst", "lhs,rhs,tmp", PURE, -1, V, RD(ARG, 0, STATED), "V,-,V>V", {{0}}, "remainder of a tile and a scalar"},
    BINARY("and", "lhs,rhs", "bitwise and"), BINARY("or", "lhs,rhs", "bitwise or"),
    {"tile.xor", "ttt", "lhs,rhs,tmp", PURE, -1, V, RD(TILE_BINARY, 0, PROMOTED), "V,V,V>V", {{0}}, "bitwise exclusive or"},
    SHIFT("shl", "shift left"), SHIFT("shr", "shift right"),
    SCALAR("ands", "bitwise and"), SCALAR("ors", "bitwise or"),
    {"tile.xors", "tst", "lhs,rhs,tmp", PURE, -1, V, RA(ARG, 0), "V,-,V>V", {{0}}, "bitwise exclusive or of a tile and a scalar"},
    SCALAR("shls", "shift left"), SCALAR("shrs", "shift right"),
    TERNARY("addc", "ttt", "V,V,V", "sum of three tiles"), TERNARY("subc", "ttt", "V,V,V", "difference, and a third tile added"),
    TERNARY("addsc", "tst", "V,-,V", "sum of a tile, a scalar and a tile"),
    TERNARY("subsc", "tst", "V,-,V", "difference of a tile and a scalar, and a tile added"),
    {"tile.cmp", "tt", "lhs,rhs", PURE, -1, V, R(PREDICATE), "V,V>V", {CMP_TYPE}, "comparison of two tiles"},
    {"tile.cmps", "ts", "lhs,rhs", PURE, -1, V, R(PREDICATE), "V>V", {CMP_TYPE}, "comparison of a tile with a scalar"},
    UNARY("neg", "negation"), UNARY("exp", "exponential"), PRECISE_UNARY("log", "logarithm"), UNARY("sqrt", "square root"),
    {"tile.rsqrt", "tt", "tile[,tmp]", PURE, -1, V, RA(ARG, 0), "V,V>V", {{0}}, "reciprocal square root of each element"},
    PRECISE_UNARY("recip", "reciprocal"), UNARY("abs", "absolute value"), UNARY("relu", "positive part"),
    UNARY("sin", "sine"), UNARY("cos", "cosine"), UNARY("not", "bitwise complement"),
    {"tile.lrelu", "ts", "tile,slope", PURE, -1, V, RA(ARG, 0), "V>V", {{0}}, "negative elements times a slope"},
    {"tile.prelu", "ttt", "tile,slope,tmp", PURE, -1, V, RA(ARG, 0), "V,V,V>V", {{0}}, "negative elements times slopes"},
    {"tile.cast", "t", "tile", PURE, -1, V, RD(ARG, 0, KEYWORD), "V>V",
     {KW("target_type", 'd', .required = true, .positional = true), CAST_MODE}, "tile of another element type"},
    {"tile.sel", "tttt", "mask,lhs,rhs,tmp", PURE, -1, V, RA(ARG, 1), "V,V,V,V>V", {{0}}, "choose by a mask"},
    {"tile.sels", "ttts", "mask,src,tmp,scalar", PURE, -1, V, RA(ARG, 1), "V,V,V>V", {{0}},
     "choose by a mask between a tile and a scalar"},

    /* ---- reductions and broadcasts ---- */
    ROW("row_sum", STATED, "sum"), ROW("row_max", STATED, "maximum"), ROW("row_min", STATED, "minimum"),
    ROW("row_prod", STATED, "product"), ROW("row_argmax", INT32, "place of the maximum"),
    ROW("row_argmin", INT32, "place of the minimum"),
    COL("col_sum", "tt", "tile[,tmp_tile]", STATED, "sum"), COL("col_max", "t", "tile", STATED, "maximum"),
    COL("col_min", "t", "tile", STATED, "minimum"), COL("col_prod", "t", "tile", STATED, "product"),
    COL("col_argmax", "tt", "tile,tmp_tile", INT32, "place of the maximum"),
    COL("col_argmin", "tt", "tile,tmp_tile", INT32, "place of the minimum"),
    ROW_EXPAND("row_expand", "tt", "target,row_vec", "V,V", "repeat a column vector"),
    ROW_EXPAND("row_expand_add", "ttt", "tile,row_vec[,tmp]", "V,V,V", "add a column vector to each column"),
    ROW_EXPAND("row_expand_sub", "tt", "tile,row_vec", "V,V", "subtract a column vector from each column"),
    ROW_EXPAND("row_expand_mul", "tt", "tile,row_vec", "V,V", "multiply each column by a column vector"),
    ROW_EXPAND("row_expand_div", "tt", "tile,row_vec", "V,V", "divide each column by a column vector"),
    ROW_EXPAND("row_expand_max", "tt", "tile,row_vec", "V,V", "maximum of each column and a column vector"),
    ROW_EXPAND("row_expand_min", "tt", "tile,row_vec", "V,V", "minimum of each column and a column vector"),
    ROW_EXPAND("row_expand_expdif", "tt", "tile,row_vec", "V,V", "exponential of each column less a column vector"),
    COL_EXPAND("col_expand", "repeat a row vector"), COL_EXPAND("col_expand_add", "add a row vector to each row"),
    COL_EXPAND("col_expand_sub", "subtract a row vector from each row"),
    COL_EXPAND("col_expand_mul", "multiply each row by a row vector"),
    COL_EXPAND("col_expand_div", "divide each row by a row vector"),
    COL_EXPAND("col_expand_max", "maximum of each row and a row vector"),
    COL_EXPAND("col_expand_min", "minimum of each row and a row vector"),
    COL_EXPAND("col_expand_expdif", "exponential of each row less a row vector"),
    {"tile.expands", "ts", "target,scalar", PURE, -1, V, RA(ARG, 0), "V>V", {{0}}, "tile filled with a scalar"},

    /* ---- matrices ---- */
    {"tile.matmul", "tt", "lhs,rhs", PURE, -1, M, RA(TILE_MATMUL, 0), "L,R>A", {{0}}, "matrix product"},
    {"tile.matmul_acc", "ttts", "acc,lhs,rhs[,init_cond]", PURE, -1, M, RA(IN_PLACE, 0), "A,L,R>A", {{0}},
     "matrix product added to a tile"},
    {"tile.matmul_bias", "ttt", "lhs,rhs,bias", PURE, -1, M, RA(TILE_MATMUL, 0), "L,R,B>A", {{0}}, "matrix product with a bias row"},
    {"tile.batch_matmul", "tt", "lhs,rhs", PURE, -1, M, RA(TILE_MATMUL, 0), "L,R>A", {{0}}, "matrix products of a batch"},
    {"tile.batch_matmul_acc", "ttt", "acc,lhs,rhs", PURE, -1, M, RA(IN_PLACE, 0), "A,L,R>A", {{0}},
     "matrix products of a batch added to a tile"},
    {"tile.gemv", "tt", "lhs,rhs", PURE, -1, M, RA(TILE_GEMV, 0), "L,R>A", {ACC_PHASE}, "product of a row and a matrix"},
    {"tile.gemv_acc", "ttt", "acc,lhs,rhs", PURE, -1, M, RA(IN_PLACE, 0), "A,L,R>A", {ACC_PHASE},
     "product of a row and a matrix added to a tile"},
    {"tile.gemv_bias", "ttt", "lhs,rhs,bias", PURE, -1, M, RA(TILE_GEMV, 0), "L,R,B>A", {ACC_PHASE},
     "product of a row and a matrix with a bias row"},
    {"tile.matmul_mx", "tttt", "lhs,lhs_scale,rhs,rhs_scale", PURE, -1, M, R(ANNOTATED), "L,l,R,r>A", {{0}},
     "product of matrices in scaled blocks"},
    {"tile.matmul_mx_acc", "ttttt", "acc,lhs,lhs_scale,rhs,rhs_scale", PURE, -1, M, RA(IN_PLACE, 0), "A,L,l,R,r>A", {{0}},
     "product of matrices in scaled blocks added to a tile"},
    {"tile.matmul_mx_bias", "ttttt", "lhs,lhs_scale,rhs,rhs_scale,bias", PURE, -1, M, R(ANNOTATED), "L,l,R,r,B>A", {{0}},
     "product of matrices in scaled blocks with a bias row"},
    {"tile.tget_scale_addr", "tt", "dst_scale,src", PURE, -1, S, RA(IN_PLACE, 0), ">=", {{0}}, "where a tile's scales lie"},

    /* ---- sorting, gathering, scattering ---- */
    {"tile.sort32", "tt", "src,idx", PURE, -1, V, R(DOUBLED), "V,V>V", {{0}}, "sort runs of 32"},
    {"tile.mrgsort_format1", "ti", "src,block_len", PURE, -1, V, RA(ARG, 0), "V>V", {{0}}, "merge sorted runs of a tile"},
    {"tile.mrgsort_format2", "ttttt", "src0,src1[,src2][,src3],tmp", PURE, -1, V, RA(LIKE, 4), "V,V,V,V,V>V",
     {KW("exhausted", 'b', .positional = true)}, "merge sorted tiles"},
    {"tile.gather", "ttt", "src,indices,tmp", PURE, -1, V, RA(LIKE, 1), "V,V,V>V", {{0}}, "gather by index"},
    {"tile.gatherb", "tt", "src,offset", PURE, -1, V, RD(BLOCKS, 1, KEYWORD), "V,V>V", {KW("output_dtype", 'd')},
     "gather blocks of 32 bytes"},
    {"tile.gather_mask", "t", "src", PURE, -1, V, RD(MASKED, 0, KEYWORD), "V>V", {MASK, KW("output_dtype", 'd')},
     "gather by a bit pattern"},
    {"tile.gather_compare", "tst", "src,kvalue,tmp", PURE, -1, V, R(FOUND), "V,-,V>V", {FOUND}, "gather places where elements compare"},
    {"tile.scatter", "ttt", "dst,src,indexes", PURE, -1, V, RA(IN_PLACE, 0), "V,V,V>V", {{0}}, "scatter by index"},
    {"tile.scatter_mask", "tt", "dst,src", PURE, -1, V, RA(IN_PLACE, 0), "V,V>V", {MASK}, "scatter by a bit pattern"},
    {"tile.scatter_update", "ttt", "input,index,src", PURE, -1, V, RA(IN_PLACE, 0), "V,V,V>V",
     {KW("dim", 'i', .default_value = -2)}, "tile with rows replaced"},

    /* ---- between the cores of a cluster ---- */
    {"tile.aiv_shard", "t", "tile", LANE, -1, NONE, R(SPLIT), ">V", {KW("split", 'i', .open = true), KW("lane_stride", 'i', .open = true)},
     "part of a cube tile on this vector core"},
    {"tile.aic_gather", "t", "tile", LANE, -1, NONE, R(JOINED), ">M", {KW("split", 'i', .open = true)}, "tile of the vector cores on the cube core"},
    {"tile.tpush_to_aiv", "t", "tile", LANE, -1, FIX, R(UNKNOWN), NULL,
     {KW("split", 'i', .required = true), KW("lane_stride", 'i', .open = true), KW("id", 'i')}, "push a tile to the vector cores"},
    {"tile.tpush_to_aic", "t", "tile", LANE, -1, MTE3, R(UNKNOWN), NULL, {KW("split", 'i', .required = true), KW("id", 'i')},
     "push a tile to the cube core"},
    {"tile.tpop_from_aic", "", "", LANE, -1, MTE2, R(ANNOTATED), NULL,
     {KW("split", 'i'), KW("lane_stride", 'i', .open = true), KW("id", 'i'), KW("shape", '*'), KW("dtype", 'd')},
     "take a tile from the cube core"},
    {"tile.tpop_from_aiv", "", "", LANE, -1, MTE2, R(ANNOTATED), NULL,
     {KW("split", 'i'), KW("id", 'i'), KW("shape", '*'), KW("dtype", 'd')}, "take a tile from the vector cores"},
    {0},
};
/* clang-format on */
