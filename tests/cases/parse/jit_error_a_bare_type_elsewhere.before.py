# only jit functions take types from what is passed
@pl.function
def f(a: pl.Tensor):
    pass
