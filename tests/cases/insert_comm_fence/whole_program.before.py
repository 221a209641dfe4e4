# One text without a frame, so that the other cases do not rest on theirs alone.
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class push:
    @pl.function(type=pl.FunctionType.AIV)
    def kernel(win: pl.InOut[pld.DistributedTensor[[1, 64], pl.FP32]], sig: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]], peer: pl.Scalar[pl.INT32], tile: pl.Tile[[1, 64], pl.FP32]):
        pl.tile.store(tile, [0, 0], win)
        pld.system.notify(sig, peer, [0, 0], pl.const(1, pl.INT32), op=0)
        pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
        pl.tile.load(win, [0, 0], [1, 64], [1, 64])
