# test: frame=bare_kernel
# a name for another shape is another variable
x = pl.load(x, [0, 0], [1, 64])
y = x
