# test: frame=bare_kernel
# elif with a phi
if b:
    y = pl.yield_(n)
elif i < 1:
    y = pl.yield_(n + 1)
else:
    y = pl.yield_(n + 2)
return y
