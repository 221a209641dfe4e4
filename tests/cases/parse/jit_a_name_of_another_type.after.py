import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: pl.Tensor[[1, 64], pl.FP16], out: pl.Out[pl.Tensor[[1, 64], pl.FP32]]) -> pl.Tensor[[1, 64], pl.FP32]:
    t: pl.Tile[[1, 64], pl.FP16] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])
    t_1: pl.Tile[[1, 64], pl.FP32] = pl.tile.cast(t, target_type=pl.FP32)
    out = pl.tile.store(t_1, [0, 0], out)
    return out
