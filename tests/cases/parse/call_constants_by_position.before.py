# test: frame=bare_kernel
# constants by position
t = pl.tile.full([1, 8], pl.INT32, 0)
