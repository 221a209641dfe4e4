sig__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(sig)
sig__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(sig__ctx_tmp_v0)
sig__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(sig__nranks_tmp_v1, pl.INDEX)
sig__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(sig__ctx_tmp_v0)
for sig__peer_tmp_v4 in pl.range(sig__nranks_idx_tmp_v2):
    if sig__peer_tmp_v4 != pl.cast(sig__my_rank_tmp_v3, pl.INDEX):
        sig__notify_ret_tmp_v5: pl.UnknownType = pld.system.notify(sig, sig__peer_tmp_v4, [sig__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for sig__src_tmp_v6 in pl.range(sig__nranks_idx_tmp_v2):
    if sig__src_tmp_v6 != pl.cast(sig__my_rank_tmp_v3, pl.INDEX):
        sig__wait_ret_tmp_v7: pl.UnknownType = pld.system.wait(sig, [sig__src_tmp_v6, 0], pl.const(1, pl.INT32), cmp=1)
for sig__reset_src_tmp_v8 in pl.range(sig__nranks_idx_tmp_v2):
    if sig__reset_src_tmp_v8 != pl.cast(sig__my_rank_tmp_v3, pl.INDEX):
        sig__epilogue_reset_ret_tmp_v9: pl.UnknownType = pld.system.notify(sig, sig__my_rank_tmp_v3, [sig__reset_src_tmp_v8, 0], pl.const(-1, pl.INT32), op=0)
sig__ssa_v1: pld.DistributedTensor[[NR, 1], pl.INT32] = sig
eval__ctx_tmp_v10: pld.CommCtx = pld.system.get_comm_ctx(sig__ssa_v1)
eval__nranks_tmp_v11: pl.Scalar[pl.INT32] = pld.system.nranks(eval__ctx_tmp_v10)
eval__nranks_idx_tmp_v12: pl.Scalar[pl.INDEX] = pl.cast(eval__nranks_tmp_v11, pl.INDEX)
eval__my_rank_tmp_v13: pl.Scalar[pl.INT32] = pld.system.rank(eval__ctx_tmp_v10)
for eval__peer_tmp_v14 in pl.range(eval__nranks_idx_tmp_v12):
    if eval__peer_tmp_v14 != pl.cast(eval__my_rank_tmp_v13, pl.INDEX):
        eval__notify_ret_tmp_v15: pl.UnknownType = pld.system.notify(sig__ssa_v1, eval__peer_tmp_v14, [eval__my_rank_tmp_v13, 0], pl.const(1, pl.INT32), op=0)
for eval__src_tmp_v16 in pl.range(eval__nranks_idx_tmp_v12):
    if eval__src_tmp_v16 != pl.cast(eval__my_rank_tmp_v13, pl.INDEX):
        eval__wait_ret_tmp_v17: pl.UnknownType = pld.system.wait(sig__ssa_v1, [eval__src_tmp_v16, 0], pl.const(1, pl.INT32), cmp=1)
for eval__reset_src_tmp_v18 in pl.range(eval__nranks_idx_tmp_v12):
    if eval__reset_src_tmp_v18 != pl.cast(eval__my_rank_tmp_v13, pl.INDEX):
        eval__epilogue_reset_ret_tmp_v19: pl.UnknownType = pld.system.notify(sig__ssa_v1, eval__my_rank_tmp_v13, [eval__reset_src_tmp_v18, 0], pl.const(-1, pl.INT32), op=0)
