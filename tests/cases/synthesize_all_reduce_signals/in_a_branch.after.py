data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], dtype=pl.FP32)
if n > 0:
    __allreduce_signal_world_size_0: pl.Scalar[pl.INT64] = pld.system.world_size()
    __allreduce_signal_buf_0: pl.Ptr = pld.tensor.alloc_window_buffer(__allreduce_signal_world_size_0 * pl.const(1, pl.INT64) * pl.const(4, pl.INT64))
    __allreduce_signal_0: pld.DistributedTensor[[__allreduce_signal_world_size_0, pl.const(1, pl.INT64)], pl.INT32] = pld.tensor.window(__allreduce_signal_buf_0, [__allreduce_signal_world_size_0, pl.const(1, pl.INT64)], dtype=pl.INT32)
    pld.tensor.allreduce(data, __allreduce_signal_0, op=0)
