# the compiler runs it in each round; here a flag says whether (pypto-front-facts 3.2)
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX]):
        for i, (a,) in pl.range(n, init_values=(0,)):
            y: pl.Scalar[pl.INDEX] = a + 1
            if i > 0:
                if i == 2:
                    continue
            pl.tensor.write(x, [i], y)
            a_out = pl.yield_(y)
