v__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(w)
v__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(v__ctx_tmp_v0)
v__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(v__nranks_tmp_v1, pl.INDEX)
v__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(v__ctx_tmp_v0)
v__aav_stage_tmp_v4: pl.Tile[[1, 8], pl.FP32, pl.Mem.Vec] = pl.tile.create([1, 8], dtype=pl.FP32, target_memory=pl.Mem.Vec)
for v__dest_tmp_v5 in pl.range(v__nranks_idx_tmp_v2):
    v__aav_count_tmp_v6: pl.Scalar[pl.INT32] = pl.tensor.read(send, [v__dest_tmp_v5, 0])
    v__aav_rows_tmp_v7: pl.Scalar[pl.INDEX] = pl.min(pl.cast(v__aav_count_tmp_v6, pl.INDEX), 2)
    v__aav_count_i32_tmp_v8: pl.Scalar[pl.INT32] = pl.cast(v__aav_rows_tmp_v7, pl.INT32)
    v__aav_count_notify_tmp_v9: pl.UnknownType = pld.system.notify(got, v__dest_tmp_v5, [v__my_rank_tmp_v3, 0], v__aav_count_i32_tmp_v8, op=1)
    v__aav_put_tmp_v10: pl.UnknownType = pld.tile.put(w, v__dest_tmp_v5, x, v__aav_stage_tmp_v4, [pl.cast(v__my_rank_tmp_v3, pl.INDEX) * 2, 0], [v__dest_tmp_v5 * 2, 0], [2, 8], atomic=pl.AtomicType.None_)
for v__peer_tmp_v11 in pl.range(v__nranks_idx_tmp_v2):
    if v__peer_tmp_v11 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__notify_ret_tmp_v12: pl.UnknownType = pld.system.notify(sig2, v__peer_tmp_v11, [v__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for v__src_tmp_v13 in pl.range(v__nranks_idx_tmp_v2):
    if v__src_tmp_v13 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__wait_ret_tmp_v14: pl.UnknownType = pld.system.wait(sig2, [v__src_tmp_v13, 0], pl.const(1, pl.INT32), cmp=1)
for v__reset_src_tmp_v15 in pl.range(v__nranks_idx_tmp_v2):
    if v__reset_src_tmp_v15 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__epilogue_reset_ret_tmp_v16: pl.UnknownType = pld.system.notify(sig2, v__my_rank_tmp_v3, [v__reset_src_tmp_v15, 0], pl.const(-1, pl.INT32), op=0)
v: pld.DistributedTensor[[4, 8], pl.FP32] = w
