eval__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(cut)
eval__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(eval__ctx_tmp_v0)
eval__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(eval__nranks_tmp_v1, pl.INDEX)
eval__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(eval__ctx_tmp_v0)
eval__target_2d_tmp_v4: pld.DistributedTensor[[64, 8], pl.FP32, pl.TensorView(valid_shape=[16, 5], stride=[8, 1], layout=pl.TensorLayout.ND)] = pl.tensor.view(cut, [64, 8], [16, 5])
for eval__peer_tmp_v5 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__peer_tmp_v5 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__notify_ret_tmp_v6: pl.UnknownType = pld.system.notify(sig, eval__peer_tmp_v5, [eval__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for eval__src_tmp_v7 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__src_tmp_v7 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__wait_ret_tmp_v8: pl.UnknownType = pld.system.wait(sig, [eval__src_tmp_v7, 0], pl.const(1, pl.INT32), cmp=1)
eval__acc_initial_tmp_v9: pl.Tile[[16, 5], pl.FP32, pl.Mem.Vec] = pl.tile.load(eval__target_2d_tmp_v4, [0, 0], [16, 5], [16, 5], target_memory=pl.Mem.Vec)
for eval__peer_tmp_v10, (eval__peer_acc_tmp_v11,) in pl.range(eval__nranks_idx_tmp_v2, init_values=(eval__acc_initial_tmp_v9,)):
    if eval__peer_tmp_v10 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__recv_tmp_v12: pl.Tile[[16, 5], pl.FP32] = pld.tile.remote_load(eval__target_2d_tmp_v4, eval__peer_tmp_v10, [0, 0], [16, 5], [16, 5])
        eval__acc_next_tmp_v13: pl.Tile[[16, 5], pl.FP32, pl.Mem.Vec] = pl.tile.maximum(eval__peer_acc_tmp_v11, eval__recv_tmp_v12)
        eval__if_res_tmp_v14: pl.Tile[[16, 5], pl.FP32, pl.Mem.Vec] = pl.yield_(eval__acc_next_tmp_v13)
    else:
        eval__if_res_tmp_v14: pl.Tile[[16, 5], pl.FP32, pl.Mem.Vec] = pl.yield_(eval__peer_acc_tmp_v11)
    eval__peer_final_tmp_v15: pl.Tile[[16, 5], pl.FP32, pl.Mem.Vec] = pl.yield_(eval__if_res_tmp_v14)
for eval__peer2_tmp_v16 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__peer2_tmp_v16 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__notify2_ret_tmp_v17: pl.UnknownType = pld.system.notify(sig, eval__peer2_tmp_v16, [eval__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for eval__src2_tmp_v18 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__src2_tmp_v18 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__wait2_ret_tmp_v19: pl.UnknownType = pld.system.wait(sig, [eval__src2_tmp_v18, 0], pl.const(2, pl.INT32), cmp=1)
eval__store_ret_tmp_v20: pld.DistributedTensor[[64, 8], pl.FP32, pl.TensorView(valid_shape=[16, 5], stride=[8, 1], layout=pl.TensorLayout.ND)] = pl.tile.store(eval__peer_final_tmp_v15, [0, 0], eval__target_2d_tmp_v4)
for eval__reset_src_tmp_v21 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__reset_src_tmp_v21 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__epilogue_reset_ret_tmp_v22: pl.UnknownType = pld.system.notify(sig, eval__my_rank_tmp_v3, [eval__reset_src_tmp_v21, 0], pl.const(-2, pl.INT32), op=0)
