# test: frame=host
# window buffers and their views (pypto-facts 4.2, 4.3)
# one variable for two window buffers
a = pld.alloc_window_buffer(1024)
b = pld.alloc_window_buffer(1024)
w = pld.window(a, [256], dtype=pl.FP32)
self.chip(w, device=0)
if True:
    w = pld.window(b, [256], dtype=pl.FP32)
self.chip(w, device=1)
