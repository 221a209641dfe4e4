# test: frame=host
# pypto-facts 4.4
# 07 synthesize_multicore_signal_uses_core_lanes_and_bytes
buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
w: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(buf, [256], dtype=pl.FP32)
y: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.allreduce(w, op=0, core_num=4)
