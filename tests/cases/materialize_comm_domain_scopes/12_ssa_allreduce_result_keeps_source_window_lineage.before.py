# test: frame=host
# pypto-facts 4.4
# 12 ssa_allreduce_result_keeps_source_window_lineage
buf = pld.alloc_window_buffer(1024)
sig = pld.alloc_window_buffer(32)
w = pld.window(buf, [256], dtype=pl.FP32)
s = pld.window(sig, [8, 1], dtype=pl.INT32)
y = pld.tensor.allreduce(w, s, op=0)
z = pld.tensor.allreduce(y, s, op=0)
self.chip(z, device=3)
