import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX]):
        i: pl.Scalar[pl.INDEX] = 0
        break__tmp_v0: pl.Scalar[pl.BOOL] = False
        while i < n and not break__tmp_v0:
            if i == 2:
                break__tmp_v0: pl.Scalar[pl.BOOL] = True
                pl.yield_()
            else:
                pl.tensor.write(x, [i], 5)
                pl.yield_()
            if not break__tmp_v0:
                i: pl.Scalar[pl.INDEX] = i + 1
