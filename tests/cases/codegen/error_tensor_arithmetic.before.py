# test: frame=kernel
# tensor arithmetic
y = pl.tensor.add(x, x)
