# test: frame=kernel kernel_tail=barrier_dcci tail_cleans=scalar_stores
# what a key of the toolchain changes
# tail: a store from a tile is none
t = pl.load(x, [0, 0], [1, 16])
pl.store(t, [0, 0], out)
