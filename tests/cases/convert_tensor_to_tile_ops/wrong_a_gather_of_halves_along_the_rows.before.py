# test: passes=FlattenCallExpr,ConvertTensorToTileOps
# The places of elements of 16 bits would have 16 bits.
import pypto.language as pl
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[2, 8, 16], pl.FP16], i: pl.Tensor[[2, 4, 16], pl.INT32]) -> pl.Tensor[[2, 4, 16], pl.FP16]:
        g = pl.gather(x, dim=1, index=i)
        return g
