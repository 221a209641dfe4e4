m: pl.Scalar[pl.INDEX] = 64
m = 16
y: pl.Scalar[pl.INDEX] = m
