a: pl.UnknownType = pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
pld.system.wait(sig, [1, 0], pl.const(1, pl.INT32), cmp=1)
pl.system.cacheinvalid()
for src in pl.range(8):
    b: pl.UnknownType = pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
pl.system.cacheinvalid()
