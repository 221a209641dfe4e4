# The vector cores store what the cube loads. The compiler orders only the other direction (pypto-ops-facts 3.1): without
# the flag between the lanes the cube may read old data, with it (as here) the kernel is clean.
# fencebench: ranks 1
import pypto.language as pl


@pl.program
class LanesThroughMemory:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        a: pl.Tensor[[16, 16], pl.FP32],
        mid: pl.InOut[pl.Tensor[[16, 16], pl.FP32]],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ):
        t = pl.load(a, [0, 0], [16, 16])
        u = pl.add(t, t)
        mid = pl.store(u, [0, 0], mid)
        pl.system.sync_set(pipe=pl.PipeType.MTE3, event_id=0, core_type="aiv")
        pl.system.sync_wait(pipe=pl.PipeType.MTE2, event_id=0, core_type="aic")
        lhs = pl.load(mid, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        l0a = pl.tile.move(lhs, target_memory=pl.Mem.Left)
        l0b = pl.tile.move(lhs, target_memory=pl.Mem.Right)
        acc = pl.tile.matmul(l0a, l0b)
        out = pl.store(acc, [0, 0], out)
        return out
