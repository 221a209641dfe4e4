# test: frame=kernel
# only the valid part is loaded
t = pl.load(x, [0, 0], [1, 16], [1, 5])
