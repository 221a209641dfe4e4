y: pl.Scalar[pl.INDEX] = i
y = y + 1
