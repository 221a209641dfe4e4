# test: frame=bare_kernel
# the name is the same variable in a branch
t = pl.load(x, [0, 0], [1, 64])
if b:
    t = pl.load(x, [0, 0], [2, 64])
