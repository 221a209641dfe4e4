# A tile in Mat lies in fractals, which is nothing to say there; moved to Vec, where rows are usual, its type says so.
import pypto.language as pl
@pl.program
class Layout:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[16, 16], pl.FP32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        t: pl.Tile[[16, 16], pl.FP32] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
        pl.tile.write(t, [0, 0], 1.0)
