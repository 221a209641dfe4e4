t__tmp_v0: pld.CommCtx = pld.system.get_comm_ctx(w)
pl.tensor.write(x, [pld.system.rank(t__tmp_v0)], n)
