# test: frame=kernel kernel_tail=barrier_dcci_dsb tail_cleans=scalar_stores
# what a key of the toolchain changes
# tail: after scalar stores
pl.write(out, [0, 0], 1)
