# test: frame=simplify
# loops
# nothing in it
for j in pl.range(0, 1024, 512):
    c: pl.Scalar[pl.INDEX] = j
