import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX]):
        for i, (a, b) in pl.range(n, init_values=(0, 1)):
            y: pl.Scalar[pl.INDEX] = a + b
            if i == 2:
                y__phi_v0, b__phi_v1 = pl.yield_(y, b)
            else:
                z: pl.Scalar[pl.INDEX] = y + 1
                y__phi_v0, b__phi_v1 = pl.yield_(y, z)
            a_out, b_out = pl.yield_(y__phi_v0, b__phi_v1)
        pl.tensor.write(x, [0], b_out)
