# test: frame=kernel
# names that are assigned again
# a copy keeps its value
a = n
b = a
a = 9
pl.write(out, [0, 0], b)
pl.write(out, [0, 1], a)
