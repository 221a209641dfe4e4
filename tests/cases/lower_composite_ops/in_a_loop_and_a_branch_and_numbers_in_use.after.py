eval__ctx_tmp_v0: pl.Scalar[pl.INDEX] = n + 1
eval__nranks_tmp_v2: pl.Scalar[pl.INDEX] = n + 2
for i in pl.range(n):
    if eval__ctx_tmp_v0 < eval__nranks_tmp_v2:
        eval__ctx_tmp_v1: pld.CommCtx = pld.system.get_comm_ctx(sig)
        eval__nranks_tmp_v3: pl.Scalar[pl.INT32] = pld.system.nranks(eval__ctx_tmp_v1)
        eval__nranks_idx_tmp_v4: pl.Scalar[pl.INDEX] = pl.cast(eval__nranks_tmp_v3, pl.INDEX)
        eval__my_rank_tmp_v5: pl.Scalar[pl.INT32] = pld.system.rank(eval__ctx_tmp_v1)
        for eval__peer_tmp_v6 in pl.range(eval__nranks_idx_tmp_v4):
            if eval__peer_tmp_v6 != pl.cast(eval__my_rank_tmp_v5, pl.INDEX):
                eval__notify_ret_tmp_v7: pl.UnknownType = pld.system.notify(sig, eval__peer_tmp_v6, [eval__my_rank_tmp_v5, 0], pl.const(1, pl.INT32), op=0)
        for eval__src_tmp_v8 in pl.range(eval__nranks_idx_tmp_v4):
            if eval__src_tmp_v8 != pl.cast(eval__my_rank_tmp_v5, pl.INDEX):
                eval__wait_ret_tmp_v9: pl.UnknownType = pld.system.wait(sig, [eval__src_tmp_v8, 0], pl.const(1, pl.INT32), cmp=1)
        for eval__reset_src_tmp_v10 in pl.range(eval__nranks_idx_tmp_v4):
            if eval__reset_src_tmp_v10 != pl.cast(eval__my_rank_tmp_v5, pl.INDEX):
                eval__epilogue_reset_ret_tmp_v11: pl.UnknownType = pld.system.notify(sig, eval__my_rank_tmp_v5, [eval__reset_src_tmp_v10, 0], pl.const(-1, pl.INT32), op=0)
