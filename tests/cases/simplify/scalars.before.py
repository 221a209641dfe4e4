# test: frame=simplify
# what nothing uses
# scalars
c: pl.Scalar[pl.INDEX] = i * 3
d: pl.Scalar[pl.INDEX] = c + 1
e: pl.Scalar[pl.INT32] = n // n
f: pl.Scalar[pl.FP32] = 0.5
