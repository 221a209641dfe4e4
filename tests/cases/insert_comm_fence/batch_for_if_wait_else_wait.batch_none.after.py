for src in pl.range(8):
    if src != pl.cast(me, pl.INDEX):
        pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
        pl.system.cacheinvalid()
    else:
        pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
        pl.system.cacheinvalid()
