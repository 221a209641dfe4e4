import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class P:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def one(self, w: pld.DistributedTensor[[256], pl.FP32]):
        __allreduce_signal_world_size_0: pl.Scalar[pl.INT64] = pld.system.world_size()
        __allreduce_signal_buf_0: pl.Ptr = pld.tensor.alloc_window_buffer(__allreduce_signal_world_size_0 * pl.const(1, pl.INT64) * pl.const(4, pl.INT64))
        __allreduce_signal_0: pld.DistributedTensor[[__allreduce_signal_world_size_0, pl.const(1, pl.INT64)], pl.INT32] = pld.tensor.window(__allreduce_signal_buf_0, [__allreduce_signal_world_size_0, pl.const(1, pl.INT64)], dtype=pl.INT32)
        pld.tensor.allreduce(w, __allreduce_signal_0, op=0)
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def two(self, w: pld.DistributedTensor[[256], pl.FP32]):
        __allreduce_signal_world_size_1: pl.Scalar[pl.INT64] = pld.system.world_size()
        __allreduce_signal_buf_1: pl.Ptr = pld.tensor.alloc_window_buffer(__allreduce_signal_world_size_1 * pl.const(1, pl.INT64) * pl.const(4, pl.INT64))
        __allreduce_signal_1: pld.DistributedTensor[[__allreduce_signal_world_size_1, pl.const(1, pl.INT64)], pl.INT32] = pld.tensor.window(__allreduce_signal_buf_1, [__allreduce_signal_world_size_1, pl.const(1, pl.INT64)], dtype=pl.INT32)
        pld.tensor.allreduce(w, __allreduce_signal_1, op=0)
