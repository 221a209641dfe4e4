t__tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(w)
t__tmp_v1: pld.CommCtx = pld.system.get_comm_ctx(w)
t__tmp_v2: pl.Scalar[pl.INT32] = pld.system.rank(t__tmp_v0)
t__tmp_v3: pl.Scalar[pl.INT32] = pld.system.nranks(t__tmp_v1)
v: pl.Scalar[pl.INT32] = t__tmp_v2 + t__tmp_v3
