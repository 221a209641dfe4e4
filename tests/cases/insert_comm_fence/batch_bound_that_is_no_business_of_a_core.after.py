for src in pl.range(pld.system.world_size()):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()
