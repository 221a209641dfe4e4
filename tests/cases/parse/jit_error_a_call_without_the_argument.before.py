# what only an argument could say
@pl.jit.incore
def part(x: pl.Tensor):
    return x


@pl.jit
def entry(a: pl.Tensor[[4], pl.FP32]):
    part()
    return a
