w: pl.Scalar[pl.INT64] = pl.const(4, pl.INT64)
a: pl.Scalar[pl.INT32] = n + pl.cast(pl.const(1, pl.UINT32), pl.INT32)
c: pl.Scalar[pl.UINT32] = pl.const(1, pl.UINT32) + pl.cast(n, pl.UINT32)
d: pl.Scalar[pl.INDEX] = i + w
e: pl.Scalar[pl.INT64] = w - i
g: pl.Scalar[pl.UINT64] = pl.const(1, pl.UINT64) + pl.cast(i, pl.UINT64)
h: pl.Scalar[pl.BOOL] = w < i
