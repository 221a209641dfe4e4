with pl.cluster():
    y: pl.Scalar[pl.INDEX] = i
