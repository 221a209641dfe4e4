/* SPDX-License-Identifier: MIT */
/* Rows of the operator registry: communication (pypto-facts 2, pypto-front-facts 2.10). */
#include "ir/ops_rows.h"

/* clang-format off */
#define REGION "[,dst_offsets,src_offsets,shape]"

#define BUILTIN(n, kinds, names, ...) \
    {"builtin.tensor." n, kinds, names, HOST, -1, NONE, R(UNKNOWN), NULL, {__VA_ARGS__}, \
     "builtin kernel of a collective, made by LowerHostTensorCollectives"}

const struct ir_op ir_ops_comm[] = {
    /* ---- system ---- */
    {"pld.system.world_size", "", "", HOST, -1, NONE, R(INT64), NULL, {{0}}, "number of ranks"},
    {"pld.system.get_comm_ctx", "D", "dist_tensor", PURE, -1, NONE, R(CTX), NULL, {{0}},
     "communication context of a window"},
    {"pld.system.rank", "c", "ctx", PURE, -1, S, R(INT32), NULL, {{0}}, "rank of this core's device"},
    {"pld.system.nranks", "c", "ctx", PURE, -1, S, R(INT32), NULL, {{0}}, "number of ranks of the context"},
    {"pld.system.notify", "Dius", "target,peer,offsets,value", IR_EFFECT_NOTIFY, 0, S, R(UNKNOWN), NULL,
     {KW("op", 'e', .required = true, .names = "pld.NotifyOp")}, "add to, or set, one cell of a peer's signal"},
    {"pld.system.wait", "Dui", "signal,offsets,expected", IR_EFFECT_WAIT, 0, S, R(UNKNOWN), NULL,
     {KW("cmp", 'e', .required = true, .names = "pld.WaitCmp")}, "spin until a cell of the own signal compares"},
    /* It registers a condition and goes on: neither a wait nor a marker site (pypto-facts 3.1). */
    {"pld.system.defer_wait", "Dui", "signal,offsets,expected", PURE, 0, S, R(UNKNOWN), NULL,
     {KW("cmp", 'e', .required = true, .names = "pld.WaitCmp")}, "complete the task only when a cell compares"},

    /* ---- tiles and tensors of a peer ---- */
    {"pld.tile.remote_load", "Diuuu", "target,peer,offsets,shape[,valid_shape]", READ, -1, MTE2, RA(TILE_LOAD, 0), NULL,
     {KW("allow_physical_tail_padding", 'b')}, "load a region of a peer's window"},
    {"pld.tile.remote_store", "tDiu", "src_tile,target,peer,offsets", REMOTE, 1, MTE3, R(UNKNOWN), "VA", {ATOMIC},
     "store a tile into a peer's window"},
    {"pld.tile.put", "DiTttuuu", "dst,peer,src,stage[,stage2]" REGION, REMOTE, 0, MTE3, R(UNKNOWN), NULL, {ATOMIC},
     "copy a local region into a peer's window, through a stage tile"},
    {"pld.tile.get", "TiDttuuu", "dst,peer,src,stage[,stage2]" REGION, WRITE, 0, MTE3, R(UNKNOWN), NULL, {{0}},
     "copy a region of a peer's window to a local tensor, through a stage tile"},
    {"pld.tensor.remote_store", "PDiu", "src,target,peer,offsets", REMOTE, 1, MTE3, R(UNKNOWN), NULL, {ATOMIC},
     "store a tensor into a peer's window"},
    {"pld.tensor.put", "DiTuuu", "dst,peer,src" REGION, REMOTE, 0, MTE3, R(UNKNOWN), NULL, {ATOMIC, CHUNKS},
     "copy a local region into a peer's window"},
    {"pld.tensor.get", "TiDuuu", "dst,peer,src" REGION, WRITE, 0, MTE3, R(UNKNOWN), NULL, {CHUNKS},
     "copy a region of a peer's window to a local tensor"},

    /* ---- host ---- */
    {"pld.tensor.alloc_window_buffer", "*", "size", HOST, -1, NONE, R(PTR), NULL, {KW("name", 's'), KW("dtype", 'd')},
     "allocate a window of that many bytes on every rank"},
    {"pld.tensor.window", "pu", "buf,shape", HOST, -1, NONE, R(WINDOW), NULL, {DTYPE},
     "view of an allocated window as a distributed tensor"},

    /* ---- collectives (pypto-facts 5) ---- */
    {"pld.tensor.allreduce", "DD", "target[,signal]", COLL, 0, NONE, RA(ARG, 0), NULL,
     {REDUCE_OP, KW("mode", 's', .default_is = "mesh"), KW("core_num", 'i', .default_value = 1)},
     "reduce the windows of all ranks into each"},
    {"pld.tensor.reduce_scatter", "DD", "target,signal", COLL, 0, NONE, RA(ARG, 0), NULL, {REDUCE_OP},
     "reduce row me of all ranks"},
    {"pld.tensor.allgather", "TDD", "input,target,signal", COLL, 1, NONE, RA(ARG, 1), NULL, {{0}},
     "gather one row of each rank"},
    {"pld.tensor.broadcast", "DD", "target,signal", COLL, 0, NONE, RA(ARG, 0), NULL, {KW("root", 'i', .required = true)},
     "copy the root's window to all ranks"},
    {"pld.tensor.barrier", "D", "signal", COLL, 0, NONE, RA(ARG, 0), NULL, {{0}}, "wait for all ranks"},
    {"pld.tensor.all_to_all", "TDD", "input,target,signal", COLL, 1, NONE, RA(ARG, 1), NULL, {{0}},
     "exchange one row with each rank"},
    {"pld.tensor.all_to_all_v", "TDDTD", "input,target,signal,send_counts,recv_counts", COLL, 1, NONE, RA(ARG, 1), NULL,
     {{0}}, "exchange a variable number of rows with each rank"},
    BUILTIN("allreduce", "DD", "src,signal", KW("op", 'i'), KW("dtype", 'd'), KW("core_num", 'i', .default_value = 1)),
    BUILTIN("allreduce_ring", "DD", "src,signal", KW("op", 'i'), KW("dtype", 'd')),
    BUILTIN("barrier", "D", "signal", {0}),
    BUILTIN("broadcast", "DD", "target,signal", KW("root", 'i'), KW("dtype", 'd')),
    BUILTIN("reduce_scatter", "DD", "target,signal", KW("op", 'i'), KW("dtype", 'd')),
    BUILTIN("allgather", "TDD", "input,target,signal", KW("dtype", 'd')),
    BUILTIN("all_to_all", "TDD", "input,target,signal", KW("dtype", 'd')),
    BUILTIN("all_to_all_v", "TDDTD", "input,target,signal,send_counts,recv_counts", KW("dtype", 'd')),
    {0},
};
/* clang-format on */
