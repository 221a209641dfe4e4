# test: frame=simplify
# what communicates or touches memory stays, and so does its order
# statements without a result
pl.tensor.read(out, [0, 0])
pld.system.wait(sig, [0, 0], pl.cast(16, pl.INT32), cmp=1)
pl.system.cacheinvalid()
pl.system.fence()
pl.system.bar_all()
pld.system.notify(sig, n, [0, 0], 1, op=0)
