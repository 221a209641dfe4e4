# test: frame=kernel
# indices known at run time only
pl.write(out, [n - 2, n + 4], n)
