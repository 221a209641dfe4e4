# notify and wait are on both lanes, as is the loop around what one of them does (pypto-ops-facts 3.2)
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]):
        for i in pl.range(2):
            pld.system.wait(s, [i, 0], 1, cmp=1)
            t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)
            a: pl.Tile[[16, 16], pl.FP32, pl.Mem.Mat] = pl.tile.move(t, target_memory=pl.Mem.Mat)
            pld.system.notify(s, 1, [i, 0], 1, op=0)
