/* SPDX-License-Identifier: MIT */
/* The rows of the operator registry and the tables beside it (pypto-facts 2). */
#include "ir/ops.h"

/* clang-format off */
#define A(n) (1u << (n))

#define PURE   IR_EFFECT_PURE
#define READ   IR_EFFECT_READ
#define WRITE  IR_EFFECT_WRITE
#define REMOTE IR_EFFECT_REMOTE_WRITE
#define MARKER IR_EFFECT_MARKER
#define HOST   IR_EFFECT_HOST
#define COLL   IR_EFFECT_COLLECTIVE

#define NONE IR_PIPE_NONE
#define S    IR_PIPE_S
#define V    IR_PIPE_V
#define MTE1 IR_PIPE_MTE1
#define MTE2 IR_PIPE_MTE2
#define MTE3 IR_PIPE_MTE3
#define M    IR_PIPE_M

#define R(rule) IR_RESULT_##rule

#define KW(n, k, ...) {.name = (n), .kind = (k), ##__VA_ARGS__}

/* Keywords that several rows share. */
#define DTYPE        KW("dtype", 'd', .required = true, .positional = true)
#define ATOMIC       KW("atomic", 'e', .enum_name = "pl.AtomicType")
#define ATOMIC_MUST  KW("atomic", 'e', .required = true, .enum_name = "pl.AtomicType")
#define MEMORY       KW("target_memory", '*', .positional = true)
#define REDUCE_OP    KW("op", 'e', .required = true, .enum_name = "pld.ReduceOp")
#define CHUNKS       KW("chunk_rows", 'i'), KW("chunk_cols", 'i'), KW("pipeline", 'b')
#define DEVICE       KW("device", '*')

#define REGION "[,dst_offsets,src_offsets,shape]"

/* A family of operators that differ in their name only. */
#define BINARY(n, what) \
    {"tile." n, "tt", "lhs,rhs", A(2), PURE, -1, V, R(TILE_BINARY), 0, true, {{0}}, "tile " what}, \
    {"tensor." n, "Tx", "lhs,rhs", A(2), PURE, -1, NONE, R(TILE_BINARY), 0, true, {{0}}, "tensor " what}
#define BINARY_SCALAR(n, what) \
    {"tile." n, "ts", "lhs,rhs", A(2), PURE, -1, V, R(ARG), 0, true, {{0}}, "tile " what " with a scalar"}
#define BITWISE(n, what) \
    {"tile." n, "ttt", "lhs,rhs[,tmp]", A(2) | A(3), PURE, -1, V, R(TILE_BINARY), 0, true, {{0}}, "tile " what}
#define BITWISE_SCALAR(n, what) \
    {"tile." n, "tst", "lhs,rhs[,tmp]", A(2) | A(3), PURE, -1, V, R(ARG), 0, true, {{0}}, "tile " what " with a scalar"}
#define UNARY(n, what) \
    {"tile." n, "tt", "tile[,tmp]", A(1) | A(2), PURE, -1, V, R(ARG), 0, true, {{0}}, what " of each element"}, \
    {"tensor." n, "T", "input", A(1), PURE, -1, NONE, R(ARG), 0, true, {{0}}, what " of each element"}
#define ROW_REDUCE(n, what) \
    {"tile." n, "tt", "tile[,tmp_tile]", A(1) | A(2), PURE, -1, V, R(TILE_ROW), 0, true, {{0}}, what " of each row"}, \
    {"tensor." n, "T", "input", A(1), PURE, -1, NONE, R(TILE_ROW), 0, true, {{0}}, what " of each row"}
#define COL_REDUCE(n, what) \
    {"tile." n, "tt", "tile[,tmp_tile]", A(1) | A(2), PURE, -1, V, R(TILE_COL), 0, true, {{0}}, what " of each column"}, \
    {"tensor." n, "T", "input", A(1), PURE, -1, NONE, R(TILE_COL), 0, true, {{0}}, what " of each column"}
