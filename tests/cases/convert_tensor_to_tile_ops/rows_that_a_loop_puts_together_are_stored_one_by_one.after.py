import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.FP32], ret0__out: pl.Out[pl.Tensor[[8, 16], pl.FP32]]) -> pl.Tensor[[8, 16], pl.FP32]:
        for i, (acc,) in pl.range(8, init_values=(ret0__out,)):
            t__tile: pl.Tile[[1, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [i, 0], [1, 16], [1, 16], target_memory=pl.Mem.Vec)
            row__tile: pl.Tile[[1, 16], pl.FP32, pl.Mem.Vec] = pl.tile.adds(t__tile, 1.0)
            acc1__tile: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(row__tile, [i, 0], acc)
            result: pl.Tensor[[8, 16], pl.FP32] = pl.yield_(acc1__tile)
        return result
