import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def k(w: pl.InOut[pld.DistributedTensor[[1, 16], pl.FP32]], n: pl.Scalar[pl.INT32]):
    t: pl.Tile[[1, 16], pl.FP32] = pl.tile.create([1, 16], dtype=pl.FP32)
    if pl.cast(n, pl.INDEX) == 0:
        t__tmp_v0: pld.DistributedTensor[[1, 16], pl.FP32] = pl.tile.store(t, [0, 0], w)
        pl.system.cacheinvalid(w, [1, 16], [0, 0])
        pl.system.fence()
        v: pld.DistributedTensor[[1, 16], pl.FP32] = pl.yield_(t__tmp_v0)
    else:
        v: pld.DistributedTensor[[1, 16], pl.FP32] = pl.yield_(w)
    t__tmp_v1: pld.DistributedTensor[[1, 16], pl.FP32] = pl.tile.store(t, [0, 0], v)
    pl.system.cacheinvalid(v, [1, 16], [0, 0])
    pl.system.fence()
    return t__tmp_v1
