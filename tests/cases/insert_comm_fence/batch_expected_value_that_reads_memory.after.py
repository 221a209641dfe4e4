for src in pl.range(8):
    pld.system.wait(sig, [src, 0], pl.tensor.read(counts, [src, 0]), cmp=1)
    pl.system.cacheinvalid()
