# y is, z is not: that is carried on as it was (pypto-front-facts 3.2)
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX]):
        for i, (a, b) in pl.range(n, init_values=(0, 1)):
            y: pl.Scalar[pl.INDEX] = a + b
            if i == 2:
                continue
            z: pl.Scalar[pl.INDEX] = y + 1
            a_out, b_out = pl.yield_(y, z)
        pl.tensor.write(x, [0], b_out)
