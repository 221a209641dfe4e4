for j in pl.range(pl.const(0, pl.INT64), i, pl.const(1, pl.INT64)):
    y: pl.Scalar[pl.INT64] = j
