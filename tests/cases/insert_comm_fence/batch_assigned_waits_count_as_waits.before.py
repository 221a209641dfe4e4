# test: frame=insert_comm_fence
# pypto-facts 3.3
# assigned waits count as waits
a: pl.UnknownType = pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
pld.system.wait(sig, [1, 0], pl.const(1, pl.INT32), cmp=1)
for src in pl.range(8):
    b: pl.UnknownType = pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
