y: pl.Scalar[pl.FP32] = pl.tensor.read(x, [i, 0])
pl.tensor.write(out, [i, 0], y)
