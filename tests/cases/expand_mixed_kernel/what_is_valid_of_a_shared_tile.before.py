# each vector core pops what is valid of its part, by its index: of five rows the second core has two, of n valid rows the
# first core up to four, the second the rest; of four whole rows each has its half, and nothing is to be said
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[8, 16], pl.FP32], m: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[8, 16], pl.FP32]]) -> pl.Tensor[[8, 16], pl.FP32]:
        a: pl.Tile[[5, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [5, 16], [5, 16], target_memory=pl.Mem.Mat)
        u: pl.Tile[[3, 16], pl.FP32, pl.Mem.Vec] = pl.tile.aiv_shard(a, split=1)
        o: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(u, [0, 0], o)
        n: pl.Scalar[pl.INDEX] = pl.min(m, 8)
        b: pl.Tile[[8, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [8, 16], [n, 16], target_memory=pl.Mem.Mat)
        v: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.aiv_shard(b, split=1)
        o: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(v, [0, 0], o)
        c: pl.Tile[[4, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [4, 16], [4, 16], target_memory=pl.Mem.Mat)
        w: pl.Tile[[2, 16], pl.FP32, pl.Mem.Vec] = pl.tile.aiv_shard(c, split=1)
        o: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(w, [0, 0], o)
        return o
