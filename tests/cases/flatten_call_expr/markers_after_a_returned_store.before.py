# test: passes=FlattenCallExpr,InsertCommFence
# What the pass is for: a store to a window is published wherever it stands, because the markers find it.
import pypto.language as pl
import pypto.language.distributed as pld

@pl.function(type=pl.FunctionType.InCore)
def k(w: pl.InOut[pld.DistributedTensor[[1, 16], pl.FP32]], n: pl.Scalar[pl.INT32]):
    t = pl.tile.create([1, 16], dtype=pl.FP32)
    if n == 0:
        v: pld.DistributedTensor[[1, 16], pl.FP32] = pl.yield_(pl.tile.store(t, [0, 0], w))
    else:
        v: pld.DistributedTensor[[1, 16], pl.FP32] = pl.yield_(w)
    return pl.tile.store(t, [0, 0], v)
