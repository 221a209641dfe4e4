# what a loop carries has nothing valid either; scalars, signals and conditions are the same
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIV, attrs={"dual_aiv_dispatch": True})
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]):
        t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)
        for i, (c,) in pl.range(2, init_values=(t,)):
            d: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.add(c, t)
            if i == 1:
                pld.system.notify(s, 1, [i, 0], 1, op=0)
            e: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.yield_(d)
        pl.tile.store(e, [0, 0], o)
