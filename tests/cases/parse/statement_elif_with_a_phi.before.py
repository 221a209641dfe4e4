# test: frame=bare_kernel
# elif with a phi
if b:
    y = pl.yield_(n)
elif i < 1:
    y = pl.yield_(n + pl.const(1, pl.INT32))
else:
    y = pl.yield_(n + pl.const(2, pl.INT32))
return y
