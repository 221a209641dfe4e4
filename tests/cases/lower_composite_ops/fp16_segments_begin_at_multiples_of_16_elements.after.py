eval__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(few)
eval__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(eval__ctx_tmp_v0)
eval__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(eval__nranks_tmp_v1, pl.INDEX)
eval__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(eval__ctx_tmp_v0)
eval__my_rank_idx_tmp_v4: pl.Scalar[pl.INDEX] = pl.cast(eval__my_rank_tmp_v3, pl.INDEX)
eval__target_2d_tmp_v5: pld.DistributedTensor[[1, 20], pl.FP16, pl.TensorView(stride=[20, 1], layout=pl.TensorLayout.ND)] = pl.tensor.view(few, [1, 20])
eval__nr_minus_one_tmp_v6: pl.Scalar[pl.INDEX] = eval__nranks_idx_tmp_v2 - 1
for eval__rs_step_tmp_v7 in pl.range(eval__nr_minus_one_tmp_v6):
    eval__step_tmp_v8: pl.Scalar[pl.INDEX] = eval__rs_step_tmp_v7 + 1
    eval__recv_add_idx_tmp_v9: pl.Scalar[pl.INDEX] = (eval__my_rank_idx_tmp_v4 - eval__step_tmp_v8 - 1 + eval__nranks_idx_tmp_v2) % eval__nranks_idx_tmp_v2
    eval__left_tmp_v10: pl.Scalar[pl.INDEX] = (eval__my_rank_idx_tmp_v4 - 1 + eval__nranks_idx_tmp_v2) % eval__nranks_idx_tmp_v2
    eval__rs_segment_begin_tmp_v11: pl.Scalar[pl.INDEX] = pl.min((eval__recv_add_idx_tmp_v9 * 20 + (3 * 16 - 1)) // (3 * 16) * 16, 20)
    eval__rs_segment_end_tmp_v12: pl.Scalar[pl.INDEX] = pl.min(((eval__recv_add_idx_tmp_v9 + 1) * 20 + (3 * 16 - 1)) // (3 * 16) * 16, 20)
    eval__rs_segment_cols_tmp_v13: pl.Scalar[pl.INDEX] = eval__rs_segment_end_tmp_v12 - eval__rs_segment_begin_tmp_v11
    for eval__rs_col_tmp_v14 in pl.range(0, 20, 32):
        eval__rs_ready_epoch_tmp_v15: pl.Scalar[pl.INT32] = pl.cast(eval__rs_col_tmp_v14 // 32 * 2 + 1, pl.INT32)
        for eval__peer_rs_ready_tmp_v16 in pl.range(eval__nranks_idx_tmp_v2):
            if eval__peer_rs_ready_tmp_v16 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
                eval__notify_rs_ready_ret_tmp_v17: pl.UnknownType = pld.system.notify(ring, eval__peer_rs_ready_tmp_v16, [eval__rs_step_tmp_v7, eval__my_rank_tmp_v3], pl.const(1, pl.INT32), op=0)
        for eval__src_rs_ready_tmp_v18 in pl.range(eval__nranks_idx_tmp_v2):
            if eval__src_rs_ready_tmp_v18 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
                eval__wait_rs_ready_ret_tmp_v19: pl.UnknownType = pld.system.wait(ring, [eval__rs_step_tmp_v7, eval__src_rs_ready_tmp_v18], eval__rs_ready_epoch_tmp_v15, cmp=1)
        if eval__rs_col_tmp_v14 < eval__rs_segment_cols_tmp_v13:
            eval__recv_rs_loaded_tmp_v20: pl.Tile[[1, 32], pl.FP16, pl.TileView(valid_shape=[1, pl.min((pl.max(pl.min(eval__rs_segment_cols_tmp_v13 - eval__rs_col_tmp_v14, 32), 1) + 15) // 16 * 16, pl.min(pl.max(35 - (eval__rs_segment_begin_tmp_v11 + eval__rs_col_tmp_v14), 0), 32))])] = pld.tile._remote_load_with_physical_tail_padding(eval__target_2d_tmp_v5, eval__left_tmp_v10, [0, eval__rs_segment_begin_tmp_v11 + eval__rs_col_tmp_v14], [1, 32], [1, (pl.max(1, pl.min(32, eval__rs_segment_cols_tmp_v13 - eval__rs_col_tmp_v14)) + 15) // 16 * 16])
            eval__recv_rs_tail_tmp_v21: pl.Tile[[1, 32], pl.FP16, pl.TileView(valid_shape=[1, pl.max(1, pl.min(32, eval__rs_segment_cols_tmp_v13 - eval__rs_col_tmp_v14))])] = pl.tile.set_validshape(eval__recv_rs_loaded_tmp_v20, 1, pl.max(1, pl.min(32, eval__rs_segment_cols_tmp_v13 - eval__rs_col_tmp_v14)))
            eval__recv_rs_tmp_v22: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.fillpad_inplace(eval__recv_rs_tail_tmp_v21, pad_value=pl.PadValue.zero)
            eval__acc_rs_loaded_tmp_v23: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[1, pl.max(1, pl.min(32, eval__rs_segment_cols_tmp_v13 - eval__rs_col_tmp_v14))])] = pl.tile.load(eval__target_2d_tmp_v5, [0, eval__rs_segment_begin_tmp_v11 + eval__rs_col_tmp_v14], [1, 32], [1, pl.max(1, pl.min(32, eval__rs_segment_cols_tmp_v13 - eval__rs_col_tmp_v14))], target_memory=pl.Mem.Vec)
            eval__acc_rs_tmp_v24: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.fillpad_inplace(eval__acc_rs_loaded_tmp_v23, pad_value=pl.PadValue.zero)
            eval__acc_rs_next_tmp_v25: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.maximum(eval__acc_rs_tmp_v24, eval__recv_rs_tmp_v22)
            eval__if_res_tmp_v28: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.yield_(eval__acc_rs_next_tmp_v25)
        else:
            eval__acc_rs_placeholder_loaded_tmp_v26: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[1, pl.max(1, pl.min(32, eval__rs_segment_cols_tmp_v13 - eval__rs_col_tmp_v14))])] = pl.tile.load(eval__target_2d_tmp_v5, [0, 0], [1, 32], [1, pl.max(1, pl.min(32, eval__rs_segment_cols_tmp_v13 - eval__rs_col_tmp_v14))], target_memory=pl.Mem.Vec)
            eval__acc_rs_placeholder_tmp_v27: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.fillpad_inplace(eval__acc_rs_placeholder_loaded_tmp_v26, pad_value=pl.PadValue.zero)
            eval__if_res_tmp_v28: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.yield_(eval__acc_rs_placeholder_tmp_v27)
        eval__rs_read_epoch_tmp_v29: pl.Scalar[pl.INT32] = pl.cast(eval__rs_col_tmp_v14 // 32 * 2 + 1 + 1, pl.INT32)
        for eval__peer_rs_read_tmp_v30 in pl.range(eval__nranks_idx_tmp_v2):
            if eval__peer_rs_read_tmp_v30 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
                eval__notify_rs_read_ret_tmp_v31: pl.UnknownType = pld.system.notify(ring, eval__peer_rs_read_tmp_v30, [eval__rs_step_tmp_v7, eval__my_rank_tmp_v3], pl.const(1, pl.INT32), op=0)
        for eval__src_rs_read_tmp_v32 in pl.range(eval__nranks_idx_tmp_v2):
            if eval__src_rs_read_tmp_v32 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
                eval__wait_rs_read_ret_tmp_v33: pl.UnknownType = pld.system.wait(ring, [eval__rs_step_tmp_v7, eval__src_rs_read_tmp_v32], eval__rs_read_epoch_tmp_v29, cmp=1)
        if eval__rs_col_tmp_v14 < eval__rs_segment_cols_tmp_v13:
            eval__acc_rs_valid_tmp_v34: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[1, 20 - pl.max(0, 20 - (20 - pl.max(0, 20 - (eval__rs_segment_begin_tmp_v11 + eval__rs_col_tmp_v14)) + pl.min(32, eval__rs_segment_cols_tmp_v13 - eval__rs_col_tmp_v14))) - (20 - pl.max(0, 20 - (eval__rs_segment_begin_tmp_v11 + eval__rs_col_tmp_v14)))], pad=pl.PadValue.zero)] = pl.tile.set_validshape(eval__if_res_tmp_v28, 1, 20 - pl.max(0, 20 - (20 - pl.max(0, 20 - (eval__rs_segment_begin_tmp_v11 + eval__rs_col_tmp_v14)) + pl.min(32, eval__rs_segment_cols_tmp_v13 - eval__rs_col_tmp_v14))) - (20 - pl.max(0, 20 - (eval__rs_segment_begin_tmp_v11 + eval__rs_col_tmp_v14))))
            eval__store_rs_tmp_v35: pld.DistributedTensor[[1, 20], pl.FP16, pl.TensorView(stride=[20, 1], layout=pl.TensorLayout.ND)] = pl.tile.store(eval__acc_rs_valid_tmp_v34, [0, 20 - pl.max(0, 20 - (eval__rs_segment_begin_tmp_v11 + eval__rs_col_tmp_v14))], eval__target_2d_tmp_v5)
for eval__ag_step_tmp_v36 in pl.range(eval__nr_minus_one_tmp_v6):
    eval__ag_step_val_tmp_v37: pl.Scalar[pl.INDEX] = eval__ag_step_tmp_v36 + 1
    eval__ag_round_tmp_v38: pl.Scalar[pl.INDEX] = eval__ag_step_tmp_v36 + eval__nr_minus_one_tmp_v6
    eval__ag_segment_idx_tmp_v39: pl.Scalar[pl.INDEX] = (eval__my_rank_idx_tmp_v4 - eval__ag_step_val_tmp_v37 + eval__nranks_idx_tmp_v2) % eval__nranks_idx_tmp_v2
    eval__ag_left_tmp_v40: pl.Scalar[pl.INDEX] = (eval__my_rank_idx_tmp_v4 - 1 + eval__nranks_idx_tmp_v2) % eval__nranks_idx_tmp_v2
    eval__ag_segment_begin_tmp_v41: pl.Scalar[pl.INDEX] = pl.min((eval__ag_segment_idx_tmp_v39 * 20 + (3 * 16 - 1)) // (3 * 16) * 16, 20)
    eval__ag_segment_end_tmp_v42: pl.Scalar[pl.INDEX] = pl.min(((eval__ag_segment_idx_tmp_v39 + 1) * 20 + (3 * 16 - 1)) // (3 * 16) * 16, 20)
    eval__ag_segment_cols_tmp_v43: pl.Scalar[pl.INDEX] = eval__ag_segment_end_tmp_v42 - eval__ag_segment_begin_tmp_v41
    for eval__ag_col_tmp_v44 in pl.range(0, 20, 32):
        eval__ag_ready_epoch_tmp_v45: pl.Scalar[pl.INT32] = pl.cast(eval__ag_col_tmp_v44 // 32 * 2 + 1, pl.INT32)
        for eval__peer_ag_ready_tmp_v46 in pl.range(eval__nranks_idx_tmp_v2):
            if eval__peer_ag_ready_tmp_v46 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
                eval__notify_ag_ready_ret_tmp_v47: pl.UnknownType = pld.system.notify(ring, eval__peer_ag_ready_tmp_v46, [eval__ag_round_tmp_v38, eval__my_rank_tmp_v3], pl.const(1, pl.INT32), op=0)
        for eval__src_ag_ready_tmp_v48 in pl.range(eval__nranks_idx_tmp_v2):
            if eval__src_ag_ready_tmp_v48 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
                eval__wait_ag_ready_ret_tmp_v49: pl.UnknownType = pld.system.wait(ring, [eval__ag_round_tmp_v38, eval__src_ag_ready_tmp_v48], eval__ag_ready_epoch_tmp_v45, cmp=1)
        if eval__ag_col_tmp_v44 < eval__ag_segment_cols_tmp_v43:
            eval__recv_ag_loaded_tmp_v50: pl.Tile[[1, 32], pl.FP16, pl.TileView(valid_shape=[1, pl.min((pl.max(pl.min(eval__ag_segment_cols_tmp_v43 - eval__ag_col_tmp_v44, 32), 1) + 15) // 16 * 16, pl.min(pl.max(35 - (eval__ag_segment_begin_tmp_v41 + eval__ag_col_tmp_v44), 0), 32))])] = pld.tile._remote_load_with_physical_tail_padding(eval__target_2d_tmp_v5, eval__ag_left_tmp_v40, [0, eval__ag_segment_begin_tmp_v41 + eval__ag_col_tmp_v44], [1, 32], [1, (pl.max(1, pl.min(32, eval__ag_segment_cols_tmp_v43 - eval__ag_col_tmp_v44)) + 15) // 16 * 16])
            eval__recv_ag_tail_tmp_v51: pl.Tile[[1, 32], pl.FP16, pl.TileView(valid_shape=[1, pl.max(1, pl.min(32, eval__ag_segment_cols_tmp_v43 - eval__ag_col_tmp_v44))])] = pl.tile.set_validshape(eval__recv_ag_loaded_tmp_v50, 1, pl.max(1, pl.min(32, eval__ag_segment_cols_tmp_v43 - eval__ag_col_tmp_v44)))
            eval__recv_ag_tmp_v52: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.fillpad_inplace(eval__recv_ag_tail_tmp_v51, pad_value=pl.PadValue.zero)
            eval__if_res_tmp_v55: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.yield_(eval__recv_ag_tmp_v52)
        else:
            eval__recv_ag_placeholder_loaded_tmp_v53: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[1, pl.max(1, pl.min(32, eval__ag_segment_cols_tmp_v43 - eval__ag_col_tmp_v44))])] = pl.tile.load(eval__target_2d_tmp_v5, [0, 0], [1, 32], [1, pl.max(1, pl.min(32, eval__ag_segment_cols_tmp_v43 - eval__ag_col_tmp_v44))], target_memory=pl.Mem.Vec)
            eval__recv_ag_placeholder_tmp_v54: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.tile.fillpad_inplace(eval__recv_ag_placeholder_loaded_tmp_v53, pad_value=pl.PadValue.zero)
            eval__if_res_tmp_v55: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(pad=pl.PadValue.zero)] = pl.yield_(eval__recv_ag_placeholder_tmp_v54)
        eval__ag_read_epoch_tmp_v56: pl.Scalar[pl.INT32] = pl.cast(eval__ag_col_tmp_v44 // 32 * 2 + 1 + 1, pl.INT32)
        for eval__peer_ag_read_tmp_v57 in pl.range(eval__nranks_idx_tmp_v2):
            if eval__peer_ag_read_tmp_v57 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
                eval__notify_ag_read_ret_tmp_v58: pl.UnknownType = pld.system.notify(ring, eval__peer_ag_read_tmp_v57, [eval__ag_round_tmp_v38, eval__my_rank_tmp_v3], pl.const(1, pl.INT32), op=0)
        for eval__src_ag_read_tmp_v59 in pl.range(eval__nranks_idx_tmp_v2):
            if eval__src_ag_read_tmp_v59 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
                eval__wait_ag_read_ret_tmp_v60: pl.UnknownType = pld.system.wait(ring, [eval__ag_round_tmp_v38, eval__src_ag_read_tmp_v59], eval__ag_read_epoch_tmp_v56, cmp=1)
        if eval__ag_col_tmp_v44 < eval__ag_segment_cols_tmp_v43:
            eval__recv_ag_valid_tmp_v61: pl.Tile[[1, 32], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[1, 20 - pl.max(0, 20 - (20 - pl.max(0, 20 - (eval__ag_segment_begin_tmp_v41 + eval__ag_col_tmp_v44)) + pl.min(32, eval__ag_segment_cols_tmp_v43 - eval__ag_col_tmp_v44))) - (20 - pl.max(0, 20 - (eval__ag_segment_begin_tmp_v41 + eval__ag_col_tmp_v44)))], pad=pl.PadValue.zero)] = pl.tile.set_validshape(eval__if_res_tmp_v55, 1, 20 - pl.max(0, 20 - (20 - pl.max(0, 20 - (eval__ag_segment_begin_tmp_v41 + eval__ag_col_tmp_v44)) + pl.min(32, eval__ag_segment_cols_tmp_v43 - eval__ag_col_tmp_v44))) - (20 - pl.max(0, 20 - (eval__ag_segment_begin_tmp_v41 + eval__ag_col_tmp_v44))))
            eval__store_ag_tmp_v62: pld.DistributedTensor[[1, 20], pl.FP16, pl.TensorView(stride=[20, 1], layout=pl.TensorLayout.ND)] = pl.tile.store(eval__recv_ag_valid_tmp_v61, [0, 20 - pl.max(0, 20 - (eval__ag_segment_begin_tmp_v41 + eval__ag_col_tmp_v44))], eval__target_2d_tmp_v5)
eval__ring_reset_total_tmp_v63: pl.Scalar[pl.INT32] = pl.cast(2 * ((20 + (32 - 1)) // 32), pl.INT32)
for eval__reset_row_tmp_v64 in pl.range(4):
    for eval__reset_src_tmp_v65 in pl.range(eval__nranks_idx_tmp_v2):
        if eval__reset_src_tmp_v65 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
            eval__epilogue_reset_ret_tmp_v66: pl.UnknownType = pld.system.notify(ring, eval__my_rank_tmp_v3, [eval__reset_row_tmp_v64, eval__reset_src_tmp_v65], -eval__ring_reset_total_tmp_v63, op=0)
