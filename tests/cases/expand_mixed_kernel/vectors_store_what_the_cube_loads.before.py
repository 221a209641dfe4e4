# this direction is not fenced (pypto-ops-facts 3.1, pypto#1911); the cube loads the parameter
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]) -> pl.Tensor[[16, 16], pl.FP32]:
        t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)
        m1: pl.Tensor[[16, 16], pl.FP32] = pl.tile.store(t, [0, 0], m)
        a: pl.Tile[[16, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(m1, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
        l: pl.Tile[[16, 16], pl.FP32, pl.Mem.Left] = pl.tile.move(a, target_memory=pl.Mem.Left)
        r: pl.Tile[[16, 16], pl.FP32, pl.Mem.Right] = pl.tile.move(a, target_memory=pl.Mem.Right)
        c: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(l, r)
        o: pl.Tensor[[16, 16], pl.FP32] = pl.tile.store(c, [0, 0], o)
        return o
