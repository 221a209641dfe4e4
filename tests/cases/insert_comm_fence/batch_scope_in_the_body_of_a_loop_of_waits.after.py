for src in pl.range(8):
    with pl.split_aiv(2, mode=pl.SplitMode.NONE):
        pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
        pl.system.cacheinvalid()
