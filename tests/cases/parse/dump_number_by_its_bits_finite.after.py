y: pl.Scalar[pl.FP16] = pl.const(2.5, pl.FP16)
