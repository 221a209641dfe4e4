data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], dtype=pl.FP32)
for __allreduce_result_0 in pl.range(n):
    self.chip(data, device=__allreduce_result_0)
__allreduce_signal_world_size_1: pl.Scalar[pl.INT64] = pld.system.world_size()
__allreduce_signal_buf_1: pl.Ptr = pld.tensor.alloc_window_buffer(__allreduce_signal_world_size_1 * pl.const(1, pl.INT64) * pl.const(4, pl.INT64))
__allreduce_signal_1: pld.DistributedTensor[[__allreduce_signal_world_size_1, pl.const(1, pl.INT64)], pl.INT32] = pld.tensor.window(__allreduce_signal_buf_1, [__allreduce_signal_world_size_1, pl.const(1, pl.INT64)], dtype=pl.INT32)
pld.tensor.allreduce(data, __allreduce_signal_1, op=0)
