# test: frame=host
# collectives (pypto-facts 4.2, 4.3)
# barrier on the signal of another collective
a = pld.alloc_window_buffer(1024)
c = pld.alloc_window_buffer(32)
w = pld.window(a, [256], dtype=pl.FP32)
s = pld.window(c, [8, 1], dtype=pl.INT32)
self.chip(w, device=0)
pld.tensor.barrier(s)
pld.tensor.broadcast(w, s, root=0)
