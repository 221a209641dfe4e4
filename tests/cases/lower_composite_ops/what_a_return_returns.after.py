ret1__ctx_tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(sig)
ret1__nranks_tmp_v1: pl.Scalar[pl.INT32] = pld.system.nranks(ret1__ctx_tmp_v0)
ret1__nranks_idx_tmp_v2: pl.Scalar[pl.INDEX] = pl.cast(ret1__nranks_tmp_v1, pl.INDEX)
ret1__my_rank_tmp_v3: pl.Scalar[pl.INT32] = pld.system.rank(ret1__ctx_tmp_v0)
for ret1__peer_tmp_v4 in pl.range(ret1__nranks_idx_tmp_v2):
    if ret1__peer_tmp_v4 != pl.cast(ret1__my_rank_tmp_v3, pl.INDEX):
        ret1__notify_ret_tmp_v5: pl.UnknownType = pld.system.notify(sig, ret1__peer_tmp_v4, [ret1__my_rank_tmp_v3, 0], pl.const(1, pl.INT32), op=0)
for ret1__src_tmp_v6 in pl.range(ret1__nranks_idx_tmp_v2):
    if ret1__src_tmp_v6 != pl.cast(ret1__my_rank_tmp_v3, pl.INDEX):
        ret1__wait_ret_tmp_v7: pl.UnknownType = pld.system.wait(sig, [ret1__src_tmp_v6, 0], pl.const(1, pl.INT32), cmp=1)
for ret1__reset_src_tmp_v8 in pl.range(ret1__nranks_idx_tmp_v2):
    if ret1__reset_src_tmp_v8 != pl.cast(ret1__my_rank_tmp_v3, pl.INDEX):
        ret1__epilogue_reset_ret_tmp_v9: pl.UnknownType = pld.system.notify(sig, ret1__my_rank_tmp_v3, [ret1__reset_src_tmp_v8, 0], pl.const(-1, pl.INT32), op=0)
ret1__result_tmp_v10: pld.DistributedTensor[[NR, 1], pl.INT32] = sig
return n, ret1__result_tmp_v10
