# test: frame=kernel
# read and write at offsets
v = pl.read(x, [1, 3])
pl.write(win, [2, 5], v + 1)
# x[19] is (5 * 19) mod 7 + 1 = 5
