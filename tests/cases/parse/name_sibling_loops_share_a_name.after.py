for j in pl.range(2):
    y: pl.Scalar[pl.INDEX] = j
for j in pl.range(3):
    y = j