#define EXPAND(n, what) \
    {"tile." n, "ttt", "target,vec[,tmp]", A(2) | A(3), PURE, -1, V, R(ARG), 0, true, {{0}}, what}, \
    {"tensor." n, "TT", "target,vec", A(2), PURE, -1, NONE, R(ARG), 0, true, {{0}}, what}
#define BUILTIN(n, kinds, names, arity) \
    {"builtin.tensor." n, kinds, names, arity, HOST, -1, NONE, R(UNKNOWN), -1, false, \
     {KW("op", 'i'), KW("dtype", 'd'), KW("root", 'i'), KW("core_num", 'i', .default_value = 1), DEVICE, KW("mode", 's')}, \
     "builtin kernel of a collective, made by LowerHostTensorCollectives"}

const struct ir_op ir_ops[] = {
    /* ---- communication: system ---- */
    {"pld.system.world_size", "", "", A(0), HOST, -1, NONE, R(INT64), -1, false, {{0}}, "number of ranks"},
    {"pld.system.get_comm_ctx", "D", "dist_tensor", A(1), PURE, -1, NONE, R(CTX), -1, true, {{0}},
     "communication context of a window"},
    {"pld.system.rank", "c", "ctx", A(1), PURE, -1, S, R(INT32), -1, true, {{0}}, "rank of this core's device"},
    {"pld.system.nranks", "c", "ctx", A(1), PURE, -1, S, R(INT32), -1, true, {{0}}, "number of ranks of the context"},
    {"pld.system.notify", "Dius", "target,peer,offsets,value", A(4), IR_EFFECT_NOTIFY, 0, S, R(UNKNOWN), -1, true,
     {KW("op", 'e', .required = true, .enum_name = "pld.NotifyOp")}, "add to, or set, one cell of a peer's signal"},
    {"pld.system.wait", "Dui", "signal,offsets,expected", A(3), IR_EFFECT_WAIT, 0, S, R(UNKNOWN), -1, true,
     {KW("cmp", 'e', .required = true, .enum_name = "pld.WaitCmp")}, "spin until a cell of the own signal compares"},
    /* It registers a condition and goes on: neither a wait nor a marker site (pypto-facts 3.1). */
    {"pld.system.defer_wait", "Dui", "signal,offsets,expected", A(3), PURE, 0, S, R(UNKNOWN), -1, true,
     {KW("cmp", 'e', .required = true, .enum_name = "pld.WaitCmp")}, "complete the task only when a cell compares"},

    /* ---- communication: tiles and tensors of a peer ---- */
    {"pld.tile.remote_load", "Diuuu", "target,peer,offsets,shape[,valid_shape]", A(4) | A(5), READ, -1, MTE2,
     R(TILE_LOAD), 0, true, {KW("allow_physical_tail_padding", 'b')}, "load a region of a peer's window"},
    {"pld.tile.remote_store", "tDiu", "src_tile,target,peer,offsets", A(4), REMOTE, 1, MTE3, R(UNKNOWN), -1, true,
     {ATOMIC}, "store a tile into a peer's window"},
    {"pld.tile.put", "DiTttuuu", "dst,peer,src,stage[,stage2]" REGION, A(4) | A(5) | A(7) | A(8), REMOTE, 0, MTE3,
     R(UNKNOWN), -1, true, {ATOMIC_MUST}, "copy a local region into a peer's window, through a stage tile"},
    {"pld.tile.get", "TiDttuuu", "dst,peer,src,stage[,stage2]" REGION, A(4) | A(5) | A(7) | A(8), WRITE, 0, MTE3,
     R(UNKNOWN), -1, true, {{0}}, "copy a region of a peer's window to a local tensor, through a stage tile"},
    {"pld.tensor.remote_store", "PDiu", "src,target,peer,offsets", A(4), REMOTE, 1, MTE3, R(UNKNOWN), -1, true,
     {ATOMIC}, "store a tensor into a peer's window"},
    {"pld.tensor.put", "DiTuuu", "dst,peer,src" REGION, A(3) | A(6), REMOTE, 0, MTE3, R(UNKNOWN), -1, true,
     {ATOMIC_MUST, CHUNKS}, "copy a local region into a peer's window"},
    {"pld.tensor.get", "TiDuuu", "dst,peer,src" REGION, A(3) | A(6), WRITE, 0, MTE3, R(UNKNOWN), -1, true,
     {CHUNKS}, "copy a region of a peer's window to a local tensor"},

    /* ---- communication: host ---- */
    {"pld.tensor.alloc_window_buffer", "*", "size", A(1), HOST, -1, NONE, R(PTR), -1, false,
     {KW("name", 's'), KW("dtype", 'd')}, "allocate a window of that many bytes on every rank"},
    {"pld.tensor.window", "pu", "ptr,shape", A(2), HOST, -1, NONE, R(WINDOW), -1, false, {DTYPE},
     "view of an allocated window as a distributed tensor"},

    /* ---- collectives (pypto-facts 5) ---- */
    {"pld.tensor.allreduce", "DD", "target[,signal]", A(1) | A(2), COLL, 0, NONE, R(ARG), 0, true,
     {REDUCE_OP, KW("mode", 's'), KW("core_num", 'i', .default_value = 1)}, "reduce the windows of all ranks into each"},
    {"pld.tensor.reduce_scatter", "DD", "target,signal", A(2), COLL, 0, NONE, R(ARG), 0, true, {REDUCE_OP},
     "reduce row me of all ranks"},
    {"pld.tensor.allgather", "TDD", "input,target,signal", A(3), COLL, 1, NONE, R(ARG), 1, true, {{0}},
     "gather one row of each rank"},
    {"pld.tensor.broadcast", "DD", "target,signal", A(2), COLL, 0, NONE, R(ARG), 0, true,
     {KW("root", 'i', .required = true)}, "copy the root's window to all ranks"},
    {"pld.tensor.barrier", "D", "signal", A(1), COLL, 0, NONE, R(ARG), 0, true, {{0}}, "wait for all ranks"},
    {"pld.tensor.all_to_all", "TDD", "input,target,signal", A(3), COLL, 1, NONE, R(ARG), 1, true, {{0}},
     "exchange one row with each rank"},
    {"pld.tensor.all_to_all_v", "TDDTD", "input,target,signal,send_counts,recv_counts", A(5), COLL, 1, NONE, R(ARG), 1,
     true, {{0}}, "exchange a variable number of rows with each rank"},
    BUILTIN("allreduce", "DD", "target,signal", A(2)),
    BUILTIN("allreduce_ring", "DD", "target,signal", A(2)),
    BUILTIN("barrier", "D", "signal", A(1)),
    BUILTIN("broadcast", "DD", "target,signal", A(2)),
    BUILTIN("reduce_scatter", "DD", "target,signal", A(2)),
    BUILTIN("allgather", "TDD", "input,target,signal", A(3)),
    BUILTIN("all_to_all", "TDD", "input,target,signal", A(3)),
    BUILTIN("all_to_all_v", "TDDTD", "input,target,signal,send_counts,recv_counts", A(5)),

    /* ---- markers and barriers ---- */
    {"system.fence", "", "", A(0), MARKER, -1, S, R(UNKNOWN), -1, true, {{0}}, "drain the pipes and order memory"},
    {"system.cacheinvalid", "Tuu", "[tensor,shapes,offsets]", A(0) | A(3), MARKER, 0, S, R(UNKNOWN), -1, true, {{0}},
     "clean and invalidate the data cache, or the line at a region's base"},
    {"system.bar_v", "", "", A(0), MARKER, -1, V, R(UNKNOWN), -1, true, {{0}}, "barrier of the vector pipe"},
    {"system.bar_m", "", "", A(0), MARKER, -1, M, R(UNKNOWN), -1, true, {{0}}, "barrier of the matrix pipe"},
    {"system.bar_all", "", "", A(0), MARKER, -1, S, R(UNKNOWN), -1, true, {{0}}, "barrier of all pipes"},

    /* ---- tiles: memory ---- */
    {"tile.alloc", "*i", "memory_space,size", A(2), PURE, -1, NONE, R(PTR), -1, true, {{0}}, "buffer of a tile memory"},
    {"tile.create", "u", "shape", A(1), PURE, -1, NONE, R(TILE_SHAPE), 0, true, {DTYPE, MEMORY}, "tile without contents"},
    {"tile.full", "u", "shape", A(1), PURE, -1, V, R(TILE_SHAPE), 0, true,
     {DTYPE, KW("value", '*', .required = true, .positional = true)}, "tile filled with one value"},
    {"tile.ci", "iu", "start,shape", A(2), PURE, -1, V, R(TILE_SHAPE), 1, true,
     {KW("dtype", 'd', .positional = true), KW("descending", 'b', .positional = true), KW("tmp", '*')},
     "tile of consecutive integers"},
    {"tile.load", "Tuuu", "tensor,offsets,shapes,valid_shapes=shapes", A(4), READ, -1, MTE2, R(TILE_LOAD), 0, true,
     {MEMORY, KW("transpose", 'b', .positional = true)}, "load a region of a tensor"},
    {"tile.store", "tuTu", "tile,offsets,output_tensor[,shapes]", A(3) | A(4), WRITE, 2, MTE3, R(ARG), 2, true, {ATOMIC},
     "store a tile into a tensor"},
    {"tile.read", "tv", "tile,indices", A(2), PURE, -1, S, R(ELEMENT), 0, true, {{0}}, "one element of a tile"},
    {"tile.write", "tvs", "tile,indices,value", A(3), PURE, -1, S, R(ARG), 0, true, {{0}}, "set one element of a tile"},
    {"tile.move", "t", "tile", A(1), PURE, -1, MTE1, R(ARG), 0, true,
     {MEMORY, KW("blayout", '*'), KW("slayout", '*')}, "move a tile to another memory"},
    {"tile.extract", "tiiu", "src,index_row,index_col,shape", A(4), PURE, -1, MTE1, R(TILE_LOAD), 0, true, {MEMORY},
     "part of a tile, in another memory"},
    {"tile.get_block_idx", "", "", A(0), PURE, -1, S, R(INDEX), -1, true, {{0}}, "index of this block of an SPMD launch"},
    {"tile.get_subblock_idx", "", "", A(0), PURE, -1, S, R(INDEX), -1, true, {{0}}, "index of this vector lane"},
    {"tile.get_block_num", "", "", A(0), PURE, -1, S, R(INDEX), -1, true, {{0}}, "number of blocks of an SPMD launch"},

    /* ---- tiles: shape ---- */
    {"tile.view", "tu", "tile,shape", A(2), PURE, -1, NONE, R(VIEW), 0, true, {{0}}, "tile under another shape"},
    {"tile.reshape", "tu", "tile,shape", A(2), PURE, -1, NONE, R(VIEW), 0, true, {{0}}, "tile under another shape"},
    {"tile.slice", "tuuuu", "tile,shape,offset[,valid_shape][,drop_dims]", A(3) | A(4) | A(5), PURE, -1, NONE, R(VIEW), 0,
     true, {KW("pad_value", '*')}, "part of a tile"},
    {"tile.assemble", "ttu", "target,source,offset", A(3), PURE, -1, V, R(ARG), 0, true, {{0}}, "tile with a part replaced"},
    {"tile.concat", "tt", "src0,src1", A(2), PURE, -1, V, R(NONE_KNOWN), -1, true, {{0}}, "two tiles side by side"},
    {"tile.transpose", "tiit", "tile,axis1,axis2[,tmp]", A(3) | A(4), PURE, -1, V, R(NONE_KNOWN), -1, true, {{0}},
     "tile with two axes exchanged"},
    {"tile.transpose_view", "t", "tile", A(1), PURE, -1, NONE, R(NONE_KNOWN), -1, true, {{0}}, "transposed view of a tile"},
    {"tile.reinterpret_view", "t", "tile", A(1), PURE, -1, NONE, R(NONE_KNOWN), -1, true, {DTYPE},
     "tile under another element type"},
    {"tile.set_validshape", "tii", "tile,valid_rows,valid_cols", A(3), PURE, -1, NONE, R(ARG), 0, true, {{0}},
     "tile with another valid region"},
    {"tile.fillpad", "t", "tile", A(1), PURE, -1, V, R(ARG), 0, true, {KW("pad_value", '*', .positional = true)},
     "tile with its padding filled"},
    {"tile.fillpad_inplace", "t", "tile", A(1), PURE, -1, V, R(ARG), 0, true,
     {KW("pad_value", '*', .positional = true)}, "tile with its padding filled, in place"},

    /* ---- elementwise ---- */
    BINARY("add", "sum"), BINARY("sub", "difference"), BINARY("mul", "product"),
    {"tile.div", "tt", "lhs,rhs", A(2), PURE, -1, V, R(TILE_BINARY), 0, true, {KW("high_precision", 'b', .positional = true)},
     "tile quotient"},
    {"tensor.div", "Tx", "lhs,rhs", A(2), PURE, -1, NONE, R(TILE_BINARY), 0, true,
     {KW("high_precision", 'b', .positional = true)}, "tensor quotient"},
    BINARY("maximum", "maximum"), BINARY("minimum", "minimum"), BINARY("rem", "remainder"),
    BINARY_SCALAR("adds", "sum"), BINARY_SCALAR("subs", "difference"), BINARY_SCALAR("muls", "product"),
    BINARY_SCALAR("divs", "quotient"), BINARY_SCALAR("maxs", "maximum"), BINARY_SCALAR("mins", "minimum"),
    BINARY_SCALAR("maximums", "maximum"), BINARY_SCALAR("minimums", "minimum"), BINARY_SCALAR("rems", "remainder"),
    BITWISE("and", "bitwise and"), BITWISE("or", "bitwise or"), BITWISE("xor", "bitwise exclusive or"),
    BITWISE("shl", "shift left"), BITWISE("shr", "shift right"),
    BITWISE_SCALAR("ands", "bitwise and"), BITWISE_SCALAR("ors", "bitwise or"),
    BITWISE_SCALAR("xors", "bitwise exclusive or"), BITWISE_SCALAR("shls", "shift left"),
    BITWISE_SCALAR("shrs", "shift right"),
    {"tile.cmp", "tt", "lhs,rhs", A(2), PURE, -1, V, R(NONE_KNOWN), -1, true, {KW("cmp_type", 'i', .positional = true)},
     "comparison of two tiles"},
    {"tile.cmps", "ts", "lhs,rhs", A(2), PURE, -1, V, R(NONE_KNOWN), -1, true, {KW("cmp_type", 'i', .positional = true)},
     "comparison of a tile with a scalar"},
    UNARY("neg", "negation"), UNARY("exp", "exponential"), UNARY("log", "logarithm"), UNARY("sqrt", "square root"),
    UNARY("rsqrt", "reciprocal square root"), UNARY("recip", "reciprocal"), UNARY("abs", "absolute value"),
    UNARY("relu", "positive part"), UNARY("sin", "sine"), UNARY("cos", "cosine"), UNARY("not", "bitwise complement"),
    {"tile.cast", "t", "tile", A(1), PURE, -1, V, R(TILE_CAST), 0, true,
     {KW("target_type", 'd', .required = true, .positional = true), KW("mode", '*', .positional = true)},
     "tile of another element type"},
    {"tensor.cast", "T", "input", A(1), PURE, -1, NONE, R(TILE_CAST), 0, true,
     {KW("target_type", 'd', .required = true, .positional = true), KW("mode", '*', .positional = true)},
     "tensor of another element type"},
    {"tile.sel", "tttt", "mask,lhs,rhs[,tmp]", A(3) | A(4), PURE, -1, V, R(ARG), 1, true, {{0}}, "choose by a mask"},
    {"tile.sels", "ttst", "mask,lhs,rhs[,tmp]", A(3) | A(4), PURE, -1, V, R(ARG), 1, true, {{0}},
     "choose by a mask between a tile and a scalar"},
    {"tile.select", "tttt", "mask,lhs,rhs[,tmp]", A(3) | A(4), PURE, -1, V, R(ARG), 1, true, {{0}}, "choose by a mask"},

    /* ---- reductions and broadcasts ---- */
    ROW_REDUCE("row_sum", "sum"), ROW_REDUCE("row_max", "maximum"), ROW_REDUCE("row_min", "minimum"),
    COL_REDUCE("col_sum", "sum"), COL_REDUCE("col_max", "maximum"), COL_REDUCE("col_min", "minimum"),
    EXPAND("row_expand", "repeat a column vector"), EXPAND("row_expand_add", "add a column vector to each column"),
    EXPAND("row_expand_sub", "subtract a column vector from each column"),
    EXPAND("row_expand_mul", "multiply each column by a column vector"),
    EXPAND("row_expand_div", "divide each column by a column vector"),
    EXPAND("col_expand", "repeat a row vector"), EXPAND("col_expand_add", "add a row vector to each row"),
    EXPAND("col_expand_sub", "subtract a row vector from each row"),
    EXPAND("col_expand_mul", "multiply each row by a row vector"),
    EXPAND("col_expand_div", "divide each row by a row vector"),
    {"tile.expands", "ts", "target,scalar", A(2), PURE, -1, V, R(ARG), 0, true, {{0}}, "tile filled with a scalar"},

    /* ---- matrices ---- */
    {"tile.matmul", "tt", "lhs,rhs", A(2), PURE, -1, M, R(TILE_MATMUL), 0, true, {{0}}, "matrix product"},
    {"tile.matmul_acc", "ttt", "acc,lhs,rhs", A(3), PURE, -1, M, R(ARG), 0, true, {{0}}, "matrix product added to a tile"},
    {"tile.matmul_bias", "ttt", "lhs,rhs,bias", A(3), PURE, -1, M, R(TILE_MATMUL), 0, true, {{0}},
     "matrix product with a bias row"},
    {"tensor.matmul", "TT", "lhs,rhs", A(2), PURE, -1, NONE, R(NONE_KNOWN), -1, true,
     {KW("out_dtype", 'd'), KW("a_trans", 'b'), KW("b_trans", 'b'), KW("c_matrix_nz", 'b')}, "matrix product"},

    /* ---- sorting and gathering ---- */
    {"tile.sort32", "ttt", "src,idx[,tmp]", A(2) | A(3), PURE, -1, V, R(NONE_KNOWN), -1, true, {{0}}, "sort runs of 32"},
    {"tile.mrgsort_format1", "ti", "src,block_len", A(2), PURE, -1, V, R(ARG), 0, true, {{0}}, "merge sorted runs of a tile"},
    {"tile.mrgsort_format2", "ttttt", "src0,src1[,src2][,src3],tmp", A(3) | A(4) | A(5), PURE, -1, V, R(NONE_KNOWN), -1,
     true, {KW("exhausted", 'b')}, "merge sorted tiles"},
    {"tile.gather", "ttt", "src,indices[,tmp]", A(2) | A(3), PURE, -1, V, R(NONE_KNOWN), -1, true, {{0}}, "gather by index"},
    {"tile.gather_mask", "t", "src", A(1), PURE, -1, V, R(NONE_KNOWN), -1, true,
     {KW("mask_pattern", 'i', .required = true, .positional = true), KW("output_dtype", 'd')}, "gather by a bit pattern"},

    /* ---- tensors ---- */
    {"tensor.create", "u", "shape", A(1), PURE, -1, NONE, R(TENSOR_SHAPE), 0, true, {DTYPE, KW("layout", '*')},
     "tensor without contents"},
    {"tensor.full", "u", "shape", A(1), PURE, -1, NONE, R(TENSOR_SHAPE), 0, true,
     {DTYPE, KW("value", '*', .required = true, .positional = true)}, "tensor filled with one value"},
    {"tensor.read", "Tv", "tensor,indices", A(2), READ, -1, S, R(ELEMENT), 0, true, {{0}},
     "one element, through the data cache"},
    {"tensor.write", "Tvs", "tensor,indices,value", A(3), WRITE, 0, S, R(ARG), 0, true, {{0}},
     "set one element, through the data cache"},
    {"tensor.dim", "Ti", "tensor,axis", A(2), PURE, -1, S, R(INDEX), -1, true, {{0}}, "extent of one dimension"},
    {"tensor.slice", "Tuuuu", "input,shape,offset[,valid_shape][,drop_dims]", A(3) | A(4) | A(5), PURE, -1, NONE, R(VIEW),
     0, true, {KW("pad_value", '*')}, "part of a tensor"},
    {"tensor.view", "Tuu", "tensor,shape[,valid_shape]", A(2) | A(3), PURE, -1, NONE, R(VIEW), 0, true, {{0}},
     "tensor under another shape"},
    {"tensor.reshape", "Tu", "tensor,shape", A(2), PURE, -1, NONE, R(VIEW), 0, true, {{0}}, "tensor under another shape"},
    {"tensor.assemble", "TTu", "target,source,offset", A(3), WRITE, 0, MTE3, R(ARG), 0, true, {{0}},
     "tensor with a part replaced"},
    {"tensor.transpose", "Tii", "tensor,axis1,axis2", A(3), PURE, -1, NONE, R(NONE_KNOWN), -1, true, {{0}},
     "tensor with two axes exchanged"},
};
const size_t ir_op_count = sizeof ir_ops / sizeof *ir_ops;

