# test: frame=kernel
# names that are assigned again
# scalar
a = n
a = a + 1
pl.write(out, [0, 0], a)
pl.write(out, [0, 1], n)
