# test: frame=kernel
# two views under one name
v = pl.tensor.slice(x, [1, 16], [0, 0])
v = pl.tensor.slice(x, [1, 16], [1, 0])
