# test: frame=bare_kernel
# unified read and write
y = pl.read(x, [i, 0])
pl.write(out, [i, 0], y)
