import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.FP32], y: pl.Tensor[[8, 16], pl.FP32], ret0__out: pl.Out[pl.Tensor[[8, 16], pl.FP32]], ret1__out: pl.Out[pl.Tensor[[8, 1], pl.FP32]]) -> tuple[pl.Tensor[[8, 16], pl.FP32], pl.Tensor[[8, 1], pl.FP32]]:
        x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
        y__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(y, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
        s__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.add(x__tile, y__tile)
        tmp_tile: pl.Tile[[8, 128], pl.FP32, pl.Mem.Vec] = pl.tile.create([8, 128], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        m__tile: pl.Tile[[8, 1], pl.FP32, pl.Mem.Vec] = pl.tile.row_sum(s__tile, tmp_tile)
        ret0__store: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(s__tile, [0, 0], ret0__out)
        ret1__store: pl.Tensor[[8, 1], pl.FP32] = pl.tile.store(m__tile, [0, 0], ret1__out)
        return ret0__store, ret1__store
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[8, 16], pl.FP32], y: pl.Tensor[[8, 16], pl.FP32]) -> pl.Tensor[[8, 1], pl.FP32]:
        ret0__out: pl.Tensor[[8, 16], pl.FP32] = pl.tensor.create([8, 16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        ret1__out: pl.Tensor[[8, 1], pl.FP32] = pl.tensor.create([8, 1], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        s, m = self.k(x, y, ret0__out, ret1__out)
        ret0__out_1: pl.Tensor[[8, 16], pl.FP32] = pl.tensor.create([8, 16], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        ret1__out_1: pl.Tensor[[8, 1], pl.FP32] = pl.tensor.create([8, 1], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        t, n = self.k(s, y, ret0__out_1, ret1__out_1)
        return n
