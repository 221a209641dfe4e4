import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Out[pl.Tensor[[4], pl.FP32]]) -> pl.Tensor[[4], pl.FP32]:
        return x
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Out[pl.Tensor[[4], pl.FP32]], n: pl.Scalar[pl.INDEX]):
        tids: pl.Array[4, pl.TASK_ID] = pl.array.create(2 * 2, dtype=pl.TASK_ID)
        for i in pl.range(4):
            x, t = pl.submit(self.k, x)
            tids = pl.array.update_element(tids, i, t)
        x, u = pl.submit(self.k, x, deps=[pl.array.get_element(tids, 1), pl.array.get_element(tids, n)])
