# test: frame=kernel
# the bound is read once
m = n
for i in pl.range(m):
    m = pl.const(0, pl.INT32)
    pl.write(out, [0, i], 9)
