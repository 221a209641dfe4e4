# test: frame=synthesize_all_reduce_signals
# 13 return_implicit_allreduce_is_lifted
data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], dtype=pl.FP32)
return pld.tensor.allreduce(data, op=0)
