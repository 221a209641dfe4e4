buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
sig: pl.Ptr = pld.tensor.alloc_window_buffer(32)
w: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(buf, [256], dtype=pl.FP32)
s: pld.DistributedTensor[[8, 1], pl.INT32] = pld.tensor.window(sig, [8, 1], dtype=pl.INT32)
__allreduce_result_0: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.allreduce(w, s, op=0)
return __allreduce_result_0
