eval__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(named)
eval__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(eval__ctx_tmp_v0)
eval__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(eval__nranks_tmp_v1, pl.INDEX)
eval__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(eval__ctx_tmp_v0)
for eval__peer_tmp_v4 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__peer_tmp_v4 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__notify_ret_tmp_v5: pl.UnknownType = pld.system.notify(sig, eval__peer_tmp_v4, [eval__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for eval__src_tmp_v6 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__src_tmp_v6 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__wait_ret_tmp_v7: pl.UnknownType = pld.system.wait(sig, [eval__src_tmp_v6, 0], pl.const(1, pl.INT32), cmp=1)
eval__bcast_stage_tmp_v8: pl.Tile[[4, 8], pl.FP32, pl.Mem.Vec] = pl.tile.create([4, 8], dtype=pl.FP32, target_memory=pl.Mem.Vec)
eval__get_ret_tmp_v9: pl.UnknownType = pld.tile.get(named, pl.const(0, pl.INT32), named, eval__bcast_stage_tmp_v8)
for eval__reset_src_tmp_v10 in pl.range(eval__nranks_idx_tmp_v2):
    if eval__reset_src_tmp_v10 != pl.cast(eval__my_rank_tmp_v3, pl.INDEX):
        eval__epilogue_reset_ret_tmp_v11: pl.UnknownType = pld.system.notify(sig, eval__my_rank_tmp_v3, [eval__reset_src_tmp_v10, 0], pl.const(-1, pl.INT32), op=0)
