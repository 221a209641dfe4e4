import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.FP32], ret0__out: pl.Out[pl.Tensor[[8, 16], pl.FP32]]) -> pl.Tensor[[8, 16], pl.FP32]:
        x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
        y__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.add(x__tile, x__tile)
        ret0__store: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(y__tile, [0, 0], ret0__out)
        return ret0__store
    @pl.function(type=pl.FunctionType.Spmd)
    def wrap(self, x: pl.Tensor[[8, 16], pl.FP32], ret0__out: pl.Out[pl.Tensor[[8, 16], pl.FP32]]) -> pl.Tensor[[8, 16], pl.FP32]:
        y: pl.Tensor[[8, 16], pl.FP32] = self.k(x, ret0__out)
        return y
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[8, 16], pl.FP32]) -> pl.Tensor[[8, 16], pl.FP32]:
        ret0__out: pl.Tensor[[8, 16], pl.FP32] = pl.tensor.create([8, 16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        y: pl.Tensor[[8, 16], pl.FP32] = self.wrap(x, ret0__out)
        return y
