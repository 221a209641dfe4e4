# test: frame=synthesize_all_reduce_signals
# other collectives have a signal
data_buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
data: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(data_buf, [256], dtype=pl.FP32)
sig_buf: pl.Ptr = pld.tensor.alloc_window_buffer(16)
sig: pld.DistributedTensor[[4, 1], pl.INT32] = pld.tensor.window(sig_buf, [4, 1], dtype=pl.INT32)
pld.tensor.broadcast(data, sig, root=0)
pld.tensor.barrier(sig)
