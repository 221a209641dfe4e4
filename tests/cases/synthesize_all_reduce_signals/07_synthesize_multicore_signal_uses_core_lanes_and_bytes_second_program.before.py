# test: frame=synthesize_all_reduce_signals
# 07 synthesize_multicore_signal_uses_core_lanes_and_bytes
data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], dtype=pl.FP32)
data = pld.tensor.allreduce(data, op=1, core_num=8)
