# test: frame=kernel passes=all
# pasted after a wait
pld.system.wait(sig, [0, 0], 0, cmp=1)
pl.system.cacheinvalid()
