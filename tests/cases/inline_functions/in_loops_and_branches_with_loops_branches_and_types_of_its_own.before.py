# pypto-front-facts 3.1: in loops and branches, with loops, branches and types of its own
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def add(self, x: pl.Tensor[[4 * n, 8], pl.INT32], n: pl.Scalar[pl.INDEX], s: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:
        v: pl.Tensor[[4 * n, 8], pl.INT32] = pl.tensor.view(x, [4 * n, 8])
        for i, (acc,) in pl.range(n, init_values=(s,)):
            e: pl.Scalar[pl.INT32] = pl.tensor.read(v, [i, 0])
            if e > s:
                r: pl.Scalar[pl.INT32] = pl.yield_(acc + e)
            else:
                r: pl.Scalar[pl.INT32] = pl.yield_(acc)
            total: pl.Scalar[pl.INT32] = pl.yield_(r)
        return total
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, y: pl.Tensor[[4 * m, 8], pl.INT32], m: pl.Scalar[pl.INDEX], z: pl.Scalar[pl.INT32]):
        for j in pl.range(2):
            if z > 0:
                w: pl.Scalar[pl.INT32] = self.add(y, m, z)
                pl.tensor.write(y, [j, 0], w)
        return
