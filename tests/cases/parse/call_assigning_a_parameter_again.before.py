# test: frame=bare_kernel
# assigning a parameter again
t = pl.load(x, [0, 0], [1, 64])
out = pl.store(t, [0, 0], out)
return out
