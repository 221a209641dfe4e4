import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, auto_scope=False)
    def f(self, x: pl.Tensor[[4], pl.INDEX], n: pl.Scalar[pl.INDEX]):
        for i in pl.range(n):
            if i == 1:
                if n == 2:
                    pass
                else:
                    y: pl.Scalar[pl.INDEX] = n
                    pl.tensor.write(x, [i], y)
            else:
                with pl.scope():
                    y: pl.Scalar[pl.INDEX] = i
                pl.tensor.write(x, [i], y)
