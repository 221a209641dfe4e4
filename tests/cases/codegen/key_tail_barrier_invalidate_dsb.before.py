# test: frame=kernel kernel_tail=barrier_dcci_dsb
# what a key of the toolchain changes
# tail: barrier, invalidate, dsb
pl.write(out, [0, 0], 1)
