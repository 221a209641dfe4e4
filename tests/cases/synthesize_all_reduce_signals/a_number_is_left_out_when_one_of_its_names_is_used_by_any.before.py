# test: frame=synthesize_all_reduce_signals
# a number is left out when one of its names is used by any statement
data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], dtype=pl.FP32)
for __allreduce_result_0 in pl.range(n):
    self.chip(data, device=__allreduce_result_0)
pld.tensor.allreduce(data, op=0)
