# test: frame=kernel kernel_tail=barrier_dcci
# what a key of the toolchain changes
# tail: the clean is not waited for
pl.write(out, [0, 0], 1)
