# test: ranks=1
# In a manual scope only deps= order: the array holds the four launches of stage, whose places it has taken one after the
# other, so join waits for all of them; a dummy of the first and the last element stands for those two, and one of no task for
# none. An element that nothing was put into is no task.
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def stage(self, x: pl.Tensor[[4, 16], pl.FP32], i: pl.Scalar[pl.INDEX]):
        t = pl.load(x, [i, 0], [1, 16])

    @pl.function(type=pl.FunctionType.InCore)
    def join(self, x: pl.Tensor[[4, 16], pl.FP32], n: pl.Scalar[pl.INDEX]):
        t = pl.load(x, [0, 0], [4, 16])

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[4, 16], pl.FP32]):
        with pl.manual_scope():
            tids = pl.array.create(5, pl.TASK_ID)
            for i in pl.range(4):
                tid = pl.submit(self.stage, x, i)
                tids[i] = tid
            a = pl.submit(self.join, x, 0, deps=[tids])
            ends = pl.system.task_dummy(deps=[tids[0], tids[3], tids[4]])
            b = pl.submit(self.join, x, 1, deps=[ends])
            none = pl.system.task_dummy(deps=[])
            c = pl.submit(self.join, x, 2, deps=[none])
