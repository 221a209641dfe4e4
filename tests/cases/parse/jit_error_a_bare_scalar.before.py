# a scalar says its element type, in jit functions too (pypto-front-facts 1.2)
@pl.jit
def f(a: pl.Scalar):
    pass
