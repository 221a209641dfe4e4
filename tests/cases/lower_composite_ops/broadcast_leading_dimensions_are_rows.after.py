v__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(box)
v__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(v__ctx_tmp_v0)
v__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(v__nranks_tmp_v1, pl.INDEX)
v__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(v__ctx_tmp_v0)
for v__peer_tmp_v4 in pl.range(v__nranks_idx_tmp_v2):
    if v__peer_tmp_v4 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__notify_ret_tmp_v5: pl.UnknownType = pld.system.notify(sig, v__peer_tmp_v4, [v__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for v__src_tmp_v6 in pl.range(v__nranks_idx_tmp_v2):
    if v__src_tmp_v6 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__wait_ret_tmp_v7: pl.UnknownType = pld.system.wait(sig, [v__src_tmp_v6, 0], pl.const(1, pl.INT32), cmp=1)
v__bcast_stage_tmp_v8: pl.Tile[[6, 8], pl.FP32, pl.Mem.Vec] = pl.tile.create([6, 8], dtype=pl.FP32, target_memory=pl.Mem.Vec)
v__get_ret_tmp_v9: pl.UnknownType = pld.tile.get(box, pl.const(1, pl.INT32), box, v__bcast_stage_tmp_v8)
for v__reset_src_tmp_v10 in pl.range(v__nranks_idx_tmp_v2):
    if v__reset_src_tmp_v10 != pl.cast(v__my_rank_tmp_v3, pl.INDEX):
        v__epilogue_reset_ret_tmp_v11: pl.UnknownType = pld.system.notify(sig, v__my_rank_tmp_v3, [v__reset_src_tmp_v10, 0], pl.const(-1, pl.INT32), op=0)
v: pld.DistributedTensor[[2, 3, 8], pl.FP32] = box
