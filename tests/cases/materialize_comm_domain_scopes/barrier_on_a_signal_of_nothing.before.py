# test: frame=host
# collectives (pypto-facts 4.2, 4.3)
# barrier on a signal of nothing
buf = pld.alloc_window_buffer(1024)
w = pld.window(buf, [256], dtype=pl.FP32)
sig = pld.alloc_window_buffer(32)
s = pld.window(sig, [8, 1], dtype=pl.INT32)
self.chip(w, device=0)
pld.tensor.barrier(s)
