# the while loop carries it on; a break does not compute what the yield does (pypto-front-facts 3.2)
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX]):
        for i, (a,) in pl.range(n, init_values=(0,)):
            if i == 2:
                break
            pl.tensor.write(x, [i], a)
            a_out = pl.yield_(a + 1)
        pl.tensor.write(x, [0], a_out)
