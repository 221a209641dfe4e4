import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def kernel(a: pl.Tensor[[16, 64], pl.FP16], b: pl.Tensor[[3], pl.INT64], c: pl.Out[pl.Tensor[[16, 64], pl.FP16]]) -> pl.Tensor[[16, 64], pl.FP16]:
    tile: pl.Tile[[16, 64], pl.FP16] = pl.tile.load(a, [0, 0], [16, 64], [16, 64])
    out_c: pl.Tensor[[16, 64], pl.FP16] = pl.tile.store(tile, [0, 0], c)
    return out_c
@pl.function(type=pl.FunctionType.Orchestration)
def add(a: pl.Tensor[[16, 64], pl.FP16], b: pl.Tensor[[3], pl.INT64], c: pl.Out[pl.Tensor[[16, 64], pl.FP16]]) -> pl.Tensor[[16, 64], pl.FP16]:
    c = kernel(a, b, c)
    return c
