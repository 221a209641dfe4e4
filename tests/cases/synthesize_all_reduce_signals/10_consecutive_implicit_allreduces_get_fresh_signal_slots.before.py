# test: frame=synthesize_all_reduce_signals
# 10 consecutive_implicit_allreduces_get_fresh_signal_slots
data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], dtype=pl.FP32)
data = pld.tensor.allreduce(data, op=0)
data = pld.tensor.allreduce(data, op=0)
