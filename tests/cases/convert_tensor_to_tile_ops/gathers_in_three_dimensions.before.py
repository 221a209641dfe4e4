# test: passes=FlattenCallExpr,ConvertTensorToTileOps
# Along the last dimension plane by plane, along another one the flat matrix of it and the last one; the result is stored as a
# matrix of all rows (RegisterGatherOps of the compiler, cases 2 and 4).
import pypto.language as pl
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def last(self, x: pl.Tensor[[2, 4, 32], pl.FP16], i: pl.Tensor[[2, 4, 8], pl.INT32]) -> pl.Tensor[[2, 4, 8], pl.FP16]:
        g = pl.gather(x, dim=2, index=i)
        return g
    @pl.function(type=pl.FunctionType.InCore)
    def rows(self, x: pl.Tensor[[2, 8, 16], pl.FP32], i: pl.Tensor[[2, 4, 16], pl.INT32]) -> pl.Tensor[[2, 4, 16], pl.FP32]:
        g = pl.gather(x, dim=-2, index=i)
        return g
