import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, w: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], t: pl.Tile[[1, 64], pl.FP32], w_ctx: pld.CommCtx):
        stored: pld.DistributedTensor[[1, 64], pl.FP32] = pl.tile.store(t, [0, 0], w)
        ctx: pld.CommCtx = w_ctx
