import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function
    def main(self, a: pl.Tensor[[64], pl.FP32], t: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        t = pl.tensor.muls(a, 2.0)
        y: pl.Tensor[[64], pl.FP32] = t
        t = pl.tensor.muls(y, 2.0)
        z: pl.Tensor[[64], pl.FP32] = pl.tensor.add(t, t)
        for i in pl.range(2):
            t = pl.tensor.muls(z, 2.0)
            z = t
        w: pl.Tensor[[64], pl.FP32] = pl.tensor.add(z, t)
        return w
