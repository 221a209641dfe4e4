# test: frame=bare_kernel
# elif twice, with two phis
if b:
    y, z = pl.yield_(n, i)
elif i < 1:
    y, z = pl.yield_(1, i)
elif i < 2:
    y, z = pl.yield_(n, 2)
else:
    y, z = pl.yield_(n, 3)
return z
