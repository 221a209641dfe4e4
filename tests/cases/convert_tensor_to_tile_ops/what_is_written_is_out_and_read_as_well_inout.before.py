# Set writes a signal only, AtomicAdd reads it too; what a caller passes on has the same direction.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[1, 16], pl.FP32], set: pld.DistributedTensor[[2, 1], pl.INT32], add: pld.DistributedTensor[[2, 1], pl.INT32], out: pl.Tensor[[1, 16], pl.FP32], back: pl.Tensor[[1, 16], pl.FP32], mine: pl.Out[pl.Tensor[[1, 16], pl.FP32]]):
        pld.system.notify(set, 0, [0, 0], 1, op=pld.NotifyOp.Set)
        pld.system.notify(add, 0, [0, 0], 1, op=pld.NotifyOp.AtomicAdd)
        t = pl.load(x, [0, 0], [1, 16])
        pl.store(t, [0, 0], out)
        u = pl.load(back, [0, 0], [1, 16])
        pl.store(u, [0, 0], back)
        v = pl.load(mine, [0, 0], [1, 16])

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[1, 16], pl.FP32], set: pld.DistributedTensor[[2, 1], pl.INT32], add: pld.DistributedTensor[[2, 1], pl.INT32], out: pl.Tensor[[1, 16], pl.FP32], back: pl.Tensor[[1, 16], pl.FP32], mine: pl.Out[pl.Tensor[[1, 16], pl.FP32]]):
        self.k(x, set, add, out, back, mine)
