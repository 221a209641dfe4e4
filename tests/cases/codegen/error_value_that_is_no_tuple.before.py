# test: frame=kernel
# value that is no tuple
a, b = pl.read(x, [0, 0])
