v__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(w)
v__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(v__ctx_tmp_v0)
v__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(v__nranks_tmp_v1, pl.INDEX)
v__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(v__ctx_tmp_v0)
for v__peer_tmp_v4 in pl.range(v__nranks_idx_tmp_v2):
    if v__peer_tmp_v4 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__notify_ret_tmp_v5: pl.UnknownType = pld.system.notify(sig, v__peer_tmp_v4, [v__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for v__src_tmp_v6 in pl.range(v__nranks_idx_tmp_v2):
    if v__src_tmp_v6 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__wait_ret_tmp_v7: pl.UnknownType = pld.system.wait(sig, [v__src_tmp_v6, 0], pl.const(1, pl.INT32), cmp=1)
v__acc_initial_tmp_v8: pl.Tile[[1, 8], pl.FP32, pl.Mem.Vec] = pl.tile.load(w, [v__my_rank_tmp_v3, 0], [1, 8], [1, 8], target_memory=pl.Mem.Vec)
for v__peer_tmp_v9, (v__peer_acc_tmp_v10,) in pl.range(v__nranks_idx_tmp_v2, init_values=(v__acc_initial_tmp_v8,)):
    if v__peer_tmp_v9 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__recv_tmp_v11: pl.Tile[[1, 8], pl.FP32] = pld.tile.remote_load(w, v__peer_tmp_v9, [v__my_rank_tmp_v3, 0], [1, 8])
        v__acc_next_tmp_v12: pl.Tile[[1, 8], pl.FP32, pl.Mem.Vec] = pl.tile.add(v__peer_acc_tmp_v10, v__recv_tmp_v11)
        v__if_res_tmp_v13: pl.Tile[[1, 8], pl.FP32, pl.Mem.Vec] = pl.yield_(v__acc_next_tmp_v12)
    else:
        v__if_res_tmp_v13: pl.Tile[[1, 8], pl.FP32, pl.Mem.Vec] = pl.yield_(v__peer_acc_tmp_v10)
    v__peer_final_tmp_v14: pl.Tile[[1, 8], pl.FP32, pl.Mem.Vec] = pl.yield_(v__if_res_tmp_v13)
for v__peer2_tmp_v15 in pl.range(v__nranks_idx_tmp_v2):
    if v__peer2_tmp_v15 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__notify2_ret_tmp_v16: pl.UnknownType = pld.system.notify(sig, v__peer2_tmp_v15, [v__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for v__src2_tmp_v17 in pl.range(v__nranks_idx_tmp_v2):
    if v__src2_tmp_v17 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__wait2_ret_tmp_v18: pl.UnknownType = pld.system.wait(sig, [v__src2_tmp_v17, 0], pl.const(2, pl.INT32), cmp=1)
v__store_ret_tmp_v19: pld.DistributedTensor[[4, 8], pl.FP32] = pl.tile.store(v__peer_final_tmp_v14, [v__my_rank_tmp_v3, 0], w)
for v__reset_src_tmp_v20 in pl.range(v__nranks_idx_tmp_v2):
    if v__reset_src_tmp_v20 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__epilogue_reset_ret_tmp_v21: pl.UnknownType = pld.system.notify(sig, v__my_rank_tmp_v3, [v__reset_src_tmp_v20, 0], pl.const(-2, pl.INT32), op=0)
v: pld.DistributedTensor[[4, 8], pl.FP32] = w
