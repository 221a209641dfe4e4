m: pl.Scalar[pl.INDEX] = 64
v: pl.Tensor[[4, m], pl.FP32] = pl.tensor.slice(x, [4, m], [0, 0])
if b:
    m = 16
y: pl.Scalar[pl.INDEX] = m
