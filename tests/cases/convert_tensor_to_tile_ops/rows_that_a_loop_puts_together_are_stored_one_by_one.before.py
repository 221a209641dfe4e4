# test: passes=FlattenCallExpr,ConvertTensorToTileOps
# The tile of the whole result is not needed: the loop stores into the new parameter.
import pypto.language as pl
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.FP32]) -> pl.Tensor[[8, 16], pl.FP32]:
        all = pl.tensor.create([8, 16], dtype=pl.FP32)
        for i, (acc,) in pl.range(8, init_values=(all,)):
            row = pl.add(x[i : i + 1, :], 1.0)
            acc1 = pl.assemble(acc, row, [i, 0])
            result = pl.yield_(acc1)
        return result
