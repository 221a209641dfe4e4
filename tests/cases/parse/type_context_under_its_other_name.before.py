# test: frame=bare_kernel
# context under its other name
c: pld.CommCtxType = pld.system.get_comm_ctx(win)
