# test: frame=kernel
# floats
a = pl.read(f, [0, 1])
b = a * 2.5
pl.write(out, [0, 0], pl.cast(b, pl.INT32))
pl.write(out, [0, 1], pl.cast(pl.cast(n, pl.FP32) / 2.0 * 10.0, pl.INT32))
if b > 14.5:
    pl.write(out, [0, 2], 1)
# f[1] is 6
