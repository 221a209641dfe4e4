import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class T:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def kernel_aic(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]):
        pl.system.sync_wait(pipe=pl.PipeType.MTE2, event_id=0, core_type='aic')
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def kernel_aiv(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]):
        pl.func_attr({"dual_aiv_dispatch": True})
        t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)
        m1: pl.Tensor[[16, 16], pl.FP32] = pl.tile.store(t, [0, 0], m)
        pl.system.sync_set(pipe=pl.PipeType.MTE3, event_id=0, core_type='aiv')
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], m: pl.InOut[pl.Tensor[[16, 16], pl.FP32]], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]], s: pld.DistributedTensor[[4, 1], pl.INT32]):
        self.kernel_aic(x, m, o, s)
        self.kernel_aiv(x, m, o, s)
