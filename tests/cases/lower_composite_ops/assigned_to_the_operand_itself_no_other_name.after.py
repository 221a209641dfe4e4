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
