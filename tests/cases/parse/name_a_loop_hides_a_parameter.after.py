for n_1 in pl.range(2):
    y: pl.Scalar[pl.INDEX] = n_1
z: pl.Scalar[pl.INT32] = n
