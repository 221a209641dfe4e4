with pl.incore():
    y: pl.Scalar[pl.INDEX] = i
