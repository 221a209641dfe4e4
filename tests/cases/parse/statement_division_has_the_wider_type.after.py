y: pl.Scalar[pl.INDEX] = pl.cast(n, pl.INDEX) / i
z: pl.Scalar[pl.INDEX] = pl.cast(n, pl.INDEX) // i
