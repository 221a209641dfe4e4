pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
pl.system.cacheinvalid()
k: pl.Scalar[pl.INT32] = n + me
pld.system.wait(sig, [k, 0], pl.const(1, pl.INT32), cmp=1)
pl.system.cacheinvalid()
