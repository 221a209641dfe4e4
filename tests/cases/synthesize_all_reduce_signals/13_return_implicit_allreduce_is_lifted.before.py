# test: frame=host
# pypto-facts 4.4
# 13 return_implicit_allreduce_is_lifted
buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
w: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(buf, [256], dtype=pl.FP32)
return pld.tensor.allreduce(w, op=0)
