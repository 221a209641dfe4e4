# the part's type would change from call to call
@pl.jit.incore
def part(x: pl.Tensor):
    return x


@pl.jit
def entry(a: pl.Tensor[[64], pl.FP32], n: pl.INT32):
    b = pl.create_tensor([n], dtype=pl.FP32)
    part(b)
    return a
