# test: frame=kernel kernel_tail=barrier_dcci_dsb tail_cleans=scalar_stores
# what a key of the toolchain changes
# tail: there are none, but a notify's
pld.system.notify(sig, 4 - n, [0, 0], 1, op=0)
v = pl.read(x, [0, 0])
