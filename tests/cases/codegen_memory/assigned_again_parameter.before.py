# test: frame=kernel
# names that are assigned again
# parameter
n = n + 1
pl.write(out, [0, 0], n)
