# test: frame=synthesize_all_reduce_signals
# 11 synthesize_reserves_existing_alloc_names
data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], dtype=pl.FP32)
__allreduce_signal_buf_0: pl.Ptr = pld.tensor.alloc_window_buffer(16)
own: pl.Ptr = pl._dump.alloc_window_buffer(16, name='__allreduce_signal_buf_1')
pld.tensor.allreduce(data, op=0)