const struct ir_enum_member ir_enums[] = {
    {"pld.NotifyOp.AtomicAdd", 0}, {"pld.NotifyOp.Set", 1},
    {"pld.WaitCmp.Eq", 0},         {"pld.WaitCmp.Ge", 1},
    {"pl.AtomicType.None_", 0},    {"pl.AtomicType.Add", 1},
    {"pld.AtomicType.None_", 0},   {"pld.AtomicType.Add", 1},
    {"pld.ReduceOp.Sum", 0},       {"pld.ReduceOp.Max", 1},
    {"pld.ReduceOp.Min", 2},       {"pld.ReduceOp.Prod", 3},
};
const size_t ir_enum_count = sizeof ir_enums / sizeof *ir_enums;

/* Short forms exist for these names only (pypto-facts 1.3). */
const struct ir_op_spelling ir_op_spellings[] = {
    {"pld.world_size", "pld.system.world_size", NULL, false},
    {"pld.get_comm_ctx", "pld.system.get_comm_ctx", NULL, false},
    {"pld.rank", "pld.system.rank", NULL, false},
    {"pld.nranks", "pld.system.nranks", NULL, false},
    {"pld.alloc_window_buffer", "pld.tensor.alloc_window_buffer", NULL, false},
    {"pld.window", "pld.tensor.window", NULL, false},
    {"pld.remote_load", "pld.tile.remote_load", NULL, false},
    {"pld.remote_store", "pld.tile.remote_store", NULL, false},
    {"create_tile", "tile.create", NULL, false},
    {"tile.create_tile", "tile.create", NULL, false},
    {"create_tensor", "tensor.create", NULL, false},
    {"tile.and_", "tile.and", NULL, false},
    {"tile.or_", "tile.or", NULL, false},
    {"tile.not_", "tile.not", NULL, false},
    {"pld.tile._remote_load_with_physical_tail_padding", "pld.tile.remote_load", "allow_physical_tail_padding", true},
    {"_dump.alloc_window_buffer", "pld.tensor.alloc_window_buffer", "name", false},
};
const size_t ir_op_spelling_count = sizeof ir_op_spellings / sizeof *ir_op_spellings;
/* clang-format on */
