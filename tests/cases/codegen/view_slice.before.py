# test: frame=kernel
# slice
v = pl.tensor.slice(x, [2, 8], [1, 4])
t = pl.load(v, [1, 2], [1, 4])
# row 2, column 6
