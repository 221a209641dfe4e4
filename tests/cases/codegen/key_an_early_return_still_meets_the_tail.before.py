# test: frame=kernel kernel_tail=barrier
# what a key of the toolchain changes
# an early return still meets the tail
if n == 3:
    return out
pl.write(out, [0, 0], 1)
