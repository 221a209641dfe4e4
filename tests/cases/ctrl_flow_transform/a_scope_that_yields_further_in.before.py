# what a scope at the end of a branch yields is assigned as well, where the branch is left in its middle
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, auto_scope=False)
    def f(self, x: pl.Tensor[[4], pl.INDEX], n: pl.Scalar[pl.INDEX]):
        for i in pl.range(n):
            if i == 1:
                if n == 2:
                    continue
                y = pl.yield_(n)
            else:
                with pl.scope():
                    y = pl.yield_(i)
            pl.tensor.write(x, [i], y)
