# test: passes=all auto_sync=yes rows=5
# Five rows of the cube go to two vector cores: three to the first, two to the second, whose third one is not valid and is
# neither popped nor stored (pypto-ops-facts 3.2). The text copies x, whose element e is 5e % 7 + 1, row by row.
import pypto.language as pl
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[5, 16], pl.INT32], out: pl.Out[pl.Tensor[[5, 16], pl.INT32]]) -> pl.Tensor[[5, 16], pl.INT32]:
        g = pl.load(x, [0, 0], [5, 16], target_memory=pl.Mem.Mat)
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            v = pl.aiv_shard(g)
            out = pl.store(v, [lane * 3, 0], out)
        return out
