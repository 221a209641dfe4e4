eval__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(half)
eval__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(eval__ctx_tmp_v0)
eval__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(eval__nranks_tmp_v1, pl.INDEX)
eval__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(eval__ctx_tmp_v0)
eval__target_2d_tmp_v4: pld.DistributedTensor[[1, 9000], pl.FP16, pl.TensorView(stride=[9000, 1], layout=pl.TensorLayout.ND)] = pl.tensor.view(half, [1, 9000])
for eval__peer_tmp_v5 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__peer_tmp_v5 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__notify_ret_tmp_v6: pl.UnknownType = pld.system.notify(sig, eval__peer_tmp_v5, [eval__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for eval__src_tmp_v7 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__src_tmp_v7 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__wait_ret_tmp_v8: pl.UnknownType = pld.system.wait(sig, [eval__src_tmp_v7, 0], pl.const(1, pl.INT32), cmp=1)
for eval__col_tmp_v9 in pl.range(0, 9000, 8192):
    eval__acc_loaded_tmp_v10: pl.Tile[[1, 8192], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[1, pl.min(8192, 9000 - eval__col_tmp_v9)])] = pl.tile.load(eval__target_2d_tmp_v4, [0, eval__col_tmp_v9], [1, 8192], [1, pl.min(8192, 9000 - eval__col_tmp_v9)], target_memory=pl.Mem.Vec)
    eval__acc_initial_tmp_v11: pl.Tile[[1, 8192], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.fillpad_inplace(eval__acc_loaded_tmp_v10, pad_value=pl.PadValue.zero)
    for eval__peer_tmp_v12, (eval__peer_acc_tmp_v13,) in pl.range(eval__nranks_idx_tmp_v2, init_values=(eval__acc_initial_tmp_v11,)):
        if eval__peer_tmp_v12 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
            eval__recv_loaded_tmp_v14: pl.Tile[[1, 8192], pl.FP16, pl.TileView(valid_shape=[1, pl.min((pl.min(9000 - eval__col_tmp_v9, 8192) + 15) // 16 * 16, pl.min(pl.max(9015 - eval__col_tmp_v9, 0), 8192))])] = pld.tile._remote_load_with_physical_tail_padding(eval__target_2d_tmp_v4, eval__peer_tmp_v12, [0, eval__col_tmp_v9], [1, 8192], [1, (pl.min(8192, 9000 - eval__col_tmp_v9) + 15) // 16 * 16])
            eval__recv_tail_tmp_v15: pl.Tile[[1, 8192], pl.FP16, pl.TileView(valid_shape=[1, pl.min(8192, 9000 - eval__col_tmp_v9)])] = pl.tile.set_validshape(eval__recv_loaded_tmp_v14, 1, pl.min(8192, 9000 - eval__col_tmp_v9))
            eval__recv_tmp_v16: pl.Tile[[1, 8192], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.fillpad_inplace(eval__recv_tail_tmp_v15, pad_value=pl.PadValue.zero)
            eval__acc_next_tmp_v17: pl.Tile[[1, 8192], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.add(eval__peer_acc_tmp_v13, eval__recv_tmp_v16)
            eval__if_res_tmp_v18: pl.Tile[[1, 8192], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.yield_(eval__acc_next_tmp_v17)
        else:
            eval__if_res_tmp_v18: pl.Tile[[1, 8192], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.yield_(eval__peer_acc_tmp_v13)
        eval__peer_final_tmp_v19: pl.Tile[[1, 8192], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.yield_(eval__if_res_tmp_v18)
    eval__chunk_expected_tmp_v20: pl.Scalar[pl.INT32] = pl.cast(eval__col_tmp_v9 // 8192 + 2, pl.INT32)
    for eval__peer_chunk_tmp_v21 in pl.range(eval__nranks_idx_tmp_v2):
        if eval__peer_chunk_tmp_v21 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
            eval__notify_chunk_ret_tmp_v22: pl.UnknownType = pld.system.notify(sig, eval__peer_chunk_tmp_v21, [eval__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
    for eval__src_chunk_tmp_v23 in pl.range(eval__nranks_idx_tmp_v2):
        if eval__src_chunk_tmp_v23 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
            eval__wait_chunk_ret_tmp_v24: pl.UnknownType = pld.system.wait(sig, [eval__src_chunk_tmp_v23, 0], eval__chunk_expected_tmp_v20, cmp=1)
    eval__store_value_tmp_v25: pl.Tile[[1, 8192], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[1, pl.min(8192, 9000 - eval__col_tmp_v9)], pad=pl.PadValue.zero)] = pl.tile.set_validshape(eval__peer_final_tmp_v19, 1, pl.min(8192, 9000 - eval__col_tmp_v9))
    eval__store_ret_tmp_v26: pld.DistributedTensor[[1, 9000], pl.FP16, pl.TensorView(stride=[9000, 1], layout=pl.TensorLayout.ND)] = pl.tile.store(eval__store_value_tmp_v25, [0, eval__col_tmp_v9], eval__target_2d_tmp_v4)
eval__allreduce_reset_total_tmp_v27: pl.Scalar[pl.INT32] = pl.cast(1 + (9000 + (8192 - 1)) // 8192, pl.INT32)
for eval__reset_src_tmp_v28 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__reset_src_tmp_v28 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__epilogue_reset_ret_tmp_v29: pl.UnknownType = pld.system.notify(sig, eval__my_rank_tmp_v3, [eval__reset_src_tmp_v28, 0], -eval__allreduce_reset_total_tmp_v27, op=0)
