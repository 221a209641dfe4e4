import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def k(out: pl.Tensor[[64, 128], pl.FP32], src: pl.Tensor[[16, 8], pl.FP32], n: pl.Scalar[pl.INDEX]):
    some: pl.Tensor[[16, 8], pl.FP32] = pl.tensor.set_validshape(src, 16, 4)
    out = pl.tensor.assemble(out, some, [0, 0])
    open: pl.Tensor[[16, 8], pl.FP32] = pl.tensor.set_validshape(src, 16, n)
    out = pl.tensor.assemble(out, open, [0, 0])
    t: pl.Tile[[64, 128], pl.FP32] = pl.tile.load(out, [0, 0], [64, 128], [64, 128])
    row: pl.Tile[[1, 128], pl.FP32] = pl.tile.slice(t, [1, 128], [2, 0], [], [0])
    t = pl.tile.assemble(t, row, [3, 0])
    u: pl.Tile[[64, 8], pl.FP32] = pl.tile.slice(t, [64, 8], [0, 120])
