eval__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(w)
eval__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(eval__ctx_tmp_v0)
eval__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(eval__nranks_tmp_v1, pl.INDEX)
eval__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(eval__ctx_tmp_v0)
eval__aav_stage_tmp_v4: pl.Tile[[1, 8], pl.FP32, pl.Mem.Vec] = pl.tile.create([1, 8], dtype=pl.FP32, target_memory=pl.Mem.Vec)
for eval__dest_tmp_v5 in pl.range(eval__nranks_idx_tmp_v2):
    eval__aav_count_tmp_v6: pl.Scalar[pl.INT32] = pl.tensor.read(send1, [eval__dest_tmp_v5])
    eval__aav_rows_tmp_v7: pl.Scalar[pl.INDEX] = pl.min(pl.cast(eval__aav_count_tmp_v6, pl.INDEX), 2)
    eval__aav_count_i32_tmp_v8: pl.Scalar[pl.INT32] = pl.cast(eval__aav_rows_tmp_v7, pl.INT32)
    eval__aav_count_notify_tmp_v9: pl.UnknownType = pld.system.notify(got, eval__dest_tmp_v5, [eval__my_rank_tmp_v3, 0], eval__aav_count_i32_tmp_v8, op=1)
    eval__aav_put_tmp_v10: pl.UnknownType = pld.tile.put(w, eval__dest_tmp_v5, x, eval__aav_stage_tmp_v4, [pl.cast(eval__my_rank_tmp_v3, pl.INDEX) * 2, 0], [eval__dest_tmp_v5 * 2, 0], [2, 8], atomic=pl.AtomicType.None_)
for eval__peer_tmp_v11 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__peer_tmp_v11 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__notify_ret_tmp_v12: pl.UnknownType = pld.system.notify(sig2, eval__peer_tmp_v11, [eval__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for eval__src_tmp_v13 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__src_tmp_v13 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__wait_ret_tmp_v14: pl.UnknownType = pld.system.wait(sig2, [eval__src_tmp_v13, 0], pl.const(1, pl.INT32), cmp=1)
for eval__reset_src_tmp_v15 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__reset_src_tmp_v15 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__epilogue_reset_ret_tmp_v16: pl.UnknownType = pld.system.notify(sig2, eval__my_rank_tmp_v3, [eval__reset_src_tmp_v15, 0], pl.const(-1, pl.INT32), op=0)
