# test: frame=bare_kernel
# phi
if b:
    y = pl.yield_(n)
else:
    y = pl.yield_(n + 1)
return y
