# test: frame=lower_host_tensor_collectives
# without its domain a collective is refused before the pass starts
buf: pl.Ptr = pld.tensor.alloc_window_buffer(16)
sig: pld.DistributedTensor[[4, 1], pl.INT32] = pld.tensor.window(buf, [4, 1], dtype=pl.INT32)
pld.tensor.barrier(sig)
