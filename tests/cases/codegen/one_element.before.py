# test: frame=kernel
# one element: element 18 is 5 * 18 mod 7 + 1
pl.write(out, [0, 0], x[1, 2])
