# test: frame=host
# pypto-facts 4.4
# 11 synthesize_reserves_existing_alloc_names
__allreduce_signal_buf_0: pl.Ptr = pld.tensor.alloc_window_buffer(32)
s: pld.DistributedTensor[[8, 1], pl.INT32] = pld.tensor.window(__allreduce_signal_buf_0, [8, 1], dtype=pl.INT32)
buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
w: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(buf, [256], dtype=pl.FP32)
pld.tensor.allreduce(w, op=0)
