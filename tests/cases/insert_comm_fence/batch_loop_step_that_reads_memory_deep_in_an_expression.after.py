for src in pl.range(0, n, 1 + pl.cast(pl.tensor.read(counts, [0, 0]), pl.INDEX)):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()
