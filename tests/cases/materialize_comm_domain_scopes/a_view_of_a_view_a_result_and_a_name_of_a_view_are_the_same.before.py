# test: frame=host
# window buffers and their views (pypto-facts 4.2, 4.3)
# a view of a view, a result and a name of a view are the same storage
a = pld.alloc_window_buffer(8192)
b = pld.alloc_window_buffer(2048)
base = b
t = pld.window(a, [8, 256], dtype=pl.FP32)
w = pld.window(base, [512], dtype=pl.FP32)
row = t[0]
half = pl.tensor.slice(w, [256], [256])
self.chip(row, device=0)
self.chip(half, device=1)
