import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def k(a: pl.Tensor[[4, 16], pl.FP32], b: pl.Tensor[[2, 6], pl.FP32], c: pl.Tensor[[4, 8], pl.FP32]):
    t: pl.Tile[[4, 16], pl.FP32] = pl.tile.load(a, [0, 0], [4, 16], [4, 16])
