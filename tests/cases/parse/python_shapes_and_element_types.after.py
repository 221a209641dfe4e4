import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class Prog:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[4, 8], pl.FP8E5M2]):
        t: pl.Tile[[4, 8], pl.FP8E5M2] = pl.tile.load(x, [0, 0], [4, 8], [4, 8])
        a: pl.Array[8, pl.INT32] = pl.array.create(4 * 2, dtype=pl.INT32)
        a = pl.array.update_element(a, 1, pl.const(5, pl.INT32))
        b: pl.Scalar[pl.INT32] = pl.array.get_element(a, 0)
        return x
