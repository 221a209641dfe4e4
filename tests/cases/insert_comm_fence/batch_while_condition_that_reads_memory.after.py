while pl.tensor.read(counts, [0, 0]) < n:
    pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()
