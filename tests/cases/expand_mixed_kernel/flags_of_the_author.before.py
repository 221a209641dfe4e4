# a core_type says which lane sets, and which one waits (pypto-ops-facts 3.1)
import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]):
        t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)
        m1: pl.Tensor[[16, 16], pl.FP32] = pl.tile.store(t, [0, 0], m)
        pl.system.sync_set(pipe=pl.PipeType.MTE3, event_id=0, core_type="aiv")
        pl.system.sync_wait(pipe=pl.PipeType.MTE2, event_id=0, core_type="aic")
        a: pl.Tile[[16, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(m1, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
