# test: frame=host
# collectives (pypto-facts 4.2, 4.3)
# a signal of two collectives lives where either's data does
a = pld.alloc_window_buffer(1024)
b = pld.alloc_window_buffer(1024)
c = pld.alloc_window_buffer(32)
w = pld.window(a, [256], dtype=pl.FP32)
v = pld.window(b, [256], dtype=pl.FP32)
s = pld.window(c, [8, 1], dtype=pl.INT32)
pld.tensor.broadcast(w, s, root=0)
pld.tensor.broadcast(v, s, root=0)
self.chip(w, device=0)
self.chip(v, device=1)
