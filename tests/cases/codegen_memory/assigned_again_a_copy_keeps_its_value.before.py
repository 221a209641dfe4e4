# test: frame=kernel
# names that are assigned again
# a copy keeps its value
a = n
b = a
a = pl.const(9, pl.INT32)
pl.write(out, [0, 0], b)
pl.write(out, [0, 1], a)
