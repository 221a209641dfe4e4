import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
    def verify(f: pl.Tensor[[64], pl.FP32]):
        """Doc"""
        import torch
        assert torch.allclose(f, 3), f"bad {f:.3f}"
    @pl.function(type=pl.FunctionType.InCore)
    def consumer(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        café: pl.Tile[[64], pl.FP32] = pl.tile.load(x, [0], [64], [64])
        t: pl.Tile[[64], pl.FP32] = pl.tile.maximums(café, pl._dump.float64("fff0000000000000"))
        u: pl.Tile[[64], pl.FP32] = pl.tile.muls(t, 1.5707963267948966)
        return x
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:
        with pl.manual_scope():
            tids: pl.Array[4, pl.TASK_ID] = pl.array.create(4, dtype=pl.TASK_ID)
            for n in pl.parallel(4):
                a, t = pl.submit(self.consumer, x)
                tids = pl.array.update_element(tids, n, t)
            b, _ = pl.submit(self.consumer, x, deps=[pl.array.get_element(tids, 1), pl.array.get_element(tids, 3)])
            c, _ = pl.submit(self.consumer, x, deps=[pl.array.get_element(tids, 0), pl.array.get_element(tids, 2)])
        return c
