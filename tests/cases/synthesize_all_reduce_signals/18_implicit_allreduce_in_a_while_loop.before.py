# test: frame=synthesize_all_reduce_signals
# 18 implicit allreduce in a while loop
data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], dtype=pl.FP32)
while n > 0:
    if n > 1:
        pld.tensor.allreduce(data, op=0)
