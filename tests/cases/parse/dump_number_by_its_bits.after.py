y: pl.Scalar[pl.FP32] = pl._dump.float64("fff0000000000000")
