import pypto.language as pl
import pypto.language.distributed as pld
DIM = pl.dynamic("DIM")
@pl.function
def f(x: pl.Tensor[[16, DIM], pl.FP16], y: pl.Tensor[[8], pl.FP32]):
    t: pl.Tile[[4], pl.FP32] = pl.tile.load(y, [0], [4], [4])
