# test: frame=kernel
# axis
d = pl.tensor.dim(x, n)
