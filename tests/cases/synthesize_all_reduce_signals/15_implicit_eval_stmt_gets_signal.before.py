# test: frame=host
# pypto-facts 4.4
# 15 implicit_eval_stmt_gets_signal
buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024)
w: pld.DistributedTensor[[256], pl.FP32] = pld.tensor.window(buf, [256], dtype=pl.FP32)
pld.tensor.allreduce(w, op=0)
