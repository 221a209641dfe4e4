for src in pl.range(8):
    k: pl.Scalar[pl.INDEX] = src + 1
    pld.system.wait(sig, [k, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()
