# test: frame=bare_kernel
# reductions and casts
t = pl.load(x, [0, 0], [4, 64])
r = pl.row_max(t)
c = pl.cast(t, pl.FP16)
