import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX]):
        i: pl.Scalar[pl.INDEX] = 0
        break__tmp_v0: pl.Scalar[pl.BOOL] = False
        for (a,) in pl.while_(init_values=(0,)):
            pl.cond(i < n and not break__tmp_v0)
            if i == 2:
                break__tmp_v0: pl.Scalar[pl.BOOL] = True
                a__phi_v1: pl.Scalar[pl.INDEX] = pl.yield_(a)
            else:
                pl.tensor.write(x, [i], a)
                a__phi_v1: pl.Scalar[pl.INDEX] = pl.yield_(a + 1)
            if not break__tmp_v0:
                i: pl.Scalar[pl.INDEX] = i + 1
            a_out: pl.Scalar[pl.INDEX] = pl.yield_(a__phi_v1)
        pl.tensor.write(x, [0], a_out)
