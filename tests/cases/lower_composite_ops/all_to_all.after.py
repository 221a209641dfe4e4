v__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(w)
v__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(v__ctx_tmp_v0)
v__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(v__nranks_tmp_v1, pl.INDEX)
v__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(v__ctx_tmp_v0)
v__aa_stage_tmp_v4: pl.Tile[[1, 8], pl.FP32, pl.Mem.Vec] = pl.tile.create([1, 8], dtype=pl.FP32, target_memory=pl.Mem.Vec)
for v__dest_tmp_v5 in pl.range(v__nranks_idx_tmp_v2):
    v__aa_put_tmp_v6: pl.UnknownType = pld.tile.put(w, v__dest_tmp_v5, x, v__aa_stage_tmp_v4, [v__my_rank_tmp_v3, 0], [v__dest_tmp_v5, 0], [1, 8], atomic=pl.AtomicType.None_)
for v__peer_tmp_v7 in pl.range(v__nranks_idx_tmp_v2):
    if v__peer_tmp_v7 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__notify_ret_tmp_v8: pl.UnknownType = pld.system.notify(sig, v__peer_tmp_v7, [v__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for v__src_tmp_v9 in pl.range(v__nranks_idx_tmp_v2):
    if v__src_tmp_v9 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__wait_ret_tmp_v10: pl.UnknownType = pld.system.wait(sig, [v__src_tmp_v9, 0], pl.const(1, pl.INT32), cmp=1)
for v__reset_src_tmp_v11 in pl.range(v__nranks_idx_tmp_v2):
    if v__reset_src_tmp_v11 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__epilogue_reset_ret_tmp_v12: pl.UnknownType = pld.system.notify(sig, v__my_rank_tmp_v3, [v__reset_src_tmp_v11, 0], pl.const(-1, pl.INT32), op=0)
v: pld.DistributedTensor[[4, 8], pl.FP32] = w
