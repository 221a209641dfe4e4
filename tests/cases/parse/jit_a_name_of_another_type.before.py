# A jit function's names are made anew where they are assigned again: the type may be another.
@pl.jit.incore
def kernel(x: pl.Tensor[[1, 64], pl.FP16], out: pl.Out[pl.Tensor[[1, 64], pl.FP32]]):
    t = pl.load(x, [0, 0], [1, 64])
    t = pl.cast(t, target_type=pl.FP32)
    out = pl.store(t, [0, 0], out)
    return out
