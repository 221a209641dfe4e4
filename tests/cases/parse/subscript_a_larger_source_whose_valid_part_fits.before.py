# a source may be larger than the part when what is valid of it is as large (pypto-front-facts 2.5); a tile of one row
# stands for a row of the tile
import pypto.language as pl
import pypto.language.distributed as pld
@pl.function(type=pl.FunctionType.InCore)
def k(out: pl.Tensor[[64, 128], pl.FP32], src: pl.Tensor[[16, 8], pl.FP32], n: pl.Scalar[pl.INDEX]):
    some = pl.set_validshape(src, 16, 4)
    out[0:16, 0:4] = some
    open = pl.set_validshape(src, 16, n)
    out[0:16, 0:4] = open
    t = pl.load(out, [0, 0], [64, 128])
    row = t[2, :]
    t[3, :] = row
    u = t[:, 120:256]
