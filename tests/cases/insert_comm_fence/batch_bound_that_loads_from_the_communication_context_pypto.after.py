for src in pl.range(pld.system.nranks(pld.system.get_comm_ctx(sig))):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()
