# test: frame=kernel
# no such axis
d = pl.tensor.dim(x, 2)
