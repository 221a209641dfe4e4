# test: frame=bare_kernel
# phi
if b:
    y = pl.yield_(n)
else:
    y = pl.yield_(n + pl.const(1, pl.INT32))
return y
