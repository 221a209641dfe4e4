# test: frame=host
# window buffers and their views (pypto-facts 4.2, 4.3)
# a shape becomes bytes in the slot, and stays a shape in the call
ws = pld.world_size()
a = pld.alloc_window_buffer([4, 64], dtype=pl.FP32)
b = pld.alloc_window_buffer([ws, 16], dtype=pl.BF16)
c = pld.alloc_window_buffer([ws], dtype=pl.INT4)
e = pld.alloc_window_buffer([ws], dtype=pl.INT8)
w = pld.window(a, [256], dtype=pl.FP32)
v = pld.window(b, [256], dtype=pl.FP32)
u = pld.window(c, [256], dtype=pl.FP32)
t = pld.window(e, [256], dtype=pl.FP32)
self.pair(w, v, device=0)
self.pair(u, t, device=0)
