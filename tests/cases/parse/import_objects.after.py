import pypto.language as pl
import pypto.language.distributed as pld
@pl.function
def f(x: pl.Tensor[[16, 64], pl.FP32], y: pl.Tensor[[4096], pl.FP32]):
    t: pl.Tile[[16, 64], pl.FP32] = pl.tile.load(x, [0, 0], [16, 64], [16, 64])
    u: pl.Tile[[16, 64], pl.FP32] = pl.tile.muls(t, 0.125)
