# test: frame=kernel
# valid rows that are not the first
c = pl.tensor.reshape(x, [2, 2, 16])
t = pl.load(c, [0, 0, 0], [2, 2, 16], [2, 1, 16])
