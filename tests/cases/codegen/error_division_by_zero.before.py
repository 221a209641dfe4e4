# test: frame=kernel
# division by zero
pl.write(out, [0, 0], 7 // 0)
