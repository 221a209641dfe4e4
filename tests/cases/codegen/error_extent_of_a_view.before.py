# test: frame=kernel
# extent of a view
v = pl.tensor.view(x, [1, n])
