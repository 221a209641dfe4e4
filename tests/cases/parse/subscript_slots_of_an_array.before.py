# arr[i] is array.get_element, arr[i] = v is arr = array.update_element(arr, i, v) (pypto-front-facts 2.4, 2.5)
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Out[pl.Tensor[[4], pl.FP32]]) -> pl.Tensor[[4], pl.FP32]:
        return x
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Out[pl.Tensor[[4], pl.FP32]], n: pl.Scalar[pl.INDEX]):
        tids = pl.array.create(2 * 2, pl.TASK_ID)
        for i in pl.range(4):
            x, t = pl.submit(self.k, x)
            tids[i] = t
        x, u = pl.submit(self.k, x, deps=[tids[1], tids[n]])
