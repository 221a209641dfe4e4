# an empty tile of the shape takes their place
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIV, attrs={"dual_aiv_dispatch": True})
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]):
        t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)
        u: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.slice(t, [8, 16], [0, 0])
        w: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.transpose(t, 0, 1)
        v: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.set_validshape(w, 4, 4)
        pl.tile.store(v, [0, 0], o)
