# neither given nor passed
@pl.jit
def entry(a: pl.Tensor, n: pl.INT32):
    return a


entry(make(), 3)
