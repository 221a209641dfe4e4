# test: frame=bare_kernel
# unified load
t = pl.load(x, [0, 0], [1, 64])
