/* SPDX-License-Identifier: MIT */
/* The tables beside the rows of the operator registry (pypto-facts 2, pypto-ops-facts 1). */
#include "ir/ops.h"

/* clang-format off */
const struct ir_enum_member ir_enums[] = {
    {"pld.NotifyOp.AtomicAdd", 0}, {"pld.NotifyOp.Set", 1},
    {"pld.WaitCmp.Eq", 0},         {"pld.WaitCmp.Ge", 1},
    {"pl.AtomicType.None_", 0},    {"pl.AtomicType.Add", 1},
    {"pld.AtomicType.None_", 0},   {"pld.AtomicType.Add", 1},
    {"pld.ReduceOp.Sum", 0},       {"pld.ReduceOp.Max", 1},
    {"pld.ReduceOp.Min", 2},       {"pld.ReduceOp.Prod", 3},
    {"pl.PipeType.MTE1", 0},       {"pl.PipeType.MTE2", 1},
    {"pl.PipeType.MTE3", 2},       {"pl.PipeType.M", 3},
    {"pl.PipeType.V", 4},          {"pl.PipeType.S", 5},
    {"pl.PipeType.FIX", 6},        {"pl.PipeType.ALL", 7},
};
const size_t ir_enum_count = sizeof ir_enums / sizeof *ir_enums;

/* Short forms exist for these names only (pypto-facts 1.3). */
const struct ir_op_spelling ir_op_spellings[] = {
    {"pld.world_size", "pld.system.world_size", NULL, false, false},
    {"pld.get_comm_ctx", "pld.system.get_comm_ctx", NULL, false, false},
    {"pld.rank", "pld.system.rank", NULL, false, false},
    {"pld.nranks", "pld.system.nranks", NULL, false, false},
    {"pld.alloc_window_buffer", "pld.tensor.alloc_window_buffer", NULL, false, false},
    {"pld.window", "pld.tensor.window", NULL, false, false},
    {"pld.remote_load", "pld.tile.remote_load", NULL, false, false},
    {"pld.remote_store", "pld.tile.remote_store", NULL, false, false},
    {"create_tile", "tile.create", NULL, false, false},
    {"tile.create_tile", "tile.create", NULL, false, false},
    {"create_tensor", "tensor.create", NULL, false, false},
    {"tensor.create_tensor", "tensor.create", NULL, false, false},
    /* These take no operand that could tell a tile from a tensor, or one of tensors only. */
    {"full", "tensor.full", NULL, false, false},
    {"random", "tensor.random", NULL, false, false},
    {"arange", "tensor.ci", NULL, false, false},
    {"dim", "tensor.dim", NULL, false, false},
    {"create_l1", "tensor.create_l1", NULL, false, false},
    {"expand_clone", "tensor.expand_clone", NULL, false, false},
    {"paged_gather", "tensor.paged_gather", NULL, false, false},
    {"get_block_idx", "tensor.get_block_idx", NULL, false, false},
    {"get_block_num", "tensor.get_block_num", NULL, false, false},
    {"get_subblock_idx", "tensor.get_subblock_idx", NULL, false, false},
    {"tile.arange", "tile.ci", NULL, false, false},
    {"tensor.arange", "tensor.ci", NULL, false, false},
    {"aic_initialize_pipe", "system.aic_initialize_pipe", NULL, false, false},
    {"aiv_initialize_pipe", "system.aiv_initialize_pipe", NULL, false, false},
    {"reserve_buffer", "system.reserve_buffer", NULL, false, false},
    {"import_peer_buffer", "system.import_peer_buffer", NULL, false, false},
    {"tfree_to_aic", "system.tfree_to_aic", NULL, false, false},
    {"tfree_to_aiv", "system.tfree_to_aiv", NULL, false, false},
    {"system.tpush_to_aiv", "tile.tpush_to_aiv", NULL, false, false},
    {"system.tpush_to_aic", "tile.tpush_to_aic", NULL, false, false},
    {"system.tpop_from_aic", "tile.tpop_from_aic", NULL, false, false},
    {"system.tpop_from_aiv", "tile.tpop_from_aiv", NULL, false, false},
    {"tile.and_", "tile.and", NULL, false, true},
    {"tile.or_", "tile.or", NULL, false, true},
    {"tile.not_", "tile.not", NULL, false, true},
    {"tensor.and_", "tensor.and", NULL, false, true},
    {"tensor.or_", "tensor.or", NULL, false, true},
    {"tensor.not_", "tensor.not", NULL, false, true},
    {"pld.tile._remote_load_with_physical_tail_padding", "pld.tile.remote_load", "allow_physical_tail_padding", true, false},
    {"_dump.alloc_window_buffer", "pld.tensor.alloc_window_buffer", "name", false, false},
};
const size_t ir_op_spelling_count = sizeof ir_op_spellings / sizeof *ir_op_spellings;

const struct ir_op_overload ir_op_overloads[] = {
    {"tile.mrgsort", "block_len", "tile.mrgsort_format1"},
    {"tile.mrgsort", NULL, "tile.mrgsort_format2"},
    {"tensor.mrgsort", "block_len", "tensor.mrgsort_format1"},
    {"tensor.mrgsort", NULL, "tensor.mrgsort_format2"},
    {"tensor.gather", "mask_pattern", "tensor.gather_mask"},
    {"tensor.gather", "kvalue", "tensor.gather_compare"},
    {"tensor.scatter", "mask_pattern", "tensor.scatter_mask"},
    {"gather", "mask_pattern", "tensor.gather_mask"},
    {"gather", "kvalue", "tensor.gather_compare"},
    {"gather", NULL, "tensor.gather"},
    {"scatter", "mask_pattern", "tensor.scatter_mask"},
    {"scatter", NULL, "tensor.scatter"},
};
const size_t ir_op_overload_count = sizeof ir_op_overloads / sizeof *ir_op_overloads;
/* clang-format on */
