import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[1, 16], pl.FP32], set: pl.Out[pld.DistributedTensor[[2, 1], pl.INT32]], add: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]], out: pl.Out[pl.Tensor[[1, 16], pl.FP32]], back: pl.InOut[pl.Tensor[[1, 16], pl.FP32]], mine: pl.Out[pl.Tensor[[1, 16], pl.FP32]]):
        pld.system.notify(set, 0, [0, 0], 1, op=1)
        pld.system.notify(add, 0, [0, 0], 1, op=0)
        t: pl.Tile[[1, 16], pl.FP32] = pl.tile.load(x, [0, 0], [1, 16], [1, 16])
        pl.tile.store(t, [0, 0], out)
        u: pl.Tile[[1, 16], pl.FP32] = pl.tile.load(back, [0, 0], [1, 16], [1, 16])
        pl.tile.store(u, [0, 0], back)
        v: pl.Tile[[1, 16], pl.FP32] = pl.tile.load(mine, [0, 0], [1, 16], [1, 16])
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[1, 16], pl.FP32], set: pl.Out[pld.DistributedTensor[[2, 1], pl.INT32]], add: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]], out: pl.Out[pl.Tensor[[1, 16], pl.FP32]], back: pl.InOut[pl.Tensor[[1, 16], pl.FP32]], mine: pl.Out[pl.Tensor[[1, 16], pl.FP32]]):
        self.k(x, set, add, out, back, mine)
