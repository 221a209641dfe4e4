# test: frame=synthesize_all_reduce_signals
# 25 nested_implicit_allreduce_expression_rejected
data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], dtype=pl.FP32)
self.chip(pld.tensor.allreduce(data, op=0), device=0)
