y: pl.Scalar[pl.INDEX] = i + 1
z: pl.Scalar[pl.INDEX] = i + 2
