import pypto.language as pl
import pypto.language.distributed as pld
@pl.program
class test:
    @pl.function(type=pl.FunctionType.InCore)
    def core(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):
        self.core(w)
    @pl.function(level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def pair(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]], v: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):
        self.core(w)
    @pl.function(type=pl.FunctionType.Orchestration)
    def rows(self, t: pl.InOut[pld.DistributedTensor[[8, 256], pl.FP32]]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def block(self, t: pl.InOut[pld.DistributedTensor[[16, 16], pl.FP32]]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def cells(self, s: pl.InOut[pld.DistributedTensor[[8, 1], pl.INT32]]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def count(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]], v: pl.Scalar[pl.FP32]):
        return
    @pl.function(type=pl.FunctionType.Orchestration)
    def plain(self, x: pl.Tensor[[256], pl.FP32]):
        return
    @pl.function(type=pl.FunctionType.Graph)
    def graph(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):
        return
    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
    def worker(self, w: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):
        return
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, x: pl.Tensor[[8, 256], pl.FP32], n: pl.Scalar[pl.INT64], d: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):
        __allreduce_signal_world_size_0: pl.Scalar[pl.INT64] = pld.system.world_size()
        __allreduce_signal_buf_0: pl.Ptr = pld.tensor.alloc_window_buffer(__allreduce_signal_world_size_0 * pl.const(1, pl.INT64) * pl.const(4, pl.INT64))
        __allreduce_signal_0: pld.DistributedTensor[[__allreduce_signal_world_size_0, pl.const(1, pl.INT64)], pl.INT32] = pld.tensor.window(__allreduce_signal_buf_0, [__allreduce_signal_world_size_0, pl.const(1, pl.INT64)], dtype=pl.INT32)
        pld.tensor.allreduce(d, __allreduce_signal_0, op=0)
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def second(self, v: pl.InOut[pld.DistributedTensor[[256], pl.FP32]]):
        __allreduce_signal_world_size_1: pl.Scalar[pl.INT64] = pld.system.world_size()
        __allreduce_signal_buf_1: pl.Ptr = pld.tensor.alloc_window_buffer(__allreduce_signal_world_size_1 * pl.const(1, pl.INT64) * pl.const(4, pl.INT64))
        __allreduce_signal_1: pld.DistributedTensor[[__allreduce_signal_world_size_1, pl.const(1, pl.INT64)], pl.INT32] = pld.tensor.window(__allreduce_signal_buf_1, [__allreduce_signal_world_size_1, pl.const(1, pl.INT64)], dtype=pl.INT32)
        pld.tensor.allreduce(v, __allreduce_signal_1, op=0)
