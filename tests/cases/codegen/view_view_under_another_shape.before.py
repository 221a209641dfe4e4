# test: frame=kernel
# view under another shape
v = pl.tensor.view(x, [2, 32])
t = pl.load(v, [1, 16], [1, 16])
pl.write(out, [0, 0], pl.tensor.dim(v, 1))
