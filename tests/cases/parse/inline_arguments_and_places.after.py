import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX]):
        pl.tensor.write(x, [0], 1)
        m: pl.Scalar[pl.INDEX] = n
        for i in pl.range(m):
            sum: pl.Scalar[pl.INDEX] = i + 1 * 3
            pl.tensor.write(x, [i], sum)
        m = m + 1
        sum: pl.Scalar[pl.INDEX] = m + (m + 1) * 3
        a, b = (m, sum)
        sum: pl.Scalar[pl.INDEX] = m + 2 * 3
        sum: pl.Scalar[pl.INDEX] = n + 1 * 3
        c: pl.Scalar[pl.INDEX] = sum + sum
        sum: pl.Scalar[pl.INDEX] = c + 0 * 3
        if sum > a:
            pl.tensor.write(x, [1], c)
        else:
            sum: pl.Scalar[pl.INDEX] = c + 4 * 3
            if sum > b:
                pl.tensor.write(x, [2], c)
