a: pl.Scalar[pl.INDEX] = pl.cast(n, pl.INDEX) + 1
c: pl.Scalar[pl.INDEX] = i * pl.cast(n, pl.INDEX)
d: pl.Scalar[pl.BOOL] = pl.cast(n, pl.INDEX) < i
e: pl.Scalar[pl.BOOL] = pl.cast(n, pl.INDEX) == 3
g: pl.Scalar[pl.INDEX] = pl.min(pl.cast(n, pl.INDEX), i)
h: pl.Scalar[pl.INDEX] = pl.cast(n, pl.INDEX) << 2
q: pl.Scalar[pl.INT32] = pl.cast(pl.const(1, pl.INT8), pl.INT32) - n
l: pl.Scalar[pl.FP32] = f * pl.cast(pl.const(2.0, pl.FP16), pl.FP32)
m: pl.Scalar[pl.INDEX] = pl.cast(n, pl.INDEX) + i
