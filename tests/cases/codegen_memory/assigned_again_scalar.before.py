# test: frame=kernel
# names that are assigned again
# scalar
a = n
a = a + pl.const(1, pl.INT32)
pl.write(out, [0, 0], a)
pl.write(out, [0, 1], n)
