# test: frame=bare_kernel
# constants by position
t = pl.full([1, 8], pl.INT32, 0)
