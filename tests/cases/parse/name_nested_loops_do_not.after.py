for j in pl.range(2):
    for j_1 in pl.range(3):
        y: pl.Scalar[pl.INDEX] = j_1
    z: pl.Scalar[pl.INDEX] = j
