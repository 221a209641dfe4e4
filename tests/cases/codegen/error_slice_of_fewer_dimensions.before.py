# test: frame=kernel
# slice of fewer dimensions
v = pl.tensor.slice(x, [16], [1, 0])
