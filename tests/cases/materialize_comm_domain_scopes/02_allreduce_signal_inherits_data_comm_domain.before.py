# test: frame=host
# pypto-facts 4.4
# 02 allreduce_signal_inherits_data_comm_domain
buf = pld.alloc_window_buffer(1024)
sig = pld.alloc_window_buffer(32)
w = pld.window(buf, [256], dtype=pl.FP32)
s = pld.window(sig, [8, 1], dtype=pl.INT32)
for r in pl.range(2):
    self.chip(w, device=r)
pld.tensor.allreduce(w, s, op=0)
