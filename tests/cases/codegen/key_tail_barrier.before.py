# test: frame=kernel kernel_tail=barrier
# what a key of the toolchain changes
# tail: barrier
pl.write(out, [0, 0], 1)
