# test: arg=a=16
# a tensor's value is a type
@pl.jit
def entry(a: pl.Tensor):
    return a
