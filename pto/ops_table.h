/* SPDX-License-Identifier: MIT */
/*
 * Operations of `.pto` files, one row each; whoever includes this defines
 *
 *     PTO_OP(name, groups)
 *
 * groups: of its operands in the quoted generic form, in their order; "-" stands for operands in
 * front of all groups.
 */
// clang-format off
PTO_OP("scf.for", "lower upper step init")
PTO_OP("scf.while", "init")
PTO_OP("pto.make_tensor_view", "- shape strides")
PTO_OP("pto.partition_view", "- offsets sizes")
PTO_OP("pto.alloc_tile", "addr valid_row valid_col")
PTO_OP("pto.load_scalar", "- index")
PTO_OP("pto.store_scalar", "- - index")
PTO_OP("pto.tload", "ins outs")
PTO_OP("pto.tstore", "ins outs")
// clang-format on
