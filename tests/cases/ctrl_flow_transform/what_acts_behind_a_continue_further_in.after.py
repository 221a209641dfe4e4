import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX]):
        for i, (a,) in pl.range(n, init_values=(0,)):
            y: pl.Scalar[pl.INDEX] = a + 1
            continue__tmp_v0: pl.Scalar[pl.BOOL] = False
            if i > 0:
                if i == 2:
                    continue__tmp_v0: pl.Scalar[pl.BOOL] = True
                    a__phi_v1: pl.Scalar[pl.INDEX] = pl.yield_(a)
                else:
                    a__phi_v1: pl.Scalar[pl.INDEX] = pl.yield_(a)
                a__phi_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__phi_v1)
            else:
                a__phi_v2: pl.Scalar[pl.INDEX] = pl.yield_(y)
            if not continue__tmp_v0:
                pl.tensor.write(x, [i], y)
                a__phi_v3: pl.Scalar[pl.INDEX] = pl.yield_(a__phi_v2)
            else:
                a__phi_v3: pl.Scalar[pl.INDEX] = pl.yield_(a__phi_v2)
            a_out: pl.Scalar[pl.INDEX] = pl.yield_(a__phi_v3)
