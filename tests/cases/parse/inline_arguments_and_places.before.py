# A call of a @pl.inline function is its body (pypto-front-facts 2.9): in front of the statement, with the argument in the
# place of the parameter, a variable being assigned to where it is one; names are those of the caller.
import pypto.language as pl
STEP = 3
@pl.inline
def plus(v: pl.Scalar[pl.INDEX], by):
    """STEP comes from here."""
    sum: pl.Scalar[pl.INDEX] = v + by * STEP
    return sum
@pl.inline
def both(u: pl.Tensor[[4], pl.INT32], k) -> pl.Tensor[[4], pl.INT32]:
    for i in pl.range(k):
        pl.write(u, [i], plus(i, 1))
    k = k + 1
    return k, plus(k, k + 1)
@pl.inline
def mark(u):
    pl.write(u, [0], 1)
    return u
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX]):
        mark(x)
        m = n
        a, b = both(x, m)
        c = plus(m, 2) + plus(n, 1)
        if plus(c, 0) > a:
            pl.write(x, [1], c)
        elif plus(c, 4) > b:
            pl.write(x, [2], c)
