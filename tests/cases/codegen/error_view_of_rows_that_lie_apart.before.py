# test: frame=kernel
# view of rows that lie apart
v = pl.tensor.slice(x, [4, 8], [0, 8])
w = pl.tensor.view(v, [2, 16])
