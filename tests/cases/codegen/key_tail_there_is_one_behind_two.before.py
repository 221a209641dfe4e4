# test: frame=kernel kernel_tail=barrier_dcci_dsb tail_cleans=scalar_stores auto_sync=yes
# what a key of the toolchain changes
# tail: there is one behind two
t = pl.load(x, [0, 0], [1, 16])
u = pl.load(x, [0, 0], [1, 16])
